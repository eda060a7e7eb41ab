"""CARAFE, rotated feature align and RoI-aware pooling on CPU tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Callable, Optional

import torch
from torch import Tensor

from mluops_cpu import _calls

from .. import memory
from ..layout import empty_nhwc, from_nhwc, is_channels_last, to_nhwc
from ..openmp import threads
from ..records import Record, check_map, code, floating, int32, nhwc


def carafe(
    features: Tensor, masks: Tensor, kernel_size: int, group_size: int, scale_factor: int
) -> Tensor:
    """[N,C,H,W], [N,k²G,sH,sW] → [N,C,sH,sW] in the format of `features`."""
    check_map("features", features)
    check_map("masks", masks)
    n, c, h, w = features.shape
    x = to_nhwc(features)
    m = to_nhwc(masks)
    out = empty_nhwc((n, c, h * scale_factor, w * scale_factor), features.dtype)
    _calls.carafe_forward(
        threads(),
        nhwc("features", x),
        nhwc("masks", m),
        nhwc("output", out),
        kernel_size,
        group_size,
        scale_factor,
    )
    return from_nhwc(out, is_channels_last(features))


def carafe_backward(
    grad_output: Tensor,
    features: Tensor,
    masks: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> tuple[Tensor, Tensor]:
    """Gradients for features and masks, each in the format of its tensor."""
    sizes = (kernel_size, group_size, scale_factor)
    grad_features = empty_nhwc(features.shape, features.dtype)
    grad_masks = empty_nhwc(masks.shape, masks.dtype)
    _carafe_backward(grad_output, features, masks, grad_features, grad_masks, sizes)
    return (
        from_nhwc(grad_features, is_channels_last(features)),
        from_nhwc(grad_masks, is_channels_last(masks)),
    )


def carafe_backward_features(
    grad_output: Tensor,
    features: Tensor,
    masks: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> Tensor:
    """The first gradient alone; the values of `features` are not read."""
    sizes = (kernel_size, group_size, scale_factor)
    grad_features = empty_nhwc(features.shape, features.dtype)
    _carafe_backward(grad_output, features, masks, grad_features, None, sizes)
    return from_nhwc(grad_features, is_channels_last(features))


def carafe_backward_masks(
    grad_output: Tensor,
    features: Tensor,
    masks: Tensor,
    kernel_size: int,
    group_size: int,
    scale_factor: int,
) -> Tensor:
    """The second gradient alone; the values of `masks` are not read."""
    sizes = (kernel_size, group_size, scale_factor)
    grad_masks = empty_nhwc(masks.shape, masks.dtype)
    _carafe_backward(grad_output, features, masks, None, grad_masks, sizes)
    return from_nhwc(grad_masks, is_channels_last(masks))


def _carafe_backward(
    grad_output: Tensor,
    features: Tensor,
    masks: Tensor,
    grad_features: Optional[Tensor],
    grad_masks: Optional[Tensor],
    sizes: tuple[int, int, int],
) -> None:
    g = to_nhwc(grad_output)
    x = to_nhwc(features)
    m = to_nhwc(masks)
    _calls.carafe_backward(
        threads(),
        nhwc("features", x),
        nhwc("masks", m),
        nhwc("grad_output", g),
        None if grad_features is None else nhwc("grad_features", grad_features),
        None if grad_masks is None else nhwc("grad_masks", grad_masks),
        *sizes,
    )


def rotated_feature_align(
    features: Tensor, best_rbboxes: Tensor, spatial_scale: float, points: int
) -> Tensor:
    """[N,C,H,W], N·H·W boxes → [N,C,H,W] in the format of `features`."""
    return _align(
        _calls.rotated_feature_align_forward, features, best_rbboxes, spatial_scale, points
    )


def rotated_feature_align_backward(
    grad_output: Tensor, best_rbboxes: Tensor, spatial_scale: float, points: int
) -> Tensor:
    """[N,C,H,W], N·H·W boxes → [N,C,H,W] in the format of `grad_output`."""
    return _align(
        _calls.rotated_feature_align_backward, grad_output, best_rbboxes, spatial_scale, points
    )


def _align(
    call: Callable[[int, Record, Record, Record, float, int], None],
    source: Tensor,
    best_rbboxes: Tensor,
    spatial_scale: float,
    points: int,
) -> Tensor:
    if source.dim() != 4:
        check_map("features", source)
    n, c, h, w = source.shape
    shape = (n, h, w, c)
    x = to_nhwc(source)
    out = memory.empty_like(x)
    boxes = best_rbboxes.contiguous()
    box_shape: tuple[int, ...] = boxes.shape
    # R3Det concatenates the boxes of all images to [N·H·W,5].
    if box_shape != (n, h, w, 5) and box_shape[-1:] == (5,) and boxes.numel() == n * h * w * 5:
        box_shape = (n, h, w, 5)
    dtype = code("features", x)
    call(
        threads(),
        (x.data_ptr(), shape, dtype),
        (boxes.data_ptr(), box_shape, code("best_rbboxes", boxes)),
        (out.data_ptr(), shape, dtype),
        spatial_scale,
        points,
    )
    # A channels-last map was not copied.
    return out if x is source else from_nhwc(out, False)


def roiaware_pool3d(
    rois: Tensor,
    pts: Tensor,
    pts_feature: Tensor,
    out_size: Sequence[int],
    max_pts_per_voxel: int,
    mode: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """[B,7], [M,3], [M,C] → pooled [B,x,y,z,C], argmax of its shape, pts_idx [B,x,y,z,T]."""
    rois, pts, pts_feature = rois.contiguous(), pts.contiguous(), pts_feature.contiguous()
    voxels = (rois.shape[0], *out_size)
    pooled = memory.empty((*voxels, pts_feature.shape[-1]), pts_feature.dtype)
    argmax = memory.empty(pooled.shape, torch.int32)
    pts_idx = memory.empty((*voxels, max_pts_per_voxel), torch.int32)
    _calls.roiaware_pool3d_forward(
        threads(),
        floating("rois", rois),
        floating("pts", pts),
        floating("pts_feature", pts_feature),
        int32("argmax", argmax),
        int32("pts_idx", pts_idx),
        floating("pooled", pooled),
        mode,
    )
    return pooled, argmax, pts_idx


def roiaware_pool3d_backward(
    pts_idx: Tensor, argmax: Tensor, grad_out: Tensor, num_pts: int, mode: int
) -> Tensor:
    """Gradient [num_pts,C] for the features of the points."""
    pts_idx, argmax, grad_out = pts_idx.contiguous(), argmax.contiguous(), grad_out.contiguous()
    grad_in = memory.empty((num_pts, grad_out.shape[-1]), grad_out.dtype)
    _calls.roiaware_pool3d_backward(
        threads(),
        int32("pts_idx", pts_idx),
        int32("argmax", argmax),
        floating("grad_out", grad_out),
        floating("grad_in", grad_in),
        mode,
    )
    return grad_in
