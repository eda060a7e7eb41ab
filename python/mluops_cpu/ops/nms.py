"""Non-maximum suppression of boxes and of rotated boxes."""

from __future__ import annotations

from typing import Any, Callable, Optional, cast

import torch
from torch import Tensor
from torch.utils.dlpack import from_dlpack

from .._torch import ops
from ._renamed import renamed
from .box_iou_rotated import counter_clockwise

__all__ = ["batched_nms", "nms", "nms_rotated"]


@renamed(iou_thr="iou_threshold")
def nms(
    boxes: Any,
    scores: Any,
    iou_threshold: float,
    offset: int = 0,
    score_threshold: float = 0,
    max_num: int = -1,
) -> tuple[Any, Any]:
    """Drop the boxes that a box with a higher score covers.

    Args:
        boxes: [N,4] (x1, y1, x2, y2), a tensor, or a numpy array with `scores` another.
        scores: [N]; of equal ones the first counts as higher.
        iou_threshold: a box is dropped if its overlap with a kept one is above this.
        offset: 0 or 1; a box is x2 - x1 + offset wide.
        score_threshold: above 0, boxes count only with a higher score.
        max_num: above 0, the most boxes to keep.

    Returns:
        boxes with their scores [M,5] and their places, int64 [M], by falling score; of the kind of
        `boxes`. The former have a gradient.

    Raises:
        AssertionError: neither tensors nor arrays, other shapes, another offset.

    >>> import torch
    >>> from mluops_cpu.ops import nms
    >>> boxes = torch.tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 3.0], [5.0, 5.0, 6.0, 6.0]])
    >>> nms(boxes, torch.tensor([0.5, 0.75, 0.25]), iou_threshold=0.6)
    (tensor([[0.0000, 0.0000, 2.0000, 3.0000, 0.7500],
            [5.0000, 5.0000, 6.0000, 6.0000, 0.2500]]), tensor([1, 2]))
    """
    if not isinstance(boxes, Tensor) or not isinstance(scores, Tensor):
        return _nms_of_arrays(boxes, scores, iou_threshold, offset, score_threshold, max_num)
    if boxes.size(1) != 4:
        raise AssertionError(f"boxes must have 4 columns, got {boxes.size(1)}")
    if boxes.size(0) != scores.size(0):
        raise AssertionError(f"{boxes.size(0)} boxes with {scores.size(0)} scores")
    if offset not in (0, 1):
        raise AssertionError(f"offset must be 0 or 1, got {offset}")
    if score_threshold > 0:
        chosen = (scores > score_threshold).nonzero()[:, 0]
        kept = chosen[nms_places(boxes[chosen], scores[chosen], iou_threshold, offset)]
    else:
        kept = nms_places(boxes, scores, iou_threshold, offset)
    if max_num > 0:
        kept = kept[:max_num]
    return torch.cat((boxes[kept], scores[kept].reshape(-1, 1)), dim=1), kept


def _nms_of_arrays(boxes: Any, scores: Any, *args: Any) -> tuple[Any, Any]:
    """The same on numpy arrays. By DLPack: a torch made for another numpy converts nothing else."""
    import numpy

    for name, value in (("boxes", boxes), ("scores", scores)):
        if not isinstance(value, numpy.ndarray):
            kind = type(value).__name__
            raise AssertionError(f"{name} must be a tensor or a numpy array, got {kind}")
    first, second = from_dlpack(numpy.array(boxes)), from_dlpack(numpy.array(scores))
    kept = numpy.array(nms(first, second, *args)[1].tolist(), numpy.int64)
    return numpy.concatenate((boxes[kept], scores[kept].reshape(-1, 1)), axis=1), kept


def nms_places(boxes: Tensor, scores: Tensor, iou_threshold: float, offset: int) -> Tensor:
    """Return the places of the boxes [N,4] to keep, int64 [M], by falling score."""
    args = _in_one_dtype(boxes, scores)
    return cast(Tensor, ops.nms(*args, float(iou_threshold), int(offset)))


