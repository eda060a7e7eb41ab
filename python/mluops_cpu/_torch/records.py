"""Tensors as the records (address, shape, dtype code) of `_calls`."""

from __future__ import annotations

import torch
from torch import Tensor

from mluops_cpu import _native

Record = tuple[int, tuple[int, ...], int]

_CODES = {
    torch.float16: _native.HALF,
    torch.bfloat16: _native.BFLOAT16,
    torch.float32: _native.FLOAT,
    torch.float64: _native.DOUBLE,
}


def code(name: str, tensor: Tensor) -> int:
    """Return the dtype code of a floating-point tensor on the CPU, else raise."""
    found = _CODES.get(tensor.dtype)
    if found is None:
        raise TypeError(f"{name} must be float16, bfloat16, float32 or float64, got {tensor.dtype}")
    if not tensor.is_cpu:
        raise NotImplementedError(f"{name} must be on the CPU, got device {tensor.device}")
    return found


def floating(name: str, tensor: Tensor) -> Record:
    """Return the record of a contiguous floating-point tensor."""
    return tensor.data_ptr(), tensor.shape, code(name, tensor)


def nhwc(name: str, tensor: Tensor) -> Record:
    """Return the record of a map [N,C,H,W] that has [N,H,W,C] in memory."""
    n, c, h, w = tensor.shape
    return tensor.data_ptr(), (n, h, w, c), code(name, tensor)


def int32(name: str, tensor: Tensor) -> Record:
    """Return the record of a contiguous int32 tensor."""
    if tensor.dtype != torch.int32:
        raise TypeError(f"{name} must be int32, got {tensor.dtype}")
    if not tensor.is_cpu:
        raise NotImplementedError(f"{name} must be on the CPU, got device {tensor.device}")
    return tensor.data_ptr(), tensor.shape, _native.INT32


def int64(tensor: Tensor) -> Record:
    """Return the record of memory for results that are int64."""
    return tensor.data_ptr(), tensor.shape, _native.INT64


def check_map(name: str, tensor: Tensor) -> None:
    """Raise unless the tensor is a map. (C would speak of [N,H,W,C].)"""
    if tensor.dim() != 4:
        raise ValueError(f"{name} must be [N,C,H,W], got shape {list(tensor.shape)}")
