"""RoI align: in both modes the gradient is linear in what it spreads."""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from .. import ops
from ..layout import is_channels_last
from .common import Function, formatted, recording

_MAX = 0
_Grads = tuple[Optional[Tensor], ...]


class RoIAlign(Function):
    """Samples of a map [N,C,H,W] below the bins of rois [K,5], pooled: [K,C,PH,PW]."""

    @staticmethod
    def forward(
        ctx: Any,
        input: Tensor,
        rois: Tensor,
        output_size: tuple[int, int],
        spatial_scale: float,
        sampling_ratio: int,
        mode: int,
        aligned: bool,
    ) -> Tensor:
        sampling = (spatial_scale, sampling_ratio, mode, aligned)
        pooled, argmax_y, argmax_x = ops.roi_align(input, rois, output_size, *sampling)
        ctx.save_for_backward(rois, argmax_y, argmax_x)
        ctx.sampling, ctx.shape = sampling, input.shape
        ctx.channels_last = is_channels_last(input)
        return pooled  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> _Grads:
        if not ctx.needs_input_grad[0]:
            return (None,) * 7
        rois, argmax_y, argmax_x = ctx.saved_tensors
        function = RoIAlignGrad.apply if recording() else ops.roi_align_backward
        args = (grad, rois, argmax_y, argmax_x, ctx.shape, *ctx.sampling, ctx.channels_last)
        return (function(*args), *[None] * 6)


class RoIAlignGrad(Function):
    """The gradient [N,C,H,W] for the map. Its own aligns v: by average, or at the argmax."""

    @staticmethod
    def forward(
        ctx: Any,
        grad: Tensor,
        rois: Tensor,
        argmax_y: Tensor,
        argmax_x: Tensor,
        shape: torch.Size,
        spatial_scale: float,
        sampling_ratio: int,
        mode: int,
        aligned: bool,
        channels_last: bool,
    ) -> Tensor:
        ctx.save_for_backward(rois, argmax_y, argmax_x)
        ctx.sampling, ctx.size = (spatial_scale, sampling_ratio, mode, aligned), grad.shape[2:]
        ctx.channels_last = is_channels_last(grad)
        args = (grad, rois, argmax_y, argmax_x, shape, *ctx.sampling, channels_last)
        return ops.roi_align_backward(*args)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, v: Tensor) -> _Grads:
        rois, argmax_y, argmax_x = ctx.saved_tensors
        result: Optional[Tensor] = None
        if ctx.needs_input_grad[0]:
            if ctx.sampling[2] == _MAX:
                result = _sampled(v, rois, argmax_y, argmax_x)
            elif recording():
                result = RoIAlign.apply(v, rois, ctx.size, *ctx.sampling)
            else:
                result = ops.roi_align(v, rois, ctx.size, *ctx.sampling)[0]
            result = formatted(result, ctx.channels_last)
        return (result, *[None] * 9)


def _sampled(v: Tensor, rois: Tensor, argmax_y: Tensor, argmax_x: Tensor) -> Tensor:
    """Return v [N,C,H,W] sampled at the maxima [K,C,PH,PW]; 0 where there is none.

    Made of torch's operations, hence differentiable again.
    """
    if v.numel() == 0 or argmax_y.numel() == 0:
        return v.new_zeros(argmax_y.shape)
    channels, height, width = v.shape[1:]
    wide = torch.float64 if v.dtype == torch.float64 else torch.float32
    y, x = argmax_y.to(wide), argmax_x.to(wide)
    # y = -1 marks a bin without a maximum. NaN is outside.
    inside = (y != -1) & (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
    rows, columns = _axis(y, inside, height), _axis(x, inside, width)
    plane = rois[:, 0].long()[:, None] * channels + torch.arange(channels)
    plane = plane[:, :, None, None] * (height * width)
    flat, total = v.reshape(-1), torch.zeros((), dtype=wide)
    for row, of_row in rows:
        for column, of_column in columns:
            cell = flat[plane + row * width + column].to(wide)
            total = total + (of_row * of_column) * cell
    return torch.where(inside, total, torch.zeros((), dtype=wide)).to(v.dtype)


def _axis(place: Tensor, inside: Tensor, size: int) -> list[tuple[Tensor, Tensor]]:
    """Return the two cells of each coordinate with their weights."""
    place = torch.where(inside, place, torch.zeros((), dtype=place.dtype)).clamp(0, size - 1)
    low = place.long()
    part = place - low
    return [(low, 1 - part), ((low + 1).clamp(max=size - 1), part)]
