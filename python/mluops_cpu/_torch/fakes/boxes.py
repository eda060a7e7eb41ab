"""Fakes of the overlaps of boxes and of non-maximum suppression."""

from __future__ import annotations

import torch
from torch import Tensor

from .rows import unknown_rows


def points_in_boxes(points: Tensor, boxes: Tensor, all: bool) -> Tensor:
    shape = (*points.shape[:2], boxes.shape[1]) if all else points.shape[:2]
    return points.new_empty(shape, dtype=torch.int32)


def box_iou_rotated(bboxes1: Tensor, bboxes2: Tensor, mode: int, aligned: bool) -> Tensor:
    rows = bboxes1.shape[0]
    return bboxes1.new_empty((rows,) if aligned else (rows, bboxes2.shape[0]))


def boxes_overlap_bev(boxes_a: Tensor, boxes_b: Tensor) -> Tensor:
    return boxes_a.new_empty((boxes_a.shape[0], boxes_b.shape[0]))


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float, offset: int) -> Tensor:
    return boxes.new_empty((unknown_rows(),), dtype=torch.int64)


def nms_rotated(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    return boxes.new_empty((unknown_rows(),), dtype=torch.int64)


def nms3d(boxes: Tensor, iou_threshold: float, ignore_heading: bool) -> Tensor:
    return boxes.new_empty((unknown_rows(),), dtype=torch.int64)
