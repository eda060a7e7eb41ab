"""RoI align of the torch front: values, formats, dtypes, gradients of both orders, arguments."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from torch import Tensor
from torch_problems import DTYPES, assert_near, assert_same_bytes, rois_of

from mluops_cpu import BadParamError
from mluops_cpu._torch.autograd import RoIAlign as Align
from mluops_cpu.ops import RoIAlign, roi_align
from mluops_cpu.ops.roi_align import RoIAlignFunction
from references.arrays import roi_align as reference
from references.arrays.roi_align import Sampling

FORMATS = {"contiguous": torch.contiguous_format, "channels_last": torch.channels_last}
every_format = pytest.mark.parametrize("layout", FORMATS)
every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=str)
both_modes = pytest.mark.parametrize("mode", ["avg", "max"])


def array(tensor: Tensor) -> Any:
    """In double; through a list, as a torch may be built for another numpy."""
    return numpy.array(tensor.detach().double().tolist()).reshape(tensor.shape)


def tensor(array: Any) -> Tensor:
    return torch.tensor(array.tolist(), dtype=torch.float64).reshape(array.shape)


def nchw(array: Any) -> Tensor:
    return tensor(array).permute(0, 3, 1, 2)


def nhwc(map: Tensor) -> Any:
    return array(map.permute(0, 2, 3, 1))


def problem(dtype: torch.dtype, channels: int = 5, layout: str = "contiguous") -> Any:
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(2, channels, 5, 7, dtype=torch.float64, generator=generator).to(dtype)
    rois = rois_of(8, 2, 5, 7).to(dtype)
    return x.contiguous(memory_format=FORMATS[layout]).requires_grad_(), rois


@every_format
@every_dtype
@pytest.mark.parametrize("channels", [1, 5])
@pytest.mark.parametrize("ratio", [0, 2])
def test_average(dtype: torch.dtype, ratio: int, channels: int, layout: str) -> None:
    x, rois = problem(dtype, channels, layout)
    real = numpy.float64 if dtype == torch.float64 else numpy.float32
    sampling = Sampling((2, 3), 0.25, ratio)
    out = roi_align(x, rois, (2, 3), 0.25, ratio)
    assert_near(out, nchw(reference.average(nhwc(x), array(rois), sampling, real)), dtype)
    grad = torch.randn(out.shape, dtype=torch.float64).to(dtype)
    (back,) = torch.autograd.grad(out, x, grad)
    shape = (2, 5, 7, channels)
    wanted = reference.average_backward(nhwc(grad), array(rois), shape, sampling, real)
    assert_near(back, nchw(wanted), dtype)
    for result in (out, back):
        assert result.is_contiguous(memory_format=FORMATS[layout])


@every_format
@every_dtype
def test_maximum(dtype: torch.dtype, layout: str) -> None:
    x, rois = problem(dtype, 5, layout)
    real = numpy.float64 if dtype == torch.float64 else numpy.float32
    sampling = Sampling((2, 3), 0.25, 2)
    out = roi_align(x, rois, (2, 3), 0.25, 2, "max")
    want, at_y, at_x = reference.maximum(nhwc(x), array(rois), sampling, real)
    assert_near(out, nchw(want), dtype)
    grad = torch.randn(out.shape, dtype=torch.float64).to(dtype)
    (back,) = torch.autograd.grad(out, x, grad)
    places = [array(tensor(each).to(dtype)).astype(real) for each in (at_y, at_x)]
    wanted = reference.maximum_backward(nhwc(grad), array(rois), *places, (2, 5, 7, 5))
    assert_near(back, nchw(wanted), dtype)
    for result in (out, back):
        assert result.is_contiguous(memory_format=FORMATS[layout])


def test_vectors_of_mmcv() -> None:
    rois = torch.tensor([[0.0, 0, 0, 1, 1]])
    x = torch.tensor([[[[1.0, 2], [3, 4]], [[4, 3], [2, 1]]]], requires_grad=True)
    out = roi_align(x, rois, (2, 2), 1.0, 2)
    assert out.tolist() == [[[[1.0, 1.25], [1.5, 1.75]], [[4.0, 3.75], [3.5, 3.25]]]]
    out.backward(torch.ones_like(out))
    assert x.grad is not None
    assert x.grad.tolist() == [[[[3.0625, 0.4375], [0.4375, 0.0625]]] * 2]
    rows = [[1.0, 2, 5, 6], [3, 4, 7, 8], [9, 10, 13, 14], [11, 12, 15, 16]]
    x = torch.tensor([[rows]], requires_grad=True)
    out = roi_align(x, torch.tensor([[0.0, 0, 0, 3, 3]]), 2, 1.0, 2)
    assert out.tolist() == [[[[1.9375, 4.75], [7.5625, 10.375]]]]
    out.backward(torch.ones_like(out))
    edge, side = [0.47265625, 0.4296875, 0.4296875, 0.04296875], [0.4296875, 0.390625]
    assert x.grad is not None
    assert x.grad[0, 0, 0].tolist() == edge
    assert x.grad[0, 0, 1, :2].tolist() == side


@both_modes
@pytest.mark.parametrize("ratio", [0, 2])
def test_gradients_of_both_orders(mode: str, ratio: int) -> None:
    generator = torch.Generator().manual_seed(5)
    order = torch.randperm(2 * 2 * 4 * 5, generator=generator)
    x = (order.double() / 16).reshape(2, 2, 4, 5).requires_grad_()  # apart, for maxima
    rois = rois_of(4, 2, 4, 5).double()
    rois[:, 1:] += 0.013  # off the kinks

    def function(x: Tensor) -> Any:
        return roi_align(x, rois, (2, 1), 0.25, ratio, mode)

    assert torch.autograd.gradcheck(function, (x,), eps=1e-6, atol=1e-6)
    assert torch.autograd.gradgradcheck(function, (x,), eps=1e-6, atol=1e-6)


@both_modes
@every_format
def test_formats_of_second_derivatives(mode: str, layout: str) -> None:
    x, rois = problem(torch.float64, 5, layout)
    out = roi_align(x, rois, (2, 3), 0.25, 2, mode)
    grad = torch.randn_like(out).requires_grad_()
    (back,) = torch.autograd.grad(out, x, grad, create_graph=True)
    v = torch.randn_like(back)
    (second,) = torch.autograd.grad(back, grad, v)
    assert back.is_contiguous(memory_format=FORMATS[layout])
    assert second.is_contiguous(memory_format=FORMATS[layout])
    # Linear in the gradient: the second derivative is the adjoint of the first.
    left, right = (second * grad).sum(), (back * v).sum()
    torch.testing.assert_close(left, right, rtol=1e-12, atol=1e-12)


def test_one_bin_of_a_channels_last_map() -> None:
    """The formats of [K,C,1,1] are one; the gradient of the map is channels-last all the same."""
    x, rois = problem(torch.float64, 5, "channels_last")
    out = roi_align(x, rois, 1, 0.25, 2)
    assert out.is_contiguous()
    (back,) = torch.autograd.grad(out.sum(), x)
    assert back.is_contiguous(memory_format=torch.channels_last)
    plain = x.detach().contiguous().requires_grad_()
    (other,) = torch.autograd.grad(roi_align(plain, rois, 1, 0.25, 2).sum(), plain)
    assert other.is_contiguous()
    assert_same_bytes(back, other)


@both_modes
def test_no_rois(mode: str) -> None:
    """The address of an empty tensor is null, so that C is not called."""
    x = torch.randn(2, 3, 4, 5, requires_grad=True)
    out = roi_align(x, torch.zeros(0, 5), (2, 3), pool_mode=mode)
    assert out.shape == (0, 3, 2, 3)
    (back,) = torch.autograd.grad(out.square().sum(), x, create_graph=True)
    assert back.shape == x.shape
    assert not back.any()
    (again,) = torch.autograd.grad(back.square().sum(), x)
    assert again.shape == x.shape
    assert not again.any()


def test_a_bin_without_samples_has_no_gradient() -> None:
    x = torch.randn(1, 2, 4, 4, dtype=torch.float64, requires_grad=True)
    rois = torch.tensor([[0.0, 2, 2, 2, 2]], dtype=torch.float64)
    out = roi_align(x, rois, 1, pool_mode="max")
    assert bool((out < -3e38).all())
    (back,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    assert not back.any()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@both_modes
def test_autocast_and_unequal_dtypes(dtype: torch.dtype, mode: str) -> None:
    """As torchvision: computed in float32, the result in the dtype of the map."""
    x, rois = problem(dtype)
    wide = roi_align(x.detach().float(), rois.float(), 2, 0.25, 0, mode).to(dtype)
    out = roi_align(x, rois.float(), 2, 0.25, 0, mode)
    assert_same_bytes(out, wide)
    out.sum().backward()
    assert x.grad.dtype == dtype
    with torch.autocast("cpu", torch.bfloat16):
        assert_same_bytes(roi_align(x, rois.float(), 2, 0.25, 0, mode), wide)
        double = roi_align(x.detach().double(), rois.double(), 2, 0.25, 0, mode)
        assert double.dtype == torch.float64


def test_arguments() -> None:
    x, rois = problem(torch.float32)
    expected = roi_align(x, rois, (2, 2), 0.25, 2, "avg", False)
    for size in (2, [2, 2], torch.Size([2, 2])):
        layer = RoIAlign(size, 0.25, 2, aligned=False)
        assert layer.output_size == (2, 2)
        assert_same_bytes(layer(x, rois), expected)
        assert_same_bytes(RoIAlignFunction.apply(x, rois, size, 0.25, 2, "avg", False), expected)
    with pytest.warns(DeprecationWarning, match="output_size"):
        old = RoIAlign(out_size=2, spatial_scale=0.25, sample_num=2, aligned=False)
    assert_same_bytes(old(x, rois), expected)
    with pytest.raises(AssertionError, match="out_size and output_size are one argument"):
        RoIAlign(out_size=2, output_size=2)
    assert "output_size=(2, 2)" in repr(old)
    assert_same_bytes(Align.apply(x, rois, (2, 2), 0.25, 2, 1, False), expected)


@pytest.mark.parametrize("function", [roi_align, RoIAlignFunction.apply])
def test_errors(function: Any) -> None:
    x, rois = problem(torch.float32)
    with pytest.raises(AssertionError, match="pool_mode must be 'max' or 'avg', got 'sum'"):
        function(x, rois, 2, 1.0, 0, "sum")
    with pytest.raises(AssertionError, match="RoI must be"):
        function(x, rois[:, :4], 2)
    with pytest.raises(ValueError, match=r"input must be \[N,C,H,W\], got shape"):
        function(x[0], rois, 2)
    with pytest.raises(BadParamError, match=r"^mluOpSetRoiAlignForwardDescriptor_v2: pooled_width"):
        function(x, rois, (2, -1))
    rois[3, 0] = 2
    with pytest.raises(BadParamError, match=r"^mluOpRoiAlignForward_v2: boxes"):
        function(x, rois, 2)


def test_inverted_boxes_are_legal() -> None:
    """mmcv's CPU code raises for them, its CUDA code does not."""
    x = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    rois = torch.tensor([[0.0, 2, 2, 0, 0]])
    assert roi_align(x, rois, 1, sampling_ratio=2).item() == 2.5
    assert roi_align(x, rois, 1).item() == 0
