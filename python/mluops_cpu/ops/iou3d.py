"""Overlap and non-maximum suppression of 3-D boxes, seen from above.

A box is (x, y, z, x_size, y_size, z_size, heading), with z at its centre.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor

from .._torch import ops

__all__ = ["boxes_iou3d", "boxes_overlap_bev", "nms3d", "nms3d_normal"]


def boxes_overlap_bev(boxes_a: Tensor, boxes_b: Tensor) -> Tensor:
    """Compute the area that 3-D boxes share, seen from above.

    Args:
        boxes_a: [N,7]; no gradient.
        boxes_b: [M,7]; no gradient.

    Returns:
        [N,M].

    Raises:
        BadParamError: other shapes, unequal dtypes.

    >>> import torch
    >>> from mluops_cpu.ops import boxes_overlap_bev
    >>> boxes = torch.tensor([[0.0, 0, 0, 2, 2, 2, 0], [1.0, 0, 0, 2, 2, 2, 0]])
    >>> boxes_overlap_bev(boxes[:1], boxes)
    tensor([[4., 2.]])
    """
    return cast(Tensor, ops.boxes_overlap_bev(boxes_a.detach(), boxes_b.detach()))


def boxes_iou3d(boxes_a: Tensor, boxes_b: Tensor) -> Tensor:
    """Compute the intersection over union of 3-D boxes.

    Args:
        boxes_a: [N,7].
        boxes_b: [M,7].

    Returns:
        [N,M]. As in mmcv the heights have a gradient, the area seen from above has none.

    Raises:
        AssertionError: boxes without 7 columns.

    >>> import torch
    >>> from mluops_cpu.ops import boxes_iou3d
    >>> boxes = torch.tensor([[0.0, 0, 0, 2, 2, 2, 0], [0.0, 0, 1, 2, 2, 2, 0]])
    >>> boxes_iou3d(boxes[:1], boxes)
    tensor([[1.0000, 0.3333]])
    """
    if not boxes_a.shape[1] == boxes_b.shape[1] == 7:
        raise AssertionError("Input boxes shape should be (N, 7)")
    a, b = boxes_a[:, None], boxes_b[None]
    tops = torch.min(a[..., 2] + a[..., 5] / 2, b[..., 2] + b[..., 5] / 2)
    bottoms = torch.max(a[..., 2] - a[..., 5] / 2, b[..., 2] - b[..., 5] / 2)
    shared = boxes_overlap_bev(boxes_a, boxes_b) * (tops - bottoms).clamp(min=0)
    volumes = a[..., 3] * a[..., 4] * a[..., 5] + b[..., 3] * b[..., 4] * b[..., 5]
    return shared / (volumes - shared).clamp(min=1e-6)


def nms3d(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Drop the 3-D boxes that a box with a higher score covers, seen from above.

    Args:
        boxes: [N,7].
        scores: [N]; of equal ones the first counts as higher.
        iou_threshold: a box is dropped if its overlap with a kept one is above this.

    Returns:
        int64 [M]: the boxes to keep, by falling score.

    Raises:
        AssertionError: boxes without 7 columns.

    >>> import torch
    >>> from mluops_cpu.ops import nms3d
    >>> boxes = torch.tensor([[0.0, 0, 0, 2, 2, 2, 0], [0.1, 0, 0, 2, 2, 2, 0.1]])
    >>> nms3d(boxes, torch.tensor([0.5, 0.9]), 0.5)
    tensor([1])
    """
    return _nms3d(boxes, scores, iou_threshold, False)


def nms3d_normal(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Do what `nms3d` does, with the headings taken as 0.

    Args:
        boxes: [N,7].
        scores: [N].
        iou_threshold: a box is dropped if its overlap with a kept one is above this.

    Returns:
        int64 [M]: the boxes to keep, by falling score.

    Raises:
        AssertionError: boxes without 7 columns.

    >>> import torch
    >>> from mluops_cpu.ops import nms3d_normal
    >>> boxes = torch.tensor([[0.0, 0, 0, 2, 2, 2, 0.7], [0.1, 0, 0, 2, 2, 2, 0]])
    >>> nms3d_normal(boxes, torch.tensor([0.5, 0.9]), 0.5)
    tensor([1])
    """
    return _nms3d(boxes, scores, iou_threshold, True)


def _nms3d(boxes: Tensor, scores: Tensor, iou_threshold: float, normal: bool) -> Tensor:
    if boxes.shape[1] != 7:
        raise AssertionError("Input boxes shape should be (N, 7)")
    order = scores.sort(dim=0, descending=True, stable=True)[1]
    kept: Tensor = ops.nms3d(boxes.detach()[order], float(iou_threshold), normal)
    return order[kept]
