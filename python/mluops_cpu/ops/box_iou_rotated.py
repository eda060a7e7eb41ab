"""The overlap of rotated boxes."""

from __future__ import annotations

from typing import cast

from torch import Tensor

from .._torch import ops

__all__ = ["box_iou_rotated"]

_MODES = {"iou": 0, "iof": 1}


def counter_clockwise(boxes: Tensor) -> Tensor:
    """Return a copy of boxes with the sign of the last column changed."""
    boxes = boxes.clone()
    boxes[..., -1].neg_()
    return boxes


def box_iou_rotated(
    bboxes1: Tensor,
    bboxes2: Tensor,
    mode: str = "iou",
    aligned: bool = False,
    clockwise: bool = True,
) -> Tensor:
    """Compute the overlap of rotated boxes (x, y, w, h, angle in radians).

    Args:
        bboxes1: [N,5]; no gradient.
        bboxes2: [M,5]; no gradient.
        mode: 'iou' divides the intersection by the union, 'iof' by the first box.
        aligned: pair equal rows instead of all; N = M.
        clockwise: the sense of a positive angle, with y down.

    Returns:
        [N,M], or [N] if aligned. A box smaller than 1e-14 overlaps with none.

    Raises:
        AssertionError: another mode.
        BadParamError: other shapes, unequal dtypes.

    >>> import torch
    >>> from mluops_cpu.ops import box_iou_rotated
    >>> boxes = torch.tensor([[1.0, 1.0, 2.0, 2.0, 0.0], [2.0, 1.0, 2.0, 2.0, 0.0]])
    >>> box_iou_rotated(boxes[:1], boxes, mode="iof")
    tensor([[1.0000, 0.5000]])
    """
    if mode not in _MODES:
        raise AssertionError(f"mode must be 'iou' or 'iof', got {mode!r}")
    # Not differentiable, as in mmcv.
    first, second = bboxes1.detach(), bboxes2.detach()
    if not clockwise:
        first, second = counter_clockwise(first), counter_clockwise(second)
    return cast(Tensor, ops.box_iou_rotated(first, second, _MODES[mode], bool(aligned)))
