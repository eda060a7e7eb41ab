"""Fakes of CARAFE, rotated feature align and RoI-aware pooling."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ..layout import is_channels_last, memory_format


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
