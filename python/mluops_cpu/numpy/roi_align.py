"""RoI align: bilinear samples of a map, pooled over the bins of each RoI."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional, Union

from .. import _calls
from .._calls import Record
from ._arrays import (
    TO_NCHW,
    Array,
    axes,
    check_layout,
    floats,
    integer,
    nchw_map,
    nchw_output,
    output,
    refuse_shared,
    several,
    size,
)

_MODES = {"max": 0, "avg": 1}
_None3 = (None, None, None)


def _mode(mode: str) -> int:
    if mode not in _MODES:
        raise ValueError(f"mode must be 'max' or 'avg', got {mode!r}")
    return _MODES[mode]


def roi_align_forward(
    input: Any,
    rois: Any,
    output_size: Union[int, Iterable[int]],
    spatial_scale: float = 1.0,
    sampling_ratio: int = 0,
    mode: str = "avg",
    aligned: bool = True,
    *,
    layout: str = "NHWC",
    dtype: Optional[str] = None,
    out: tuple[Optional[Array], Optional[Array], Optional[Array]] = _None3,
) -> tuple[Array, Optional[Array], Optional[Array]]:
    """Samples the map below the bins of each RoI: [N,H,W,C], rois [K,5] -> [K,PH,PW,C].

    Returns the output and, for mode 'max', where each maximum was on the map, argmax_y and
    argmax_x, both in the shape and dtype of the output (None for 'avg'). A RoI is (image, x1, y1,
    x2, y2), spatial_scale takes it to the map. sampling_ratio is the number of samples of a bin
    along each axis, 0 for as many as it has pixels. aligned shifts by half a pixel. layout, dtype
    and out: see mluops_cpu.numpy.

    >>> import numpy
    >>> x = numpy.array([[1, 2], [3, 4]], "f4").reshape(1, 2, 2, 1)
    >>> y, _, _ = roi_align_forward(x, numpy.array([[0, 0, 0, 2, 2]], "f4"), 1, sampling_ratio=2)
    >>> y.ravel()
    array([2.5], dtype=float32)
    """
    number, first = _mode(mode), check_layout(layout)
    height, width = axes(output_size, 2, "output_size")
    given = several(out, 3)
    source, read = (nchw_map if first else floats)(input, "input", dtype, given)
    boxes, read_boxes = floats(rois, "rois", dtype, given)
    shape = (*boxes.shape[:1], max(height, 0), max(width, 0), *source.shape[3:4])
    wanted = given if number == 0 else given[:1]
    results, records, finals = [], [], []
    for place, one in enumerate(wanted):
        name = f"out[{place}]"
        if first:
            refuse_shared(one, boxes, "rois")
            finals.append(nchw_output(one, shape, source.dtype, name))
        result, written = output(None if first else one, shape, source.dtype, read[2], name)
        results.append(result)
        records.append(written)
    argmax: tuple[Optional[Record], Optional[Record]] = (
        (records[1], records[2]) if number == 0 else (None, None)
    )
    _calls.roi_align_forward(
        0,
        read,
        read_boxes,
        records[0],
        *argmax,
        (height, width),
        float(spatial_scale),
        integer(sampling_ratio, "sampling_ratio"),
        number,
        bool(aligned),
    )
    del source
    for final, result in zip(finals, results):
        final[...] = result.transpose(TO_NCHW)
    found = finals or results
    return (found[0], found[1], found[2]) if number == 0 else (found[0], None, None)


def roi_align_backward(
    grad_output: Any,
    rois: Any,
    input_shape: Iterable[int],
    spatial_scale: float = 1.0,
    sampling_ratio: int = 0,
    mode: str = "avg",
    aligned: bool = True,
    argmax: Optional[tuple[Any, Any]] = None,
    *,
    layout: str = "NHWC",
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """The gradient of the map, of input_shape in the layout of the call: [K,PH,PW,C] -> [N,H,W,C].

    argmax is the pair (argmax_y, argmax_x) that roi_align_forward returned for mode 'max'; the
    other arguments are its own. The RoIs get no gradient.

    >>> import numpy
    >>> rois, grad = numpy.array([[0, 0, 0, 2, 2]], "f4"), numpy.ones((1, 1, 1, 1), "f4")
    >>> roi_align_backward(grad, rois, (1, 2, 2, 1), sampling_ratio=2).ravel()
    array([0.25, 0.25, 0.25, 0.25], dtype=float32)
    """
    number, first = _mode(mode), check_layout(layout)
    if (argmax is None) == (number == 0):
        raise ValueError("argmax must be a pair for mode 'max' and None for 'avg'")
    take = nchw_map if first else floats
    source, read = take(grad_output, "grad_output", dtype, out)
    boxes, read_boxes = floats(rois, "rois", dtype, out)
    places = [take(each, "argmax", dtype, out) for each in argmax or ()]
    final_shape = tuple(size(each, "input_shape") for each in axes(input_shape, 4, "input_shape"))
    result_shape = final_shape
    if first:
        n, c, h, w = final_shape
        result_shape = (n, h, w, c)
        refuse_shared(out, boxes, "rois")
    given = None if first else out
    result, written = output(given, result_shape, source.dtype, read[2])
    most_y, most_x = (places[0][1], places[1][1]) if places else (None, None)
    _calls.roi_align_backward(
        0,
        read,
        read_boxes,
        most_y,
        most_x,
        written,
        float(spatial_scale),
        integer(sampling_ratio, "sampling_ratio"),
        number,
        bool(aligned),
    )
    if not first:
        return result
    final = nchw_output(out, result_shape, source.dtype)
    final[...] = result.transpose(TO_NCHW)
    return final
