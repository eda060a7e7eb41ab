"""Voxelization of `mmcv._ext`."""

from __future__ import annotations

from torch import Tensor

from ..._torch import ops as _ops
from .outputs import write, write_rows


def hard_voxelize_forward(
    points: Tensor,
    voxel_size: Tensor,
    coors_range: Tensor,
    voxels: Tensor,
    coors: Tensor,
    num_points_per_voxel: Tensor,
    voxel_num: Tensor,
    max_points: int,
    max_voxels: int,
    NDim: int,
    deterministic: bool,
) -> None:
    """points [N,F] -> voxels [max_voxels,max_points,F], coors [max_voxels,3], counts, their number.

    The number is a tensor of one element, int64 in mmcv. `deterministic` has no effect.
    """
    _require_three(NDim)
    grid = voxel_size.tolist(), coors_range.tolist()
    found = _ops.voxelization(points.detach(), *grid, max_points, max_voxels)
    outputs = (voxels, coors, num_points_per_voxel)
    for name, out, value in zip(("voxels", "coors", "num_points_per_voxel"), outputs, found):
        write_rows(name, out, value, max_voxels)
    voxel_num.fill_(found[0].shape[0])


def dynamic_voxelize_forward(
    points: Tensor, voxel_size: Tensor, coors_range: Tensor, coors: Tensor, NDim: int
) -> None:
    """points [N,F] -> coors [N,3] (z, y, x), -1 for a point outside of the range."""
    _require_three(NDim)
    found = _ops.dynamic_voxelize(points.detach(), voxel_size.tolist(), coors_range.tolist())
    write("coors", coors, found)


def _require_three(axes: int) -> None:
    if axes != 3:
        raise ValueError(f"NDim must be 3, got {axes}")
