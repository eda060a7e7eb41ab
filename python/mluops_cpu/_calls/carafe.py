"""CARAFE: input [N,H,W,C], mask [N,sH,sW,G*k*k], output [N,sH,sW,C]."""

from __future__ import annotations

from typing import Any, Optional

from .._native import LAYOUT_NHWC, acquire, c, fail
from .common import Record, fill


def carafe_forward(
    threads: int,
    input: Record,
    mask: Record,
    output: Record,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> None:
    """Writes output [N,sH,sW,C]."""
    state = acquire(threads)
    carafe = state.carafes[kernel_size, group_size, scale_factor]
    pointer, shape, dtype = input
    mask_pointer, mask_shape, mask_dtype = mask
    out_pointer, out_shape, out_dtype = output
    if (0 in shape or 0 in mask_shape) and len(shape) == len(mask_shape) == 4:
        return fill(output)
    find = state.descriptors
    status = c.mluOpCarafeForward(
        state.handle,
        carafe,
        find[LAYOUT_NHWC, dtype, shape],
        pointer,
        find[LAYOUT_NHWC, mask_dtype, mask_shape],
        mask_pointer,
        find[LAYOUT_NHWC, out_dtype, out_shape],
        out_pointer,
    )
    if status:
        fail("mluOpCarafeForward", status)
    return None


def carafe_backward(
    threads: int,
    input: Record,
    mask: Record,
    grad_output: Record,
    grad_input: Optional[Record],
    grad_mask: Optional[Record],
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> None:
    """Writes grad_input and grad_mask, or the one that is not None at about half the cost."""
    state = acquire(threads)
    carafe = state.carafes[kernel_size, group_size, scale_factor]
    if grad_input is None and grad_mask is None:
        return
    reads = (input, mask, grad_output)
    wanted = tuple(record for record in (grad_input, grad_mask) if record is not None)
    if any(0 in record[1] for record in reads) and all(len(record[1]) == 4 for record in reads):
        for record in wanted:
            fill(record)
        return
    find = state.descriptors
    arguments: list[Any] = []
    for maybe in (*reads, grad_input, grad_mask):
        if maybe is None:
            arguments += [None, None]
        else:
            arguments += [find[LAYOUT_NHWC, maybe[2], maybe[1]], maybe[0]]
    status = c.mluOpCarafeBackward(state.handle, carafe, *arguments)
    if status:
        fail("mluOpCarafeBackward", status)
