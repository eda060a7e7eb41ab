"""Autocast and unequal dtypes in the public functions."""

from __future__ import annotations

import pytest
import torch
from torch_problems import assert_same_bytes

from mluops_cpu import BadParamError
from mluops_cpu._torch import amp, ops
from mluops_cpu.ops.carafe import CARAFEPack, carafe
from mluops_cpu.ops.roiaware_pool3d import RoIAwarePool3d
from mluops_cpu.ops.rotated_feature_align import rotated_feature_align
from references import align as align_reference
from references import carafe as carafe_reference
from references import roiaware as roiaware_reference

HALF, BFLOAT16, FLOAT, DOUBLE = torch.float16, torch.bfloat16, torch.float32, torch.float64


def autocast() -> torch.autocast:
    return torch.autocast("cpu", BFLOAT16)


def test_state() -> None:
    assert amp.autocast_dtype() is None
    with autocast():
        assert amp.autocast_dtype() == BFLOAT16
        with torch.autocast("cpu", enabled=False):
            assert amp.autocast_dtype() is None


def test_carafe_is_cast_down() -> None:
    x, m = (t.float().requires_grad_() for t in carafe_reference.problem(1, 4, 3, 3, 3, 1, 2))
    with autocast():
        out = carafe(x, m, 3, 1, 2)
    assert out.dtype == BFLOAT16
    assert_same_bytes(out, ops.carafe(x.detach().bfloat16(), m.detach().bfloat16(), 3, 1, 2))
    out.float().sum().backward()
    assert x.grad is not None
    assert x.grad.dtype == FLOAT


def test_carafe_leaves_double_alone() -> None:
    x, m = carafe_reference.problem(1, 4, 3, 3, 3, 1, 2)
    with autocast():
        assert_same_bytes(carafe(x, m, 3, 1, 2), ops.carafe(x, m, 3, 1, 2))


def test_carafe_of_unequal_dtypes() -> None:
    x, m = carafe_reference.problem(1, 4, 3, 3, 3, 1, 2)
    with pytest.raises(BadParamError, match=r"^mluOpCarafeForward: "):
        carafe(x.float(), m, 3, 1, 2)


def test_carafe_pack() -> None:
    net = CARAFEPack(4, 2, compressed_channels=8)
    with autocast():
        out = net(torch.randn(1, 4, 5, 5))
    assert out.dtype == BFLOAT16
    out.float().sum().backward()
    for parameter in net.parameters():
        assert parameter.grad is not None
        assert parameter.grad.dtype == FLOAT


@pytest.mark.parametrize("dtype", [HALF, BFLOAT16, FLOAT, DOUBLE], ids=str)
def test_align_keeps_the_dtype_of_its_features(dtype: torch.dtype) -> None:
    features, boxes = align_reference.problem(1, 4, 3, 3)
    features = features.to(dtype).requires_grad_()
    computing = DOUBLE if dtype == DOUBLE else FLOAT
    expected = ops.rotated_feature_align(
        features.detach().to(computing), boxes.float().to(computing), 0.125, 5
    ).to(dtype)
    # float32 boxes with half features are normal.
    out = rotated_feature_align(features, boxes.float(), 0.125, 5)
    assert_same_bytes(out, expected)
    out.sum().backward()
    assert features.grad is not None
    assert features.grad.dtype == dtype
    with autocast():
        assert_same_bytes(rotated_feature_align(features, boxes.float(), 0.125, 5), expected)


def test_align_computes_in_float_under_autocast() -> None:
    features, boxes = (t.bfloat16() for t in align_reference.problem(1, 4, 3, 3))
    expected = ops.rotated_feature_align(features.float(), boxes.float(), 0.125, 5).bfloat16()
    with autocast():
        assert_same_bytes(rotated_feature_align(features, boxes, 0.125, 5), expected)


@pytest.mark.parametrize("mode", ["max", "avg"])
def test_roiaware(mode: str) -> None:
    rois, pts, feature = roiaware_reference.problem(3, 40, 2)
    pool = RoIAwarePool3d((2, 2, 2), 6, mode)
    half = feature.half().requires_grad_()
    expected = pool(rois.float(), pts.float(), half.detach().float())
    out = pool(rois.float(), pts.float(), half)
    assert_same_bytes(out, expected.half())
    out.sum().backward()
    assert half.grad is not None
    assert half.grad.dtype == HALF
    with autocast():
        out = pool(rois.float(), pts.float(), half)
        assert_same_bytes(out, expected)
        assert pool(rois, pts, feature).dtype == DOUBLE
    assert pool(rois, pts, half).dtype == HALF
