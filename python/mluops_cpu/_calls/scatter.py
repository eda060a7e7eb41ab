"""Dynamic scatter: the features [N,C] of points reduced by voxel coordinates [N,ndim]."""

from __future__ import annotations

import ctypes

from .._native import INT32, acquire, c, fail
from .common import Record, arguments, fill

SUM, MEAN, MAX = 0, 1, 2


def dynamic_scatter_forward(
    threads: int,
    feats: Record,
    coors: Record,
    voxel_feats: Record,
    voxel_coors: Record,
    point2voxel_map: Record,
    voxel_points_count: Record,
    mode: int,
) -> int:
    """Writes outputs of N rows and returns how many are voxels, in ascending order of coordinates.

    voxel_feats [N,C], voxel_coors [N,ndim], point2voxel_map [N] (-1: a coordinate below 0) and
    voxel_points_count [N].
    """
    if 0 in feats[1] or 0 in coors[1]:
        fill(point2voxel_map, 255)
        return 0
    state = acquire(threads)
    find = state.descriptors
    found = ctypes.c_int32()
    number = (ctypes.addressof(found), (1,), INT32)
    status = c.mluOpDynamicPointToVoxelForward(
        state.handle,
        mode,
        *arguments(find, feats, coors),
        None,  # it needs no workspace
        0,
        *arguments(find, voxel_feats, voxel_coors, point2voxel_map, voxel_points_count, number),
    )
    if status:
        fail("mluOpDynamicPointToVoxelForward", status)
    return found.value


def dynamic_scatter_backward(
    threads: int,
    grad_voxel_feats: Record,
    feats: Record,
    voxel_feats: Record,
    point2voxel_map: Record,
    voxel_points_count: Record,
    grad_feats: Record,
    mode: int,
) -> None:
    """Writes grad_feats [N,C] from grad_voxel_feats [M,C] and what the forward wrote."""
    if 0 in grad_feats[1] or 0 in grad_voxel_feats[1]:
        return fill(grad_feats)
    state = acquire(threads)
    find = state.descriptors
    found = ctypes.c_int32(voxel_feats[1][0])
    number = (ctypes.addressof(found), (1,), INT32)
    reads = (grad_voxel_feats, feats, voxel_feats, point2voxel_map, voxel_points_count, number)
    status = c.mluOpDynamicPointToVoxelBackward(
        state.handle, mode, *arguments(find, *reads), None, 0, *arguments(find, grad_feats)
    )
    if status:
        fail("mluOpDynamicPointToVoxelBackward", status)
    return None
