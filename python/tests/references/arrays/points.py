"""RoI-aware pooling and points in boxes, box by box and point by point."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy


def local(point: Any, box: Any) -> Optional[tuple[float, float, float]]:
    """The point from the lower corner of the box and along its axes; None if it is outside."""
    cx, cy, cz, dx, dy, dz, heading = (float(value) for value in box)
    x, y, z = (float(value) for value in point)
    c, s = math.cos(heading), math.sin(heading)
    u = (x - cx) * c + (y - cy) * s
    v = (y - cy) * c - (x - cx) * s
    if abs(z - (cz + dz / 2)) > dz / 2 or abs(u) >= dx / 2 or abs(v) >= dy / 2:
        return None
    return u + dx / 2, v + dy / 2, z - cz


def in_boxes(points: Any, boxes: Any) -> Any:
    """Flags [B,M,T]."""
    flags = numpy.zeros((*points.shape[:2], boxes.shape[1]), numpy.int32)
    for b, m, t in numpy.ndindex(flags.shape):
        flags[b, m, t] = local(points[b, m], boxes[b, t]) is not None
    return flags


def first_box(flags: Any) -> Any:
    """[B,M]: the first box of each point, or -1."""
    first = numpy.full(flags.shape[:2], -1, numpy.int32)
    for b, m in numpy.ndindex(first.shape):
        held = numpy.flatnonzero(flags[b, m])
        if len(held):
            first[b, m] = held[0]
    return first


def lists(rois: Any, pts: Any, sizes: tuple[int, int, int], most: int) -> Any:
    """pts_idx [B,x,y,z,most]: a count, the first points, zeros."""
    idx = numpy.zeros((len(rois), *sizes, most), numpy.int32)
    for b, box in enumerate(rois):
        for p, point in enumerate(pts):
            inside = local(point, box)
            if inside is None:
                continue
            steps = zip(inside, box[3:6], sizes)
            cell = tuple(min(max(int(at / (size / n)), 0), n - 1) for at, size, n in steps)
            row = idx[(b, *cell)]
            if row[0] < most - 1:
                row[0] += 1
                row[row[0]] = p
    return idx


def pool(idx: Any, features: Any, mode: str) -> Any:
    """pooled and argmax [B,x,y,z,C] of the lists."""
    shape = (*idx.shape[:-1], features.shape[1])
    pooled, argmax = numpy.zeros(shape), numpy.zeros(shape, numpy.int32)
    for cell in numpy.ndindex(idx.shape[:-1]):
        members = idx[cell][1 : 1 + idx[cell][0]]
        if mode == "max":
            argmax[cell] = members[features[members].argmax(0)] if len(members) else -1
        if len(members):
            values = features[members]
            pooled[cell] = values.max(0) if mode == "max" else values.mean(0)
    return pooled, argmax


def pool_backward(idx: Any, argmax: Any, grad: Any, num_pts: int, mode: str) -> Any:
    out = numpy.zeros((num_pts, grad.shape[-1]))
    for cell in numpy.ndindex(idx.shape[:-1]):
        members = idx[cell][1 : 1 + idx[cell][0]]
        for channel in range(grad.shape[-1]):
            if mode == "max" and argmax[cell][channel] >= 0:
                out[argmax[cell][channel], channel] += grad[cell][channel]
            for member in members if mode == "avg" else ():
                out[member, channel] += grad[cell][channel] / len(members)
    return out
