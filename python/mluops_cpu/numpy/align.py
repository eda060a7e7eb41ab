"""Rotated feature align."""

from __future__ import annotations

from typing import Any, Callable, Optional

from .. import _calls
from ._arrays import (
    TO_NCHW,
    Array,
    check_layout,
    floats,
    integer,
    nchw_map,
    nchw_output,
    output,
    refuse_shared,
)


def rotated_feature_align_forward(
    input: Any,
    bboxes: Any,
    spatial_scale: float = 0.125,
    points: int = 1,
    *,
    layout: str = "NHWC",
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """Adds to each pixel the features sampled at its box: [N,H,W,C], [N,H,W,5] -> [N,H,W,C].

    bboxes are (y, x, w, h, angle) in image coordinates and radians, [N,H,W,5] in either layout;
    spatial_scale, a C float, takes them to the map. points 1 samples the centre, 5 the corners too.
    layout, dtype and out: see mluops_cpu.numpy. BadParamError: other shapes, points or a scale that
    is not above 0.

    >>> import numpy
    >>> boxes = numpy.zeros((1, 2, 2, 5), "f4")
    >>> boxes[..., 0] = 8  # y of every box: row 1 of the map
    >>> x = numpy.arange(4, dtype="f4").reshape(1, 2, 2, 1)
    >>> rotated_feature_align_forward(x, boxes, spatial_scale=1 / 8).ravel()
    array([2., 3., 4., 5.], dtype=float32)
    """
    if layout != "NHWC":
        call = _calls.rotated_feature_align_forward
        return _nchw(call, input, "input", bboxes, spatial_scale, points, layout, dtype, out)
    source, read = floats(input, "input", dtype, out)
    boxes, read_boxes = floats(bboxes, "bboxes", dtype, out)
    result, written = output(out, read[1], source.dtype, read[2])
    if type(points) is not int:
        points = integer(points, "points")
    _calls.rotated_feature_align_forward(0, read, read_boxes, written, float(spatial_scale), points)
    del source, boxes  # referenced until the call has returned
    return result


def rotated_feature_align_backward(
    grad_output: Any,
    bboxes: Any,
    spatial_scale: float = 0.125,
    points: int = 1,
    *,
    layout: str = "NHWC",
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """The gradient of the map: [N,H,W,C], [N,H,W,5] -> [N,H,W,C]; the boxes get none.

    The arguments are those of rotated_feature_align_forward.

    >>> import numpy
    >>> boxes = numpy.zeros((1, 2, 2, 5), "f4")
    >>> boxes[..., 0] = 8
    >>> g = numpy.ones((1, 2, 2, 1), "f4")
    >>> rotated_feature_align_backward(g, boxes, spatial_scale=1 / 8).ravel()
    array([1., 1., 5., 1.], dtype=float32)
    """
    if layout != "NHWC":
        call = _calls.rotated_feature_align_backward
        return _nchw(
            call, grad_output, "grad_output", bboxes, spatial_scale, points, layout, dtype, out
        )
    source, read = floats(grad_output, "grad_output", dtype, out)
    boxes, read_boxes = floats(bboxes, "bboxes", dtype, out)
    result, written = output(out, read[1], source.dtype, read[2])
    points = integer(points, "points")
    _calls.rotated_feature_align_backward(
        0, read, read_boxes, written, float(spatial_scale), points
    )
    del source, boxes
    return result


def _nchw(
    call: Callable[..., None],
    map: Any,
    name: str,
    bboxes: Any,
    spatial_scale: float,
    points: int,
    layout: str,
    dtype: Optional[str],
    out: Optional[Array],
) -> Array:
    check_layout(layout)
    source, read = nchw_map(map, name, dtype, out)
    boxes, read_boxes = floats(bboxes, "bboxes", dtype, out)
    refuse_shared(out, boxes, "bboxes")
    final = nchw_output(out, source.shape, source.dtype)
    result, written = output(None, source.shape, source.dtype, read[2])
    call(0, read, read_boxes, written, float(spatial_scale), integer(points, "points"))
    final[...] = result.transpose(TO_NCHW)
    return final
