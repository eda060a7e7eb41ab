"""Dynamic scatter: the features of points reduced by voxel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor, nn

from .._torch import ops
from .._torch.autograd import Scatter, wanted
from .sparse_structure import as_int32

__all__ = ["DynamicScatter", "DynamicScatterFunction", "dynamic_scatter"]

_MODES = {"sum": 0, "mean": 1, "max": 2}


def mode_of(reduce_type: str) -> int:
    """Return the number of a mode."""
    if reduce_type not in _MODES:
        raise ValueError(f"reduce_type must be 'max', 'mean' or 'sum', got {reduce_type!r}")
    return _MODES[reduce_type]


class DynamicScatterFunction(Scatter):
    """`apply(feats, coors, reduce_type)`; arguments and result are those of `dynamic_scatter`.

    >>> import torch
    >>> from mluops_cpu.ops.scatter_points import DynamicScatterFunction
    >>> coors = torch.tensor([[0, 0, 3], [0, 0, 1], [0, 0, 3]])
    >>> DynamicScatterFunction.apply(torch.tensor([[1.0], [2.0], [4.0]]), coors, "sum")[0]
    tensor([[2.],
            [5.]])
    """

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any, feats: Tensor, coors: Tensor, reduce_type: str = "max"
    ) -> tuple[Tensor, Tensor]:
        found = Scatter.forward(ctx, feats, as_int32(coors), mode_of(reduce_type))
        return found[0], found[1].to(coors.dtype)


def dynamic_scatter(
    feats: Tensor, coors: Tensor, reduce_type: str = "max"
) -> tuple[Tensor, Tensor]:
    """Reduce the features of the points that have the same coordinates to one row.

    Args:
        feats: [N,C].
        coors: integers [N,ndim]; a point with one below 0 is left out.
        reduce_type: 'max', 'mean' or 'sum'.

    Returns:
        features [M,C] and the coordinates [M,ndim] of the voxels, in ascending order. The gradient
        of a maximum goes to the first of equal points, that of a NaN to none.

    Raises:
        ValueError: another reduce_type.
        BadParamError: different numbers of rows.

    >>> import torch
    >>> from mluops_cpu.ops import dynamic_scatter
    >>> coors = torch.tensor([[0, 0, 3], [0, 0, 1], [-1, -1, -1], [0, 0, 3]])
    >>> dynamic_scatter(torch.tensor([[1.0], [2.0], [4.0], [8.0]]), coors, "mean")
    (tensor([[2.0000],
            [4.5000]]), tensor([[0, 0, 1],
            [0, 0, 3]]))
    """
    places, mode = as_int32(coors), mode_of(reduce_type)
    function = Scatter.apply if wanted(feats) else ops.dynamic_scatter
    reduced, sites, _, _ = function(feats, places, mode)
    return reduced, sites.to(coors.dtype)


class DynamicScatter(nn.Module):
    """Reduce the features of points by voxel: means, or maxima.

    Args:
        voxel_size: kept as an attribute, as in mmcv.
        point_cloud_range: kept as an attribute.
        average_points: means instead of maxima.

    >>> import torch
    >>> from mluops_cpu.ops import DynamicScatter
    >>> layer = DynamicScatter([1, 1, 1], [0, 0, 0, 4, 4, 4], average_points=False)
    >>> coors = torch.tensor([[0, 0, 0, 3], [1, 0, 0, 3], [0, 0, 0, 3]])  # batch, z, y, x
    >>> features, sites = layer(torch.tensor([[1.0], [2.0], [4.0]]), coors)
    >>> features.tolist(), sites.tolist()
    ([[4.0], [2.0]], [[0, 0, 0, 3], [1, 0, 0, 3]])
    """

    def __init__(
        self,
        voxel_size: Sequence[float],
        point_cloud_range: Sequence[float],
        average_points: bool,
    ) -> None:
        super().__init__()
        self.voxel_size = voxel_size
        self.point_cloud_range = point_cloud_range
        self.average_points = average_points

    def forward_single(self, points: Tensor, coors: Tensor) -> tuple[Tensor, Tensor]:
        """points [N,C], coors [N,3] -> [M,C], [M,3]."""
        return dynamic_scatter(points, coors, "mean" if self.average_points else "max")

    def forward(self, points: Tensor, coors: Tensor) -> tuple[Tensor, Tensor]:
        """points [N,C], coors [N,3], or [N,4] with the batch first -> [M,C], [M,3] or [M,4].

        One call for the whole batch: ascending coordinates are ascending batches. (mmcv calls once
        for each and drops batches above that of the last point.)
        """
        return self.forward_single(points, coors)

    def extra_repr(self) -> str:
        return (
            f"voxel_size={self.voxel_size}, point_cloud_range={self.point_cloud_range}, "
            f"average_points={self.average_points}"
        )
