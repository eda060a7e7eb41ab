"""Overlaps of boxes and non-maximum suppression of the torch front."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from torch import Tensor
from torch_problems import DTYPES, assert_near, assert_same_bytes, distinct, turned_boxes

from mluops_cpu import BadParamError
from mluops_cpu.ops import (
    batched_nms,
    box_iou_rotated,
    boxes_iou3d,
    boxes_overlap_bev,
    nms,
    nms3d,
    nms3d_normal,
    nms_rotated,
)
from references.arrays import overlap as reference

every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=str)


def array(tensor: Tensor) -> Any:
    return numpy.array(tensor.detach().double().tolist()).reshape(tensor.shape)


def upright_boxes(rows: int) -> tuple[Tensor, Tensor]:
    """Boxes [N,4] with coordinates exact in bfloat16, and distinct scores."""
    generator = torch.Generator().manual_seed(rows)
    low = torch.randint(0, 48, (rows, 2), generator=generator).double() / 2
    size = torch.randint(2, 20, (rows, 2), generator=generator).double() / 2
    return torch.cat([low, low + size], 1), distinct(rows, 1)[:, 0] / 4


def solid_boxes(rows: int) -> Tensor:
    return turned_boxes(rows)[:, [0, 1, 2, 2, 3, 3, 4]]


@every_dtype
@pytest.mark.parametrize("mode", ["iou", "iof"])
@pytest.mark.parametrize("aligned", [False, True])
def test_box_iou_rotated(dtype: torch.dtype, mode: str, aligned: bool) -> None:
    first, second = (turned_boxes(12, seed).to(dtype).requires_grad_() for seed in (0, 1))
    table = reference.rotated(array(first), array(second), mode, aligned)
    want = torch.tensor(table.tolist(), dtype=torch.float64)
    got = box_iou_rotated(first, second, mode, aligned)
    assert not got.requires_grad
    if dtype == torch.float64:  # the hull tolerates 1e-8
        torch.testing.assert_close(got, want, rtol=1e-9, atol=1e-9)
    else:
        assert_near(got, want, dtype)
    turned = [
        boxes.detach() * torch.tensor([1, 1, 1, 1, -1]).to(dtype) for boxes in (first, second)
    ]
    assert_same_bytes(box_iou_rotated(*turned, mode, aligned, clockwise=False), got)


def test_box_iou_rotated_errors() -> None:
    boxes = turned_boxes(3)
    with pytest.raises(AssertionError, match="mode must be 'iou' or 'iof', got 'giou'"):
        box_iou_rotated(boxes, boxes, "giou")
    with pytest.raises(BadParamError, match=r"^mluOpBoxIouRotated: bbox1 dim 1"):
        box_iou_rotated(boxes[:, :4], boxes)
    with pytest.raises(BadParamError, match=r"^mluOpBoxIouRotated: "):
        box_iou_rotated(boxes, boxes[:2], aligned=True)
    with pytest.raises(BadParamError, match=r"^mluOpBoxIouRotated: "):
        box_iou_rotated(boxes, boxes.float())


@every_dtype
@pytest.mark.parametrize("offset", [0, 1])
def test_nms(dtype: torch.dtype, offset: int) -> None:
    boxes, scores = (each.to(dtype) for each in upright_boxes(60))
    real = numpy.float64 if dtype == torch.float64 else numpy.float32
    overlap = reference.upright(array(boxes), offset, real)
    order = reference.falling(scores.double().tolist())
    want = reference.suppress(overlap, order, real(0.4375))
    dets, kept = nms(boxes, scores, 0.4375, offset)
    assert kept.dtype == torch.int64
    assert kept.tolist() == want
    assert 5 < len(want) < 60
    assert_same_bytes(dets, torch.cat([boxes[kept], scores[kept, None]], 1))


def test_nms_arguments() -> None:
    boxes, scores = upright_boxes(40)
    kept = nms(boxes, scores, 0.4)[1]
    above = scores > 0.05
    chosen = nms(boxes, scores, 0.4, score_threshold=0.05, max_num=3)[1]
    expected = above.nonzero()[:, 0][nms(boxes[above], scores[above], 0.4)[1]][:3]
    assert chosen.tolist() == expected.tolist()
    with pytest.warns(DeprecationWarning, match="iou_threshold"):
        assert torch.equal(nms(boxes, scores, iou_thr=0.4)[1], kept)
    wide = torch.zeros(40, 6, dtype=torch.float64)
    wide[:, 1:5] = boxes
    assert torch.equal(nms(wide[:, 1:5], scores, 0.4)[1], kept), "a strided slice"
    mixed = nms(boxes.float(), scores, 0.4)
    assert mixed[0].dtype == torch.float64, "mmcv sorts scores of any dtype"
    assert torch.equal(mixed[1], kept)
    boxes.requires_grad_()
    nms(boxes, scores, 0.4)[0].sum().backward()
    assert boxes.grad is not None
    assert sorted(boxes.grad[:, 0].nonzero()[:, 0].tolist()) == sorted(kept.tolist())
    empty, none = nms(torch.zeros(0, 4), torch.zeros(0), 0.5)
    assert (empty.shape, none.shape, none.dtype) == ((0, 5), (0,), torch.int64)


def test_nms_of_arrays() -> None:
    """In and out, as in mmcv; read-only arrays too."""
    boxes, scores = upright_boxes(40)
    dets, kept = nms(boxes.float(), scores.float(), 0.4)
    given = [numpy.array(each.tolist(), numpy.float32) for each in (boxes, scores)]
    given[0].flags.writeable = False
    rows, places = nms(*given, iou_threshold=0.4)
    assert isinstance(rows, numpy.ndarray)
    assert (rows.dtype, places.dtype) == (numpy.float32, numpy.int64)
    assert places.tolist() == kept.tolist()
    assert rows.tolist() == dets.tolist()


def test_nms_asserts() -> None:
    boxes, scores = upright_boxes(5)
    for bad in (
        lambda: nms(boxes[:, :3], scores, 0.5),
        lambda: nms(boxes, scores[:4], 0.5),
        lambda: nms(boxes, scores, 0.5, offset=2),
        lambda: nms(boxes.tolist(), scores, 0.5),
        lambda: nms(numpy.ones((5, 4)), scores.tolist(), 0.5),
    ):
        with pytest.raises(AssertionError):
            bad()


@every_dtype
def test_nms_rotated(dtype: torch.dtype) -> None:
    boxes, scores = turned_boxes(30).to(dtype), distinct(30, 1)[:, 0].to(dtype)
    overlap = reference.rotated(array(boxes), array(boxes))
    threshold = reference.gap(overlap, 0.3)
    want = reference.suppress(overlap, reference.falling(scores.double().tolist()), threshold)
    dets, kept = nms_rotated(boxes, scores, threshold)
    assert kept is not None
    assert (kept.dtype, kept.tolist()) == (torch.int64, want)
    assert_same_bytes(dets, torch.cat([boxes[kept], scores[kept, None]], 1))
    flipped = boxes * torch.tensor([1, 1, 1, 1, -1]).to(dtype)
    same = nms_rotated(flipped, scores, threshold, clockwise=False)
    assert torch.equal(same[1], kept)
    assert_same_bytes(same[0][:, :4], dets[:, :4])
    labels = torch.arange(30) % 2
    assert torch.equal(nms_rotated(boxes, scores, threshold, labels)[1], kept)
    labelled = torch.cat([boxes, labels[:, None].to(dtype)], 1)
    assert torch.equal(nms_rotated(labelled, scores, threshold)[1], kept)


def test_nms_rotated_of_mmcv_and_of_nothing() -> None:
    rows = [[6.0, 3, 8, 7, 0.5], [3, 6, 9, 11, 0.6], [3, 7, 10, 12, 0.3], [1, 4, 13, 7, 0.6]]
    dets, kept = nms_rotated(torch.tensor(rows), torch.tensor([0.7, 0.8, 0.5, 0.9]), 0.5)
    assert kept.tolist() == [3, 1, 0]
    assert torch.equal(dets[:, :5], torch.tensor(rows)[kept])
    empty = torch.zeros(0, 5)
    assert nms_rotated(empty, torch.zeros(0), 0.5) == (empty, None)


def by_class(boxes: Tensor, scores: Tensor, classes: Tensor, function: Any) -> list[int]:
    """What each class alone keeps, by falling score."""
    kept: list[int] = []
    for number in classes.unique():
        mine = (classes == number).nonzero()[:, 0]
        kept += mine[function(boxes[mine], scores[mine])].tolist()
    return sorted(kept, key=lambda place: -scores[place].item())


@pytest.mark.parametrize("split", [10000, 20])
@pytest.mark.parametrize("kind", ["nms", "nms_rotated"])
def test_batched_nms(kind: str, split: int) -> None:
    boxes, scores = upright_boxes(60)
    if kind == "nms_rotated":
        boxes = turned_boxes(60)
    function = nms if kind == "nms" else nms_rotated
    classes = torch.arange(60) % 3
    config = dict(type=kind, iou_threshold=0.3, split_thr=split)
    dets, kept = batched_nms(boxes, scores, classes, config)
    want = by_class(boxes, scores, classes, lambda b, s: function(b, s, 0.3)[1])
    assert kept.tolist() == want
    assert_same_bytes(dets, torch.cat([boxes[kept], scores[kept, None]], 1))
    assert config == dict(type=kind, iou_threshold=0.3, split_thr=split)
    alone = batched_nms(boxes, scores, classes, config, class_agnostic=True)[1]
    if split == 10000:
        assert alone.tolist() == function(boxes, scores, 0.3)[1].tolist()
    if kind == "nms":
        most = batched_nms(boxes, scores, classes, {**config, "max_num": 4})
        assert most[1].tolist() == want[:4]


def test_batched_nms_arguments() -> None:
    boxes, scores = upright_boxes(30)
    classes = torch.arange(30) % 2
    dets, places = batched_nms(boxes, scores, classes, None)
    assert places.tolist() == scores.argsort(descending=True).tolist()
    assert_same_bytes(dets, torch.cat([boxes[places], scores[places, None]], 1))
    config = dict(iou_threshold=0.3, class_agnostic=True)
    alone = batched_nms(boxes, scores, classes, config)[1]
    assert alone.tolist() == nms(boxes, scores, 0.3)[1].tolist()
    given = batched_nms(boxes, scores, classes, dict(type=nms, iou_threshold=0.3))[1]
    named = batched_nms(boxes, scores, classes, dict(type="nms", iou_threshold=0.3))[1]
    assert torch.equal(given, named)
    for columns in (4, 5):
        empty = torch.zeros(0, columns)
        dets, none = batched_nms(empty, torch.zeros(0), torch.zeros(0).long(), config)
        assert (dets.shape, none.dtype) == ((0, columns + 1), torch.int64)
    message = r"^soft_nms of mmcv is not implemented by mluops_cpu: nms and nms_rotated are$"
    with pytest.raises(NotImplementedError, match=message):
        batched_nms(boxes, scores, classes, dict(type="soft_nms", iou_threshold=0.3))


def test_boxes_overlap_bev_and_iou3d() -> None:
    boxes = torch.tensor([[1.0, 1, 1, 2, 2, 2, 0], [2, 2, 2, 2, 2, 2, 0], [3, 3, 3, 3, 2, 2, 0]])
    others = boxes[:1].repeat(3, 1)
    others[1:, 6] = torch.tensor([torch.pi / 2, torch.pi / 4])
    octagon = (8 + 8 * 2**0.5) / (3 + 2 * 2**0.5)
    want = torch.tensor([[4, 4, octagon], [1, 1, 1], [0, 0, 0]])
    torch.testing.assert_close(boxes_overlap_bev(boxes, others), want, rtol=0, atol=1e-3)
    volumes = torch.tensor([[1, 1, 0.5**0.5], [1 / 15] * 3, [0, 0, 0]])
    torch.testing.assert_close(boxes_iou3d(boxes, others), volumes, rtol=0, atol=1e-3)
    assert boxes_iou3d(boxes, others[:0]).shape == (3, 0)
    with pytest.raises(AssertionError, match=r"\(N, 7\)"):
        boxes_iou3d(boxes[:, :5], others)


@every_dtype
@pytest.mark.parametrize("function", [nms3d, nms3d_normal])
def test_nms3d(dtype: torch.dtype, function: Any) -> None:
    boxes, scores = solid_boxes(25).to(dtype), distinct(25, 1)[:, 0].to(dtype)
    flat = reference.from_above(array(boxes), function is nms3d)
    overlap = reference.rotated(flat, flat)
    threshold = reference.gap(overlap, 0.3)
    want = reference.suppress(overlap, reference.falling(scores.double().tolist()), threshold)
    got = function(boxes, scores, threshold)
    assert (got.dtype, got.tolist()) == (torch.int64, want)
    none = function(boxes[:0], scores[:0], 0.3)
    assert (none.shape, none.dtype) == ((0,), torch.int64)
    with pytest.raises(AssertionError, match=r"\(N, 7\)"):
        function(boxes[:, :6], scores, 0.3)
