"""CARAFE of `mmcv._ext`."""

from __future__ import annotations

from torch import Tensor

from ..._torch import ops as _ops
from .outputs import write


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
    write("output", output, result)


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
    write("bottom_grad", bottom_grad, of_features)
    write("mask_grad", mask_grad, of_masks)
