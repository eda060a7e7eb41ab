"""Points in boxes of `mmcv._ext`."""

from __future__ import annotations

from torch import Tensor

from ..._torch import ops as _ops
from .outputs import write


def points_in_boxes_cpu_forward(
    boxes_tensor: Tensor, pts_tensor: Tensor, pts_indices_tensor: Tensor
) -> None:
    """boxes [T,7], points [M,3] -> 0 or 1 [T,M]."""
    inside = _ops.points_in_boxes(pts_tensor[None], boxes_tensor[None], True)
    write("pts_indices_tensor", pts_indices_tensor, inside[0].t())


def points_in_boxes_part_forward(
    boxes_tensor: Tensor, pts_tensor: Tensor, box_idx_of_points_tensor: Tensor
) -> None:
    """boxes [B,T,7], points [B,M,3] -> [B,M]: first box that holds the point, or -1."""
    result = _ops.points_in_boxes(pts_tensor, boxes_tensor, False)
    write("box_idx_of_points_tensor", box_idx_of_points_tensor, result)


def points_in_boxes_all_forward(
    boxes_tensor: Tensor, pts_tensor: Tensor, box_idx_of_points_tensor: Tensor
) -> None:
    """boxes [B,T,7], points [B,M,3] -> 0 or 1 [B,M,T]."""
    result = _ops.points_in_boxes(pts_tensor, boxes_tensor, True)
    write("box_idx_of_points_tensor", box_idx_of_points_tensor, result)
