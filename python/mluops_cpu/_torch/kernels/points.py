"""Voxelization and dynamic scatter on CPU tensors."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mluops_cpu import _calls

from .. import memory
from ..openmp import threads
from ..records import floating, int32
from .rows import trimmed


def voxelization(
    points: Tensor,
    voxel_size: Sequence[float],
    coors_range: Sequence[float],
    max_points: int,
    max_voxels: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """[N,F] → voxels [M,max_points,F], coors int32 [M,3] (z, y, x), counts int32 [M]."""
    points = points.contiguous()
    # Each voxel has a point, so a small cloud needs no memory for max_voxels.
    most = min(max_voxels, *points.shape[:1]) if max_voxels > 0 else max_voxels
    rows = max(most, 0)  # a number below 0 is for C to refuse
    voxels = memory.empty((rows, max(max_points, 0), *points.shape[1:2]), points.dtype)
    coors = memory.empty((rows, 3), torch.int32)
    counts = memory.empty((rows,), torch.int32)
    found = _calls.voxelization(
        threads(),
        floating("points", points),
        voxel_size,
        coors_range,
        max_points,
        most,
        floating("voxels", voxels),
        int32("coors", coors),
        int32("num_points_per_voxel", counts),
    )
    return trimmed(voxels, found), trimmed(coors, found), trimmed(counts, found)


def dynamic_voxelize(
    points: Tensor, voxel_size: Sequence[float], coors_range: Sequence[float]
) -> Tensor:
    """[N,F] → int32 [N,3]: the voxel (z, y, x) of each point, -1 for one outside."""
    points = points.contiguous()
    coors = memory.empty((*points.shape[:1], 3), torch.int32)
    _calls.dynamic_voxelize(
        threads(), floating("points", points), voxel_size, coors_range, int32("coors", coors)
    )
    return coors


def dynamic_scatter(
    feats: Tensor, coors: Tensor, mode: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """[N,C], int32 [N,ndim] → [M,C], [M,ndim] ascending, the voxel of each point [N], counts [M].

    mode is 0 for sums, 1 for means, 2 for maxima.
    """
    feats, coors = feats.contiguous(), coors.contiguous()
    rows = feats.shape[:1]
    reduced = memory.empty((*rows, *feats.shape[1:2]), feats.dtype)
    sites = memory.empty((*rows, *coors.shape[1:2]), torch.int32)
    point2voxel = memory.empty(rows, torch.int32)
    counts = memory.empty(rows, torch.int32)
    found = _calls.dynamic_scatter_forward(
        threads(),
        floating("feats", feats),
        int32("coors", coors),
        floating("voxel_feats", reduced),
        int32("voxel_coors", sites),
        int32("point2voxel_map", point2voxel),
        int32("voxel_points_count", counts),
        mode,
    )
    return trimmed(reduced, found), trimmed(sites, found), point2voxel, trimmed(counts, found)


def dynamic_scatter_backward(
    grad: Tensor,
    feats: Tensor,
    voxel_feats: Tensor,
    point2voxel: Tensor,
    counts: Tensor,
    mode: int,
) -> Tensor:
    """Gradient [N,C] for the features; of equal maxima the first point gets it."""
    grad, feats, voxel_feats = grad.contiguous(), feats.contiguous(), voxel_feats.contiguous()
    point2voxel, counts = point2voxel.contiguous(), counts.contiguous()
    out = memory.empty(feats.shape, feats.dtype)
    _calls.dynamic_scatter_backward(
        threads(),
        floating("grad_voxel_feats", grad),
        floating("feats", feats),
        floating("voxel_feats", voxel_feats),
        int32("point2voxel_map", point2voxel),
        int32("voxel_points_count", counts),
        floating("grad_feats", out),
        mode,
    )
    return out
