"""Rotated feature align, A x: linear in the features. Its backward is Aᵀ g, and that one's A v."""

from __future__ import annotations

from typing import Any, Optional

from torch import Tensor

from .. import ops
from ..layout import is_channels_last
from .common import Function, gradient_of_map, recording

_Grads = tuple[Optional[Tensor], None, None, None]


class Align(Function):
    """A x for features [N,C,H,W] and N·H·W boxes."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, boxes: Tensor, scale: float, points: int) -> Tensor:
        ctx.save_for_backward(boxes)
        ctx.scale, ctx.points = scale, points
        ctx.channels_last = is_channels_last(features)
        return ops.rotated_feature_align(features, boxes, scale, points)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> _Grads:
        if not ctx.needs_input_grad[0]:
            return None, None, None, None
        (boxes,) = ctx.saved_tensors
        function = AlignGrad.apply if recording() else ops.rotated_feature_align_backward
        args = (boxes, ctx.scale, ctx.points)
        return gradient_of_map(function, ctx.channels_last, grad, *args), None, None, None


class AlignGrad(Function):
    """Aᵀ g."""

    @staticmethod
    def forward(ctx: Any, grad: Tensor, boxes: Tensor, scale: float, points: int) -> Tensor:
        ctx.save_for_backward(boxes)
        ctx.scale, ctx.points = scale, points
        ctx.channels_last = is_channels_last(grad)
        return ops.rotated_feature_align_backward(grad, boxes, scale, points)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        if not ctx.needs_input_grad[0]:
            return None, None, None, None
        (boxes,) = ctx.saved_tensors
        function = Align.apply if recording() else ops.rotated_feature_align
        args = (boxes, ctx.scale, ctx.points)
        return gradient_of_map(function, ctx.channels_last, v, *args), None, None, None
