"""Voxelization: points [N,F], of which the first three columns are x, y, z.

voxel_size (x, y, z) and coors_range (x, y, z of the lower corner, then of the upper one) are
numbers, which C takes as float32. Voxels are numbered (z, y, x).
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from .._native import FLOAT, INT32, LAYOUT_ARRAY, acquire, c, fail, int32
from .common import Record, arguments, fill

_AXES = 3


def voxelization(
    threads: int,
    points: Record,
    voxel_size: Sequence[float],
    coors_range: Sequence[float],
    max_points: int,
    max_voxels: int,
    voxels: Record,
    coors: Record,
    num_points: Record,
) -> int:
    """Writes voxels [max_voxels,max_points,F], coors int32 [max_voxels,3], num_points [max_voxels].

    Returns how many voxels there are; the rows after them are 0.
    """
    if points[1][:1] == (0,) and len(points[1]) == 2:  # C refuses a cloud without points
        for record in (voxels, coors, num_points):
            fill(record)
        return 0
    state = acquire(threads)
    find = state.descriptors
    found = ctypes.c_int32()
    status = c.mluOpVoxelization(
        state.handle,
        *arguments(find, points),
        *_floats(find, voxel_size),
        *_floats(find, coors_range),
        int32(max_points, "max_points"),
        int32(max_voxels, "max_voxels"),
        _AXES,
        True,
        None,  # it needs no workspace
        0,
        *arguments(find, voxels, coors, num_points, (ctypes.addressof(found), (1,), INT32)),
    )
    if status:
        fail("mluOpVoxelization", status)
    if 0 in voxels[1]:  # no points or no voxels are wanted: C leaves the outputs alone
        fill(coors)
        fill(num_points)
    return found.value


def dynamic_voxelize(
    threads: int,
    points: Record,
    voxel_size: Sequence[float],
    coors_range: Sequence[float],
    coors: Record,
) -> None:
    """Writes coors int32 [N,3]: the voxel of each point, (-1, -1, -1) for one outside."""
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpCpuDynamicVoxelize(
        state.handle,
        *arguments(find, points),
        *_floats(find, voxel_size),
        *_floats(find, coors_range),
        _AXES,
        *arguments(find, coors),
    )
    if status:
        fail("mluOpCpuDynamicVoxelize", status)


def _floats(find: Any, values: Sequence[float]) -> tuple[Any, Any]:
    """Descriptor and array of a few numbers; the caller's argument list keeps the array alive."""
    return find[LAYOUT_ARRAY, FLOAT, (len(values),)], (ctypes.c_float * len(values))(*values)
