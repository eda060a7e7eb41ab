"""Functions of mmcv's compiled module `mmcv._ext`, with its parameter names, for CPU tensors.

Outputs that are passed in are overwritten whole, whatever they held, at their own strides. Inputs
may have any strides. Nothing here is differentiable: mmcv's Functions call it inside theirs.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any, Callable

import torch
from torch import Tensor

from .._torch import amp
from .._torch import ops as _ops
from ..ops import sparse_ops
from ..ops._sparse_window import Window, window_pairs
from ..ops.rotated_feature_align import rotated_feature_align
from ..ops.sparse_structure import as_int32

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def _provided(function: Callable[..., Any]) -> Callable[..., Any]:
    FUNCTIONS[function.__name__] = torch.no_grad()(function)
    return FUNCTIONS[function.__name__]


def _write(name: str, out: Tensor, value: Tensor) -> None:
    if out.shape != value.shape or out.dtype != value.dtype:
        raise ValueError(
            f"{name} must be {value.dtype} of shape {tuple(value.shape)},"
            f" got {out.dtype} of shape {tuple(out.shape)}"
        )
    out.copy_(value)


# ---- CARAFE


@_provided
def carafe_forward(
    features: Tensor,
    masks: Tensor,
    rfeatures: Tensor,
    routput: Tensor,
    rmasks: Tensor,
    output: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> None:
    """features [N,C,H,W] -> output [N,C,sH,sW]; rfeatures becomes the features as [N,H,W,C]."""
    carafe_naive_forward(features, masks, output, kernel_size, group_size, scale_factor)
    # mmcv's backward differentiates with respect to rfeatures: it must hold them.
    maps = features.permute(0, 2, 3, 1)
    rfeatures.resize_(maps.shape).copy_(maps)


@_provided
def carafe_backward(
    top_grad: Tensor,
    rfeatures: Tensor,
    masks: Tensor,
    rtop_grad: Tensor,
    rbottom_grad_hs: Tensor,
    rbottom_grad: Tensor,
    rmask_grad: Tensor,
    bottom_grad: Tensor,
    mask_grad: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> None:
    """Gradients of the features, which rfeatures holds as [N,H,W,C], and of the masks."""
    features = rfeatures.permute(0, 3, 1, 2)
    sizes = kernel_size, group_size, scale_factor
    carafe_naive_backward(top_grad, features, masks, bottom_grad, mask_grad, *sizes)


@_provided
def carafe_naive_forward(
    features: Tensor,
    masks: Tensor,
    output: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> None:
    """features [N,C,H,W], masks [N,k²G,sH,sW] -> output [N,C,sH,sW]."""
    result = _ops.carafe(features, masks, kernel_size, group_size, scale_factor)
    _write("output", output, result)


@_provided
def carafe_naive_backward(
    top_grad: Tensor,
    features: Tensor,
    masks: Tensor,
    bottom_grad: Tensor,
    mask_grad: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> None:
    """Gradients of the features and of the masks."""
    sizes = kernel_size, group_size, scale_factor
    of_features, of_masks = _ops.carafe_backward(top_grad, features, masks, *sizes)
    _write("bottom_grad", bottom_grad, of_features)
    _write("mask_grad", mask_grad, of_masks)


# ---- rotated feature align


@_provided
def rotated_feature_align_forward(
    features: Tensor, best_bboxes: Tensor, output: Tensor, spatial_scale: float, points: int
) -> None:
    """features [N,C,H,W], best_bboxes with N·H·W rows of 5 -> output [N,C,H,W]."""
    _write("output", output, rotated_feature_align(features, best_bboxes, spatial_scale, points))


@_provided
def rotated_feature_align_backward(
    top_grad: Tensor, best_bboxes: Tensor, bottom_grad: Tensor, spatial_scale: float, points: int
) -> None:
    """Gradient of the features."""
    dtype = amp.computing_dtype(top_grad.dtype, best_bboxes.dtype)
    args = top_grad.to(dtype), best_bboxes.to(dtype), spatial_scale, points
    _write(
        "bottom_grad", bottom_grad, _ops.rotated_feature_align_backward(*args).to(top_grad.dtype)
    )


# ---- RoI-aware pooling, points in boxes


@_provided
def roiaware_pool3d_forward(
    rois: Tensor,
    pts: Tensor,
    pts_feature: Tensor,
    argmax: Tensor,
    pts_idx_of_voxels: Tensor,
    pooled_features: Tensor,
    pool_method: int,
) -> None:
    """rois [B,7], pts [M,3], pts_feature [M,C]; sizes are those of the outputs."""
    for name, out in (
        ("pooled_features", pooled_features),
        ("pts_idx_of_voxels", pts_idx_of_voxels),
    ):
        if out.dim() != 5:
            raise ValueError(f"{name} must have 5 dims, got shape {tuple(out.shape)}")
    sizes, most = list(pooled_features.shape[1:4]), pts_idx_of_voxels.shape[4]
    pooled, winners, listed = _ops.roiaware_pool3d(rois, pts, pts_feature, sizes, most, pool_method)
    _write("pooled_features", pooled_features, pooled)
    _write("argmax", argmax, winners)
    _write("pts_idx_of_voxels", pts_idx_of_voxels, listed)


@_provided
def roiaware_pool3d_backward(
    pts_idx_of_voxels: Tensor, argmax: Tensor, grad_out: Tensor, grad_in: Tensor, pool_method: int
) -> None:
    """grad_out [B,x,y,z,C] -> grad_in [M,C]."""
    result = _ops.roiaware_pool3d_backward(
        pts_idx_of_voxels, argmax, grad_out, grad_in.shape[0], pool_method
    )
    _write("grad_in", grad_in, result)


@_provided
def points_in_boxes_cpu_forward(
    boxes_tensor: Tensor, pts_tensor: Tensor, pts_indices_tensor: Tensor
) -> None:
    """boxes [T,7], points [M,3] -> 0 or 1 [T,M]."""
    inside = _ops.points_in_boxes(pts_tensor[None], boxes_tensor[None], True)
    _write("pts_indices_tensor", pts_indices_tensor, inside[0].t())


@_provided
def points_in_boxes_part_forward(
    boxes_tensor: Tensor, pts_tensor: Tensor, box_idx_of_points_tensor: Tensor
) -> None:
    """boxes [B,T,7], points [B,M,3] -> [B,M]: first box that holds the point, or -1."""
    result = _ops.points_in_boxes(pts_tensor, boxes_tensor, False)
    _write("box_idx_of_points_tensor", box_idx_of_points_tensor, result)


@_provided
def points_in_boxes_all_forward(
    boxes_tensor: Tensor, pts_tensor: Tensor, box_idx_of_points_tensor: Tensor
) -> None:
    """boxes [B,T,7], points [B,M,3] -> 0 or 1 [B,M,T]."""
    result = _ops.points_in_boxes(pts_tensor, boxes_tensor, True)
    _write("box_idx_of_points_tensor", box_idx_of_points_tensor, result)


# ---- sparse convolution


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


for _ndim in (2, 3, 4):
    FUNCTIONS[f"get_indice_pairs_{_ndim}d_forward"] = _pairs
for _ndim in (2, 3):
    FUNCTIONS[f"get_indice_pairs_{_ndim}d_backward"] = _pairs_with_grid


@_provided
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


@_provided
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


@_provided
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


@_provided
def indice_maxpool_forward(
    features: Tensor, indicePairs: Tensor, indiceNum: Tensor, numAct: int
) -> Tensor:
    """[L,C] -> [numAct,C]."""
    return sparse_ops.indice_maxpool(features, indicePairs, indiceNum, numAct)


@_provided
def indice_maxpool_backward(
    features: Tensor, outFeatures: Tensor, outGrad: Tensor, indicePairs: Tensor, indiceNum: Tensor
) -> Tensor:
    """Gradient [L,C] of the features."""
    return sparse_ops.indice_maxpool_backward(
        features, outFeatures, outGrad, indicePairs, indiceNum
    )


# ---- asked for by mmcv.utils.collect_env; never replaced in a compiled mmcv


def get_compiler_version() -> str:
    """What mmcv reports as its compiler."""
    return f"none (mluops_cpu, Python {platform.python_version()})"


def get_compiling_cuda_version() -> str:
    """What mmcv reports as its CUDA version."""
    return "not available"
