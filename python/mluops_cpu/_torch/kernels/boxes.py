"""Overlaps of boxes and non-maximum suppression on CPU tensors."""

from __future__ import annotations

import torch
from torch import Tensor

from mluops_cpu import _calls

from .. import memory
from ..openmp import threads
from ..records import floating, int32, int64
from .rows import trimmed


def points_in_boxes(points: Tensor, boxes: Tensor, all: bool) -> Tensor:
    """[B,M,3], [B,T,7] → int32 [B,M], the first box of each point or -1; all: flags [B,M,T]."""
    points, boxes = points.contiguous(), boxes.contiguous()
    shape = (*points.shape[:2], boxes.shape[1]) if all else points.shape[:2]
    out = memory.empty(shape, torch.int32)
    call = _calls.points_in_boxes_all if all else _calls.points_in_boxes_part
    call(
        threads(),
        floating("points", points),
        floating("boxes", boxes),
        int32("output", out),
    )
    return out


def box_iou_rotated(bboxes1: Tensor, bboxes2: Tensor, mode: int, aligned: bool) -> Tensor:
    """[N,5], [M,5] → [N,M], or [N] if aligned; over the union, or (mode 1) over the first box."""
    bboxes1, bboxes2 = bboxes1.contiguous(), bboxes2.contiguous()
    shape = bboxes1.shape[:1] if aligned else (*bboxes1.shape[:1], *bboxes2.shape[:1])
    ious = memory.empty(shape, bboxes1.dtype)
    _calls.box_iou_rotated(
        threads(),
        floating("bboxes1", bboxes1),
        floating("bboxes2", bboxes2),
        floating("ious", ious),
        mode,
        aligned,
    )
    return ious


def boxes_overlap_bev(boxes_a: Tensor, boxes_b: Tensor) -> Tensor:
    """[N,7], [M,7] → [N,M]: the area that two boxes share, seen from above."""
    boxes_a, boxes_b = boxes_a.contiguous(), boxes_b.contiguous()
    overlap = memory.empty((*boxes_a.shape[:1], *boxes_b.shape[:1]), boxes_a.dtype)
    _calls.boxes_overlap_bev(
        threads(),
        floating("boxes_a", boxes_a),
        floating("boxes_b", boxes_b),
        floating("overlap", overlap),
    )
    return overlap


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float, offset: int) -> Tensor:
    """[N,4], [N] → int64 [M], by falling score."""
    boxes, scores = boxes.contiguous(), scores.contiguous()
    kept = memory.empty(boxes.shape[:1], torch.int64)
    found = _calls.nms(
        threads(),
        floating("boxes", boxes),
        floating("scores", scores),
        int64(kept),
        iou_threshold,
        offset,
    )
    return trimmed(kept, found)


def nms_rotated(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """[N,5], [N] → int64 [M], by falling score; a sixth column of labels has no effect."""
    boxes, scores = boxes.contiguous(), scores.contiguous()
    kept = memory.empty(boxes.shape[:1], torch.int32)
    found = _calls.nms_rotated(
        threads(),
        floating("boxes", boxes),
        floating("scores", scores),
        int32("kept", kept),
        iou_threshold,
    )
    return kept[:found].long()


def nms3d(boxes: Tensor, iou_threshold: float, ignore_heading: bool) -> Tensor:
    """[N,7] in the order of their scores → int64 [M], ascending."""
    boxes = boxes.contiguous()
    kept = memory.empty(boxes.shape[:1], torch.int64)
    found = _calls.nms3d(
        threads(), floating("boxes", boxes), int64(kept), iou_threshold, ignore_heading
    )
    return trimmed(kept, found)
