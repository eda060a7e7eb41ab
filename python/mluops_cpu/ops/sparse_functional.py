"""Differentiable sparse convolution and max pooling on given pairs: mmcv.ops.sparse_functional.

L input rows, Y output rows, K kernel offsets; indice_pairs int32 [K,2,L], indice_pair_num int32
[K]. Gradients of any order; dtypes are never cast here.
"""

from __future__ import annotations

import torch

from .._torch import ops as _ops
from .._torch.autograd import Conv, MaxPool, wanted

__all__ = [
    "SparseConvFunction",
    "SparseInverseConvFunction",
    "SparseMaxPoolFunction",
    "SubMConvFunction",
    "indice_conv",
    "indice_inverse_conv",
    "indice_maxpool",
    "indice_subm_conv",
]


class SparseConvFunction:
    """Sparse convolution, strided or transposed.

    >>> import torch
    >>> from mluops_cpu.ops.sparse_functional import SparseConvFunction
    >>> from mluops_cpu.ops.sparse_ops import get_indice_pairs
    >>> sites = torch.tensor([[0, 0, 0], [0, 0, 1]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [2, 2], ksize=2, stride=2)
    >>> weight = torch.ones(2, 2, 1, 1, requires_grad=True)
    >>> y = SparseConvFunction.apply(torch.tensor([[1.0], [2.0]]), weight, pairs, num, 1)
    >>> y.sum().backward()
    >>> y.tolist(), weight.grad.flatten().tolist()
    ([[3.0]], [1.0, 2.0, 0.0, 0.0])
    """

    @staticmethod
    def apply(
        features: torch.Tensor,
        filters: torch.Tensor,
        indice_pairs: torch.Tensor,
        indice_pair_num: torch.Tensor,
        num_activate_out: int,
    ) -> torch.Tensor:
        """features [L,Ci], filters [k...,Ci,Co] -> [num_activate_out,Co]."""
        return convolve(features, filters, indice_pairs, indice_pair_num, num_activate_out, False)


class SubMConvFunction(SparseConvFunction):
    """Submanifold convolution: the same sum, since the pairs say which sites meet.

    >>> import torch
    >>> from mluops_cpu.ops.sparse_functional import SubMConvFunction
    >>> from mluops_cpu.ops.sparse_ops import get_indice_pairs
    >>> sites = torch.tensor([[0, 0, 0], [0, 0, 1]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [2, 2], ksize=3, subm=True)
    >>> SubMConvFunction.apply(torch.ones(2, 1), torch.ones(3, 3, 1, 1), pairs, num, 2)
    tensor([[2.],
            [2.]])
    """


class SparseInverseConvFunction:
    """Inverse of a strided convolution: its pairs, read from output to input.

    >>> import torch
    >>> from mluops_cpu.ops.sparse_functional import SparseInverseConvFunction
    >>> from mluops_cpu.ops.sparse_ops import get_indice_pairs
    >>> sites = torch.tensor([[0, 0, 0], [0, 0, 1]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [2, 2], ksize=2, stride=2)
    >>> weight = torch.tensor([1.0, 2.0, 3.0, 4.0]).view(2, 2, 1, 1)
    >>> SparseInverseConvFunction.apply(torch.ones(1, 1), weight, pairs, num, 2)
    tensor([[1.],
            [2.]])
    """

    @staticmethod
    def apply(
        features: torch.Tensor,
        filters: torch.Tensor,
        indice_pairs: torch.Tensor,
        indice_pair_num: torch.Tensor,
        num_activate_out: int,
    ) -> torch.Tensor:
        """features [Y,Ci], filters [k...,Ci,Co] -> [rows of the coupled input,Co]."""
        return convolve(features, filters, indice_pairs, indice_pair_num, num_activate_out, True)


class SparseMaxPoolFunction:
    """Max pooling over the sites present, never below 0.

    >>> import torch
    >>> from mluops_cpu.ops.sparse_functional import SparseMaxPoolFunction
    >>> from mluops_cpu.ops.sparse_ops import get_indice_pairs
    >>> sites = torch.tensor([[0, 0, 0], [0, 0, 1]], dtype=torch.int32)
    >>> outids, pairs, num = get_indice_pairs(sites, 1, [2, 2], ksize=2, stride=2)
    >>> SparseMaxPoolFunction.apply(torch.tensor([[1.0, -1.0], [2.0, -2.0]]), pairs, num, 1)
    tensor([[2., 0.]])
    """

    @staticmethod
    def apply(
        features: torch.Tensor,
        indice_pairs: torch.Tensor,
        indice_pair_num: torch.Tensor,
        num_activate_out: int,
    ) -> torch.Tensor:
        """features [L,C] -> [num_activate_out,C]."""
        run = MaxPool.apply if wanted(features) else _ops.indice_maxpool
        result: torch.Tensor = run(features, indice_pairs, indice_pair_num, num_activate_out)
        return result


def convolve(
    features: torch.Tensor,
    filters: torch.Tensor,
    indice_pairs: torch.Tensor,
    indice_pair_num: torch.Tensor,
    rows: int,
    inverse: bool,
    krsc: bool = False,
) -> torch.Tensor:
    """Convolution with filters [k...,Ci,Co], or [Co,k...,Ci] if krsc."""
    run = Conv.apply if wanted(features, filters) else _ops.indice_conv
    result: torch.Tensor = run(
        features, filters, indice_pairs, indice_pair_num, rows, inverse, krsc
    )
    return result


indice_conv = SparseConvFunction.apply
indice_inverse_conv = SparseInverseConvFunction.apply
indice_subm_conv = SubMConvFunction.apply
indice_maxpool = SparseMaxPoolFunction.apply
