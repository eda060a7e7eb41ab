"""Sparse convolution: F(x,W), backward data D(g,W), backward filter B(x,g) with the same pairs.

<F(x,W), g> = <x, D(g,W)> = <W, B(x,g)>, so each one's gradients are the other two. Only what
the needed gradients use is saved: a frozen layer keeps no features.
"""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from .. import ops
from .common import Function, recording

_Grads = tuple[Optional[Tensor], ...]


class Conv(Function):
    """F(x,W): features [L,Ci], filters [k…,Ci,Co] or (krsc) [Co,k…,Ci] → [rows,Co]."""

    @staticmethod
    def forward(
        ctx: Any,
        features: Tensor,
        filters: Tensor,
        pairs: Tensor,
        num: Tensor,
        rows: int,
        inverse: bool,
        krsc: bool,
    ) -> Tensor:
        _save(ctx, features, filters, pairs, num)
        ctx.rows, ctx.shape = features.shape[0], filters.shape
        ctx.inverse, ctx.krsc = inverse, krsc
        return ops.indice_conv(features, filters, pairs, num, rows, inverse, krsc)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        features, filters, pairs, num = ctx.saved_tensors
        x: Optional[Tensor] = None
        w: Optional[Tensor] = None
        flags = ctx.inverse, ctx.krsc
        if ctx.needs_input_grad[0]:
            x = _data()(v, filters, pairs, num, ctx.rows, *flags)
        if ctx.needs_input_grad[1]:
            w = _filter()(features, v, pairs, num, ctx.shape, *flags)
        return (x, w, *[None] * 5)


class ConvData(Function):
    """D(g,W): gradient [rows,Ci] for the features."""

    @staticmethod
    def forward(
        ctx: Any,
        grad: Tensor,
        filters: Tensor,
        pairs: Tensor,
        num: Tensor,
        rows: int,
        inverse: bool,
        krsc: bool,
    ) -> Tensor:
        _save(ctx, grad, filters, pairs, num)
        ctx.rows, ctx.shape = grad.shape[0], filters.shape
        ctx.inverse, ctx.krsc = inverse, krsc
        return ops.indice_conv_data(grad, filters, pairs, num, rows, inverse, krsc)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        grad, filters, pairs, num = ctx.saved_tensors
        g: Optional[Tensor] = None
        w: Optional[Tensor] = None
        flags = ctx.inverse, ctx.krsc
        if ctx.needs_input_grad[0]:
            g = _forward()(v, filters, pairs, num, ctx.rows, *flags)
        if ctx.needs_input_grad[1]:
            w = _filter()(v, grad, pairs, num, ctx.shape, *flags)
        return (g, w, *[None] * 5)


class ConvFilter(Function):
    """B(x,g): gradient for filters of the given shape."""

    @staticmethod
    def forward(
        ctx: Any,
        features: Tensor,
        grad: Tensor,
        pairs: Tensor,
        num: Tensor,
        shape: torch.Size,
        inverse: bool,
        krsc: bool,
    ) -> Tensor:
        _save(ctx, features, grad, pairs, num)
        ctx.rows = features.shape[0], grad.shape[0]
        ctx.inverse, ctx.krsc = inverse, krsc
        return ops.indice_conv_filter(features, grad, pairs, num, shape, inverse, krsc)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        features, grad, pairs, num = ctx.saved_tensors
        x: Optional[Tensor] = None
        g: Optional[Tensor] = None
        flags = ctx.inverse, ctx.krsc
        if ctx.needs_input_grad[0]:
            x = _data()(grad, v, pairs, num, ctx.rows[0], *flags)
        if ctx.needs_input_grad[1]:
            g = _forward()(features, v, pairs, num, ctx.rows[1], *flags)
        return (x, g, *[None] * 5)


def _save(ctx: Any, first: Tensor, second: Tensor, pairs: Tensor, num: Tensor) -> None:
    """Each function is linear in both arguments: a gradient needs the other argument alone."""
    of_first, of_second = ctx.needs_input_grad[:2]
    ctx.save_for_backward(first if of_second else None, second if of_first else None, pairs, num)


def _forward() -> Any:
    return Conv.apply if recording() else ops.indice_conv


def _data() -> Any:
    return ConvData.apply if recording() else ops.indice_conv_data


def _filter() -> Any:
    return ConvFilter.apply if recording() else ops.indice_conv_filter
