"""Sparse pooling. Both gradients are linear in the gradient they spread."""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from .. import ops
from .common import Function, recording

_Grads = tuple[Optional[Tensor], ...]


class MaxPool(Function):
    """The largest value of each window and 0: [L,C] → [rows,C]."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
        pooled: Tensor = ops.indice_maxpool(features, pairs, num, rows)
        ctx.save_for_backward(features, pooled, pairs, num)
        return pooled

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> _Grads:
        if not ctx.needs_input_grad[0]:
            return (None,) * 4
        features, pooled, pairs, num = ctx.saved_tensors
        function = MaxPoolGrad.apply if recording() else ops.indice_maxpool_backward
        return function(features, pooled, grad, pairs, num), None, None, None


class MaxPoolGrad(Function):
    """The sum of `grad` over the pairs whose two values are equal; [L,C]."""

    @staticmethod
    def forward(
        ctx: Any, features: Tensor, pooled: Tensor, grad: Tensor, pairs: Tensor, num: Tensor
    ) -> Tensor:
        ctx.save_for_backward(features, pooled, pairs, num)
        return ops.indice_maxpool_backward(features, pooled, grad, pairs, num)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        """For `grad`, the same pairs the other way. Which pairs are equal has no gradient."""
        result: Optional[Tensor] = None
        if ctx.needs_input_grad[2]:
            features, pooled, pairs, num = ctx.saved_tensors
            result = _gathered(v, features.detach(), pooled.detach(), pairs, num)
        return None, None, result, None, None


def _gathered(v: Tensor, features: Tensor, pooled: Tensor, pairs: Tensor, num: Tensor) -> Tensor:
    """Return the sum of v [L,C] over the pairs of each output whose two values are equal.

    Made of torch's operations, hence differentiable again. Offset by offset: the pairs of all
    offsets together would need K times the memory. index_add is sequential on the CPU.
    """
    zero = torch.zeros((), dtype=v.dtype)
    result = torch.zeros_like(pooled)
    for offset, count in enumerate(num.tolist()):
        if count:
            inputs, outputs = pairs[offset, :, :count].long()
            mask = features[inputs] == pooled[outputs]
            result = result.index_add(0, outputs, torch.where(mask, v[inputs], zero))
    return result


class AvgPool(Function):
    """The mean over the sites present in each window: [L,C] → [rows,C]."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
        ctx.save_for_backward(pairs, num)
        ctx.rows = features.shape[0]
        return ops.indice_avgpool(features, pairs, num, rows)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> _Grads:
        if not ctx.needs_input_grad[0]:
            return (None,) * 4
        pairs, num = ctx.saved_tensors
        function = AvgPoolGrad.apply if recording() else ops.indice_avgpool_backward
        return function(grad, pairs, num, ctx.rows), None, None, None


class AvgPoolGrad(Function):
    """`grad` over the number of pairs of its window, to each of these pairs; [rows,C]."""

    @staticmethod
    def forward(ctx: Any, grad: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
        ctx.save_for_backward(pairs, num)
        ctx.rows = grad.shape[0]
        return ops.indice_avgpool_backward(grad, pairs, num, rows)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        if not ctx.needs_input_grad[0]:
            return (None,) * 4
        pairs, num = ctx.saved_tensors
        function = AvgPool.apply if recording() else ops.indice_avgpool
        return function(v, pairs, num, ctx.rows), None, None, None
