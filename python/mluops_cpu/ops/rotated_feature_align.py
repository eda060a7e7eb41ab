"""Rotated feature align of R3Det: features sampled at refined rotated boxes, for every position."""

from __future__ import annotations

from typing import Any, Callable, Optional

from torch import Tensor

from .._torch import amp, ops
from .._torch.autograd import Align, wanted

__all__ = ["RotatedFeatureAlignFunction", "rotated_feature_align"]


def _check(points: int) -> None:
    if points not in (1, 5):
        raise AssertionError(f"points must be 1 or 5, got {points}")


class RotatedFeatureAlignFunction(Align):
    """`apply(features, best_rbboxes, spatial_scale, points)`; casts nothing.

    Arguments, result and errors are those of `rotated_feature_align`. A fifth argument asks for a
    format: True for channels-last, False for contiguous.

    >>> import torch
    >>> from mluops_cpu.ops.rotated_feature_align import RotatedFeatureAlignFunction
    >>> features, boxes = torch.ones(1, 2, 3, 3), torch.zeros(9, 5)
    >>> RotatedFeatureAlignFunction.apply(features, boxes, 1 / 8, 1)[0, 0, 0]
    tensor([2., 2., 2.])
    """

    @staticmethod
    def forward(
        ctx: Any,
        features: Tensor,
        best_rbboxes: Tensor,
        spatial_scale: float,
        points: int,
        channels_last: Optional[bool] = None,
    ) -> Tensor:
        _check(points)
        return Align.forward(ctx, features, best_rbboxes, spatial_scale, points, channels_last)


def rotated_feature_align(
    features: Tensor, best_rbboxes: Tensor, spatial_scale: float = 1 / 8, points: int = 1
) -> Tensor:
    """Add to each position of a map what the map holds at the box refined for that position.

    Args:
        features: map [N,C,H,W], contiguous or channels-last.
        best_rbboxes: one box for each position, [N,H,W,5], or any shape ending in 5 with N·H·W
            rows, such as R3Det's [N·H·W,5]. A box is (y, x, w, h, angle); no gradient.
        spatial_scale: size of the map over size of the image, above 0.
        points: 1 samples the centre of the box, 5 its corners too.

    Returns:
        [N,C,H,W] in the dtype and memory format of `features`. Unequal dtypes are promoted for the
        computation; under autocast it is done in float32.

    Raises:
        AssertionError: `points` is neither 1 nor 5.
        BadParamError: shapes that do not fit, or spatial_scale not above 0.

    >>> import torch
    >>> from mluops_cpu.ops import rotated_feature_align
    >>> features = torch.ones(1, 2, 3, 3)
    >>> boxes = torch.tensor([8.0, 8.0, 4.0, 4.0, 0.0]).expand(1, 3, 3, 5)
    >>> rotated_feature_align(features, boxes)[0, 0]
    tensor([[2., 2., 2.],
            [2., 2., 2.],
            [2., 2., 2.]])
    """
    _check(points)
    dtype = features.dtype
    if best_rbboxes.dtype != dtype or amp.autocast_dtype() is not None:
        computing = amp.computing_dtype(dtype, best_rbboxes.dtype)
        aligned = _align(features.to(computing), best_rbboxes.to(computing), spatial_scale, points)
        return aligned.to(dtype)
    return _align(features, best_rbboxes, spatial_scale, points)


def _align(features: Tensor, boxes: Tensor, scale: float, points: int) -> Tensor:
    function: Callable[..., Tensor] = Align.apply if wanted(features) else ops.rotated_feature_align
    return function(features, boxes, scale, points)
