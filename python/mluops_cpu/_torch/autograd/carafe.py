"""CARAFE: C(x,m), bilinear in features and masks; (Cx,Cm) is its backward."""

from __future__ import annotations

from typing import Any, Optional

from torch import Tensor

from .. import ops
from ..layout import is_channels_last
from .common import Function, formatted, recording

_Pair = tuple[Optional[Tensor], Optional[Tensor]]


class Carafe(Function):
    """C(x,m) for features [N,C,H,W] and masks [N,k²G,sH,sW]."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, masks: Tensor, k: int, g: int, s: int) -> Tensor:
        ctx.save_for_backward(features, masks)
        ctx.sizes = (k, g, s)
        return ops.carafe(features, masks, k, g, s)  # type: ignore[no-any-return]

    @staticmethod
    def backward(
        ctx: Any, grad: Tensor
    ) -> tuple[Optional[Tensor], Optional[Tensor], None, None, None]:
        features, masks = ctx.saved_tensors
        of_features, of_masks = ctx.needs_input_grad[:2]
        if recording():
            pair = CarafeGrad.apply(features, masks, grad, *ctx.sizes, of_features, of_masks)
        else:
            pair = _gradients(features, masks, grad, ctx.sizes, of_features, of_masks)
        return pair[0], pair[1], None, None, None


class CarafeGrad(Function):
    """(Cx(m,g), Cm(x,g)), with None for what is not needed.

    <vx, Cx(m,g)> = <C(vx,m), g> and <vm, Cm(x,g)> = <C(x,vm), g>, so for upstream gradients (vx,vm)
    the gradient for g is C(vx,m) + C(x,vm), and those for x and m are one backward with features vx
    and masks vm. A missing vx or vm drops its term.
    """

    @staticmethod
    def forward(
        ctx: Any,
        features: Tensor,
        masks: Tensor,
        grad: Tensor,
        k: int,
        g: int,
        s: int,
        of_features: bool,
        of_masks: bool,
    ) -> _Pair:
        ctx.save_for_backward(features, masks, grad)
        ctx.set_materialize_grads(False)
        ctx.sizes = (k, g, s)
        ctx.formats = [is_channels_last(t) for t in (features, masks, grad)]
        return _gradients(features, masks, grad, ctx.sizes, of_features, of_masks)

    @staticmethod
    def backward(
        ctx: Any, vx: Optional[Tensor], vm: Optional[Tensor]
    ) -> tuple[Optional[Tensor], ...]:
        features, masks, grad = ctx.saved_tensors
        of_features, of_masks, of_grad = ctx.needs_input_grad[:3]
        result: list[Optional[Tensor]] = [None, None, None]
        of_features = of_features and vm is not None
        of_masks = of_masks and vx is not None
        if of_features or of_masks:
            # Where a gradient is not needed, the tensor in its place is not read.
            x = features if vx is None else vx
            m = masks if vm is None else vm
            result[:2] = _carafe_grad(x, m, grad, ctx.sizes, of_features, of_masks)
        if of_grad:
            terms = [
                _carafe(x, m, ctx.sizes)
                for x, m in ((vx, masks), (features, vm))
                if x is not None and m is not None
            ]
            result[2] = sum(terms[1:], terms[0]) if terms else None
        formats = zip(result, ctx.formats)
        return (*(g if g is None else formatted(g, f) for g, f in formats), *[None] * 5)


def _carafe(x: Tensor, m: Tensor, sizes: tuple[int, int, int]) -> Tensor:
    function = Carafe.apply if recording() else ops.carafe
    return function(x, m, *sizes)  # type: ignore[no-any-return]


def _carafe_grad(
    x: Tensor, m: Tensor, grad: Tensor, sizes: tuple[int, int, int], of_x: bool, of_m: bool
) -> _Pair:
    if recording():
        return CarafeGrad.apply(x, m, grad, *sizes, of_x, of_m)  # type: ignore[no-any-return]
    return _gradients(x, m, grad, sizes, of_x, of_m)


def _gradients(
    x: Tensor, m: Tensor, grad: Tensor, sizes: tuple[int, int, int], of_x: bool, of_m: bool
) -> _Pair:
    """One of the two costs about half of both."""
    if of_x and of_m:
        return ops.carafe_backward(grad, x, m, *sizes)  # type: ignore[no-any-return]
    if of_x:
        return ops.carafe_backward_features(grad, x, m, *sizes), None
    if of_m:
        return None, ops.carafe_backward_masks(grad, x, m, *sizes)
    return None, None
