"""RoI-aware pooling, and points in boxes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional, Union

import numpy

from .. import _calls, _native
from ._arrays import Array, axes, floats, integers, output, several, size

_INT32 = numpy.dtype(numpy.int32)
_MODES = {"max": 0, "avg": 1}


def _mode(mode: str) -> int:
    if mode not in _MODES:
        raise ValueError(f"mode must be 'max' or 'avg', got {mode!r}")
    return _MODES[mode]


def roiaware_pool3d_forward(
    rois: Any,
    pts: Any,
    pts_feature: Any,
    out_size: Union[int, Iterable[int]],
    max_pts_per_voxel: int = 128,
    mode: str = "max",
    *,
    dtype: Optional[str] = None,
    out: tuple[Optional[Array], Optional[Array], Optional[Array]] = (None, None, None),
) -> tuple[Array, Array, Array]:
    """Pools the points of each voxel of each box: rois [B,7], pts [M,3], pts_feature [M,C].

    Returns pooled [B,x,y,z,C], argmax int32 of that shape (the point of each maximum, -1: none; 0
    throughout for 'avg') and pts_idx int32 [B,x,y,z,T]: a count, the points, zeros. T is
    max_pts_per_voxel, so a voxel takes its first T - 1 points. rois are (x, y, bottom z, sizes,
    heading); out_size is the number of voxels along x, y and z, or one number for all three. mode
    is 'max' or 'avg'. dtype and out: see mluops_cpu.numpy.

    >>> import numpy
    >>> box = numpy.array([[0, 0, 0, 2, 2, 2, 0]], "f4")
    >>> points = numpy.array([[0, 0, 1], [0.5, 0, 1], [5, 0, 1]], "f4")
    >>> features = numpy.array([[1], [3], [9]], "f4")
    >>> pooled, argmax, pts_idx = roiaware_pool3d_forward(box, points, features, 1, 4)
    >>> pooled.ravel(), argmax.ravel(), pts_idx.ravel()
    (array([3.], dtype=float32), array([1], dtype=int32), array([2, 0, 1, 0], dtype=int32))
    """
    number = _mode(mode)
    sizes = axes(out_size, 3, "out_size")
    given = several(out, 3)
    arrays, records = [], []
    for value, name in ((rois, "rois"), (pts, "pts"), (pts_feature, "pts_feature")):
        array, record = floats(value, name, dtype, given)
        arrays.append(array)
        records.append(record)
    boxes, _, features = arrays
    first, second, third = records
    shape = (*boxes.shape[:1], *(size(entry, "out_size") for entry in sizes))
    wide = (*shape, *features.shape[-1:])
    deep = (*shape, size(max_pts_per_voxel, "max_pts_per_voxel"))
    pooled, pooled_record = output(given[0], wide, features.dtype, third[2], "out[0]")
    argmax, argmax_record = output(given[1], wide, _INT32, _native.INT32, "out[1]")
    pts_idx, idx_record = output(given[2], deep, _INT32, _native.INT32, "out[2]")
    _calls.roiaware_pool3d_forward(
        0, first, second, third, argmax_record, idx_record, pooled_record, number
    )
    del arrays
    return pooled, argmax, pts_idx


def roiaware_pool3d_backward(
    pts_idx_of_voxels: Any,
    argmax: Any,
    grad_out: Any,
    num_pts: int,
    mode: str = "max",
    *,
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """The gradient of pts_feature: grad_out [B,x,y,z,C] -> [num_pts,C].

    pts_idx_of_voxels and argmax are the forward's, mode and num_pts those of its call.

    >>> import numpy
    >>> idx = numpy.array([2, 0, 1, 0]).reshape(1, 1, 1, 1, 4)
    >>> argmax = numpy.array([1]).reshape(1, 1, 1, 1, 1)
    >>> grad = numpy.ones((1, 1, 1, 1, 1), "f4")
    >>> roiaware_pool3d_backward(idx, argmax, grad, 3).ravel()
    array([0., 1., 0.], dtype=float32)
    >>> roiaware_pool3d_backward(idx, argmax, grad, 3, "avg").ravel()
    array([0.5, 0.5, 0. ], dtype=float32)
    """
    number = _mode(mode)
    idx, idx_record = integers(pts_idx_of_voxels, "pts_idx_of_voxels", out)
    most, most_record = integers(argmax, "argmax", out)
    grad, record = floats(grad_out, "grad_out", dtype, out)
    shape = (size(num_pts, "num_pts"), *grad.shape[-1:])
    result, written = output(out, shape, grad.dtype, record[2])
    _calls.roiaware_pool3d_backward(0, idx_record, most_record, record, written, number)
    del idx, most, grad
    return result


def points_in_boxes_part(points: Any, boxes: Any, *, dtype: Optional[str] = None) -> Array:
    """The first box that holds each point, or -1: [B,M,3], [B,T,7] -> int32 [B,M].

    boxes are (x, y, bottom z, sizes, heading), as in mmcv; a point on a side in x or y is outside.

    >>> import numpy
    >>> points = numpy.array([[[0, 0, 1], [9, 9, 9]]], "f4")
    >>> boxes = numpy.array([[[5, 5, 0, 1, 1, 1, 0], [0, 0, 0, 2, 2, 2, 0]]], "f4")
    >>> points_in_boxes_part(points, boxes)
    array([[ 1, -1]], dtype=int32)
    """
    places, read = floats(points, "points", dtype)
    solids, read_boxes = floats(boxes, "boxes", dtype)
    result, written = output(None, places.shape[:2], _INT32, _native.INT32)
    _calls.points_in_boxes_part(0, read, read_boxes, written)
    del solids
    return result


def points_in_boxes_all(points: Any, boxes: Any, *, dtype: Optional[str] = None) -> Array:
    """1 where a box holds a point, else 0: [B,M,3], [B,T,7] -> int32 [B,M,T].

    >>> import numpy
    >>> points = numpy.array([[[0, 0, 1], [9, 9, 9]]], "f4")
    >>> boxes = numpy.array([[[5, 5, 0, 1, 1, 1, 0], [0, 0, 0, 2, 2, 2, 0]]], "f4")
    >>> points_in_boxes_all(points, boxes)
    array([[[0, 1],
            [0, 0]]], dtype=int32)
    """
    places, read = floats(points, "points", dtype)
    solids, read_boxes = floats(boxes, "boxes", dtype)
    shape = (*places.shape[:2], *solids.shape[1:2])
    result, written = output(None, shape, _INT32, _native.INT32)
    _calls.points_in_boxes_all(0, read, read_boxes, written)
    return result
