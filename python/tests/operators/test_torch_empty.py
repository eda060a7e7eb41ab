"""No images, boxes, points, rows or pairs: shapes, zeros, and gradients that are not None."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch_problems import GRID, pairs

from mluops_cpu._torch import ops
from mluops_cpu._torch.autograd import Align, AvgPool, Carafe, Conv, MaxPool, RoIPool


def leaf(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def no_pairs(rows: int) -> tuple[Tensor, Tensor]:
    return torch.full((27, 2, rows), -1, dtype=torch.int32), torch.zeros(27, dtype=torch.int32)


def zero(*shape: int) -> Tensor:
    return torch.zeros(*shape, dtype=torch.float64)


FILTERS = (3, 3, 3, 2, 4)
ROIS = torch.tensor([[0, 0, 0, 2, 2, 2, 0.0]], dtype=torch.float64)

CASES: dict[str, tuple[Any, tuple[Tensor, ...], tuple[int, ...]]] = {
    "carafe without images": (
        lambda x, m: Carafe.apply(x, m, 3, 1, 2),
        (leaf(0, 2, 3, 4), leaf(0, 9, 6, 8)),
        (0, 2, 6, 8),
    ),
    "carafe without channels": (
        lambda x, m: Carafe.apply(x, m, 3, 1, 2),
        (leaf(1, 0, 3, 4), leaf(1, 9, 6, 8)),
        (1, 0, 6, 8),
    ),
    "align without images": (
        lambda x: Align.apply(x, zero(0, 3, 4, 5), 0.125, 5),
        (leaf(0, 2, 3, 4),),
        (0, 2, 3, 4),
    ),
    "align of an empty map": (
        lambda x: Align.apply(x, zero(1, 0, 4, 5), 0.125, 1),
        (leaf(1, 2, 0, 4),),
        (1, 2, 0, 4),
    ),
    "conv without rows": (
        lambda x, w: Conv.apply(x, w, *no_pairs(0), 0, False, False),
        (leaf(0, 2), leaf(*FILTERS)),
        (0, 4),
    ),
    "conv without output rows": (
        lambda x, w: Conv.apply(x, w, *no_pairs(5), 0, False, False),
        (leaf(5, 2), leaf(*FILTERS)),
        (0, 4),
    ),
    "conv without pairs": (
        lambda x, w: Conv.apply(x, w, *no_pairs(5), 3, False, False),
        (leaf(5, 2), leaf(*FILTERS)),
        (3, 4),
    ),
    "conv krsc without rows": (
        lambda x, w: Conv.apply(x, w, *no_pairs(0), 0, False, True),
        (leaf(0, 2), leaf(4, 3, 3, 3, 2)),
        (0, 4),
    ),
    "maxpool without rows": (
        lambda x: MaxPool.apply(x, *no_pairs(0), 0),
        (leaf(0, 2),),
        (0, 2),
    ),
    "maxpool without pairs": (
        lambda x: MaxPool.apply(x, *no_pairs(5), 3),
        (leaf(5, 2),),
        (3, 2),
    ),
    "avgpool without rows": (
        lambda x: AvgPool.apply(x, *no_pairs(0), 0),
        (leaf(0, 2),),
        (0, 2),
    ),
    "avgpool without pairs": (
        lambda x: AvgPool.apply(x, *no_pairs(5), 3),
        (leaf(5, 2),),
        (3, 2),
    ),
}
for mode, number in (("max", 0), ("avg", 1)):
    CASES[f"roiaware {mode} without rois"] = (
        lambda f, n=number: RoIPool.apply(zero(0, 7), zero(5, 3), f, (2, 1, 3), 4, n),
        (leaf(5, 2),),
        (0, 2, 1, 3, 2),
    )
    CASES[f"roiaware {mode} without points"] = (
        lambda f, n=number: RoIPool.apply(ROIS, zero(0, 3), f, (2, 1, 3), 4, n),
        (leaf(0, 2),),
        (1, 2, 1, 3, 2),
    )
    CASES[f"roiaware {mode} with empty voxels only"] = (
        lambda f, n=number: RoIPool.apply(ROIS, zero(5, 3) + 9, f, (2, 1, 3), 4, n),
        (leaf(5, 2),),
        (1, 2, 1, 3, 2),
    )


@pytest.mark.parametrize("name", CASES)
def test_forward_backward_double_backward(name: str) -> None:
    function, inputs, shape = CASES[name]
    out = function(*inputs)
    assert out.shape == shape
    assert out.grad_fn is not None
    assert not out.any()
    gradients = torch.autograd.grad(out.pow(2).sum(), inputs, create_graph=True)
    for x, grad in zip(inputs, gradients):
        assert grad is not None
        assert grad.shape == x.shape
        assert not grad.any()
    seconds = torch.autograd.grad(sum(g.pow(2).sum() for g in gradients), inputs)
    for x, grad in zip(inputs, seconds):
        assert grad.shape == x.shape
        assert not grad.any()


def test_roiaware_marks() -> None:
    """argmax is -1 for a maximum without points and 0 for an average; no points are listed."""
    for rois, pts in ((ROIS, zero(0, 3)), (ROIS, zero(5, 3) + 9)):
        feature = zero(pts.shape[0], 2)
        for mode, mark in ((0, -1), (1, 0)):
            pooled, argmax, pts_idx = ops.roiaware_pool3d(rois, pts, feature, (2, 1, 3), 4, mode)
            assert not pooled.any()
            assert bool((argmax == mark).all())
            assert not pts_idx.any()


@pytest.mark.parametrize(("points", "boxes"), [(0, 3), (4, 0), (0, 0)])
def test_points_in_boxes(points: int, boxes: int) -> None:
    p, b = torch.zeros(2, points, 3), torch.zeros(2, boxes, 7)
    part, flags = ops.points_in_boxes(p, b, False), ops.points_in_boxes(p, b, True)
    assert part.shape == (2, points)
    assert bool((part == -1).all())
    assert flags.shape == (2, points, boxes)
    assert part.dtype == flags.dtype == torch.int32


def test_voxels_and_boxes() -> None:
    none = torch.zeros(0, 5)
    shapes = [tuple(each.shape) for each in ops.voxelization(none, *GRID, 3, 9)]
    assert shapes == [(0, 3, 5), (0, 3), (0,)]
    assert ops.dynamic_voxelize(none, *GRID).shape == (0, 3)
    shapes = [tuple(each.shape) for each in ops.dynamic_scatter(none, none[:, :3].int(), 2)]
    assert shapes == [(0, 5), (0, 3), (0,), (0,)]
    boxes, solids = torch.ones(2, 5), torch.zeros(0, 7)
    assert ops.box_iou_rotated(boxes, none, 0, False).shape == (2, 0)
    assert ops.box_iou_rotated(none, boxes, 0, False).shape == (0, 2)
    assert ops.boxes_overlap_bev(solids, torch.ones(2, 7)).shape == (0, 2)
    kept = ops.nms_rotated(none, none[:, 0], 0.5), ops.nms(none[:, :4], none[:, 0], 0.5, 0)
    for each in (*kept, ops.nms3d(solids, 0.5, False)):
        assert (each.shape, each.dtype) == ((0,), torch.int64)


@pytest.mark.parametrize("kind", ["subm", "strided", "transposed", "2d"])
def test_pairs_of_no_rows(kind: str) -> None:
    p = pairs(kind, rows=0)
    assert p.pairs.shape == (3 ** len(p.kernel), 2, 0)
    assert p.outputs == 0
    assert not p.num.any()


def test_one_row() -> None:
    p = pairs("subm", rows=1)
    x, w = leaf(1, 2), leaf(*FILTERS)
    out = Conv.apply(x, w, p.pairs, p.num, 1, False, False)
    torch.testing.assert_close(out, x @ w[1, 1, 1], rtol=1e-12, atol=1e-12)
