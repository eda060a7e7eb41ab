"""Arguments of the public functions, and CARAFEPack's weights."""

from __future__ import annotations

import math
from typing import Any, Callable

import pytest
import torch
from torch import Tensor, nn
from torch_problems import REGISTERED, assert_same_bytes

from mluops_cpu import BadParamError
from mluops_cpu.ops import carafe as carafe_is_a_function
from mluops_cpu.ops.carafe import (
    CARAFE,
    CARAFEFunction,
    CARAFENaive,
    CARAFENaiveFunction,
    CARAFEPack,
    carafe,
    carafe_naive,
)
from mluops_cpu.ops.points_in_boxes import (
    points_in_boxes_all,
    points_in_boxes_cpu,
    points_in_boxes_part,
)
from mluops_cpu.ops.roiaware_pool3d import RoIAwarePool3d, RoIAwarePool3dFunction
from mluops_cpu.ops.rotated_feature_align import RotatedFeatureAlignFunction, rotated_feature_align
from references import align as align_reference
from references import carafe as carafe_reference
from references import roiaware as roiaware_reference

BAD_CARAFE: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, int, int], str]] = {
    "scale": ((1, 4, 3, 3), (1, 9, 0, 0), (3, 1, 0), "scale_factor must be at least 1, got 0"),
    "mask channels": ((1, 4, 3, 3), (1, 8, 6, 6), (3, 1, 2), "9 channels, got 8"),
    "mask width": ((1, 4, 3, 3), (1, 9, 6, 7), (3, 1, 2), "width of masks must be .* 6, got 7"),
    "mask height": ((1, 4, 3, 3), (1, 9, 5, 6), (3, 1, 2), "height of masks must be .* 6, got 5"),
    "channels": ((1, 4, 3, 3), (1, 27, 6, 6), (3, 3, 2), "multiple of group_size 3, got 4"),
    "no group": ((1, 4, 3, 3), (1, 0, 6, 6), (3, 0, 2), "multiple of group_size 0, got 4"),
    "kernel": ((1, 4, 3, 3), (1, 4, 6, 6), (2, 1, 2), "kernel_size must be odd .*, got 2"),
}


@pytest.mark.parametrize("function", [carafe, carafe_naive, CARAFEFunction.apply])
@pytest.mark.parametrize("name", BAD_CARAFE)
def test_carafe_asserts(name: str, function: Callable[..., Tensor]) -> None:
    features, masks, sizes, message = BAD_CARAFE[name]
    with pytest.raises(AssertionError, match=message):
        function(torch.zeros(features), torch.zeros(masks), *sizes)


def test_carafe_names_are_one_function() -> None:
    x, m = carafe_reference.problem(1, 4, 3, 3, 3, 2, 2)
    expected = carafe(x, m, 3, 2, 2)
    assert_same_bytes(carafe_naive(x, m, 3, 2, 2), expected)
    assert_same_bytes(CARAFEFunction.apply(x, m, 3, 2, 2), expected)
    assert_same_bytes(CARAFENaiveFunction.apply(x, m, 3, 2, 2), expected)
    assert_same_bytes(CARAFE(3, 2, 2)(x, m), expected)
    assert_same_bytes(CARAFENaive(3, 2, 2)(x, m), expected)
    assert carafe_is_a_function is carafe, "as in mmcv.ops, the name is bound over the module"


@pytest.mark.parametrize("module", [CARAFE, CARAFENaive])
def test_carafe_modules_want_integers(module: Any) -> None:
    with pytest.raises(AssertionError, match=r"group_size must be an int, got 1\.0"):
        module(3, 1.0, 2)
    assert not module(3, 1, 2).state_dict()


def drawn_as_mmcv(channels: int, compressed: int, encoded: int) -> list[Tensor]:
    """The weights that mmcv's CARAFEPack draws, with its own calls of the generator."""
    compressor = nn.Conv2d(channels, compressed, 1)
    encoder = nn.Conv2d(compressed, encoded, 3, padding=1)
    for conv in (compressor, encoder):
        fan_in, fan_out = nn.init._calculate_fan_in_and_fan_out(conv.weight)
        bound = math.sqrt(3.0) * math.sqrt(2.0 / (fan_in + fan_out))
        with torch.no_grad():
            conv.weight.uniform_(-bound, bound)
    with torch.no_grad():
        encoder.weight.normal_(0, 0.001)
    return [
        compressor.weight,
        torch.zeros(compressed),
        encoder.weight,
        torch.zeros(encoded),
    ]


def test_carafe_pack_draws_the_weights_of_mmcv() -> None:
    torch.manual_seed(7)
    net = CARAFEPack(channels=6, scale_factor=2, compressed_channels=10)
    torch.manual_seed(7)
    expected = drawn_as_mmcv(6, 10, 100)
    names = ["channel_compressor.weight", "channel_compressor.bias"]
    names += ["content_encoder.weight", "content_encoder.bias"]
    state = net.state_dict()
    assert list(state) == names
    for name, tensor in zip(names, expected):
        assert_same_bytes(state[name], tensor)


