"""Sparse convolution and pooling over given pairs, offset by offset, in torch's own operations."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor


def offsets(
    pairs: Tensor, num: Tensor, inverse: bool = False
) -> Iterator[tuple[int, Tensor, Tensor]]:
    """(offset, input rows, output rows)."""
    for k, count in enumerate(num.tolist()):
        rows = pairs[k, :, :count].long()
        yield k, rows[int(inverse)], rows[1 - int(inverse)]


def conv(
    features: Tensor,
    filters: Tensor,
    pairs: Tensor,
    num: Tensor,
    rows: int,
    inverse: bool = False,
    krsc: bool = False,
) -> Tensor:
    """[L,Ci], filters [k…,Ci,Co] or [Co,k…,Ci] → [rows,Co]; differentiable."""
    if krsc:
        filters = filters.permute(*range(1, filters.dim()), 0)
    filters = filters.reshape(-1, *filters.shape[-2:])
    result = features.new_zeros((rows, filters.shape[-1]))
    for k, inputs, outputs in offsets(pairs, num, inverse):
        result = result.index_add(0, outputs, features[inputs] @ filters[k])
    return result


def maxpool(features: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
    """[L,C] → [rows,C]; not differentiable."""
    result = [[0.0] * features.shape[1] for _ in range(rows)]
    values = features.double().tolist()
    for _, inputs, outputs in offsets(pairs, num):
        for i, o in zip(inputs.tolist(), outputs.tolist()):
            result[o] = [b if b > a else a for a, b in zip(result[o], values[i])]
    return torch.tensor(result, dtype=torch.float64).reshape(rows, features.shape[1])


def maxpool_backward(
    features: Tensor, pooled: Tensor, grad: Tensor, pairs: Tensor, num: Tensor
) -> Tensor:
    """Every pair whose two values are equal hands its gradient on."""
    result = torch.zeros(features.shape, dtype=torch.float64)
    for _, inputs, outputs in offsets(pairs, num):
        for i, o in zip(inputs.tolist(), outputs.tolist()):
            equal = features[i] == pooled[o]
            result[i] += torch.where(equal, grad[o].double(), torch.zeros((), dtype=torch.float64))
    return result


def avgpool(features: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
    """[L,C] → [rows,C]; differentiable."""
    total = features.new_zeros((rows, features.shape[1]))
    count = features.new_zeros(rows)
    for _, inputs, outputs in offsets(pairs, num):
        total = total.index_add(0, outputs, features[inputs])
        count = count.index_add(0, outputs, torch.ones_like(outputs, dtype=features.dtype))
    return total / count.clamp(min=1)[:, None]
