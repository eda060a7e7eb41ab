"""Voxelization and dynamic scatter, point by point."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy

Cell = Optional[tuple[int, int, int]]


def cell(point: Any, size: Any, corners: Any, real: Any) -> Cell:
    """The voxel (z, y, x) of a point, or None; in the arithmetic of `real`."""
    found = []
    for axis in range(3):
        low, high = numpy.float32(corners[axis]), numpy.float32(corners[axis + 3])
        step = numpy.float32(size[axis])
        count = math.floor(float((high - low) / step) + 0.5)
        place = numpy.floor((real(point[axis]) - real(low)) / real(step))
        if not 0 <= place < count:
            return None
        found.append(int(place))
    x, y, z = found
    return z, y, x


def cells(points: Any, size: Any, corners: Any, real: Any) -> Any:
    """int32 [N,3], -1 for a point outside."""
    rows = [cell(point, size, corners, real) or (-1, -1, -1) for point in points]
    return numpy.array(rows, numpy.int32).reshape(-1, 3)


def voxelize(
    points: Any, size: Any, corners: Any, max_points: int, max_voxels: int, real: Any
) -> tuple[list[list[int]], Any]:
    """The points of each voxel, in the order of the voxels' first points, and coors [M,3]."""
    order: dict[Cell, list[int]] = {}
    for number, point in enumerate(points):
        place = cell(point, size, corners, real)
        if place is None or (place not in order and len(order) >= max_voxels):
            continue
        members = order.setdefault(place, [])
        if len(members) < max_points:
            members.append(number)
    return list(order.values()), numpy.array(list(order), numpy.int32).reshape(-1, 3)


def groups(coors: Any) -> dict[tuple[int, ...], list[int]]:
    """The points of each voxel, ascending; those with a coordinate below 0 are in none."""
    found: dict[tuple[int, ...], list[int]] = {}
    for number, row in enumerate(coors.tolist()):
        if min(row) >= 0:
            found.setdefault(tuple(row), []).append(number)
    return dict(sorted(found.items()))


def scatter(feats: Any, coors: Any, mode: str) -> tuple[Any, Any, Any, Any]:
    """voxel_feats in double, voxel_coors, point2voxel_map and voxel_points_count."""
    found = groups(coors)
    reduce = {"max": numpy.max, "sum": numpy.sum, "mean": numpy.mean}[mode]
    rows = [reduce(feats[members], axis=0) for members in found.values()]
    table = numpy.full(len(feats), -1, numpy.int32)
    for voxel, members in enumerate(found.values()):
        table[members] = voxel
    sites = numpy.array(list(found), numpy.int32).reshape(-1, coors.shape[1])
    counts = numpy.array([len(members) for members in found.values()], numpy.int32)
    return numpy.array(rows).reshape(-1, feats.shape[1]), sites, table, counts


def scatter_backward(grad: Any, feats: Any, coors: Any, mode: str) -> Any:
    """The gradient of the features; of equal maxima the first point takes it."""
    result = numpy.zeros(feats.shape)
    for voxel, members in enumerate(groups(coors).values()):
        for channel in range(feats.shape[1]):
            if mode == "max":
                first = members[int(numpy.argmax(feats[members, channel]))]
                result[first, channel] = grad[voxel, channel]
            else:
                share = len(members) if mode == "mean" else 1
                result[members, channel] = grad[voxel, channel] / share
    return result
