"""RoI-aware pooling: in both modes the gradient is linear in what it spreads."""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from .. import ops
from .common import Function, recording

_MAX = 0
_Grads = tuple[Optional[Tensor], ...]


class RoIPool(Function):
    """Pooled features [B,x,y,z,C] of points [M,3] with features [M,C] in rois [B,7]."""

    @staticmethod
    def forward(
        ctx: Any,
        rois: Tensor,
        pts: Tensor,
        feature: Tensor,
        out_size: tuple[int, int, int],
        max_pts: int,
        mode: int,
    ) -> Tensor:
        pooled, argmax, pts_idx = ops.roiaware_pool3d(rois, pts, feature, out_size, max_pts, mode)
        ctx.save_for_backward(pts_idx, argmax, rois, pts)
        ctx.mode = mode
        return pooled  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> _Grads:
        if not ctx.needs_input_grad[2]:
            return (None,) * 6
        pts_idx, argmax, rois, pts = ctx.saved_tensors
        if recording():
            result = RoIPoolGrad.apply(grad, pts_idx, argmax, rois, pts, ctx.mode)
        else:
            result = ops.roiaware_pool3d_backward(pts_idx, argmax, grad, pts.shape[0], ctx.mode)
        return None, None, result, None, None, None


class RoIPoolGrad(Function):
    """The gradient [M,C] for the features. Its own pools v: at the argmax, or by average."""

    @staticmethod
    def forward(
        ctx: Any,
        grad: Tensor,
        pts_idx: Tensor,
        argmax: Tensor,
        rois: Tensor,
        pts: Tensor,
        mode: int,
    ) -> Tensor:
        ctx.save_for_backward(argmax, rois, pts)
        ctx.mode = mode
        ctx.out_size, ctx.max_pts = pts_idx.shape[1:4], pts_idx.shape[4]
        return ops.roiaware_pool3d_backward(  # type: ignore[no-any-return]
            pts_idx, argmax, grad, pts.shape[0], mode
        )

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        argmax, rois, pts = ctx.saved_tensors
        result: Optional[Tensor] = None
        if ctx.needs_input_grad[0]:
            if ctx.mode == _MAX:
                result = _gathered(v, argmax)
            elif recording():
                result = RoIPool.apply(rois, pts, v, ctx.out_size, ctx.max_pts, ctx.mode)
            else:
                args = (rois, pts, v, ctx.out_size, ctx.max_pts, ctx.mode)
                result = ops.roiaware_pool3d(*args)[0]
        return (result, *[None] * 5)


def _gathered(v: Tensor, argmax: Tensor) -> Tensor:
    """Return v [M,C] at argmax [B,x,y,z,C], 0 where that is -1."""
    if v.numel() == 0 or argmax.numel() == 0:
        return v.new_zeros(argmax.shape)
    rows = argmax.reshape(-1, argmax.shape[-1])
    picked = v.gather(0, rows.clamp(min=0).long())
    return torch.where(rows < 0, torch.zeros((), dtype=v.dtype), picked).reshape(argmax.shape)
