"""Rotated feature align of `mmcv._ext`."""

from __future__ import annotations

from torch import Tensor

from ..._torch import amp
from ..._torch import ops as _ops
from ...ops.rotated_feature_align import rotated_feature_align
from .outputs import write


def rotated_feature_align_forward(
    features: Tensor, best_bboxes: Tensor, output: Tensor, spatial_scale: float, points: int
) -> None:
    """features [N,C,H,W], best_bboxes with N·H·W rows of 5 -> output [N,C,H,W]."""
    write("output", output, rotated_feature_align(features, best_bboxes, spatial_scale, points))


def rotated_feature_align_backward(
    top_grad: Tensor, best_bboxes: Tensor, bottom_grad: Tensor, spatial_scale: float, points: int
) -> None:
    """Gradient of the features."""
    dtype = amp.computing_dtype(top_grad.dtype, best_bboxes.dtype)
    args = top_grad.to(dtype), best_bboxes.to(dtype), spatial_scale, points
    write("bottom_grad", bottom_grad, _ops.rotated_feature_align_backward(*args).to(top_grad.dtype))
