"""What networks call of mmcv around sparse convolution: through install(), against our front."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import mluops_cpu.mmcv
from mluops_cpu import ops

pytest.importorskip("mmcv", reason="mmcv-lite is not installed (it needs torch 2)")

GRID = ([0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 2.0, 2.0, 2.0])


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    mluops_cpu.mmcv.install()
    yield
    mluops_cpu.mmcv.uninstall()


@pytest.fixture
def ext() -> Any:
    return sys.modules["mmcv._ext"]


@pytest.fixture
def mmcv_ops() -> Any:
    return importlib.import_module("mmcv.ops")


def same(left: Any, right: Any) -> bool:
    return left.dtype == right.dtype and torch.equal(left, right)


def cloud(rows: int = 80) -> torch.Tensor:
    return torch.rand(rows, 5) * 2.6 - 0.3


def turned(rows: int = 40) -> torch.Tensor:
    scale = torch.tensor([6, 6, 3, 3, 6.0])
    return torch.rand(rows, 5) * scale + torch.tensor([0, 0, 1, 1, -3.0])


@pytest.mark.parametrize("deterministic", [True, False])
@pytest.mark.parametrize("rows", [80, 0])
def test_voxelization(mmcv_ops: Any, rows: int, deterministic: bool) -> None:
    """N = 0, too, and the version that mmcv has no CPU code for."""
    points = cloud(rows)
    theirs = mmcv_ops.Voxelization(*GRID, 3, (10, 20), deterministic)
    ours = ops.Voxelization(*GRID, 3, (10, 20))
    for training in (True, False):
        found = theirs.train(training)(points)
        expected = ours.train(training)(points)
        assert all(same(left, right) for left, right in zip(found, expected))
    dynamic = mmcv_ops.Voxelization(*GRID, -1)
    assert same(dynamic(points), ops.voxelization(points, *GRID, -1))
    assert same(dynamic(points.double()), ops.voxelization(points.double(), *GRID, -1))


def test_voxels_of_points_with_strides(ext: Any) -> None:
    points = torch.rand(5, 30).t()
    assert not points.is_contiguous()
    grid = [torch.tensor(each) for each in GRID]
    outputs = torch.full((20, 3, 5), 9.0), torch.full((20, 3), 9).int(), torch.full((20,), 9).int()
    number = torch.zeros((), dtype=torch.long)
    ext.hard_voxelize_forward(
        points,
        *grid,
        *outputs,
        number,
        max_points=3,
        max_voxels=20,
        NDim=3,
        deterministic=True,
    )
    expected = ops.voxelization(points, *GRID, 3, 20)
    for out, value in zip(outputs, expected):
        assert same(out[:number], value)
        assert not out[number:].any()
    with pytest.raises(ValueError, match=r"^voxels must be torch\.float32 of shape \(20, 3, 5\)"):
        ext.hard_voxelize_forward(points, *grid, outputs[0][1:], *outputs[1:], number, 3, 20, 3, 1)
    with pytest.raises(ValueError, match=r"^NDim must be 3, got 2$"):
        ext.dynamic_voxelize_forward(points, *grid, torch.zeros(30, 3).int(), NDim=2)


@pytest.mark.parametrize("reduce", ["max", "mean", "sum"])
def test_dynamic_scatter(mmcv_ops: Any, reduce: str) -> None:
    feats = torch.randn(60, 4, dtype=torch.float64, requires_grad=True)
    coors = torch.randint(-1, 3, (60, 3), dtype=torch.int32)
    expected = ops.dynamic_scatter(feats, coors, reduce)
    found = mmcv_ops.dynamic_scatter(feats, coors, reduce)
    assert all(same(left, right) for left, right in zip(found, expected))
    grad = torch.randn_like(expected[0])
    theirs = torch.autograd.grad(found[0], feats, grad)[0]
    assert same(theirs, torch.autograd.grad(expected[0], feats, grad)[0])
    torch.autograd.gradgradcheck(lambda x: mmcv_ops.dynamic_scatter(x, coors, reduce)[0], (feats,))


@pytest.mark.parametrize("average", [True, False])
def test_dynamic_scatter_layer(mmcv_ops: Any, average: bool) -> None:
    """mmcv splits a batch in Python; the second item has no points."""
    coors = torch.randint(-1, 3, (60, 4), dtype=torch.int32)
    coors[:, 0] = torch.arange(60) // 30 * 2
    feats = torch.randn(60, 4)
    found = mmcv_ops.DynamicScatter(*GRID, average)(feats, coors)
    expected = ops.DynamicScatter(*GRID, average)(feats, coors)
    assert all(same(left, right) for left, right in zip(found, expected))


class _Scatter3D(torch.autograd.Function):
    """As mmdet3d, which binds `_ext` in a copy of its own and hands on the map."""

    @staticmethod
    def forward(ctx: Any, feats: Any, coors: Any, reduce: str, return_map: bool) -> Any:
        ext = sys.modules["mmcv._ext"]
        voxels, sites, table, counts = ext.dynamic_point_to_voxel_forward(feats, coors, reduce)
        ctx.save_for_backward(feats, voxels, table, counts)
        ctx.reduce = reduce
        ctx.mark_non_differentiable(sites)
        return (voxels, sites, table) if return_map else (voxels, sites)

    @staticmethod
    def backward(ctx: Any, grad: Any, *_: Any) -> Any:
        feats = ctx.saved_tensors[0]
        result = torch.zeros_like(feats)
        sys.modules["mmcv._ext"].dynamic_point_to_voxel_backward(
            result, grad.contiguous(), *ctx.saved_tensors, ctx.reduce
        )
        return result, None, None, None


@pytest.mark.parametrize("reduce", ["max", "mean", "sum"])
def test_dynamic_scatter_of_mmdet3d(reduce: str) -> None:
    feats = torch.randn(60, 4, dtype=torch.float64, requires_grad=True)
    coors = torch.randint(-1, 3, (60, 3), dtype=torch.int32)
    voxels, sites, table = _Scatter3D.apply(feats, coors, reduce, True)
    expected = ops.dynamic_scatter(feats, coors, reduce)
    assert same(voxels, expected[0])
    assert same(sites, expected[1])
    inside = (coors >= 0).all(1)
    assert same(sites[table[inside].long()], coors[inside])
    assert bool((table[~inside] == -1).all())
    torch.autograd.gradcheck(lambda x: _Scatter3D.apply(x, coors, reduce, False)[0], (feats,))


def test_dynamic_scatter_of_nothing(ext: Any) -> None:
    """Copies of the inputs and two empty int32 tensors, as in mmcv."""
    feats, coors = torch.zeros(0, 4), torch.zeros(0, 3, dtype=torch.int32)
    found = ext.dynamic_point_to_voxel_forward(feats, coors, "max")
    assert isinstance(found, list)
    assert [(tuple(each.shape), each.dtype) for each in found] == [
        ((0, 4), torch.float32),
        ((0, 3), torch.int32),
        ((0,), torch.int32),
        ((0,), torch.int32),
    ]


@pytest.mark.parametrize("mode", ["iou", "iof"])
@pytest.mark.parametrize("aligned", [False, True])
@pytest.mark.parametrize("clockwise", [False, True])
def test_box_iou_rotated(mmcv_ops: Any, mode: str, aligned: bool, clockwise: bool) -> None:
    first, second = turned(20), turned(20)
    found = mmcv_ops.box_iou_rotated(first, second, mode, aligned, clockwise)
    assert same(found, ops.box_iou_rotated(first, second, mode, aligned, clockwise))
    assert found.any()
    if not aligned:
        assert mmcv_ops.box_iou_rotated(first[:0], second).shape == (0, 20)


@pytest.mark.parametrize("clockwise", [False, True])
@pytest.mark.parametrize("labels", [None, torch.arange(40) % 3])
def test_nms_rotated(mmcv_ops: Any, labels: Any, clockwise: bool) -> None:
    boxes, scores = turned(), torch.rand(40)
    found = mmcv_ops.nms_rotated(boxes, scores, 0.3, labels, clockwise)
    expected = ops.nms_rotated(boxes, scores, 0.3, labels, clockwise)
    assert all(same(left, right) for left, right in zip(found, expected))
    assert 1 < len(found[1]) < 40
    assert mmcv_ops.nms_rotated(boxes[:0], scores[:0], 0.3)[1] is None


@pytest.mark.parametrize("kind", ["nms", "nms_rotated"])
@pytest.mark.parametrize("split", [10, 10000])
def test_batched_nms(mmcv_ops: Any, kind: str, split: int) -> None:
    boxes, scores, classes = turned(), torch.rand(40), torch.arange(40) % 3
    if kind == "nms":
        boxes = torch.cat([boxes[:, :2], boxes[:, :2] + boxes[:, 2:4]], 1)
    config = dict(type=kind, iou_threshold=0.3, split_thr=split)
    found = mmcv_ops.batched_nms(boxes, scores, classes, config)
    expected = ops.batched_nms(boxes, scores, classes, config)
    assert all(same(left, right) for left, right in zip(found, expected))
    with pytest.raises(NotImplementedError, match=r"^softnms of mmcv is not implemented"):
        mmcv_ops.batched_nms(boxes[:, :4], scores, classes, dict(type="soft_nms"))


def test_nms(mmcv_ops: Any) -> None:
    boxes, scores = turned(), torch.rand(40)
    wide = torch.cat([boxes[:, :2], boxes[:, :2] + boxes[:, 2:4], scores[:, None]], 1)
    found = mmcv_ops.nms(wide[:, :-1], scores, 0.3, 0, 0.2, 7)
    expected = ops.nms(wide[:, :-1], scores, 0.3, 0, 0.2, 7)
    assert all(same(left, right) for left, right in zip(found, expected))
    arrays = mmcv_ops.nms(wide[:, :-1].numpy(), scores.numpy(), iou_threshold=0.3)
    assert arrays[1].tolist() == ops.nms(wide[:, :-1], scores, 0.3)[1].tolist()
    with pytest.warns(DeprecationWarning, match="nms_normal_bev"):
        bev = mmcv_ops.nms_normal_bev(wide, scores, 0.3)
    assert same(bev, ops.nms(wide[:, :-1], scores, 0.3)[1])


def test_three_dimensions(mmcv_ops: Any) -> None:
    boxes, scores = turned()[:, [0, 1, 2, 2, 3, 3, 4]].contiguous(), torch.rand(40)
    for name in ("nms3d", "nms3d_normal"):
        found = getattr(mmcv_ops, name)(boxes, scores, 0.3)
        assert same(found, getattr(ops, name)(boxes, scores, 0.3))
        assert 1 < len(found) < 40
        assert len(getattr(mmcv_ops, name)(boxes[:0], scores[:0], 0.3)) == 0
    for name in ("boxes_overlap_bev", "boxes_iou3d"):
        found = getattr(mmcv_ops, name)(boxes, boxes[:9])
        assert same(found, getattr(ops, name)(boxes, boxes[:9]))


def rois() -> torch.Tensor:
    low = torch.rand(12, 2) * 20
    size = torch.rand(12, 2) * 20
    return torch.cat([torch.arange(12)[:, None] % 2, low, low + size], 1)


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
def test_roi_align(mmcv_ops: Any, ext: Any, mode: str, layout: torch.memory_format) -> None:
    """The layer, whose Function is replaced, and the functions of `_ext` at any strides."""
    x = torch.randn(2, 5, 8, 9).contiguous(memory_format=layout).requires_grad_()
    boxes = rois()
    layer = mmcv_ops.RoIAlign((3, 2), 0.25, 2, mode, aligned=False)
    expected = ops.roi_align(x, boxes, (3, 2), 0.25, 2, mode, False)
    found = layer(x, boxes)
    assert same(found, expected)
    assert found.is_contiguous(memory_format=layout)
    grad = torch.randn(found.shape)
    (back,) = torch.autograd.grad(found, x, grad)
    assert same(back, torch.autograd.grad(expected, x, grad)[0])
    assert back.is_contiguous(memory_format=layout)

    names = dict(aligned_height=3, aligned_width=2, spatial_scale=0.25, sampling_ratio=2)
    names.update(pool_mode=0 if mode == "max" else 1, aligned=False)
    output = torch.full(found.shape, 7.0)
    most = [torch.full(found.shape, 7.0) if mode == "max" else torch.zeros(0) for _ in range(2)]
    ext.roi_align_forward(x, boxes, output, *most, **names)
    assert same(output, expected)
    grad_input = torch.full_like(x, 7.0)
    ext.roi_align_backward(grad, boxes, *most, grad_input, **names)
    assert same(grad_input, back)
    sliced = torch.cat([boxes, boxes], 1)[:, 5:]
    ext.roi_align_forward(x, sliced, output.fill_(0), *most, **names)
    assert same(output, expected)


@pytest.mark.parametrize("mode", ["avg", "max"])
def test_roi_align_of_other_dtypes_and_orders(mmcv_ops: Any, mode: str) -> None:
    x, boxes = torch.randn(2, 5, 8, 9), rois()
    half = mmcv_ops.roi_align(x.half(), boxes, (2, 2), 0.25, 0, mode)
    assert same(half, ops.roi_align(x.half(), boxes, (2, 2), 0.25, 0, mode))
    double = (torch.randperm(180).double() / 16).reshape(2, 2, 5, 9).requires_grad_()
    places = boxes.double()

    def function(x: torch.Tensor) -> Any:
        return mmcv_ops.roi_align(x, places, 2, 0.25, 2, mode)

    torch.autograd.gradcheck(function, (double,))
    torch.autograd.gradgradcheck(function, (double,))
    assert mmcv_ops.roi_align(x, boxes[:0], 2).shape == (0, 5, 2, 2)
