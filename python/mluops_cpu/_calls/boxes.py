"""Points in boxes: points [B,M,3], boxes [B,T,7] (x, y, bottom z, sizes, heading)."""

from __future__ import annotations

from .._native import acquire, c, fail
from .common import Record, arguments, fill


def points_in_boxes_part(threads: int, points: Record, boxes: Record, indices: Record) -> None:
    """Writes indices [B,M], int32: the first box that holds each point, or -1."""
    if (0 in points[1] or 0 in boxes[1]) and len(points[1]) == len(boxes[1]) == 3:
        return fill(indices, 255)
    state = acquire(threads)
    status = c.mluOpCpuPointsInBoxesPart(
        state.handle, *arguments(state.descriptors, points, boxes, indices)
    )
    if status:
        fail("mluOpCpuPointsInBoxesPart", status)
    return None


def points_in_boxes_all(
    threads: int, points: Record, boxes: Record, flags: Record, box_major: bool = False
) -> None:
    """Writes flags [B,M,T], or [B,T,M] if box_major, int32: 1 where a box holds a point, else 0."""
    if (0 in points[1] or 0 in boxes[1]) and len(points[1]) == len(boxes[1]) == 3:
        return fill(flags)
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpCpuPointsInBoxesAll(
        state.handle,
        *arguments(find, points, boxes),
        1 if box_major else 0,
        *arguments(find, flags),
    )
    if status:
        fail("mluOpCpuPointsInBoxesAll", status)
    return None
