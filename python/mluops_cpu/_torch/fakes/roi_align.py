"""Fakes of RoI align."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ..layout import is_channels_last, memory_format

_MAX = 0


def _map(like: Tensor, shape: Sequence[int], channels_last: bool) -> Tensor:
    """A map whose two formats are one has the strides of a contiguous one, as `empty_nhwc` says."""
    one = shape[1] == 1 or (shape[2] == 1 and shape[3] == 1)
    layout = memory_format(channels_last and not one)
    return torch.empty(shape, dtype=like.dtype, device=like.device, memory_format=layout)


def roi_align(
    input: Tensor,
    rois: Tensor,
    output_size: Sequence[int],
    spatial_scale: float,
    sampling_ratio: int,
    mode: int,
    aligned: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    shape = (rois.shape[0], input.shape[1], *output_size)
    last = is_channels_last(input)
    if mode == _MAX:
        return _map(input, shape, last), _map(input, shape, last), _map(input, shape, last)
    return _map(input, shape, last), input.new_empty(0), input.new_empty(0)


def roi_align_backward(
    grad: Tensor,
    rois: Tensor,
    argmax_y: Tensor,
    argmax_x: Tensor,
    input_shape: Sequence[int],
    spatial_scale: float,
    sampling_ratio: int,
    mode: int,
    aligned: bool,
    channels_last: bool,
) -> Tensor:
    return _map(grad, input_shape, channels_last)
