"""Values and first gradients of every operator against independent code, dtypes and formats."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch_problems import (
    DTYPES,
    OPERATORS,
    PAIR_KINDS,
    assert_near,
    assert_same_bytes,
    distinct,
    operator_calls,
    pairs,
    sites,
)

from mluops_cpu._torch import ops
from mluops_cpu._torch.autograd import Align, AvgPool, Carafe, Conv, MaxPool, RoIPool
from references import align, carafe, roiaware
from references import pairs as by_pairs

FORMATS = {"contiguous": torch.contiguous_format, "channels_last": torch.channels_last}


def compare(
    function: Any, reference: Any, inputs: tuple[Tensor, ...], dtype: torch.dtype
) -> list[Tensor]:
    """Compare results and gradients; the reference gets the rounded inputs in double."""
    leaves = [x.to(dtype).detach().requires_grad_() for x in inputs]
    exact = [x.detach().double().requires_grad_() for x in leaves]
    out, expected = function(*leaves), reference(*exact)
    assert_near(out, expected, dtype)
    grad = torch.randn(expected.shape, dtype=torch.float64).to(dtype)
    gradients = torch.autograd.grad(out, leaves, grad)
    for a, b in zip(gradients, torch.autograd.grad(expected, exact, grad.double())):
        assert_near(a, b, dtype)
    return [out, *gradients]


@pytest.mark.parametrize("layout", FORMATS)
@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_carafe(dtype: torch.dtype, groups: int, layout: str) -> None:
    inputs = carafe.problem(2, 6, 4, 5, 5, groups, 2)
    inputs = tuple(x.contiguous(memory_format=FORMATS[layout]) for x in inputs)
    sizes = (5, groups, 2)
    results = compare(
        lambda x, m: Carafe.apply(x, m, *sizes),
        lambda x, m: carafe.carafe(x, m, *sizes),
        inputs,
        dtype,
    )
    for result in results:
        assert result.is_contiguous(memory_format=FORMATS[layout])


@pytest.mark.parametrize("layout", FORMATS)
@pytest.mark.parametrize("points", [1, 5])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_align(dtype: torch.dtype, points: int, layout: str) -> None:
    features, boxes = align.problem(2, 6, 4, 5)
    # The geometry of half and bfloat16 is computed in float: compare what the rounded boxes say.
    boxes = boxes.to(dtype)
    results = compare(
        lambda x: Align.apply(x, boxes, 0.125, points),
        lambda x: align.align(x, boxes, 0.125, points),
        (features.contiguous(memory_format=FORMATS[layout]),),
        dtype,
    )
    for result in results:
        assert result.is_contiguous(memory_format=FORMATS[layout])


@pytest.mark.parametrize("mode", [0, 1], ids=["max", "avg"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_roiaware(dtype: torch.dtype, mode: int) -> None:
    rois, pts, feature = roiaware.problem(3, 60, 3)
    # Exact in bfloat16, so that rounding moves no point into another voxel.
    rois, pts = (rois * 4).round() / 4, (pts * 4).round() / 4 + 1 / 16
    rois[:, 6] = 0
    arguments = ((2, 3, 2), 5, mode)
    compare(
        lambda x: RoIPool.apply(rois.to(dtype), pts.to(dtype), x, *arguments),
        lambda x: roiaware.pool(rois, pts, x, *arguments),
        (feature / 8,),
        dtype,
    )


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_points_in_boxes(dtype: torch.dtype) -> None:
    rois, pts, _ = (t.to(dtype) for t in roiaware.problem(8, 60, 1))
    points, boxes = pts.reshape(2, 30, 3), rois.reshape(2, 4, 7)
    expected = roiaware.in_boxes(points, boxes)
    assert 0 < expected.sum() < expected.numel()
    assert torch.equal(ops.points_in_boxes(points, boxes, True), expected)
    first = torch.where(expected.any(2), expected.argmax(2), -torch.ones((), dtype=torch.int64))
    assert torch.equal(ops.points_in_boxes(points, boxes, False), first.to(torch.int32))


@pytest.mark.parametrize("krsc", [False, True], ids=["rsck", "krsc"])
@pytest.mark.parametrize("kind", PAIR_KINDS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_conv(dtype: torch.dtype, kind: str, krsc: bool) -> None:
    p = pairs(kind)
    shape = (5, *p.kernel, 4) if krsc else (*p.kernel, 4, 5)
    arguments = (p.pairs, p.num, p.outputs, p.inverse, krsc)
    compare(
        lambda x, w: Conv.apply(x, w, *arguments),
        lambda x, w: by_pairs.conv(x, w, *arguments),
        (torch.randn(p.inputs, 4).double(), torch.randn(shape).double()),
        dtype,
    )


@pytest.mark.parametrize("kind", ["strided", "subm", "2d", "duplicates"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_avgpool(dtype: torch.dtype, kind: str) -> None:
    p = pairs(kind)
    arguments = (p.pairs, p.num, p.outputs)
    compare(
        lambda x: AvgPool.apply(x, *arguments),
        lambda x: by_pairs.avgpool(x, *arguments),
        (torch.randn(p.inputs, 3).double(),),
        dtype,
    )


@pytest.mark.parametrize("kind", ["strided", "subm", "2d", "duplicates"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_maxpool(dtype: torch.dtype, kind: str) -> None:
    """With ties, zeros and windows below 0: every pair of equal values gets the gradient."""
    p = pairs(kind)
    features = torch.randint(-2, 3, (p.inputs, 3)).to(dtype).requires_grad_()
    pooled = MaxPool.apply(features, p.pairs, p.num, p.outputs)
    expected = by_pairs.maxpool(features.detach(), p.pairs, p.num, p.outputs)
    assert torch.equal(pooled.double(), expected)
    grad = torch.randn(pooled.shape, dtype=torch.float64).to(dtype)
    (result,) = torch.autograd.grad(pooled, features, grad)
    arguments = (features.detach(), pooled.detach(), grad, p.pairs, p.num)
    assert_near(result, by_pairs.maxpool_backward(*arguments), dtype)


def test_maxpool_of_nan() -> None:
    p = pairs("subm")
    features = distinct(p.inputs, 2)
    features[3] = float("nan")
    assert not MaxPool.apply(features, p.pairs, p.num, p.outputs).isnan().any()


@pytest.mark.parametrize("name", OPERATORS)
def test_bits_do_not_depend_on_threads(name: str) -> None:
    arguments = operator_calls(torch.float32)[name]
    results: list[list[Tensor]] = []
    for threads in (1, 2, 3, 7):
        torch.set_num_threads(threads)
        out = getattr(ops, name)(*arguments)
        results.append(list(out) if isinstance(out, tuple) else [out])
    for other in results[1:]:
        for a, b in zip(results[0], other):
            assert_same_bytes(a, b)


def test_bits_of_a_larger_convolution_do_not_depend_on_threads() -> None:
    """Large enough for several threads to share the work, forward and both gradients."""
    p = pairs("subm", rows=48)
    features = torch.randn(48, 64).repeat(1, 2)
    filters = torch.randn(*p.kernel, 128, 128)
    found = []
    for threads in (1, 2, 3, 7):
        torch.set_num_threads(threads)
        x, w = features.clone().requires_grad_(), filters.clone().requires_grad_()
        out = Conv.apply(x, w, p.pairs, p.num, 48, False, False)
        found.append([out, *torch.autograd.grad(out.square().sum(), (x, w))])
    for other in found[1:]:
        for a, b in zip(found[0], other):
            assert_same_bytes(a, b)


@pytest.mark.parametrize("name", OPERATORS)
def test_any_strides(name: str) -> None:
    """Inputs that are views with gaps give what contiguous ones give."""

    def spread(value: Any) -> Any:
        if not isinstance(value, Tensor):
            return value
        wide = torch.zeros((*value.shape, 2), dtype=value.dtype)
        wide[..., 0] = value
        return wide[..., 0]

    arguments = operator_calls(torch.float32)[name]
    expected = getattr(ops, name)(*arguments)
    out = getattr(ops, name)(*map(spread, arguments))
    pairs_of = zip(out, expected) if isinstance(out, tuple) else [(out, expected)]
    for a, b in pairs_of:
        assert_same_bytes(a, b)
        assert a.stride() == b.stride()


@pytest.mark.parametrize("subm", [True, False])
def test_pairs_of_four_axes(subm: bool) -> None:
    """A fourth axis of one cell changes nothing; the pairs of three axes come from C."""
    indices = sites((4, 3, 4), 20)
    wide = torch.cat([indices[:, :1], torch.zeros(20, 1, dtype=torch.int32), indices[:, 1:]], 1)
    three, two, one = (3, 3, 3), (2, 2, 2), (1, 1, 1)
    if subm:
        result = ops.subm_pairs(wide, 2, (1, 4, 3, 4), (1, *three), (1, *one))
        expected = ops.subm_pairs(indices, 2, (4, 3, 4), three, one)
    else:
        geometry = (1, *three), (1, *two), (0, *one), (1, *one), False
        out, *result = ops.pairs(wide, 2, (1, 4, 3, 4), (1, 2, 2, 2), *geometry)
        expected_out, *expected = ops.pairs(
            indices, 2, (4, 3, 4), (2, 2, 2), three, two, one, one, False
        )
        assert torch.equal(out[:, [0, 2, 3, 4]], expected_out)
    for a, b in zip(result, expected):
        assert torch.equal(a, b)
