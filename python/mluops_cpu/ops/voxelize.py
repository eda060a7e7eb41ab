"""Voxelization: points collected into voxels, or the voxel of each point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Union, cast

import torch
from torch import Tensor, nn

from .._torch import ops

__all__ = ["Voxelization", "voxelization"]

_Hard = tuple[Tensor, Tensor, Tensor]


def voxelization(
    points: Tensor,
    voxel_size: Sequence[float],
    coors_range: Sequence[float],
    max_points: int = 35,
    max_voxels: int = 20000,
    deterministic: bool = True,
) -> Union[Tensor, _Hard]:
    """Collect points into voxels, which are numbered in the order of their first points.

    Args:
        points: [N,F] with x, y, z first; no gradient. N = 0 gives no voxels.
        voxel_size: x, y, z.
        coors_range: the lower x, y, z, then the upper ones.
        max_points: points that a voxel holds; what follows is dropped. -1: the voxel of each point.
        max_voxels: voxels that there may be; later ones are dropped. -1: the voxel of each point.
        deterministic: without effect, the result is always that of mmcv's deterministic version.

    Returns:
        voxels [M,max_points,F], coors int32 [M,3] (z, y, x) and the number of points of each voxel
        int32 [M]; unused slots are 0. If max_points or max_voxels is -1, coors int32 [N,3] alone,
        (-1, -1, -1) for a point outside of the range.

    Raises:
        BadParamError: points with less than three columns, other lengths of voxel_size and range.

    >>> import torch
    >>> from mluops_cpu.ops import voxelization
    >>> points = torch.tensor([[0.5, 0.5, 0.5], [3.5, 0.0, 0.0], [0.7, 0.0, 0.0], [9.0, 9.0, 9.0]])
    >>> voxels, coors, counts = voxelization(points, [1, 1, 1], [0, 0, 0, 4, 4, 4], max_points=2)
    >>> coors.tolist(), counts.tolist()
    ([[0, 0, 0], [0, 0, 3]], [2, 1])
    >>> voxelization(points, [1, 1, 1], [0, 0, 0, 4, 4, 4], max_points=-1)[2:].tolist()
    [[0, 0, 0], [-1, -1, -1]]
    """
    # Not differentiable, as in mmcv.
    points = points.detach()
    size = [float(value) for value in voxel_size]
    corners = [float(value) for value in coors_range]
    if max_points == -1 or max_voxels == -1:
        return cast(Tensor, ops.dynamic_voxelize(points, size, corners))
    return cast(_Hard, ops.voxelization(points, size, corners, max_points, max_voxels))


class Voxelization(nn.Module):
    """Collect points into voxels; `voxelization` says how.

    Args:
        voxel_size: x, y, z.
        point_cloud_range: the lower x, y, z, then the upper ones.
        max_num_points: points that a voxel holds; -1: the voxel of each point.
        max_voxels: voxels that there may be, one number or two for training and evaluation.
        deterministic: without effect.

    >>> import torch
    >>> from mluops_cpu.ops import Voxelization
    >>> layer = Voxelization([1, 1, 1], [0, 0, 0, 4, 4, 4], max_num_points=2, max_voxels=(10, 20))
    >>> voxels, coors, counts = layer(torch.tensor([[0.5, 0.5, 0.5], [0.7, 0.0, 0.0]]))
    >>> voxels.shape, counts.tolist()
    (torch.Size([1, 2, 3]), [2])
    >>> layer.grid_size.tolist()
    [4, 4, 4]
    """

    def __init__(
        self,
        voxel_size: Sequence[float],
        point_cloud_range: Sequence[float],
        max_num_points: int,
        max_voxels: Union[int, Iterable[int]] = 20000,
        deterministic: bool = True,
    ) -> None:
        super().__init__()
        self.voxel_size = voxel_size
        self.point_cloud_range = point_cloud_range
        self.max_num_points = max_num_points
        two = tuple(max_voxels) if isinstance(max_voxels, Iterable) else (max_voxels, max_voxels)
        self.max_voxels: tuple[int, ...] = two
        self.deterministic = deterministic
        corners = torch.tensor(point_cloud_range, dtype=torch.float32)
        size = torch.tensor(voxel_size, dtype=torch.float32)
        # Half to even, as in mmcv; the operator rounds half away from zero.
        self.grid_size = torch.round((corners[3:] - corners[:3]) / size).long()
        self.pcd_shape = [1, *self.grid_size[:2].flip(0)]

    def forward(self, input: Tensor) -> Union[Tensor, _Hard]:
        """points [N,F] -> what `voxelization` returns."""
        most = self.max_voxels[0 if self.training else 1]
        return voxelization(
            input,
            self.voxel_size,
            self.point_cloud_range,
            self.max_num_points,
            most,
            self.deterministic,
        )

    def extra_repr(self) -> str:
        return (
            f"voxel_size={self.voxel_size}, point_cloud_range={self.point_cloud_range}, "
            f"max_num_points={self.max_num_points}, max_voxels={self.max_voxels}, "
            f"deterministic={self.deterministic}"
        )
