"""Shapes, dtypes and formats of the operators' results, for tensors without data."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import torch
from torch import Tensor

from .layout import is_channels_last, memory_format


def _map(like: Tensor, shape: Sequence[int]) -> Tensor:
    return torch.empty(
        shape,
        dtype=like.dtype,
        device=like.device,
        memory_format=memory_format(is_channels_last(like)),
    )


def carafe(
    features: Tensor, masks: Tensor, kernel_size: int, group_size: int, scale_factor: int
) -> Tensor:
    n, c, h, w = features.shape
    return _map(features, (n, c, h * scale_factor, w * scale_factor))


def carafe_backward(
    grad_output: Tensor,
    features: Tensor,
    masks: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> tuple[Tensor, Tensor]:
    return _map(features, features.shape), _map(masks, masks.shape)


def carafe_backward_features(
    grad_output: Tensor,
    features: Tensor,
    masks: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> Tensor:
    return _map(features, features.shape)


def carafe_backward_masks(
    grad_output: Tensor,
    features: Tensor,
    masks: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> Tensor:
    return _map(masks, masks.shape)


def rotated_feature_align(
    features: Tensor, best_rbboxes: Tensor, spatial_scale: float, points: int
) -> Tensor:
    return _map(features, features.shape)


def rotated_feature_align_backward(
    grad_output: Tensor, best_rbboxes: Tensor, spatial_scale: float, points: int
) -> Tensor:
    return _map(grad_output, grad_output.shape)


def roiaware_pool3d(
    rois: Tensor,
    pts: Tensor,
    pts_feature: Tensor,
    out_size: Sequence[int],
    max_pts_per_voxel: int,
    mode: int,
) -> tuple[Tensor, Tensor, Tensor]:
    voxels = (rois.shape[0], *out_size)
    pooled = pts_feature.new_empty((*voxels, pts_feature.shape[-1]))
    return (
        pooled,
        pooled.new_empty(pooled.shape, dtype=torch.int32),
        pooled.new_empty((*voxels, max_pts_per_voxel), dtype=torch.int32),
    )


def roiaware_pool3d_backward(
    pts_idx: Tensor, argmax: Tensor, grad_out: Tensor, num_pts: int, mode: int
) -> Tensor:
    return grad_out.new_empty((num_pts, grad_out.shape[-1]))


def points_in_boxes(points: Tensor, boxes: Tensor, all: bool) -> Tensor:
    shape = (*points.shape[:2], boxes.shape[1]) if all else points.shape[:2]
    return points.new_empty(shape, dtype=torch.int32)


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
    rows = torch.library.get_ctx().new_dynamic_size(min=0, max=batch_size * prod(out_shape))
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