def test_carafe_pack_is_made_of_its_parts() -> None:
    net = CARAFEPack(4, 2, up_kernel=3, up_group=2, encoder_kernel=5, encoder_dilation=2).double()
    assert net.content_encoder.padding == (4, 4)
    assert net.content_encoder.dilation == (2, 2)
    x = torch.randn(2, 4, 5, 6, dtype=torch.float64)
    raw = net.content_encoder(net.channel_compressor(x))
    # The channels of one output pixel's kernels, for each of the s² pixels.
    shuffled = nn.functional.pixel_shuffle(raw, 2).reshape(2, 2, 9, 10, 12)
    masks = (shuffled.exp() / shuffled.exp().sum(2, keepdim=True)).reshape(2, 18, 10, 12)
    expected = carafe_reference.carafe(x, masks, 3, 2, 2)
    torch.testing.assert_close(net(x), expected, rtol=1e-10, atol=1e-10)


def test_align_arguments() -> None:
    features, boxes = align_reference.problem(2, 3, 4, 5)
    expected = rotated_feature_align(features, boxes, 0.125, 5)
    for shape in ((-1, 5), (2, -1, 5), (-1, 5, 1, 5), (1, 2, 4, 5, 5)):
        flat = boxes.reshape(shape)
        assert_same_bytes(rotated_feature_align(features, flat, 0.125, 5), expected)
    assert_same_bytes(RotatedFeatureAlignFunction.apply(features, boxes, 0.125, 5), expected)
    assert_same_bytes(
        rotated_feature_align(features, boxes), rotated_feature_align(features, boxes, 0.125, 1)
    )
    for function in (rotated_feature_align, RotatedFeatureAlignFunction.apply):
        with pytest.raises(AssertionError, match="points must be 1 or 5, got 4"):
            function(features, boxes, 0.125, 4)
    with pytest.raises(BadParamError, match="spatial_scale"):
        rotated_feature_align(features, boxes, 0.0)
    with pytest.raises(BadParamError):
        rotated_feature_align(features, boxes[:1])
    with pytest.raises(ValueError, match=r"\[N,C,H,W\]"):
        rotated_feature_align(features[0], boxes[0])


def test_roiaware_arguments() -> None:
    rois, pts, feature = roiaware_reference.problem(3, 40, 2)
    with pytest.raises(AssertionError, match="mode must be 'max' or 'avg', got 'sum'"):
        RoIAwarePool3d(2, mode="sum")
    assert (RoIAwarePool3d(2).mode, RoIAwarePool3d(2, mode="avg").mode) == (0, 1)
    expected = RoIAwarePool3d((2, 2, 2))(rois, pts, feature)
    for size in (2, [2, 2, 2]):
        assert_same_bytes(RoIAwarePool3d(size)(rois, pts, feature), expected)
        result = RoIAwarePool3dFunction.apply(rois, pts, feature, size, 128, 0)
        assert_same_bytes(result, expected)
    for bad in ((2, 2), (2, 2, 2.0), "222"):
        with pytest.raises(AssertionError, match="out_size must be"):
            RoIAwarePool3d(bad)(rois, pts, feature)
        with pytest.raises(AssertionError, match="out_size must be"):
            RoIAwarePool3dFunction.apply(rois, pts, feature, bad, 128, 0)
    big = RoIAwarePool3d((300, 1, 1))(rois, pts, feature)
    assert big.shape == (3, 300, 1, 1, 2), "mmcv's limit of 256 is lifted"


@pytest.mark.parametrize(
    "function", [points_in_boxes_part, points_in_boxes_all, points_in_boxes_cpu]
)
def test_points_in_boxes_asserts(function: Callable[[Tensor, Tensor], Tensor]) -> None:
    points, boxes = torch.zeros(2, 4, 3), torch.zeros(2, 5, 7)
    with pytest.raises(AssertionError, match="same batch size, but got 1 and 2"):
        function(points[:1], boxes)
    with pytest.raises(AssertionError, match=r"boxes dimension should be 7, .* 6"):
        function(points, boxes[..., :6])
    with pytest.raises(AssertionError, match=r"points dimension should be 3, .* 2"):
        function(points[..., :2], boxes)
    with pytest.raises(AssertionError, match="same device"):
        function(points, boxes.to("meta"))


def test_points_in_boxes_cpu_is_all_in_float() -> None:
    rois, pts, _ = roiaware_reference.problem(4, 60, 1)
    expected = points_in_boxes_all(pts[None].float(), rois[None].float())
    assert torch.equal(points_in_boxes_cpu(pts[None], rois[None]), expected)
    assert expected.any()


def test_wrong_dtypes() -> None:
    with pytest.raises(TypeError, match=r"features must be float16, .*, got torch.int64"):
        carafe(torch.zeros(1, 4, 3, 3).long(), torch.zeros(1, 9, 6, 6).long(), 3, 1, 2)
    with pytest.raises(TypeError, match=r"rois must be float16, .*, got torch.int32"):
        RoIAwarePool3d(2)(*(torch.zeros(2, n, dtype=torch.int32) for n in (7, 3, 1)))


@pytest.mark.skipif(REGISTERED, reason="from torch 2.1 meta tensors have fakes")
def test_a_device_other_than_the_cpu() -> None:
    features, boxes = torch.empty(1, 4, 3, 3, device="meta"), torch.empty(9, 5, device="meta")
    with pytest.raises(NotImplementedError, match="features must be on the CPU, got device meta"):
        rotated_feature_align(features, boxes)