def nms_rotated_places(dets: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Return the places of the boxes [N,5] to keep, int64 [M], by falling score."""
    return cast(Tensor, ops.nms_rotated(*_in_one_dtype(dets, scores), float(iou_threshold)))


def _in_one_dtype(boxes: Tensor, scores: Tensor) -> tuple[Tensor, Tensor]:
    """mmcv only sorts the scores, so that they may have another dtype; C wants one."""
    boxes, scores = boxes.detach(), scores.detach()
    if boxes.dtype == scores.dtype:
        return boxes, scores
    dtype = torch.promote_types(boxes.dtype, scores.dtype)
    return boxes.to(dtype), scores.to(dtype)


def nms_rotated(
    dets: Tensor,
    scores: Tensor,
    iou_threshold: float,
    labels: Optional[Tensor] = None,
    clockwise: bool = True,
) -> tuple[Tensor, Optional[Tensor]]:
    """Drop the rotated boxes that a box with a higher score covers.

    Args:
        dets: [N,5] (x, y, w, h, angle in radians).
        scores: [N]; of equal ones the first counts as higher.
        iou_threshold: a box is dropped if its overlap with a kept one is above this.
        labels: without effect, as in mmcv; `batched_nms` keeps classes apart.
        clockwise: the sense of a positive angle, with y down.

    Returns:
        boxes with their scores [M,6] and their places, int64 [M], by falling score. Without boxes:
        `dets` and None, as in mmcv.

    Raises:
        BadParamError: other shapes.

    >>> import torch
    >>> from mluops_cpu.ops import nms_rotated
    >>> boxes = torch.tensor([[0, 0, 2, 2, 0], [0, 0, 2, 2, 0.1], [5, 5, 2, 2, 0]])
    >>> dets, kept = nms_rotated(boxes, torch.tensor([0.5, 0.9, 0.7]), 0.5)
    >>> dets.shape, kept
    (torch.Size([2, 6]), tensor([1, 2]))
    """
    if dets.shape[0] == 0:
        return dets, None
    turned = dets if clockwise else counter_clockwise(dets.detach())
    kept = nms_rotated_places(turned, scores, iou_threshold)
    return torch.cat((dets[kept], scores[kept].reshape(-1, 1)), dim=1), kept


_TYPES: dict[str, Callable[..., Any]] = {"nms": nms, "nms_rotated": nms_rotated}


def _function(kind: Any) -> Callable[..., Any]:
    """The function of a name, or a callable itself."""
    if callable(kind):
        return cast(Callable[..., Any], kind)
    if kind not in _TYPES:
        known = " and ".join(_TYPES)
        raise NotImplementedError(f"{kind} of mmcv is not implemented by mluops_cpu: {known} are")
    return _TYPES[kind]


def batched_nms(
    boxes: Tensor,
    scores: Tensor,
    idxs: Tensor,
    nms_cfg: Optional[dict[str, Any]],
    class_agnostic: bool = False,
) -> tuple[Tensor, Tensor]:
    """Drop the boxes that a box of the same class with a higher score covers.

    Args:
        boxes: [N,4], or [N,5] rotated.
        scores: [N].
        idxs: the class of each box [N].
        nms_cfg: 'type' ('nms' by default, 'nms_rotated', or a function), the arguments of that
            function, 'split_thr' (10000 by default: with as many boxes, one call for each class)
            and 'class_agnostic'. None: only sort.
        class_agnostic: take all boxes as of one class.

    Returns:
        boxes with their scores and their places, int64 [M], by falling score.

    Raises:
        NotImplementedError: another type, such as 'soft_nms'.

    >>> import torch
    >>> from mluops_cpu.ops import batched_nms
    >>> boxes = torch.tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 2.0]])
    >>> scores, classes = torch.tensor([0.5, 0.9, 0.7]), torch.tensor([0, 0, 1])
    >>> batched_nms(boxes, scores, classes, dict(type="nms", iou_threshold=0.5))[1]
    tensor([1, 2])
    """
    if nms_cfg is None:
        scores, places = scores.sort(descending=True, stable=True)
        return torch.cat([boxes[places], scores[:, None]], -1), places
    config = dict(nms_cfg)
    one_class = config.pop("class_agnostic", class_agnostic)
    function = _function(config.pop("type", "nms"))
    split = config.pop("split_thr", 10000)
    if boxes.shape[0] == 0:  # mmcv fails: there is no largest coordinate
        none = torch.zeros(0, dtype=torch.int64, device=boxes.device)
        return torch.cat([boxes, scores[:, None]], -1), none
    apart = boxes if one_class else _apart(boxes, idxs)
    if boxes.shape[0] < split:
        dets, kept = function(apart, scores, **config)
        return torch.cat([boxes[kept], dets[:, -1:]], -1), kept
    most = config.pop("max_num", -1)
    chosen = torch.zeros_like(scores, dtype=torch.bool)
    weights = torch.zeros_like(scores)  # some types change the scores
    for number in torch.unique(idxs):
        members = (idxs == number).nonzero()[:, 0]
        dets, kept = function(apart[members], scores[members], **config)
        chosen[members[kept]] = True
        weights[members[kept]] = dets[:, -1]
    places = chosen.nonzero()[:, 0]
    found, order = weights[places].sort(descending=True, stable=True)
    places = places[order]
    if most > 0:
        places, found = places[:most], found[:most]
    return torch.cat([boxes[places], found[:, None]], -1), places


def _apart(boxes: Tensor, idxs: Tensor) -> Tensor:
    """Return the boxes with each class moved to where no other is; rotated ones by the centre."""
    if boxes.size(-1) == 5:
        reach = boxes[..., :2].max() + boxes[..., 2:4].max()
        moves = idxs.to(boxes) * (reach + 1)
        return torch.cat([boxes[..., :2] + moves[:, None], boxes[..., 2:5]], dim=-1)
    moves = idxs.to(boxes) * (boxes.max() + 1)
    return boxes + moves[:, None]
