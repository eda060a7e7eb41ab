"""Memory formats: a map is contiguous [N,C,H,W], or channels-last with [N,H,W,C] in memory."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from . import memory


def is_channels_last(tensor: Tensor) -> bool:
    """Tell whether a map is channels-last, which decides the format of results.

    With C = 1 or H = W = 1 the two formats are one and the map counts as contiguous.
    """
    return not tensor.is_contiguous() and tensor.is_contiguous(memory_format=torch.channels_last)


def memory_format(channels_last: bool) -> torch.memory_format:
    """Return the torch name of a format."""
    return torch.channels_last if channels_last else torch.contiguous_format


def to_nhwc(tensor: Tensor) -> Tensor:
    """Return `tensor` [N,C,H,W] with [N,H,W,C] in memory; a copy only if it is not already so."""
    if tensor.is_contiguous(memory_format=torch.channels_last):
        return tensor
    return memory.copy(tensor, True)


def empty_nhwc(shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """Return an uninitialised map [N,C,H,W] with [N,H,W,C] in memory.

    Where that is contiguous memory too, the strides are those of a contiguous map.
    """
    if shape[1] == 1 or shape[2] == shape[3] == 1:
        return memory.empty(shape, dtype)
    return memory.empty_channels_last(shape, dtype)


def from_nhwc(tensor: Tensor, channels_last: bool) -> Tensor:
    """Return a result of `empty_nhwc` in the requested format."""
    if channels_last or tensor.is_contiguous():
        return tensor
    return memory.copy(tensor, False)
