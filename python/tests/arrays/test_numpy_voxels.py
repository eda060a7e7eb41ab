"""Voxelization and dynamic scatter on numpy arrays against loops."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from mluops_cpu.numpy import (
    dynamic_scatter_backward,
    dynamic_scatter_forward,
    dynamic_voxelize,
    voxelization,
)
from references.arrays import voxels as reference
from references.arrays.dtypes import Type, every_type

SIZE, RANGE = (0.3, 0.25, 0.5), (-2, -1.5, -1, 2.5, 2, 1)
every_mode = pytest.mark.parametrize("mode", ["max", "mean", "sum"])


def arithmetic(kind: Type) -> Any:
    """The type in which C computes the cells of points."""
    return numpy.float64 if kind.name == "float64" else numpy.float32


def cloud(rng: Any, kind: Type, count: int = 300, columns: int = 5) -> Any:
    """Points of which some are outside, on faces, or no numbers."""
    points = rng.uniform(-3, 3, (count, columns))
    points[10:20, :3] = [-2, -1.5, -1]
    points[20:30, :3] = [2.5, 2, 1]
    points[30:40, 0] = -2 + 0.3 * numpy.arange(10)
    points[40, 1], points[41, 2], points[42, 0] = numpy.nan, numpy.inf, -numpy.inf
    return kind.cast(points)


@every_type
@pytest.mark.parametrize(("max_points", "max_voxels"), [(4, 30), (1, 1000), (200, 7)])
def test_voxelization(rng: Any, kind: Type, max_points: int, max_voxels: int) -> None:
    points = cloud(rng, kind)
    arguments: Any = (SIZE, RANGE, max_points, max_voxels)
    members, coors = reference.voxelize(kind.wide(points), *arguments, arithmetic(kind))
    assert (len(members) == max_voxels) == (max_voxels < 1000)
    voxels, got_coors, counts = voxelization(points, *arguments, **kind.keywords)
    assert voxels.dtype == points.dtype
    assert numpy.array_equal(got_coors, coors)
    assert counts.tolist() == [len(each) for each in members]
    assert counts.dtype == got_coors.dtype == numpy.int32
    assert voxels.shape == (len(members), max_points, 5)
    for row, each in zip(voxels, members):
        assert row[: len(each)].tobytes() == points[each].tobytes()
        assert not row[len(each) :].any()


@every_type
def test_dynamic_voxelize(rng: Any, kind: Type) -> None:
    points = cloud(rng, kind)
    want = reference.cells(kind.wide(points), SIZE, RANGE, arithmetic(kind))
    got = dynamic_voxelize(points, SIZE, RANGE, **kind.keywords)
    assert got.dtype == numpy.int32
    assert numpy.array_equal(got, want)
    assert (want >= 0).all(1).any()
    assert (want < 0).all(1).any()
    out = numpy.empty_like(got)
    assert dynamic_voxelize(points, SIZE, RANGE, out=out, **kind.keywords) is out
    assert numpy.array_equal(out, want)


def test_division_is_not_multiplication_by_the_reciprocal() -> None:
    """Multiples of the size: 0.16 * k / 0.16 and 0.16 * k * (1 / 0.16) differ in float32."""
    size = numpy.float32(0.16)
    xs = size * numpy.arange(600, dtype=numpy.float32)
    points = numpy.stack([xs, numpy.zeros_like(xs), numpy.zeros_like(xs)], 1)
    want = numpy.floor(xs / size).astype(int)
    assert (want != numpy.floor(xs * (numpy.float32(1) / size))).any()
    got = dynamic_voxelize(points, (0.16, 1, 1), (0, 0, 0, 0.16 * 700, 1, 1))
    assert numpy.array_equal(got[:, 2], want)


def test_few_voxels_are_a_copy() -> None:
    """One voxel of many points: the rows of the bound must not stay in memory behind a view."""
    found = voxelization(numpy.zeros((500, 3), "f4"), (1, 1, 1), (0, 0, 0, 9, 9, 9), 3)
    assert [len(each) for each in found] == [1, 1, 1]
    assert all(each.base is None for each in found)
    assert found.num_points_per_voxel.tolist() == [3]


def scene(rng: Any, kind: Type, columns: int) -> tuple[Any, Any]:
    """Features with ties, and coordinates of which some are below 0."""
    coors = rng.integers(-1, 3, (80, columns)).astype("int32")
    feats = rng.permutation(80 * 6).reshape(80, 6) / 64.0 - 2
    feats[::7] = 1.5
    return kind.cast(feats), coors


@every_mode
@every_type
@pytest.mark.parametrize("columns", [1, 3, 4])
def test_dynamic_scatter(rng: Any, kind: Type, mode: str, columns: int) -> None:
    feats, coors = scene(rng, kind, columns)
    want, sites, table, counts = reference.scatter(kind.wide(feats), coors, mode)
    found = dynamic_scatter_forward(feats, coors, mode, **kind.keywords)
    assert found.voxel_feats.dtype == feats.dtype
    kind.check(found.voxel_feats, want)
    if mode == "max":
        assert numpy.array_equal(kind.wide(found.voxel_feats), want)
    for got, expected in zip(found[1:], (sites, table, counts)):
        assert got.dtype == numpy.int32
        assert numpy.array_equal(got, expected)
    assert (table < 0).any()

    grad = kind.cast(rng.normal(size=want.shape))
    tables = (feats, found.voxel_feats, found.point2voxel_map, found.voxel_points_count, mode)
    back = dynamic_scatter_backward(grad, *tables, **kind.keywords)
    kind.check(back, reference.scatter_backward(kind.wide(grad), kind.wide(feats), coors, mode))
    out = numpy.empty_like(back)
    assert dynamic_scatter_backward(grad, *tables, out=out, **kind.keywords) is out
    assert out.tobytes() == back.tobytes()


@every_mode
def test_dynamic_scatter_is_adjoint(rng: Any, mode: str) -> None:
    coors, feats = rng.integers(0, 4, (50, 3)), rng.normal(size=(50, 4))
    found = dynamic_scatter_forward(feats, coors, mode)
    grad = rng.normal(size=found.voxel_feats.shape)
    tables = found.point2voxel_map, found.voxel_points_count
    back = dynamic_scatter_backward(grad, feats, found.voxel_feats, *tables, mode)
    assert (found.voxel_feats * grad).sum() == pytest.approx((feats * back).sum(), rel=1e-12)


def test_nan_never_wins() -> None:
    feats = numpy.array([[numpy.nan, numpy.nan], [3.0, numpy.nan], [2.0, numpy.nan]])
    coors = numpy.zeros((3, 3), int)
    found = dynamic_scatter_forward(feats, coors)
    assert found.voxel_feats.tolist() == [[3.0, -numpy.inf]]
    tables = found.point2voxel_map, found.voxel_points_count
    back = dynamic_scatter_backward(numpy.ones((1, 2)), feats, found.voxel_feats, *tables)
    assert back.tolist() == [[0, 0], [1, 0], [0, 0]]


def test_coordinates_are_not_written(rng: Any) -> None:
    """The card writes -1 over rows outside."""
    coors = numpy.array([[0, -3, 5], [1, 1, 1]], numpy.int32)
    dynamic_scatter_forward(numpy.ones((2, 2)), coors)
    assert coors.tolist() == [[0, -3, 5], [1, 1, 1]]
