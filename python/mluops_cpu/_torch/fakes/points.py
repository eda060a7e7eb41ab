"""Fakes of voxelization and dynamic scatter."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .rows import unknown_rows


def voxelization(
    points: Tensor,
    voxel_size: Sequence[float],
    coors_range: Sequence[float],
    max_points: int,
    max_voxels: int,
) -> tuple[Tensor, Tensor, Tensor]:
    rows = unknown_rows(max_voxels)
    return (
        points.new_empty((rows, max_points, points.shape[1])),
        points.new_empty((rows, 3), dtype=torch.int32),
        points.new_empty((rows,), dtype=torch.int32),
    )


def dynamic_voxelize(
    points: Tensor, voxel_size: Sequence[float], coors_range: Sequence[float]
) -> Tensor:
    return points.new_empty((points.shape[0], 3), dtype=torch.int32)


def dynamic_scatter(
    feats: Tensor, coors: Tensor, mode: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    rows = unknown_rows()
    return (
        feats.new_empty((rows, feats.shape[1])),
        coors.new_empty((rows, coors.shape[1])),
        coors.new_empty((feats.shape[0],)),
        coors.new_empty((rows,)),
    )


def dynamic_scatter_backward(
    grad: Tensor,
    feats: Tensor,
    voxel_feats: Tensor,
    point2voxel: Tensor,
    counts: Tensor,
    mode: int,
) -> Tensor:
    return feats.new_empty(feats.shape)
