"""Overlaps of boxes, and non-maximum suppression by them.

Boxes are [N,4] (x1, y1, x2, y2), rotated [N,5] (x, y, w, h, angle), or 3-D [N,7] (x, y, z, sizes,
heading). Those that are kept are written first; the functions return how many there are.
"""

from __future__ import annotations

import ctypes
from typing import Any

from .._native import INT64, acquire, c, fail, int32
from .common import Record, arguments

IOU, IOF = 0, 1


def box_iou_rotated(
    threads: int, bboxes1: Record, bboxes2: Record, ious: Record, mode: int, aligned: bool
) -> None:
    """Writes ious [N,M], or [N] if aligned: over the union, or (mode 1) over the first box."""
    state = acquire(threads)
    status = c.mluOpBoxIouRotated(
        state.handle, mode, aligned, *arguments(state.descriptors, bboxes1, bboxes2, ious)
    )
    if status:
        fail("mluOpBoxIouRotated", status)


def boxes_overlap_bev(threads: int, boxes_a: Record, boxes_b: Record, overlap: Record) -> None:
    """Writes overlap [N,M]: the area that 3-D boxes share, seen from above."""
    state = acquire(threads)
    status = c.mluOpCpuBoxesOverlapBev(
        state.handle, *arguments(state.descriptors, boxes_a, boxes_b, overlap)
    )
    if status:
        fail("mluOpCpuBoxesOverlapBev", status)


def nms(
    threads: int, boxes: Record, scores: Record, kept: Record, iou_threshold: float, offset: int
) -> int:
    """Writes kept [N], int32 or int64: boxes [N,4] by falling score, without those they cover."""
    state = acquire(threads)
    number = _number(kept)
    status = c.mluOpCpuNms(
        state.handle,
        iou_threshold,
        int32(offset, "offset"),
        *arguments(state.descriptors, boxes, scores, kept),
        ctypes.addressof(number),
    )
    if status:
        fail("mluOpCpuNms", status)
    return int(number.value)


def nms_rotated(
    threads: int, boxes: Record, scores: Record, kept: Record, iou_threshold: float
) -> int:
    """Writes kept int32 [N]: boxes [N,5] by falling score, without those they cover.

    A sixth column of labels has no effect, as in mmcv and on the card.
    """
    state = acquire(threads)
    find = state.descriptors
    number = ctypes.c_int()
    status = c.mluOpNmsRotated(
        state.handle,
        iou_threshold,
        *arguments(find, boxes, scores),
        None,  # it needs no workspace
        0,
        *arguments(find, kept),
        ctypes.byref(number),
    )
    if status:
        fail("mluOpNmsRotated", status)
    return number.value


def nms3d(
    threads: int, boxes: Record, kept: Record, iou_threshold: float, ignore_heading: bool
) -> int:
    """Writes kept [N], int32 or int64, ascending: boxes [N,7], which are in order of their scores.

    Seen from above; ignore_heading takes them as parallel to the axes.
    """
    state = acquire(threads)
    number = _number(kept)
    status = c.mluOpCpuNms3d(
        state.handle,
        iou_threshold,
        1 if ignore_heading else 0,
        *arguments(state.descriptors, boxes, kept),
        ctypes.addressof(number),
    )
    if status:
        fail("mluOpCpuNms3d", status)
    return int(number.value)


def _number(kept: Record) -> Any:
    """Room for a count of the type that the indices have."""
    return ctypes.c_int64() if kept[2] == INT64 else ctypes.c_int32()
