"""The overlap of rotated boxes of `mmcv._ext`."""

from __future__ import annotations

from torch import Tensor

from ..._torch import ops as _ops
from .outputs import write


def box_iou_rotated(
    boxes1: Tensor, boxes2: Tensor, ious: Tensor, mode_flag: int, aligned: bool
) -> None:
    """[N,5], [M,5] -> ious [N·M] or [N,M], or [N] if aligned; mode 1: over the first box."""
    found = _ops.box_iou_rotated(boxes1.detach(), boxes2.detach(), mode_flag, bool(aligned))
    write("ious", ious, found.reshape(-1) if ious.dim() == 1 else found)
