"""RoI-aware pooling of Part-A²: the points of each box, pooled voxel by voxel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union, cast

from torch import Tensor, nn

from .._torch import amp, ops
from .._torch.autograd import RoIPool, wanted

__all__ = ["RoIAwarePool3d", "RoIAwarePool3dFunction"]

_MODES = {"max": 0, "avg": 1}


def _sizes(out_size: Union[int, Sequence[int]]) -> tuple[int, int, int]:
    """Return three sizes. (mmcv documents a list and accepts only a tuple; both are taken here.)"""
    if isinstance(out_size, int):
        return out_size, out_size, out_size
    if not isinstance(out_size, (tuple, list)) or len(out_size) != 3:
        raise AssertionError(f"out_size must be an int or three, got {out_size!r}")
    for size in out_size:
        if not isinstance(size, int):
            raise AssertionError(f"out_size must be an int or three, got {out_size!r}")
    x, y, z = out_size
    return x, y, z


class RoIAwarePool3dFunction(RoIPool):
    """`apply(rois, pts, pts_feature, out_size, max_pts_per_voxel, mode)`; casts nothing.

    rois [N,7], pts [P,3], pts_feature [P,C] -> [N,x,y,z,C]. mode is 0 for max and 1 for avg; the
    other arguments are those of RoIAwarePool3d.

    >>> import torch
    >>> from mluops_cpu.ops.roiaware_pool3d import RoIAwarePool3dFunction
    >>> rois = torch.tensor([[0.0, 0.0, 0.0, 4.0, 2.0, 2.0, 0.0]])
    >>> pts = torch.tensor([[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.5, 0.0, 1.0]])
    >>> features = torch.tensor([[1.0], [2.0], [4.0]])
    >>> RoIAwarePool3dFunction.apply(rois, pts, features, (2, 1, 1), 128, 0).flatten()
    tensor([1., 4.])
    """

    @staticmethod
    def forward(
        ctx: Any,
        rois: Tensor,
        pts: Tensor,
        pts_feature: Tensor,
        out_size: Union[int, Sequence[int]],
        max_pts_per_voxel: int,
        mode: int,
    ) -> Tensor:
        sizes = _sizes(out_size)
        return RoIPool.forward(ctx, rois, pts, pts_feature, sizes, max_pts_per_voxel, mode)


class RoIAwarePool3d(nn.Module):
    """Pool the features of the points inside each 3-D box over a grid of voxels in that box.

    Args:
        out_size: voxels along x, y and z; one number for all three.
        max_pts_per_voxel: T; a voxel takes its first T - 1 points, as in mmcv.
        mode: 'max' or 'avg'.

    Raises:
        AssertionError: another mode, or an out_size that is neither an int nor three (at the call).

    >>> import torch
    >>> from mluops_cpu.ops import RoIAwarePool3d
    >>> pool = RoIAwarePool3d(out_size=(2, 1, 1), mode="avg")
    >>> rois = torch.tensor([[0.0, 0.0, 0.0, 4.0, 2.0, 2.0, 0.0]])
    >>> pts = torch.tensor([[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.5, 0.0, 1.0]])
    >>> pool(rois, pts, torch.tensor([[1.0], [2.0], [4.0]])).flatten()
    tensor([1., 3.])
    """

    def __init__(
        self,
        out_size: Union[int, Sequence[int]],
        max_pts_per_voxel: int = 128,
        mode: str = "max",
    ) -> None:
        super().__init__()
        if mode not in _MODES:
            raise AssertionError(f"mode must be 'max' or 'avg', got {mode!r}")
        self.out_size = out_size
        self.max_pts_per_voxel = max_pts_per_voxel
        self.mode = _MODES[mode]

    def forward(self, rois: Tensor, pts: Tensor, pts_feature: Tensor) -> Tensor:
        """Pool points.

        Args:
            rois: [N,7] (x, y, z, x_size, y_size, z_size, rz), z at the bottom face; no gradient.
            pts: [P,3]; no gradient.
            pts_feature: [P,C].

        Returns:
            [N,x,y,z,C] in the dtype of `pts_feature`; 0 where a voxel has no points. Unequal dtypes
            are promoted for the computation; under autocast it is done in float32 and stays so.
        """
        sizes = _sizes(self.out_size)
        dtype = pts_feature.dtype
        if rois.dtype != dtype or pts.dtype != dtype or amp.autocast_dtype() is not None:
            computing = amp.computing_dtype(dtype, rois.dtype, pts.dtype)
            pooled = self._pool(
                rois.to(computing), pts.to(computing), pts_feature.to(computing), sizes
            )
            return pooled if amp.autocast_dtype() is not None else pooled.to(dtype)
        return self._pool(rois, pts, pts_feature, sizes)

    def _pool(
        self, rois: Tensor, pts: Tensor, feature: Tensor, sizes: tuple[int, int, int]
    ) -> Tensor:
        args = (rois, pts, feature, sizes, self.max_pts_per_voxel, self.mode)
        if wanted(feature):
            return cast(Tensor, RoIPool.apply(*args))
        return cast(Tensor, ops.roiaware_pool3d(*args)[0])
