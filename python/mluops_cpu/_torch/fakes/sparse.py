"""Fakes of index pairs, sparse convolutions and sparse pooling."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from torch import Tensor

from .rows import unknown_rows


def subm_pairs(
    indices: Tensor,
    batch_size: int,
    shape: Sequence[int],
    ksize: Sequence[int],
    dilation: Sequence[int],
) -> tuple[Tensor, Tensor]:
    volume = prod(ksize)
    return indices.new_empty((volume, 2, indices.shape[0])), indices.new_empty((volume,))


def pairs(
    indices: Tensor,
    batch_size: int,
    shape: Sequence[int],
    out_shape: Sequence[int],
    ksize: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transpose: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    # The bound by the number of input rows, which may be symbolic, cannot be given here.
    rows = unknown_rows(batch_size * prod(out_shape))
    volume = prod(ksize)
    return (
        indices.new_empty((rows, indices.shape[1])),
        indices.new_empty((volume, 2, indices.shape[0])),
        indices.new_empty((volume,)),
    )


def indice_conv(
    features: Tensor,
    filters: Tensor,
    pairs: Tensor,
    num: Tensor,
    rows: int,
    inverse: bool,
    krsc: bool,
) -> Tensor:
    return features.new_empty((rows, filters.shape[0 if krsc else -1]))


def indice_conv_data(
    grad: Tensor, filters: Tensor, pairs: Tensor, num: Tensor, rows: int, inverse: bool, krsc: bool
) -> Tensor:
    return grad.new_empty((rows, filters.shape[-1 if krsc else -2]))


def indice_conv_filter(
    features: Tensor,
    grad: Tensor,
    pairs: Tensor,
    num: Tensor,
    shape: Sequence[int],
    inverse: bool,
    krsc: bool,
) -> Tensor:
    return features.new_empty(shape)


def indice_maxpool(features: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
    return features.new_empty((rows, features.shape[1]))


def indice_maxpool_backward(
    features: Tensor, pooled: Tensor, grad: Tensor, pairs: Tensor, num: Tensor
) -> Tensor:
    return features.new_empty(features.shape)


def indice_avgpool(features: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
    return features.new_empty((rows, features.shape[1]))


def indice_avgpool_backward(grad: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
    return grad.new_empty((rows, grad.shape[1]))
