"""CARAFE, content-aware reassembly of features."""

from __future__ import annotations

from typing import Any, Optional

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
    several,
)


def _up(shape: tuple[int, ...], scale: int) -> tuple[int, ...]:
    """[N,sH,sW,C]; another rank or scale is for C to refuse."""
    if len(shape) != 4 or scale < 1:
        return shape
    return shape[0], shape[1] * scale, shape[2] * scale, shape[3]


def carafe_forward(
    input: Any,
    mask: Any,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
    *,
    layout: str = "NHWC",
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """Weighted sums over k x k windows: [N,H,W,C], [N,sH,sW,G*k*k] -> [N,sH,sW,C].

    k is kernel_size, G group_size, s scale_factor. The window of an output is centred at the input
    it lies over. Channel (g*k + i)*k + j of the mask weighs cell (i, j) of the window for the
    channels of group g. layout, dtype and out: see mluops_cpu.numpy. BadParamError: other shapes,
    an even kernel, channels that are no multiple of group_size.

    >>> import numpy
    >>> x = numpy.array([[[[1.0], [2.0]]]])  # one row of two pixels
    >>> mask = numpy.full((1, 2, 4, 1), 0.5)
    >>> carafe_forward(x, mask, 1, 1, 2)[0, :, :, 0]
    array([[0.5, 0.5, 1. , 1. ],
           [0.5, 0.5, 1. , 1. ]])
    """
    sizes = (
        integer(kernel_size, "kernel_size"),
        integer(group_size, "group_size"),
        integer(scale_factor, "scale_factor"),
    )
    channels_first = check_layout(layout)
    take = nchw_map if channels_first else floats
    source, read = take(input, "input", dtype, out)
    weights, read_mask = take(mask, "mask", dtype, out)
    shape = _up(source.shape, sizes[2])
    final = nchw_output(out, shape, source.dtype) if channels_first else None
    result, written = output(None if channels_first else out, shape, source.dtype, read[2])
    _calls.carafe_forward(0, read, read_mask, written, *sizes)
    del source, weights  # referenced until the call has returned
    if final is None:
        return result
    final[...] = result.transpose(TO_NCHW)
    return final


def carafe_backward(
    input: Any,
    mask: Any,
    grad_output: Any,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
    *,
    layout: str = "NHWC",
    dtype: Optional[str] = None,
    out: tuple[Optional[Array], Optional[Array]] = (None, None),
) -> tuple[Array, Array]:
    """(grad_input [N,H,W,C], grad_mask [N,sH,sW,G*k*k]) for grad_output [N,sH,sW,C].

    The other arguments are those of carafe_forward; `out` may hold one or both results.

    >>> import numpy
    >>> x = numpy.array([[[[1.0], [2.0]]]])
    >>> mask = numpy.full((1, 2, 4, 1), 0.5)
    >>> grad_input, grad_mask = carafe_backward(x, mask, numpy.ones((1, 2, 4, 1)), 1, 1, 2)
    >>> grad_input.ravel(), grad_mask[0, :, :, 0]
    (array([2., 2.]), array([[1., 1., 2., 2.],
           [1., 1., 2., 2.]]))
    """
    sizes = (
        integer(kernel_size, "kernel_size"),
        integer(group_size, "group_size"),
        integer(scale_factor, "scale_factor"),
    )
    channels_first = check_layout(layout)
    take = nchw_map if channels_first else floats
    outs = several(out, 2)
    arrays, records = [], []
    for value, name in ((input, "input"), (mask, "mask"), (grad_output, "grad_output")):
        array, record = take(value, name, dtype, outs)
        arrays.append(array)
        records.append(record)
    finals, results, written = [], [], []
    for given, array, record, name in zip(outs, arrays, records, ("out[0]", "out[1]")):
        if channels_first:
            finals.append(nchw_output(given, array.shape, array.dtype, name))
            given = None
        result, target = output(given, array.shape, array.dtype, record[2], name)
        results.append(result)
        written.append(target)
    read, read_mask, read_grad = records
    _calls.carafe_backward(0, read, read_mask, read_grad, written[0], written[1], *sizes)
    for final, result in zip(finals, results):
        final[...] = result.transpose(TO_NCHW)
    del arrays  # referenced until the call has returned
    first, second = finals or results
    return first, second
