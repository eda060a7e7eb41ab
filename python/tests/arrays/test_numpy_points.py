"""RoI-aware pooling and points in boxes on numpy arrays against loops."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from mluops_cpu.numpy import (
    points_in_boxes_all,
    points_in_boxes_part,
    roiaware_pool3d_backward,
    roiaware_pool3d_forward,
)
from references.arrays import points as reference
from references.arrays.dtypes import TYPES, Type, every_type

both_modes = pytest.mark.parametrize("mode", ["max", "avg"])


def problem(rng: Any, kind: Type, boxes: int, count: int, channels: int) -> tuple[Any, ...]:
    rois = rng.uniform([-2, -2, -2, 2, 2, 2, -3], [2, 2, 0, 5, 5, 5, 3], (boxes, 7))
    pts = rng.uniform(-3.5, 3.5, (count, 3))
    features = rng.permutation(count * channels).reshape(count, channels) / 64 - 1
    return tuple(kind.cast(each) for each in (rois, pts, features))


@both_modes
@every_type
@pytest.mark.parametrize("out_size", [1, (2, 3, 4)], ids=str)
@pytest.mark.parametrize("most", [2, 200])
def test_roiaware(rng: Any, kind: Type, mode: str, out_size: Any, most: int) -> None:
    rois, pts, features = problem(rng, kind, 3, 60, 5)
    sizes = (out_size,) * 3 if isinstance(out_size, int) else out_size
    idx = reference.lists(kind.wide(rois), kind.wide(pts), sizes, most)
    assert idx[..., 0].sum() >= 3
    pooled, argmax = reference.pool(idx, kind.wide(features), mode)
    arguments: Any = (rois, pts, features, out_size, most, mode)
    got, got_argmax, got_idx = roiaware_pool3d_forward(*arguments, **kind.keywords)
    assert numpy.array_equal(got_idx, idx)
    # Equal values of a narrow type: the first point wins, here as in numpy's argmax.
    assert numpy.array_equal(got_argmax, argmax)
    kind.check(got, pooled)

    out = (numpy.empty_like(got), None, numpy.empty_like(got_idx))
    again = roiaware_pool3d_forward(*arguments, out=out, **kind.keywords)
    assert again[0] is out[0]
    assert again[2] is out[2]
    assert [a.tobytes() for a in again] == [g.tobytes() for g in (got, got_argmax, got_idx)]

    grad = kind.cast(rng.normal(size=got.shape))
    back = roiaware_pool3d_backward(got_idx, got_argmax, grad, 60, mode, **kind.keywords)
    kind.check(back, reference.pool_backward(idx, argmax, kind.wide(grad), 60, mode))


def test_roiaware_defaults(rng: Any) -> None:
    rois, pts, features = problem(rng, TYPES[1], 2, 30, 3)
    default = roiaware_pool3d_forward(rois, pts, features, 2)
    given = roiaware_pool3d_forward(rois, pts, features, [2, 2, 2], 128, "max")
    assert [d.tobytes() for d in default] == [g.tobytes() for g in given]


@every_type
def test_points_in_boxes(rng: Any, kind: Type) -> None:
    clouds = [problem(rng, kind, 4, 50, 1) for _ in range(2)]
    boxes, points = (numpy.stack([cloud[i] for cloud in clouds]) for i in (0, 1))
    flags = reference.in_boxes(kind.wide(points), kind.wide(boxes))
    assert 0 < flags.sum() < flags.size
    assert numpy.array_equal(points_in_boxes_all(points, boxes, **kind.keywords), flags)
    part = points_in_boxes_part(points, boxes, **kind.keywords)
    assert part.dtype == numpy.int32
    assert numpy.array_equal(part, reference.first_box(flags))
