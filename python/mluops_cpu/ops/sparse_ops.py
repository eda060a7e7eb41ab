"""Pairs and sparse convolution on given pairs, without gradients: mmcv.ops.sparse_ops.

L input rows, Y output rows, K kernel offsets, Ci and Co channels; indice_pairs int32 [K,2,L],
indice_num int32 [K].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

import torch

from .._torch import ops as _ops
from ._sparse_window import (
    Sizes,
    Window,
    get_conv_output_size,
    get_deconv_output_size,
    output_shape,
    per_axis,
    require_stride_or_dilation_1,
    window_pairs,
)
from .sparse_structure import as_int32

__all__ = [
    "fused_indice_conv",
    "get_conv_output_size",
    "get_deconv_output_size",
    "get_indice_pairs",
    "indice_conv",
    "indice_conv_backward",
    "indice_maxpool",
    "indice_maxpool_backward",
]


def get_indice_pairs(
    indices: torch.Tensor,
    batch_size: int,
    spatial_shape: Sequence[int],
    ksize: Sizes = 3,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    out_padding: Sizes = 0,
    subm: bool = False,
    transpose: bool = False,
    grid: Optional[torch.Tensor] = None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Output sites [Y,ndim+1], pairs [K,2,L] and counts [K] of a convolution over 1 to 4 axes.

    indices [L,ndim+1], rows (batch, *coordinates); duplicates are legal. Output sites are in
    ascending order. subm: they are the input sites, `indices` itself if it is int32; stride and
    padding are ignored. grid: ignored, and accepted for 2 and 3 axes only, as in mmcv.

    Raises AssertionError if neither stride nor dilation is 1 on an axis, NotImplementedError for
    other ndim, BadParamError for an output shape below 1 and for a row outside of batch or space.

    >>> import torch
    >>> from mluops_cpu.ops.sparse_ops import get_indice_pairs
    >>> sites = torch.tensor([[0, 1, 1]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [4, 4], ksize=2, stride=2)
    >>> outids.tolist(), pairs.shape, num.tolist()
    ([[0, 0, 0]], torch.Size([4, 2, 1]), [0, 0, 0, 1])
    """
    ndim = indices.shape[1] - 1
    window = Window(
        per_axis(ksize, ndim, "ksize"),
        per_axis(stride, ndim, "stride"),
        per_axis(padding, ndim, "padding"),
        per_axis(dilation, ndim, "dilation"),
        per_axis(out_padding, ndim, "out_padding"),
        bool(subm),
        bool(transpose),
    )
    require_stride_or_dilation_1(window.stride, window.dilation)
    if ndim not in ((1, 2, 3, 4) if grid is None else (2, 3)):
        raise NotImplementedError(f"pairs of {ndim} axes" + ("" if grid is None else " with grid"))
    shape = output_shape(window, spatial_shape)
    built = window_pairs(window, as_int32(indices), batch_size, spatial_shape, shape)
    return built.outids, built.pairs, built.num


@torch.no_grad()
def indice_conv(
    features: torch.Tensor,
    filters: torch.Tensor,
    indice_pairs: torch.Tensor,
    indice_pair_num: torch.Tensor,
    num_activate_out: int,
    inverse: bool = False,
    subm: bool = False,
) -> torch.Tensor:
    """Convolution on given pairs: features [L,Ci], filters [k...,Ci,Co] -> [num_activate_out,Co].

    inverse: the pairs are those of the coupled convolution, read from output to input. subm changes
    nothing. Not differentiable; `sparse_functional.indice_conv` is.

    >>> import torch
    >>> from mluops_cpu.ops.sparse_ops import get_indice_pairs, indice_conv
    >>> sites = torch.tensor([[0, 0, 0], [0, 0, 1]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [1, 2], subm=True)
    >>> indice_conv(torch.tensor([[1.0], [2.0]]), torch.ones(3, 3, 1, 1), pairs, num, 2)
    tensor([[3.],
            [3.]])
    """
    return _ops.indice_conv(  # type: ignore[no-any-return]
        features,
        filters,
        indice_pairs,
        indice_pair_num,
        int(num_activate_out),
        bool(inverse),
        False,
    )


