"""3-D boxes seen from above, of `mmcv._ext`."""

from __future__ import annotations

from torch import Tensor

from ..._torch import ops as _ops
from .outputs import write, write_rows


def iou3d_boxes_overlap_bev_forward(boxes_a: Tensor, boxes_b: Tensor, ans_iou: Tensor) -> None:
    """[N,7], [M,7] -> [N,M]."""
    write("ans_iou", ans_iou, _ops.boxes_overlap_bev(boxes_a.detach(), boxes_b.detach()))


def iou3d_nms3d_forward(
    boxes: Tensor, keep: Tensor, num_out: Tensor, nms_overlap_thresh: float
) -> None:
    """Boxes [N,7] in the order of their scores -> keep int64 [N], and how many of it are used."""
    _nms3d(boxes, keep, num_out, nms_overlap_thresh, False)


def iou3d_nms3d_normal_forward(
    boxes: Tensor, keep: Tensor, num_out: Tensor, nms_overlap_thresh: float
) -> None:
    """The same, with the headings taken as 0."""
    _nms3d(boxes, keep, num_out, nms_overlap_thresh, True)


def _nms3d(boxes: Tensor, keep: Tensor, number: Tensor, threshold: float, normal: bool) -> None:
    found = _ops.nms3d(boxes.detach(), float(threshold), normal)
    write_rows("keep", keep, found, boxes.shape[0])
    number.fill_(found.shape[0])
