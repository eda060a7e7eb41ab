"""Index pairs, sparse convolutions and sparse pooling on CPU tensors."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Callable

import torch
from torch import Tensor

from mluops_cpu import _calls

from .. import memory
from ..openmp import threads
from ..records import floating, int32
from .rows import trimmed


def subm_pairs(
    indices: Tensor,
    batch_size: int,
    shape: Sequence[int],
    ksize: Sequence[int],
    dilation: Sequence[int],
) -> tuple[Tensor, Tensor]:
    """Submanifold pairs of indices [L,ndim+1]: int32 [K,2,L], [K]."""
    ones = (1,) * len(shape)
    geometry = _calls.Geometry(
        batch_size,
        tuple(shape),
        tuple(shape),
        tuple(ksize),
        ones,
        ones,
        tuple(dilation),
        True,
        False,
    )
    _, pairs, num = _pairs(indices, geometry)
    return pairs, num


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
    """Pairs of indices [L,ndim+1]: output sites int32 [Y,ndim+1], pairs [K,2,L], counts [K]."""
    geometry = _calls.Geometry(
        batch_size,
        tuple(shape),
        tuple(out_shape),
        tuple(ksize),
        tuple(stride),
        tuple(padding),
        tuple(dilation),
        False,
        transpose,
    )
    return _pairs(indices, geometry)


def _pairs(indices: Tensor, geometry: _calls.Geometry) -> tuple[Tensor, Tensor, Tensor]:
    indices = indices.contiguous()
    rows = indices.shape[0]
    bound = _calls.out_rows_bound(rows, geometry)
    volume = prod(geometry.kernel_size)
    out_indices = memory.empty((bound, indices.shape[1]), torch.int32)
    indice_pairs = memory.empty((volume, 2, rows), torch.int32)
    num = memory.empty((volume,), torch.int32)
    found = _builder(len(geometry.kernel_size))(
        threads(),
        int32("indices", indices),
        geometry,
        int32("out_indices", out_indices),
        int32("indice_pairs", indice_pairs),
        int32("indice_num", num),
    )
    return trimmed(out_indices, found), indice_pairs, num


def _builder(axes: int) -> Callable[..., int]:
    if axes != 4:
        return _calls.get_indice_pairs
    from mluops_cpu import _pairs_4d  # imports numpy, which nothing else here needs

    return _pairs_4d.get_indice_pairs


def indice_conv(
    features: Tensor,
    filters: Tensor,
    pairs: Tensor,
    num: Tensor,
    rows: int,
    inverse: bool,
    krsc: bool,
) -> Tensor:
    """[L,Ci], filters [k…,Ci,Co] or (krsc) [Co,k…,Ci] → [rows,Co]."""
    features, filters, pairs = features.contiguous(), filters.contiguous(), pairs.contiguous()
    out = memory.empty((rows, filters.shape[0 if krsc else -1]), features.dtype)
    _calls.indice_conv_forward(
        threads(),
        floating("features", features),
        floating("filters", filters),
        int32("indice_pairs", pairs),
        num.tolist(),
        floating("output", out),
        inverse,
        krsc,
    )
    return out


def indice_conv_data(
    grad: Tensor, filters: Tensor, pairs: Tensor, num: Tensor, rows: int, inverse: bool, krsc: bool
) -> Tensor:
    """Gradient [rows,Ci] for the features, from `grad` [Y,Co]."""
    grad, filters, pairs = grad.contiguous(), filters.contiguous(), pairs.contiguous()
    out = memory.empty((rows, filters.shape[-1 if krsc else -2]), grad.dtype)
    _calls.indice_conv_backward_data(
        threads(),
        floating("grad", grad),
        floating("filters", filters),
        int32("indice_pairs", pairs),
        num.tolist(),
        floating("grad_features", out),
        inverse,
        krsc,
    )
    return out


def indice_conv_filter(
    features: Tensor,
    grad: Tensor,
    pairs: Tensor,
    num: Tensor,
    shape: Sequence[int],
    inverse: bool,
    krsc: bool,
) -> Tensor:
    """Gradient for filters of this shape, from features [L,Ci] and `grad` [Y,Co]."""
    features, grad, pairs = features.contiguous(), grad.contiguous(), pairs.contiguous()
    out = memory.empty(shape, features.dtype)
    _calls.indice_conv_backward_filter(
        threads(),
        floating("features", features),
        floating("grad", grad),
        int32("indice_pairs", pairs),
        num.tolist(),
        floating("grad_filters", out),
        inverse,
        krsc,
    )
    return out


def indice_maxpool(features: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
    """[L,C] → [rows,C], the largest value of each window and 0."""
    features, pairs = features.contiguous(), pairs.contiguous()
    out = memory.empty((rows, features.shape[1]), features.dtype)
    _calls.indice_maxpool_forward(
        threads(),
        floating("features", features),
        int32("indice_pairs", pairs),
        num.tolist(),
        floating("output", out),
    )
    return out


def indice_maxpool_backward(
    features: Tensor, pooled: Tensor, grad: Tensor, pairs: Tensor, num: Tensor
) -> Tensor:
    """Gradient for the features: the sum of `grad` over the pairs whose two values are equal."""
    features, pooled, pairs = features.contiguous(), pooled.contiguous(), pairs.contiguous()
    grad = grad.contiguous()
    out = memory.empty(features.shape, features.dtype)
    _calls.indice_maxpool_backward(
        threads(),
        floating("features", features),
        floating("pooled", pooled),
        floating("grad", grad),
        int32("indice_pairs", pairs),
        num.tolist(),
        floating("grad_features", out),
    )
    return out


def indice_avgpool(features: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
    """[L,C] → [rows,C], the mean over the sites present in each window, 0 if there is none."""
    features, pairs = features.contiguous(), pairs.contiguous()
    out = memory.empty((rows, features.shape[1]), features.dtype)
    _calls.indice_avgpool_forward(
        threads(),
        floating("features", features),
        int32("indice_pairs", pairs),
        num.tolist(),
        floating("output", out),
    )
    return out


def indice_avgpool_backward(grad: Tensor, pairs: Tensor, num: Tensor, rows: int) -> Tensor:
    """Gradient [rows,C] for the features: `grad` over the number of pairs of its window."""
    grad, pairs = grad.contiguous(), pairs.contiguous()
    out = memory.empty((rows, grad.shape[1]), grad.dtype)
    _calls.indice_avgpool_backward(
        threads(),
        floating("grad", grad),
        int32("indice_pairs", pairs),
        num.tolist(),
        floating("grad_features", out),
    )
    return out
