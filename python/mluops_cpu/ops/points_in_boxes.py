"""Which boxes hold which points.

A box is (x, y, z, x_size, y_size, z_size, rz), with z at its bottom face.
"""

from __future__ import annotations

from typing import cast

from torch import Tensor

from .._torch import ops

__all__ = ["points_in_boxes_all", "points_in_boxes_cpu", "points_in_boxes_part"]


def _check(points: Tensor, boxes: Tensor) -> None:
    if points.shape[0] != boxes.shape[0]:
        raise AssertionError(
            "Points and boxes should have the same batch size, "
            f"but got {points.shape[0]} and {boxes.shape[0]}"
        )
    if boxes.shape[2] != 7:
        raise AssertionError(
            f"boxes dimension should be 7, but got unexpected shape {boxes.shape[2]}"
        )
    if points.shape[2] != 3:
        raise AssertionError(
            f"points dimension should be 3, but got unexpected shape {points.shape[2]}"
        )
    if points.device != boxes.device:
        raise AssertionError("Points and boxes should be put on the same device")


def points_in_boxes_part(points: Tensor, boxes: Tensor) -> Tensor:
    """Find the first box that holds each point.

    Args:
        points: [B,M,3].
        boxes: [B,T,7].

    Returns:
        int32 [B,M], the number of the box, -1 for a point in none.

    Raises:
        AssertionError: shapes or devices that do not fit together.

    >>> import torch
    >>> from mluops_cpu.ops import points_in_boxes_part
    >>> points = torch.tensor([[[0.0, 0.0, 1.0], [9.0, 0.0, 1.0]]])
    >>> boxes = torch.tensor([[[0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 0.0]]])
    >>> points_in_boxes_part(points, boxes)
    tensor([[ 0, -1]], dtype=torch.int32)
    """
    _check(points, boxes)
    return cast(Tensor, ops.points_in_boxes(points, boxes, False))


def points_in_boxes_all(points: Tensor, boxes: Tensor) -> Tensor:
    """Tell for each point and each box whether the box holds the point.

    Args:
        points: [B,M,3].
        boxes: [B,T,7].

    Returns:
        int32 [B,M,T] of 0 and 1.

    Raises:
        AssertionError: shapes or devices that do not fit together.

    >>> import torch
    >>> from mluops_cpu.ops import points_in_boxes_all
    >>> points = torch.tensor([[[0.0, 0.0, 1.0], [9.0, 0.0, 1.0]]])
    >>> boxes = torch.tensor([[[0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 0.0]]])
    >>> points_in_boxes_all(points, boxes).tolist()
    [[[1], [0]]]
    """
    _check(points, boxes)
    return cast(Tensor, ops.points_in_boxes(points, boxes, True))


def points_in_boxes_cpu(points: Tensor, boxes: Tensor) -> Tensor:
    """Do what `points_in_boxes_all` does, on float32 copies.

    Args:
        points: [B,M,3] of any dtype.
        boxes: [B,T,7] of any dtype.

    Returns:
        int32 [B,M,T] of 0 and 1.

    Raises:
        AssertionError: shapes or devices that do not fit together.

    >>> import torch
    >>> from mluops_cpu.ops import points_in_boxes_cpu
    >>> points = torch.tensor([[[0, 0, 1], [9, 0, 1]]])
    >>> points_in_boxes_cpu(points, torch.tensor([[[0, 0, 0, 2, 2, 2, 0]]])).tolist()
    [[[1], [0]]]
    """
    _check(points, boxes)
    return cast(Tensor, ops.points_in_boxes(points.float(), boxes.float(), True))
