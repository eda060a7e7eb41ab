"""Overlaps of boxes on numpy arrays against clipped polygons, and suppression by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pytest

from mluops_cpu.numpy import box_iou_rotated, boxes_overlap_bev, nms, nms3d, nms_rotated
from references.arrays import overlap as reference
from references.arrays.dtypes import Type, every_type

#: Of mmcv's tests.
FIRST = [[1, 1, 3, 4, 0.5], [2, 2, 3, 4, 0.6], [7, 7, 8, 8, 0.4]]
SECOND = [[0, 2, 2, 5, 0.3], [2, 1, 3, 3, 0.5], [5, 5, 6, 7, 0.4]]
IOU = [[0.3708, 0.4351, 0], [0.1104, 0.4487, 0.0424], [0, 0, 0.3622]]
IOF = [[0.4959, 0.5306, 0], [0.1823, 0.5420, 0.1832], [0, 0, 0.4404]]


def turned(rng: Any, count: int) -> Any:
    """Rotated boxes that meet each other."""
    return rng.uniform([0, 0, 1, 1, -4], [8, 8, 5, 5, 4], (count, 5))


def solids(rng: Any, count: int) -> Any:
    low, high = [0, 0, -1, 1, 1, 1, -4], [8, 8, 1, 5, 5, 2, 4]
    return rng.uniform(low, high, (count, 7))


@pytest.mark.parametrize(("mode", "want"), [("iou", IOU), ("iof", IOF)])
def test_vectors_of_mmcv(mode: str, want: Any) -> None:
    first, second = numpy.array(FIRST, "f4"), numpy.array(SECOND, "f4")
    assert numpy.allclose(box_iou_rotated(first, second, mode), want, atol=1e-4)
    aligned = box_iou_rotated(first, second, mode, aligned=True)
    assert numpy.allclose(aligned, numpy.diagonal(want), atol=1e-4)


@every_type
@pytest.mark.parametrize("mode", ["iou", "iof"])
@pytest.mark.parametrize("aligned", [False, True])
def test_box_iou_rotated(rng: Any, kind: Type, mode: str, aligned: bool) -> None:
    first, second = kind.cast(turned(rng, 20)), kind.cast(turned(rng, 20 if aligned else 13))
    want = reference.rotated(kind.wide(first), kind.wide(second), mode, aligned)
    got = box_iou_rotated(first, second, mode, aligned, **kind.keywords)
    assert got.dtype == first.dtype
    # The hull tolerates 1e-8 and 1e-6, in double too.
    Type(kind.name, max(kind.tolerance, 1e-9)).check(got, want)
    out = numpy.empty_like(got)
    assert box_iou_rotated(first, second, mode, aligned, out=out, **kind.keywords) is out
    assert out.tobytes() == got.tobytes()


def test_box_with_itself_and_without_area() -> None:
    boxes = numpy.array([[3, 4, 2, 5, 0.7], [3, 4, 0, 5, 0.7]], "f4")
    got = box_iou_rotated(boxes, boxes)
    assert got[0, 0] == pytest.approx(1, abs=2e-6)
    assert not got[1].any()
    assert not got[:, 1].any()


@every_type
def test_boxes_overlap_bev(rng: Any, kind: Type) -> None:
    """Corners count as inside within a hundredth, so that areas are not exact."""
    first, second = kind.cast(solids(rng, 12)), kind.cast(solids(rng, 9))
    want = reference.overlap_bev(kind.wide(first), kind.wide(second))
    got = boxes_overlap_bev(first, second, **kind.keywords)
    assert got.dtype == first.dtype
    assert numpy.abs(kind.wide(got) - want).max() < 0.1
    assert want.max() > 5
    out = numpy.empty_like(got)
    assert boxes_overlap_bev(first, second, out=out, **kind.keywords) is out
    assert out.tobytes() == got.tobytes()


def test_overlaps_of_mmcv() -> None:
    first = numpy.array([[1, 1, 1, 2, 2, 2, 0], [2, 2, 2, 2, 2, 2, 0], [3, 3, 3, 3, 2, 2, 0]], "f4")
    second = numpy.tile(first[:1], (3, 1))
    second[1:, 6] = math.pi / 2, math.pi / 4
    octagon = (8 + 8 * math.sqrt(2)) / (3 + 2 * math.sqrt(2))
    want = [[4, 4, octagon], [1, 1, 1], [0, 0, 0]]
    assert numpy.allclose(boxes_overlap_bev(first, second), want, atol=1e-3)


@every_type
@pytest.mark.parametrize("offset", [0, 1])
def test_nms(rng: Any, kind: Type, offset: int) -> None:
    """The exact comparison: quotients of the compute type, ties by place."""
    low = rng.uniform(0, 30, (120, 2))
    boxes = kind.cast(numpy.concatenate([low, low + rng.uniform(1, 12, (120, 2))], 1).round(1))
    scores = kind.cast(rng.integers(0, 40, 120) / 40)
    wide = kind.wide(boxes)
    real = numpy.float64 if kind.name == "float64" else numpy.float32
    order = reference.falling(kind.wide(scores))
    overlap = reference.upright(wide, offset, real)
    for threshold in (0.3, 0.5, 0.7):
        want = reference.suppress(overlap, order, real(numpy.float32(threshold)))
        got = nms(boxes, scores, threshold, offset, **kind.keywords)
        assert got.dtype == numpy.int64
        assert got.tolist() == want
        assert 10 < len(want) < 120


def test_nms_of_mmcv() -> None:
    boxes = numpy.array([[6, 3, 8, 7], [3, 6, 9, 11], [3, 7, 10, 12], [1, 4, 13, 7]], "f4")
    assert nms(boxes, numpy.array([0.6, 0.9, 0.7, 0.2], "f4"), 0.3).tolist() == [1, 0, 3]


def test_special_scores_and_thresholds() -> None:
    boxes = numpy.array([[0, 0, 2, 2], [0, 0, 2, 2], [5, 5, 6, 6], [8, 8, 9, 9]], "f4")
    scores = numpy.array([-numpy.inf, 0.5, numpy.nan, 0.5], "f4")
    assert nms(boxes, scores, 0.5).tolist() == [2, 1, 3]
    assert nms(boxes, scores, 2.0).tolist() == [2, 1, 3, 0]
    assert nms(boxes, scores, -1.0).tolist() == [2]
    turned = numpy.array([[0, 0, 2, 2, 0]] * 2 + [[9, 9, 2, 2, 0]] * 2, "f4")
    assert nms_rotated(turned, scores, 0.5).tolist() == [2, 1]
    assert nms_rotated(turned, scores, numpy.nan).tolist() == [2, 1, 3, 0]
    upright = numpy.zeros((4, 7), "f4")
    upright[:, [3, 4, 5]], upright[:, 0] = 2, [0, 0, 9, 20]
    assert nms3d(upright, scores, 0.5).tolist() == [2, 1, 3]


def test_no_area_keeps() -> None:
    """0/0 is not above the threshold."""
    boxes = numpy.zeros((3, 4), "f4")
    assert nms(boxes, numpy.ones(3, "f4"), 0.5).tolist() == [0, 1, 2]


@every_type
def test_nms_rotated(rng: Any, kind: Type) -> None:
    boxes, scores = kind.cast(turned(rng, 40)), kind.cast(rng.integers(0, 20, 40) / 20)
    overlap = reference.rotated(kind.wide(boxes), kind.wide(boxes))
    order = reference.falling(kind.wide(scores))
    for near in (0.2, 0.5):
        threshold = reference.gap(overlap, near)
        want = reference.suppress(overlap, order, threshold)
        got = nms_rotated(boxes, scores, threshold, **kind.keywords)
        assert got.dtype == numpy.int64
        assert got.tolist() == want
        assert len(want) < 40


def test_nms_rotated_of_mmcv() -> None:
    """A sixth column of labels changes nothing."""
    rows = [[6, 3, 8, 7, 0.5], [3, 6, 9, 11, 0.6], [3, 7, 10, 12, 0.3], [1, 4, 13, 7, 0.6]]
    boxes, scores = numpy.array(rows, "f4"), numpy.array([0.7, 0.8, 0.5, 0.9], "f4")
    assert nms_rotated(boxes, scores, 0.5).tolist() == [3, 1, 0]
    labelled = numpy.concatenate([boxes, [[1], [0], [1], [0]]], 1).astype("f4")
    assert nms_rotated(labelled, scores, 0.5).tolist() == [3, 1, 0]


@every_type
@pytest.mark.parametrize("ignore_heading", [False, True])
def test_nms3d(rng: Any, kind: Type, ignore_heading: bool) -> None:
    boxes, scores = kind.cast(solids(rng, 40)), kind.cast(rng.integers(0, 20, 40) / 20)
    flat = reference.from_above(kind.wide(boxes), not ignore_heading)
    overlap = reference.rotated(flat, flat)
    # Away from the margin of the operator.
    threshold = reference.gap(overlap, 0.3)
    near = numpy.abs(overlap - threshold) < 0.004
    assert not near.any()
    want = reference.suppress(overlap, reference.falling(kind.wide(scores)), threshold)
    got = nms3d(boxes, scores, threshold, ignore_heading, **kind.keywords)
    assert got.dtype == numpy.int64
    assert got.tolist() == want


def test_nms3d_of_mmcv() -> None:
    rows = [[1, 1, 1, 2, 2, 2, 0], [2, 2, 2, 2, 2, 2, 0], [3, 3, 3, 3, 2, 2, 0.3]]
    rows += [[3, 3, 3, 3, 2, 2, 0], [3, 3.2, 3.2, 3, 2, 2, 0.3]]
    boxes, scores = numpy.array(rows, "f4"), numpy.array([0.6, 0.9, 0.1, 0.2, 0.15], "f4")
    for ignore_heading in (False, True):
        assert nms3d(boxes, scores, 0.3, ignore_heading).tolist() == [1, 0, 3]
    generator = numpy.random.RandomState(42)
    boxes, scores = generator.rand(555, 7).astype("f4"), generator.rand(555).astype("f4")
    assert len(nms3d(boxes, scores, 0.3)) == 176
    assert len(nms3d(boxes, scores, 0.3, True)) == 148
