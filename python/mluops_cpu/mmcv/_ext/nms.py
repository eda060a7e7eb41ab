"""Non-maximum suppression of `mmcv._ext`."""

from __future__ import annotations

from torch import Tensor

from ...ops.nms import nms_places, nms_rotated_places


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float, offset: int) -> Tensor:
    """[N,4], [N] -> int64 [M], by falling score."""
    return nms_places(boxes, scores, iou_threshold, offset)


def nms_rotated(
    dets: Tensor,
    scores: Tensor,
    order: Tensor,
    dets_sorted: Tensor,
    labels: Tensor,
    iou_threshold: float,
    multi_label: bool,
) -> Tensor:
    """[N,5] or with labels [N,6], [N] -> int64 [M], by falling score.

    Labels have no effect, as in mmcv; `order` and what is in that order are not read.
    """
    return nms_rotated_places(dets, scores, iou_threshold)