@torch.no_grad()
def fused_indice_conv(
    features: torch.Tensor,
    filters: torch.Tensor,
    bias: torch.Tensor,
    indice_pairs: torch.Tensor,
    indice_pair_num: torch.Tensor,
    num_activate_out: int,
    inverse: bool,
    subm: bool,
) -> torch.Tensor:
    """`indice_conv` plus bias [Co].

    >>> import torch
    >>> from mluops_cpu.ops.sparse_ops import fused_indice_conv, get_indice_pairs
    >>> sites = torch.tensor([[0, 0, 0]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [1, 2], subm=True)
    >>> weight, bias = torch.ones(3, 3, 1, 1), torch.tensor([0.5])
    >>> fused_indice_conv(torch.tensor([[1.0]]), weight, bias, pairs, num, 1, False, True)
    tensor([[1.5000]])
    """
    result = indice_conv(
        features, filters, indice_pairs, indice_pair_num, num_activate_out, inverse, subm
    )
    return result.add_(bias)


@torch.no_grad()
def indice_conv_backward(
    features: torch.Tensor,
    filters: torch.Tensor,
    out_bp: torch.Tensor,
    indice_pairs: torch.Tensor,
    indice_pair_num: torch.Tensor,
    inverse: bool = False,
    subm: bool = False,
) -> list[torch.Tensor]:
    """[features gradient [L,Ci], filters gradient [k...,Ci,Co]] for the output gradient [Y,Co].

    >>> import torch
    >>> from mluops_cpu.ops.sparse_ops import get_indice_pairs, indice_conv_backward
    >>> sites = torch.tensor([[0, 0, 0]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [1, 2], subm=True)
    >>> x, weight, grad = torch.tensor([[3.0]]), torch.ones(3, 3, 1, 1), torch.tensor([[2.0]])
    >>> grad_x, grad_weight = indice_conv_backward(x, weight, grad, pairs, num)
    >>> grad_x.item(), grad_weight.flatten().tolist()
    (2.0, [0.0, 0.0, 0.0, 0.0, 6.0, 0.0, 0.0, 0.0, 0.0])
    """
    tail: tuple[Any, ...] = (bool(inverse), False)
    grad_features = _ops.indice_conv_data(
        out_bp, filters, indice_pairs, indice_pair_num, features.shape[0], *tail
    )
    grad_filters = _ops.indice_conv_filter(
        features, out_bp, indice_pairs, indice_pair_num, list(filters.shape), *tail
    )
    return [grad_features, grad_filters]


@torch.no_grad()
def indice_maxpool(
    features: torch.Tensor,
    indice_pairs: torch.Tensor,
    indice_pair_num: torch.Tensor,
    num_activate_out: int,
) -> torch.Tensor:
    """Max pooling on given pairs: [L,C] -> [num_activate_out,C], never below 0.

    >>> import torch
    >>> from mluops_cpu.ops.sparse_ops import get_indice_pairs, indice_maxpool
    >>> sites = torch.tensor([[0, 0, 0], [0, 0, 1]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [2, 2], ksize=2, stride=2)
    >>> indice_maxpool(torch.tensor([[1.0, -1.0], [2.0, -2.0]]), pairs, num, 1)
    tensor([[2., 0.]])
    """
    return _ops.indice_maxpool(  # type: ignore[no-any-return]
        features, indice_pairs, indice_pair_num, int(num_activate_out)
    )


@torch.no_grad()
def indice_maxpool_backward(
    features: torch.Tensor,
    out_features: torch.Tensor,
    out_bp: torch.Tensor,
    indice_pairs: torch.Tensor,
    indice_pair_num: torch.Tensor,
) -> torch.Tensor:
    """Gradient [L,C] of max pooling: each pair with equal values takes the output's gradient.

    >>> import torch
    >>> from mluops_cpu.ops.sparse_ops import get_indice_pairs, indice_maxpool_backward
    >>> sites = torch.tensor([[0, 0, 0], [0, 0, 1]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [2, 2], ksize=2, stride=2)
    >>> x, pooled, grad = torch.tensor([[1.0], [2.0]]), torch.tensor([[2.0]]), torch.tensor([[5.0]])
    >>> indice_maxpool_backward(x, pooled, grad, pairs, num)
    tensor([[0.],
            [5.]])
    """
    return _ops.indice_maxpool_backward(  # type: ignore[no-any-return]
        features, out_features, out_bp, indice_pairs, indice_pair_num
    )
