"""Sparse convolution and pooling of `mmcv._ext`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from ...ops import sparse_ops
from ...ops._sparse_window import Window, window_pairs
from ...ops.sparse_structure import as_int32


def _pairs(
    indices: Tensor,
    batchSize: int,
    outSpatialShape: Sequence[int],
    spatialShape: Sequence[int],
    kernelSize: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    outPadding: Sequence[int],
    _subM: int,
    _transpose: int,
) -> list[Tensor]:
    """[output sites, pairs, counts]; with _subM the sites are `indices` itself."""
    kind = bool(_subM), bool(_transpose)
    window = Window(kernelSize, stride, padding, dilation, outPadding, *kind)
    built = window_pairs(window, as_int32(indices), batchSize, spatialShape, outSpatialShape)
    return [indices if _subM else built.outids, built.pairs, built.num]


def _pairs_with_grid(indices: Tensor, gridOut: Tensor, *args: Any, **kwargs: Any) -> list[Tensor]:
    """The same: the grid is scratch of mmcv's, and "backward" in its name means no gradient."""
    return _pairs(indices, *args, **kwargs)


get_indice_pairs_2d_forward = get_indice_pairs_3d_forward = get_indice_pairs_4d_forward = _pairs
get_indice_pairs_2d_backward = get_indice_pairs_3d_backward = _pairs_with_grid


def indice_conv_forward(
    features: Tensor,
    filters: Tensor,
    indicePairs: Tensor,
    indiceNum: Tensor,
    numActOut: int,
    _inverse: int,
    _subM: int,
) -> Tensor:
    """[L,Ci] -> [numActOut,Co]."""
    return sparse_ops.indice_conv(
        features, filters, indicePairs, indiceNum, numActOut, bool(_inverse), bool(_subM)
    )


def fused_indice_conv_forward(
    features: Tensor,
    filters: Tensor,
    bias: Tensor,
    indicePairs: Tensor,
    indiceNum: Tensor,
    numActOut: int,
    _inverse: int,
    _subM: int,
) -> Tensor:
    """[L,Ci] -> [numActOut,Co], plus bias [Co]."""
    return sparse_ops.fused_indice_conv(
        features, filters, bias, indicePairs, indiceNum, numActOut, bool(_inverse), bool(_subM)
    )


def indice_conv_backward(
    features: Tensor,
    filters: Tensor,
    outGrad: Tensor,
    indicePairs: Tensor,
    indiceNum: Tensor,
    _inverse: int,
    _subM: int,
) -> list[Tensor]:
    """[gradient of the features, gradient of the filters]."""
    return sparse_ops.indice_conv_backward(
        features, filters, outGrad, indicePairs, indiceNum, bool(_inverse), bool(_subM)
    )


def indice_maxpool_forward(
    features: Tensor, indicePairs: Tensor, indiceNum: Tensor, numAct: int
) -> Tensor:
    """[L,C] -> [numAct,C]."""
    return sparse_ops.indice_maxpool(features, indicePairs, indiceNum, numAct)


def indice_maxpool_backward(
    features: Tensor, outFeatures: Tensor, outGrad: Tensor, indicePairs: Tensor, indiceNum: Tensor
) -> Tensor:
    """Gradient [L,C] of the features."""
    return sparse_ops.indice_maxpool_backward(
        features, outFeatures, outGrad, indicePairs, indiceNum
    )
