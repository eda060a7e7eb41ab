"""Empty problems, where C writes nothing or refuses: zeros of the right shape."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import mluops_cpu.numpy as front
from mluops_cpu import BadParamError

every_dtype = pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])


def stale(shape: tuple[int, ...], dtype: Any = "float32") -> Any:
    """An output that is not zero, to be overwritten."""
    return numpy.full(shape, 7, dtype)


@every_dtype
@pytest.mark.parametrize("shape", [(0, 4, 4, 8), (2, 0, 4, 8), (2, 4, 4, 0)], ids=str)
def test_maps(dtype: str, shape: tuple[int, ...]) -> None:
    n, h, w, c = shape
    x, boxes = numpy.ones(shape, dtype), numpy.ones((n, h, w, 5), dtype)
    mask, grad = numpy.ones((n, 2 * h, 2 * w, 9), dtype), numpy.ones((n, 2 * h, 2 * w, c), dtype)
    for function in (front.rotated_feature_align_forward, front.rotated_feature_align_backward):
        assert function(x, boxes).shape == shape
    assert front.carafe_forward(x, mask, 3, 1, 2).shape == grad.shape
    grad_mask = stale(mask.shape, dtype)
    grad_input, same = front.carafe_backward(x, mask, grad, 3, 1, 2, out=(None, grad_mask))
    assert grad_input.shape == shape
    assert same is grad_mask
    assert not grad_mask.any()
    channels_first = front.carafe_forward(
        x.transpose(0, 3, 1, 2), mask.transpose(0, 3, 1, 2), 3, 1, 2, layout="NCHW"
    )
    assert channels_first.shape == (n, c, 2 * h, 2 * w)


def test_parameters_are_checked_all_the_same() -> None:
    x = numpy.ones((0, 4, 4, 8))
    with pytest.raises(BadParamError, match=r"kernel_size must be odd"):
        front.carafe_forward(x, x, 2, 1, 1)
    with pytest.raises(BadParamError, match=r"stride\[0\] must be at least 1, got 0$"):
        front.get_indice_pairs(numpy.zeros((0, 4), int), 1, (4, 4, 4), stride=0)


@pytest.mark.parametrize("mode", ["max", "avg"])
@pytest.mark.parametrize(
    ("boxes", "points", "channels"), [(0, 9, 3), (2, 0, 3), (2, 9, 0), (0, 0, 0)]
)
def test_roiaware(mode: str, boxes: int, points: int, channels: int) -> None:
    rois, pts = numpy.ones((boxes, 7)), numpy.ones((points, 3))
    features = numpy.ones((points, channels))
    shape = (boxes, 2, 3, 4, channels)
    out: Any = (
        stale(shape, "float64"),
        stale(shape, "int32"),
        stale((*shape[:-1], 5), "int32"),
    )
    pooled, argmax, idx = front.roiaware_pool3d_forward(
        rois, pts, features, (2, 3, 4), 5, mode, out=out
    )
    assert not pooled.any()
    assert not idx.any()
    assert (argmax == (-1 if mode == "max" else 0)).all()
    grad = front.roiaware_pool3d_backward(idx, argmax, pooled, points, mode)
    assert grad.shape == (points, channels)
    assert not grad.any()


@pytest.mark.parametrize(("batch", "points", "boxes"), [(0, 4, 3), (2, 0, 3), (2, 4, 0)])
def test_points_in_boxes(batch: int, points: int, boxes: int) -> None:
    cloud, solids = numpy.ones((batch, points, 3)), numpy.ones((batch, boxes, 7))
    part = front.points_in_boxes_part(cloud, solids)
    assert part.shape == (batch, points)
    assert (part == -1).all()
    assert front.points_in_boxes_all(cloud, solids).shape == (batch, points, boxes)


@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["subm", "strided", "transposed"])
@pytest.mark.parametrize("batch", [0, 2])
def test_pairs(ndim: int, kind: str, batch: int) -> None:
    indices = numpy.zeros((0, ndim + 1), "int32")
    keywords: Any = {"subm": kind == "subm", "transpose": kind == "transposed"}
    got = front.get_indice_pairs(indices, batch, (6,) * ndim, 3, 2, 1, **keywords)
    assert got.out_indices.shape == (0, ndim + 1)
    assert got.indice_pairs.shape == (3**ndim, 2, 0)
    assert got.indice_num.tolist() == [0] * 3**ndim
    assert (
        got.out_spatial_shape == {"subm": (6,), "strided": (3,), "transposed": (11,)}[kind] * ndim
    )


@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
def test_no_pair_at_all(ndim: int) -> None:
    """A stride that skips the only site: rows, but no outputs."""
    got = front.get_indice_pairs([[0] + [1] * ndim], 1, (3,) * ndim, 1, 2)
    assert got.out_indices.shape == (0, ndim + 1)
    assert (got.indice_pairs == -1).all()
    assert not got.indice_num.any()


@every_dtype
@pytest.mark.parametrize(
    ("rows", "sites", "inputs", "outputs"),
    [(0, 0, 3, 4), (0, 5, 3, 4), (5, 0, 3, 4), (5, 5, 0, 4), (5, 5, 3, 0)],
)
@pytest.mark.parametrize("layout", ["RSCK", "KRSC"])
def test_conv(dtype: str, rows: int, sites: int, inputs: int, outputs: int, layout: str) -> None:
    shape = (3, inputs, outputs) if layout == "RSCK" else (outputs, 3, inputs)
    x, filters = numpy.ones((rows, inputs), dtype), numpy.ones(shape, dtype)
    grad = numpy.ones((sites, outputs), dtype)
    tables = (numpy.full((3, 2, rows), -1), [0, 0, 0])
    keywords: Any = {"filter_layout": layout}
    y = front.indice_conv_forward(x, filters, *tables, sites, **keywords)
    dx = front.indice_conv_backward_data(grad, filters, *tables, rows, **keywords)
    dw = front.indice_conv_backward_filter(x, grad, *tables, [3], **keywords)
    for got, want in ((y, grad), (dx, x), (dw, filters)):
        assert got.shape == want.shape
        assert got.dtype == dtype
        assert not got.any()
    out = stale(x.shape, dtype)
    pooled = front.indice_maxpool_forward(x, *tables, sites)
    assert pooled.shape == (sites, inputs)
    assert not pooled.any()
    front.indice_maxpool_backward(x, pooled, pooled, *tables, out=out)
    assert not out.any()


@every_dtype
def test_voxels(dtype: str) -> None:
    grid: Any = ((1, 1, 1), (0, 0, 0, 4, 4, 4))
    found = front.voxelization(numpy.ones((0, 5), dtype), *grid, 3, 10)
    assert [each.shape for each in found] == [(0, 3, 5), (0, 3), (0,)]
    assert found.voxels.dtype == dtype
    outside = front.voxelization(numpy.full((6, 5), 9, dtype), *grid, 3, 10)
    assert [each.shape for each in outside] == [(0, 3, 5), (0, 3), (0,)]
    for depth, most in ((0, 10), (3, 0)):
        none = front.voxelization(numpy.ones((6, 5), dtype), *grid, depth, most)
        assert [len(each) for each in none] == [0, 0, 0]
    assert front.dynamic_voxelize(numpy.ones((0, 5), dtype), *grid).shape == (0, 3)


@every_dtype
@pytest.mark.parametrize("mode", ["max", "mean", "sum"])
@pytest.mark.parametrize("rows", [0, 4])
def test_dynamic_scatter(dtype: str, mode: str, rows: int) -> None:
    """Without points, and with points of which none has a voxel."""
    feats, coors = numpy.ones((rows, 3), dtype), numpy.full((rows, 3), -1)
    found = front.dynamic_scatter_forward(feats, coors, mode)
    assert [each.shape for each in found] == [(0, 3), (0, 3), (rows,), (0,)]
    assert (found.point2voxel_map == -1).all()
    out = stale(feats.shape, dtype)
    tables = (feats, found.voxel_feats, found.point2voxel_map, found.voxel_points_count)
    front.dynamic_scatter_backward(found.voxel_feats, *tables, mode, out=out)
    assert not out.any()


@every_dtype
def test_boxes(dtype: str) -> None:
    turned, solids = numpy.ones((3, 5), dtype), numpy.ones((3, 7), dtype)
    none, empty = numpy.ones((0, 5), dtype), numpy.ones((0, 7), dtype)
    assert front.box_iou_rotated(turned, none).shape == (3, 0)
    assert front.box_iou_rotated(none, turned).shape == (0, 3)
    assert front.box_iou_rotated(none, none, aligned=True).shape == (0,)
    assert front.boxes_overlap_bev(solids, empty).shape == (3, 0)
    assert front.boxes_overlap_bev(empty, solids).shape == (0, 3)
    scores = numpy.ones(0, dtype)
    kept = [
        front.nms(numpy.ones((0, 4), dtype), scores, 0.5),
        front.nms_rotated(none, scores, 0.5),
        front.nms3d(empty, scores, 0.5),
    ]
    assert [(each.shape, each.dtype) for each in kept] == [((0,), numpy.int64)] * 3


@every_dtype
@pytest.mark.parametrize("mode", ["max", "avg"])
@pytest.mark.parametrize(("rois", "channels"), [(0, 4), (2, 0)])
def test_roi_align(dtype: str, mode: str, rois: int, channels: int) -> None:
    x, boxes = numpy.ones((2, 3, 5, channels), dtype), numpy.zeros((rois, 5), dtype)
    found = front.roi_align_forward(x, boxes, (2, 3), mode=mode)
    shapes = [None if each is None else each.shape for each in found]
    shape = (rois, 2, 3, channels)
    assert shapes == ([shape] * 3 if mode == "max" else [shape, None, None])
    argmax = None if mode == "avg" else found[1:]
    out: Any = stale(x.shape, dtype)
    front.roi_align_backward(found[0], boxes, x.shape, mode=mode, argmax=argmax, out=out)
    assert not out.any()
    with pytest.raises(BadParamError, match=r"pooled_height must be at least 1, got 0$"):
        front.roi_align_forward(x, boxes, (0, 3), mode=mode)
