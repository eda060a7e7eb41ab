"""Overlaps of boxes, and non-maximum suppression by them."""

from __future__ import annotations

from typing import Any, Optional

import numpy

from .. import _calls, _native
from ._arrays import Array, floats, integer, output

_INT32, _INT64 = numpy.dtype(numpy.int32), numpy.dtype(numpy.int64)
_MODES = {"iou": 0, "iof": 1}


def box_iou_rotated(
    bboxes1: Any,
    bboxes2: Any,
    mode: str = "iou",
    aligned: bool = False,
    *,
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """The overlap of rotated boxes: [N,5], [M,5] -> [N,M], or [N] of equal rows if aligned.

    A box is (x, y, w, h, angle), clockwise with y down. mode 'iou' divides the intersection by the
    union, 'iof' by the first box. dtype and out: see mluops_cpu.numpy.

    >>> import numpy
    >>> first = numpy.array([[1, 1, 2, 2, 0]], "f4")
    >>> box_iou_rotated(first, numpy.array([[2, 1, 2, 2, 0], [9, 9, 2, 2, 0]], "f4"), "iof")
    array([[0.5, 0. ]], dtype=float32)
    """
    if mode not in _MODES:
        raise ValueError(f"mode must be 'iou' or 'iof', got {mode!r}")
    first, read = floats(bboxes1, "bboxes1", dtype, out)
    second, read_second = floats(bboxes2, "bboxes2", dtype, out)
    shape = first.shape[:1] if aligned else (*first.shape[:1], *second.shape[:1])
    result, written = output(out, shape, first.dtype, read[2])
    _calls.box_iou_rotated(0, read, read_second, written, _MODES[mode], bool(aligned))
    del second
    return result


def boxes_overlap_bev(
    boxes_a: Any, boxes_b: Any, *, dtype: Optional[str] = None, out: Optional[Array] = None
) -> Array:
    """The area that 3-D boxes share, seen from above: [N,7], [M,7] -> [N,M].

    A box is (x, y, z, x_size, y_size, z_size, heading).

    >>> import numpy
    >>> boxes = numpy.array([[0, 0, 0, 2, 2, 2, 0], [1, 0, 0, 2, 2, 2, 0]], "f4")
    >>> boxes_overlap_bev(boxes[:1], boxes)
    array([[4., 2.]], dtype=float32)
    """
    first, read = floats(boxes_a, "boxes_a", dtype, out)
    second, read_second = floats(boxes_b, "boxes_b", dtype, out)
    shape = (*first.shape[:1], *second.shape[:1])
    result, written = output(out, shape, first.dtype, read[2])
    _calls.boxes_overlap_bev(0, read, read_second, written)
    del second
    return result


def nms(
    boxes: Any,
    scores: Any,
    iou_threshold: float,
    offset: int = 0,
    *,
    dtype: Optional[str] = None,
) -> Array:
    """The boxes [N,4] to keep, int64 [M]: by falling score, without those that a kept one covers.

    A box is (x1, y1, x2, y2) and x2 - x1 + offset wide; it is dropped if its intersection over
    union with a kept box is above iou_threshold. Of equal scores [N] the first counts as higher.

    >>> import numpy
    >>> boxes = numpy.array([[0, 0, 2, 2], [0, 0, 2, 3], [5, 5, 6, 6]], "f4")
    >>> nms(boxes, numpy.array([0.5, 0.9, 0.7], "f4"), 0.6)
    array([1, 2])
    """
    solids, read = floats(boxes, "boxes", dtype)
    weights, read_weights = floats(scores, "scores", dtype)
    kept, written = output(None, solids.shape[:1], _INT64, _native.INT64)
    number = integer(offset, "offset")
    found = _calls.nms(0, read, read_weights, written, float(iou_threshold), number)
    del weights
    return kept[:found].copy()


def nms_rotated(
    boxes: Any, scores: Any, iou_threshold: float, *, dtype: Optional[str] = None
) -> Array:
    """Non-maximum suppression of rotated boxes [N,5] (x, y, w, h, angle): int64 [M], as nms.

    A sixth column, labels for mmcv, has no effect.

    >>> import numpy
    >>> boxes = numpy.array([[0, 0, 2, 2, 0], [0, 0, 2, 2, 0.1], [5, 5, 2, 2, 0]], "f4")
    >>> nms_rotated(boxes, numpy.array([0.5, 0.9, 0.7], "f4"), 0.5)
    array([1, 2])
    """
    solids, read = floats(boxes, "boxes", dtype)
    weights, read_weights = floats(scores, "scores", dtype)
    kept, written = output(None, solids.shape[:1], _INT32, _native.INT32)
    found = _calls.nms_rotated(0, read, read_weights, written, float(iou_threshold))
    del weights
    return kept[:found].astype(numpy.int64)


def nms3d(
    boxes: Any,
    scores: Any,
    iou_threshold: float,
    ignore_heading: bool = False,
    *,
    dtype: Optional[str] = None,
) -> Array:
    """Non-maximum suppression of 3-D boxes [N,7] seen from above: int64 [M], by falling score.

    A box is (x, y, z, x_size, y_size, z_size, heading); ignore_heading takes all as parallel to the
    axes (mmcv's nms3d_normal).

    >>> import numpy
    >>> boxes = numpy.array([[0, 0, 0, 2, 2, 2, 0], [0.1, 0, 0, 2, 2, 2, 0]], "f4")
    >>> nms3d(boxes, numpy.array([0.5, 0.9], "f4"), 0.5)
    array([1])
    """
    solids, _ = floats(boxes, "boxes", dtype)
    weights, (_, _, code) = floats(scores, "scores", dtype)
    if weights.shape != solids.shape[:1]:  # C does not see them
        raise ValueError(f"scores must have shape {solids.shape[:1]}, got {weights.shape}")
    order = _falling(weights, code)
    ordered, read = floats(solids[order], "boxes", dtype)
    kept, written = output(None, solids.shape[:1], _INT64, _native.INT64)
    found = _calls.nms3d(0, read, written, float(iou_threshold), bool(ignore_heading))
    del ordered
    return order[kept[:found]]


def _falling(scores: Array, code: int) -> Array:
    """Places by falling score as torch sorts: NaN first, of equal ones the first."""
    if scores.dtype == numpy.uint16 and code == _native.BFLOAT16:
        scores = (scores.astype(numpy.uint32) << 16).view(numpy.float32)
    wide = scores.astype(numpy.float64)
    order: Array = numpy.lexsort((-wide, ~numpy.isnan(wide)))
    return order
