"""Rotated feature align: maps [N,H,W,C], bboxes [N,H,W,5] (y, x, w, h, angle)."""

from __future__ import annotations

from .._native import LAYOUT_ARRAY, LAYOUT_NHWC, acquire, c, fail, int32
from .common import Record, fill


def rotated_feature_align_forward(
    threads: int,
    input: Record,
    bboxes: Record,
    output: Record,
    spatial_scale: float,
    points: int,
) -> None:
    """Writes output [N,H,W,C]."""
    pointer, shape, dtype = input
    box_pointer, box_shape, box_dtype = bboxes
    out_pointer, out_shape, out_dtype = output
    if 0 in shape and len(shape) == 4:
        return fill(output)
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpRotatedFeatureAlignForward(
        state.handle,
        find[LAYOUT_NHWC, dtype, shape],
        pointer,
        find[LAYOUT_ARRAY, box_dtype, box_shape],
        box_pointer,
        spatial_scale,
        points if -1 < points < 6 else int32(points, "points"),
        find[LAYOUT_NHWC, out_dtype, out_shape],
        out_pointer,
    )
    if status:
        fail("mluOpRotatedFeatureAlignForward", status)
    return None


def rotated_feature_align_backward(
    threads: int,
    grad_output: Record,
    bboxes: Record,
    grad_input: Record,
    spatial_scale: float,
    points: int,
) -> None:
    """Writes grad_input [N,H,W,C]."""
    pointer, shape, dtype = grad_output
    box_pointer, box_shape, box_dtype = bboxes
    out_pointer, out_shape, out_dtype = grad_input
    if 0 in shape and len(shape) == 4:
        return fill(grad_input)
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpRotatedFeatureAlignBackward(
        state.handle,
        find[LAYOUT_NHWC, dtype, shape],
        pointer,
        find[LAYOUT_ARRAY, box_dtype, box_shape],
        box_pointer,
        spatial_scale,
        points if -1 < points < 6 else int32(points, "points"),
        find[LAYOUT_NHWC, out_dtype, out_shape],
        out_pointer,
    )
    if status:
        fail("mluOpRotatedFeatureAlignBackward", status)
    return None
