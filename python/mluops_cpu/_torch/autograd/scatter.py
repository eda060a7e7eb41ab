"""Dynamic scatter: in every mode the gradient is linear in what it spreads."""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from .. import ops
from .common import Function, recording

_SUM, _MAX = 0, 2
_Grads = tuple[Optional[Tensor], ...]


class Scatter(Function):
    """Features [N,C] of points reduced by coordinates [N,ndim]; mode 0 sums, 1 means, 2 maxima.

    Returns [M,C] and, without gradients, the coordinates [M,ndim], the voxel of each point [N] and
    the counts [M].
    """

    @staticmethod
    def forward(
        ctx: Any, feats: Tensor, coors: Tensor, mode: int
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        reduced, sites, point2voxel, counts = ops.dynamic_scatter(feats, coors, mode)
        ctx.save_for_backward(feats, reduced, point2voxel, counts)
        ctx.mode = mode
        ctx.mark_non_differentiable(sites, point2voxel, counts)
        return reduced, sites, point2voxel, counts

    @staticmethod
    def backward(ctx: Any, grad: Tensor, *_: Any) -> _Grads:
        if not ctx.needs_input_grad[0]:
            return (None,) * 3
        function = ScatterGrad.apply if recording() else ops.dynamic_scatter_backward
        return function(grad, *ctx.saved_tensors, ctx.mode), None, None


class ScatterGrad(Function):
    """The gradient [N,C] for the features. Its own reduces v by the voxels of the points."""

    @staticmethod
    def forward(
        ctx: Any,
        grad: Tensor,
        feats: Tensor,
        reduced: Tensor,
        point2voxel: Tensor,
        counts: Tensor,
        mode: int,
    ) -> Tensor:
        ctx.save_for_backward(feats, reduced, point2voxel, counts)
        ctx.mode = mode
        return ops.dynamic_scatter_backward(  # type: ignore[no-any-return]
            grad, feats, reduced, point2voxel, counts, mode
        )

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        result: Optional[Tensor] = None
        if ctx.needs_input_grad[0]:
            feats, reduced, point2voxel, counts = ctx.saved_tensors
            mode = ctx.mode
            if mode == _MAX:
                v = _of_winners(v, feats.detach(), reduced.detach(), point2voxel, counts)
                mode = _SUM
            result = _reduced(v, point2voxel, counts, mode)
        return (result, *[None] * 5)


def _of_winners(
    v: Tensor, feats: Tensor, reduced: Tensor, point2voxel: Tensor, counts: Tensor
) -> Tensor:
    """Return v [N,C] where a point is the one that takes its voxel's gradient, else 0."""
    ones = torch.ones_like(reduced)
    wins = ops.dynamic_scatter_backward(ones, feats, reduced, point2voxel, counts, _MAX)
    return torch.where(wins != 0, v, torch.zeros((), dtype=v.dtype))


def _reduced(v: Tensor, point2voxel: Tensor, counts: Tensor, mode: int) -> Tensor:
    """Return v [N,C] reduced to [M,C]. The voxels are in the order of their numbers."""
    if v.numel() == 0 or counts.numel() == 0:
        return v.new_zeros((counts.shape[0], v.shape[1]))
    reduced: Tensor = Scatter.apply(v, point2voxel[:, None], mode)[0]
    return reduced
