"""Rotated feature align, A x: linear in the features. Its backward is Aᵀ g, and that one's A v."""

from __future__ import annotations

from typing import Any, Optional

from torch import Tensor

from .. import ops
from ..layout import is_channels_last
from .common import Function, in_format, recording

_Grads = tuple[Optional[Tensor], ...]


class Align(Function):
    """A x for features [N,C,H,W] and N·H·W boxes, in the features' format or the one given."""

    @staticmethod
    def forward(
        ctx: Any,
        features: Tensor,
        boxes: Tensor,
        scale: float,
        points: int,
        channels_last: Optional[bool] = None,
    ) -> Tensor:
        _save(ctx, features, boxes, scale, points)
        return in_format(channels_last, ops.rotated_feature_align, features, boxes, scale, points)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> _Grads:
        return _gradient(ctx, AlignGrad, ops.rotated_feature_align_backward, grad)


class AlignGrad(Function):
    """Aᵀ g, in the format of the gradient or the one given."""

    @staticmethod
    def forward(
        ctx: Any,
        grad: Tensor,
        boxes: Tensor,
        scale: float,
        points: int,
        channels_last: Optional[bool] = None,
    ) -> Tensor:
        _save(ctx, grad, boxes, scale, points)
        function = ops.rotated_feature_align_backward
        return in_format(channels_last, function, grad, boxes, scale, points)

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        return _gradient(ctx, Align, ops.rotated_feature_align, v)


def _save(ctx: Any, source: Tensor, boxes: Tensor, scale: float, points: int) -> None:
    ctx.save_for_backward(boxes)
    ctx.scale, ctx.points = scale, points
    ctx.channels_last = is_channels_last(source)


def _gradient(ctx: Any, adjoint: type[Function], operator: Any, v: Tensor) -> _Grads:
    """Return the gradient for the first argument, in its format."""
    others = (None,) * (len(ctx.needs_input_grad) - 1)
    if not ctx.needs_input_grad[0]:
        return (None, *others)
    (boxes,) = ctx.saved_tensors
    if recording():
        grad = adjoint.apply(v, boxes, ctx.scale, ctx.points, ctx.channels_last)
    else:
        grad = in_format(ctx.channels_last, operator, v, boxes, ctx.scale, ctx.points)
    return (grad, *others)
