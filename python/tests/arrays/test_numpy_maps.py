"""CARAFE and rotated feature align on numpy arrays against loops in double."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from mluops_cpu import _calls
from mluops_cpu.numpy import (
    carafe_backward,
    carafe_forward,
    rotated_feature_align_backward,
    rotated_feature_align_forward,
)
from mluops_cpu.numpy._arrays import floats, output
from references.arrays import maps
from references.arrays.dtypes import Type, every_type

every_layout = pytest.mark.parametrize("layout", ["NHWC", "NCHW"])

#          name          N  H  W  C   k  G  s
CARAFE = {
    "plain": (1, 3, 4, 8, 3, 1, 2),
    "groups": (2, 4, 3, 6, 5, 2, 2),
    "one window cell": (1, 2, 5, 3, 1, 3, 1),
    "wide window": (1, 3, 3, 17, 7, 1, 3),
    "one pixel": (2, 1, 1, 4, 3, 4, 2),
}
every_carafe = pytest.mark.parametrize("sizes", CARAFE.values(), ids=CARAFE.keys())
every_sampling = pytest.mark.parametrize("points", [1, 5])


def first(map: Any, layout: str) -> Any:
    """A map [N,H,W,C] in the layout of the call."""
    return numpy.ascontiguousarray(map.transpose(0, 3, 1, 2)) if layout == "NCHW" else map


def last(map: Any, layout: str) -> Any:
    return map.transpose(0, 2, 3, 1) if layout == "NCHW" else map


def carafe_problem(rng: Any, kind: Type, sizes: tuple[int, ...]) -> tuple[Any, ...]:
    n, h, w, c, k, g, s = sizes
    shapes = ((n, h, w, c), (n, s * h, s * w, g * k * k), (n, s * h, s * w, c))
    return tuple(kind.cast(rng.normal(size=shape)) for shape in shapes)


@every_layout
@every_type
@every_carafe
def test_carafe_forward(rng: Any, kind: Type, sizes: tuple[int, ...], layout: str) -> None:
    x, mask, _ = carafe_problem(rng, kind, sizes)
    want = maps.carafe(kind.wide(x), kind.wide(mask), *sizes[4:])
    arguments = (first(x, layout), first(mask, layout), *sizes[4:])
    got = carafe_forward(*arguments, layout=layout, **kind.keywords)
    assert got.dtype == x.dtype
    assert got.flags.c_contiguous
    kind.check(last(got, layout), want)
    out = numpy.empty_like(got)
    assert carafe_forward(*arguments, layout=layout, out=out, **kind.keywords) is out
    assert out.tobytes() == got.tobytes()


@every_layout
@every_type
@every_carafe
def test_carafe_backward(rng: Any, kind: Type, sizes: tuple[int, ...], layout: str) -> None:
    x, mask, grad = carafe_problem(rng, kind, sizes)
    wants = maps.carafe_backward(*(kind.wide(each) for each in (x, mask, grad)), *sizes[4:])
    arguments = (*(first(each, layout) for each in (x, mask, grad)), *sizes[4:])
    gots = carafe_backward(*arguments, layout=layout, **kind.keywords)
    for got, want, name in zip(gots, wants, ("grad_input", "grad_mask")):
        kind.check(last(got, layout), want, name)
    for given in ((numpy.empty_like(gots[0]), None), (None, numpy.empty_like(gots[1]))):
        again = carafe_backward(*arguments, layout=layout, out=given, **kind.keywords)
        assert [a.tobytes() for a in again] == [g.tobytes() for g in gots]
        assert any(a is g for a, g in zip(again, given))


@every_type
@every_carafe
def test_one_gradient_of_carafe(rng: Any, kind: Type, sizes: tuple[int, ...]) -> None:
    """The call of the torch front: either gradient alone has the bytes that both have."""
    arrays, records = [], []
    for array in carafe_problem(rng, kind, sizes):
        array, record = floats(array, "", **kind.keywords)
        arrays.append(array)
        records.append(record)
    both = carafe_backward(*arrays, *sizes[4:], **kind.keywords)
    for index, want in enumerate(both):
        got, written = output(None, want.shape, want.dtype, records[0][2])
        targets: list[Any] = [None, None]
        targets[index] = written
        _calls.carafe_backward(0, *records, *targets, *sizes[4:])
        assert got.tobytes() == want.tobytes()


def align_problem(rng: Any, kind: Type, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Boxes with centres and corners in and out of the map at a scale of 1/8."""
    n, h, w, _ = shape
    low = numpy.array([-8, -8, 0, 0, -3])
    high = numpy.array([8 * h + 8, 8 * w + 8, 12, 12, 3])
    return kind.cast(rng.normal(size=shape)), kind.cast(rng.uniform(low, high, (n, h, w, 5)))


@every_layout
@every_sampling
@every_type
@pytest.mark.parametrize("shape", [(1, 4, 4, 8), (2, 3, 5, 17), (1, 1, 1, 1)], ids=str)
def test_align(rng: Any, kind: Type, shape: tuple[int, ...], points: int, layout: str) -> None:
    x, boxes = align_problem(rng, kind, shape)
    pairs = (
        (rotated_feature_align_forward, maps.align),
        (rotated_feature_align_backward, maps.align_backward),
    )
    for function, reference in pairs:
        want = reference(kind.wide(x), kind.wide(boxes), 0.125, points)
        arguments: Any = (first(x, layout), boxes, 0.125, points)
        got = function(*arguments, layout=layout, **kind.keywords)
        kind.check(last(got, layout), want, function.__name__)
        out = numpy.empty_like(got)
        assert function(*arguments, layout=layout, out=out, **kind.keywords) is out
        assert out.tobytes() == got.tobytes()


def test_align_defaults(rng: Any) -> None:
    x, boxes = align_problem(rng, Type("float64", 1e-12), (1, 4, 4, 8))
    assert numpy.array_equal(
        rotated_feature_align_forward(x, boxes), rotated_feature_align_forward(x, boxes, 0.125, 1)
    )


@every_sampling
def test_align_is_adjoint(rng: Any, points: int) -> None:
    x, boxes = align_problem(rng, Type("float64", 1e-12), (2, 5, 4, 3))
    grad = rng.normal(size=x.shape)
    there = (rotated_feature_align_forward(x, boxes, 0.125, points) * grad).sum()
    back = (x * rotated_feature_align_backward(grad, boxes, 0.125, points)).sum()
    assert there == pytest.approx(back, rel=1e-12)
