"""mmcv's Functions and the functions of `mmcv._ext` against ours: the same bytes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import mluops_cpu.mmcv
from mluops_cpu import ops
from mluops_cpu.ops import sparse_ops

pytest.importorskip("mmcv", reason="mmcv-lite is not installed (it needs torch 2)")

NAN = float("nan")


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    mluops_cpu.mmcv.install()
    yield
    mluops_cpu.mmcv.uninstall()


@pytest.fixture
def ext() -> Any:
    return sys.modules["mmcv._ext"]


def same(left: Any, right: Any) -> bool:
    return left.dtype == right.dtype and torch.equal(left, right)


@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
def test_carafe_is_overwritten_at_its_strides(ext: Any, layout: torch.memory_format) -> None:
    x, masks = torch.randn(2, 4, 3, 5), torch.randn(2, 18, 6, 10)
    x = x.contiguous(memory_format=layout)
    expected = ops.carafe(x, masks, 3, 2, 2)
    output = torch.full((2, 4, 6, 10), NAN).contiguous(memory_format=layout)
    strides, pointer = output.stride(), output.data_ptr()
    rfeatures, other = torch.full((2, 4, 3, 5), NAN), torch.full((1,), NAN)
    arguments = dict(kernel_size=3, group_size=2, scale_factor=2)
    assert ext.carafe_forward(x, masks, rfeatures, other, other, output, **arguments) is None
    assert same(output, expected)
    assert (output.stride(), output.data_ptr()) == (strides, pointer)
    assert same(rfeatures, x.permute(0, 2, 3, 1).contiguous())
    assert other.isnan().all()

    grad = torch.randn_like(expected)
    leaf, mask_leaf = x.clone().requires_grad_(), masks.clone().requires_grad_()
    ops.carafe(leaf, mask_leaf, 3, 2, 2).backward(grad)
    bottom, of_masks = torch.full_like(x, NAN), torch.full_like(masks, NAN)
    scratch = (other,) * 4
    ext.carafe_backward(grad, rfeatures, masks, *scratch, bottom, of_masks, **arguments)
    assert same(bottom, leaf.grad)
    assert same(of_masks, mask_leaf.grad)
    ext.carafe_naive_forward(x, masks, output.fill_(NAN), **arguments)
    assert same(output, expected)
    ext.carafe_naive_backward(grad, x, masks, bottom.fill_(NAN), of_masks.fill_(NAN), **arguments)
    assert same(bottom, leaf.grad)
    assert same(of_masks, mask_leaf.grad)


def test_wrong_outputs_are_refused(ext: Any) -> None:
    x, masks = torch.randn(1, 1, 2, 2), torch.randn(1, 1, 4, 4)
    message = r"^output must be torch.float32 of shape \(1, 1, 4, 4\), got torch.float32 of shape"
    with pytest.raises(ValueError, match=message):
        ext.carafe_naive_forward(x, masks, torch.zeros(1, 1, 4, 5), 1, 1, 2)
    with pytest.raises(ValueError, match=r"got torch\.float64"):
        ext.carafe_naive_forward(x, masks, torch.zeros(1, 1, 4, 4, dtype=torch.float64), 1, 1, 2)
    inputs = torch.zeros(2, 7), torch.zeros(3, 3), torch.zeros(3, 4)
    voxels, listed = torch.zeros(2, 1, 1, 1, 4), torch.zeros(2, 1, 1, 1, 8, dtype=torch.int32)
    with pytest.raises(ValueError, match=r"^argmax must be torch\.int32"):
        ext.roiaware_pool3d_forward(*inputs, voxels.long(), listed, voxels, 0)
    with pytest.raises(ValueError, match=r"^pooled_features must have 5 dims, got shape \(2, 4\)"):
        ext.roiaware_pool3d_forward(*inputs, voxels.int(), listed, torch.zeros(2, 4), 0)


@pytest.mark.parametrize("boxes_shape", [(2, 3, 4, 5), (24, 5)])
def test_align(ext: Any, boxes_shape: tuple[int, ...]) -> None:
    x, boxes = torch.randn(2, 6, 3, 4), torch.rand(boxes_shape) * 20
    leaf = x.clone().requires_grad_()
    expected = ops.rotated_feature_align(leaf, boxes, 0.25, 5)
    grad = torch.randn_like(x)
    expected.backward(grad)
    output, bottom = torch.full_like(x, NAN), torch.full_like(x, NAN)
    ext.rotated_feature_align_forward(x, boxes, output, spatial_scale=0.25, points=5)
    ext.rotated_feature_align_backward(grad, boxes, bottom, spatial_scale=0.25, points=5)
    assert same(output, expected.detach())
    assert same(bottom, leaf.grad)


@pytest.mark.parametrize("mode", [0, 1])
def test_roiaware(ext: Any, mode: int) -> None:
    rois = torch.tensor([[0, 0, 0, 4, 3, 2, 0.3], [1, 0, 0, 2, 2, 2, 0]])
    points, features = torch.rand(50, 3) * 3 - 1, torch.randn(50, 5)
    leaf = features.clone().requires_grad_()
    expected = ops.RoIAwarePool3d((2, 3, 1), 8, ("max", "avg")[mode])(rois, points, leaf)
    grad = torch.randn_like(expected)
    expected.backward(grad)
    pooled = torch.full(expected.shape, NAN)
    argmax = torch.full(expected.shape, 7, dtype=torch.int32)
    listed = torch.full((2, 2, 3, 1, 8), 7, dtype=torch.int32)
    ext.roiaware_pool3d_forward(rois, points, features, argmax, listed, pooled, pool_method=mode)
    assert same(pooled, expected.detach())
    grad_in = torch.full((50, 5), NAN)
    ext.roiaware_pool3d_backward(listed, argmax, grad, grad_in, pool_method=mode)
    assert same(grad_in, leaf.grad)


@pytest.mark.parametrize("ndim", [2, 3, 4])
def test_pairs(ext: Any, ndim: int) -> None:
    cells = torch.unique(torch.randint(0, 5, (40, ndim)), dim=0).int()
    indices = torch.nn.functional.pad(cells, (1, 0))
    one, two, none = [1] * ndim, [2] * ndim, [0] * ndim
    function = getattr(ext, f"get_indice_pairs_{ndim}d_forward")
    found = function(indices, 1, [2] * ndim, [5] * ndim, two, two, none, one, none, 0, 0)
    assert isinstance(found, list)
    expected = sparse_ops.get_indice_pairs(indices, 1, [5] * ndim, 2, 2)
    assert all(same(left, right) for left, right in zip(found, expected))
    three = [3] * ndim
    found = function(indices, 1, [5] * ndim, [5] * ndim, three, one, none, one, none, 1, 0)
    assert found[0] is indices
    if ndim < 4:
        again = getattr(ext, f"get_indice_pairs_{ndim}d_backward")(
            indices, torch.zeros(1), 1, [5] * ndim, [5] * ndim, three, one, none, one, none, 1, 0
        )
        assert all(same(left, right) for left, right in zip(found, again))


def test_convolution_and_pooling(ext: Any) -> None:
    cells = torch.unique(torch.randint(0, 5, (40, 3)), dim=0).int()
    indices = torch.nn.functional.pad(cells, (1, 0))
    outids, pairs, num = sparse_ops.get_indice_pairs(indices, 1, [5, 5, 5], 2, 2)
    x, weight, bias = torch.randn(len(cells), 3), torch.randn(2, 2, 2, 3, 4), torch.randn(4)
    rows = len(outids)
    expected = sparse_ops.indice_conv(x, weight, pairs, num, rows)
    assert same(ext.indice_conv_forward(x, weight, pairs, num, rows, 0, 0), expected)
    fused = ext.fused_indice_conv_forward(x, weight, bias, pairs, num, rows, 0, 0)
    assert same(fused, expected + bias)
    grad = torch.randn_like(expected)
    found = ext.indice_conv_backward(x, weight, grad, pairs, num, 0, 0)
    assert isinstance(found, list)
    wanted = sparse_ops.indice_conv_backward(x, weight, grad, pairs, num)
    assert all(same(left, right) for left, right in zip(found, wanted))
    pooled = ext.indice_maxpool_forward(x, pairs, num, rows)
    assert same(pooled, sparse_ops.indice_maxpool(x, pairs, num, rows))
    grad = torch.randn_like(pooled)
    assert same(
        ext.indice_maxpool_backward(x, pooled, grad, pairs, num),
        sparse_ops.indice_maxpool_backward(x, pooled, grad, pairs, num),
    )


def test_functions_differentiate_twice() -> None:
    """mmcv's return first gradients without a graph; CARAFENaive's even asserts CUDA."""
    from mmcv.ops import carafe_naive
    from mmcv.ops.roiaware_pool3d import RoIAwarePool3dFunction

    x = torch.randn(1, 2, 2, 2, dtype=torch.float64, requires_grad=True)
    masks = torch.randn(1, 9, 4, 4, dtype=torch.float64, requires_grad=True)

    def carafe(x: torch.Tensor, masks: torch.Tensor) -> Any:
        return carafe_naive(x, masks, 3, 1, 2)

    torch.autograd.gradcheck(carafe, (x, masks))
    torch.autograd.gradgradcheck(carafe, (x, masks))
    boxes = torch.rand(1, 2, 2, 5, dtype=torch.float64)
    align = sys.modules["mmcv.ops.rotated_feature_align"].rotated_feature_align
    torch.autograd.gradgradcheck(lambda x: align(x, boxes, 1.0, 5), (x,))
    rois = torch.tensor([[0.0, 0.0, 0.0, 4.0, 4.0, 4.0, 0.0]], dtype=torch.float64)
    points = torch.rand(6, 3, dtype=torch.float64)
    features = torch.randn(6, 2, dtype=torch.float64, requires_grad=True)
    torch.autograd.gradgradcheck(
        lambda f: RoIAwarePool3dFunction.apply(rois, points, f, 2, 8, 1), (features,)
    )


def test_sparse_functions() -> None:
    from mmcv.ops.sparse_functional import indice_conv, indice_inverse_conv, indice_maxpool

    cells = torch.unique(torch.randint(0, 5, (20, 2)), dim=0).int()
    indices = torch.nn.functional.pad(cells, (1, 0))
    outids, pairs, num = sparse_ops.get_indice_pairs(indices, 1, [5, 5], 2, 2)
    x = torch.randn(len(cells), 2, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(2, 2, 2, 3, dtype=torch.float64, requires_grad=True)
    back = torch.randn(2, 2, 3, 2, dtype=torch.float64, requires_grad=True)

    def there_and_back(x: torch.Tensor, weight: torch.Tensor, back: torch.Tensor) -> Any:
        y = indice_conv(x, weight, pairs, num, len(outids))
        return indice_inverse_conv(y, back, pairs, num, len(indices))

    torch.autograd.gradcheck(there_and_back, (x, weight, back))
    torch.autograd.gradgradcheck(there_and_back, (x, weight, back))
    torch.autograd.gradcheck(lambda x: indice_maxpool(x, pairs, num, len(outids)), (x,))


def test_scatter_nd_takes_the_last_row() -> None:
    scatter_nd = sys.modules["mmcv.ops.sparse_structure"].scatter_nd
    result = scatter_nd(torch.tensor([[0], [0]]), torch.tensor([[1.0], [2.0]]), [2, 1])
    assert result.tolist() == [[2.0], [0.0]]


def test_align_takes_float32_boxes_beside_half_features() -> None:
    """Functions cast nothing; mmcv's function goes through ours, which computes in float32."""
    align = sys.modules["mmcv.ops.rotated_feature_align"].rotated_feature_align
    x, boxes = torch.randn(1, 4, 3, 3, dtype=torch.float16), torch.rand(1, 3, 3, 5) * 20
    leaf = x.clone().requires_grad_()
    result = align(leaf, boxes, 0.25, 5)
    assert same(result, ops.rotated_feature_align(x.float(), boxes, 0.25, 5).half())
    result.sum().backward()
    assert leaf.grad is not None
    assert leaf.grad.dtype == torch.float16
