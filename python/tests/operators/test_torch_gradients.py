"""First and second derivatives of every operator against finite differences, in double."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck
from torch_problems import PAIR_KINDS, distinct, pairs

from mluops_cpu._torch.autograd import (
    Align,
    AvgPool,
    Carafe,
    CarafeGrad,
    Conv,
    ConvData,
    ConvFilter,
    MaxPool,
    RoIPool,
)
from references import align, carafe, roiaware


def check(function: Any, *inputs: Tensor) -> None:
    """Gradients of both orders; gradcheck also calls each backward twice and compares the bits."""
    inputs = tuple(x.detach().clone().requires_grad_() for x in inputs)
    assert gradcheck(function, inputs, eps=1e-6, atol=1e-6)
    assert gradgradcheck(function, inputs, eps=1e-6, atol=1e-6)


def random(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64)


@pytest.mark.parametrize("krsc", [False, True], ids=["rsck", "krsc"])
@pytest.mark.parametrize("kind", PAIR_KINDS)
def test_conv(kind: str, krsc: bool) -> None:
    p = pairs(kind)
    shape = (3, *p.kernel, 2) if krsc else (*p.kernel, 2, 3)

    def function(features: Tensor, filters: Tensor) -> Any:
        return Conv.apply(features, filters, p.pairs, p.num, p.outputs, p.inverse, krsc)

    check(function, random(p.inputs, 2), random(*shape))


def test_conv_data_and_filter_as_functions_of_their_own() -> None:
    p = pairs("strided")
    shape = (*p.kernel, 2, 3)
    filters, grad = random(*shape), random(p.outputs, 3)
    args = (p.pairs, p.num)
    check(lambda g, w: ConvData.apply(g, w, *args, p.inputs, False, False), grad, filters)
    features = random(p.inputs, 2)
    check(lambda x, g: ConvFilter.apply(x, g, *args, shape, False, False), features, grad)


def test_conv_third_order() -> None:
    p = pairs("subm", rows=5)

    def second(features: Tensor, filters: Tensor) -> Any:
        out = Conv.apply(features, filters, p.pairs, p.num, p.outputs, False, False)
        (x,) = torch.autograd.grad((out**3).sum(), features, create_graph=True)
        return torch.autograd.grad((x**2).sum(), filters, create_graph=True)[0]

    inputs = (random(5, 1) / 4, random(*p.kernel, 1, 2) / 4)
    assert gradcheck(second, tuple(x.requires_grad_() for x in inputs), atol=1e-5)


@pytest.mark.parametrize("channels_last", [False, True], ids=["contiguous", "channels_last"])
@pytest.mark.parametrize("groups", [1, 2])
def test_carafe(groups: int, channels_last: bool) -> None:
    features, masks = carafe.problem(1, 4, 3, 2, 3, groups, 2)
    if channels_last:
        features = features.contiguous(memory_format=torch.channels_last)
        masks = masks.contiguous(memory_format=torch.channels_last)
    check(lambda x, m: Carafe.apply(x, m, 3, groups, 2), features, masks)


@pytest.mark.parametrize("which", ["features", "masks"])
def test_carafe_with_one_gradient(which: str) -> None:
    features, masks = carafe.problem(1, 2, 2, 3, 3, 1, 2)
    if which == "features":
        check(lambda x: Carafe.apply(x, masks, 3, 1, 2), features)
    else:
        check(lambda m: Carafe.apply(features, m, 3, 1, 2), masks)


@pytest.mark.parametrize("wanted", [(True, True), (True, False), (False, True)])
def test_carafe_grad_as_a_function_of_its_own(wanted: tuple[bool, bool]) -> None:
    features, masks = carafe.problem(1, 2, 2, 2, 3, 1, 2)

    def function(x: Tensor, m: Tensor, g: Tensor) -> Any:
        return tuple(y for y in CarafeGrad.apply(x, m, g, 3, 1, 2, *wanted) if y is not None)

    inputs = (features, masks, random(1, 2, 4, 4))
    for x in inputs:
        x.requires_grad_()
    assert gradcheck(function, inputs, eps=1e-6, atol=1e-6)
    assert gradgradcheck(function, inputs, eps=1e-6, atol=1e-6)


@pytest.mark.parametrize("points", [1, 5])
def test_align(points: int) -> None:
    features, boxes = align.problem(2, 2, 3, 4)
    check(lambda x: Align.apply(x, boxes, 0.125, points), features)


@pytest.mark.parametrize("mode", [0, 1], ids=["max", "avg"])
def test_roiaware(mode: int) -> None:
    rois, pts, feature = roiaware.problem(3, 30, 2)
    check(lambda x: RoIPool.apply(rois, pts, x, (2, 2, 3), 4, mode), feature)


@pytest.mark.parametrize("kind", ["subm", "strided", "duplicates"])
def test_maxpool(kind: str) -> None:
    p = pairs(kind)
    check(lambda x: MaxPool.apply(x, p.pairs, p.num, p.outputs), distinct(p.inputs, 2))


@pytest.mark.parametrize("kind", ["subm", "strided", "duplicates"])
def test_avgpool(kind: str) -> None:
    p = pairs(kind)
    check(lambda x: AvgPool.apply(x, p.pairs, p.num, p.outputs), random(p.inputs, 2))


@pytest.mark.parametrize("kind", PAIR_KINDS)
def test_adjoints(kind: str) -> None:
    """<F(x,W), g> = <x, D(g,W)> = <W, B(x,g)>."""
    p = pairs(kind)
    x, w, g = random(p.inputs, 3), random(*p.kernel, 3, 4), random(p.outputs, 4)
    args = (p.pairs, p.num)
    forward = (Conv.apply(x, w, *args, p.outputs, p.inverse, False) * g).sum()
    data = (ConvData.apply(g, w, *args, p.inputs, p.inverse, False) * x).sum()
    filters = (ConvFilter.apply(x, g, *args, w.shape, p.inverse, False) * w).sum()
    torch.testing.assert_close(data, forward, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(filters, forward, rtol=1e-12, atol=1e-12)
