"""The numpy front, the torch operators and the functions for mmcv give the same bytes."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from torch import Tensor
from torch_problems import DTYPES, GRID, cloud, distinct, pairs, rois_of, turned_boxes

import mluops_cpu
import mluops_cpu.numpy as front
from mluops_cpu._torch import ops
from mluops_cpu.mmcv._ext import FUNCTIONS
from references import align, carafe, roiaware

Results = dict[str, list[Any]]


def array(tensor: Tensor) -> Any:
    """The tensor's memory as numpy sees it; bfloat16 as its bits."""
    tensor = tensor.detach().contiguous()
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.view(torch.int16)
        return numpy.from_dlpack(tensor).view(numpy.uint16)
    return numpy.from_dlpack(tensor)


def nhwc(tensor: Tensor) -> Any:
    return array(tensor.permute(0, 2, 3, 1))


def full(*likes: Tensor) -> list[Tensor]:
    """Memory for results, full of what no result is."""
    return [torch.full_like(like, -7) for like in likes]


def carafe_results(dtype: torch.dtype, words: dict[str, Any]) -> Results:
    x, masks = (t.to(dtype) for t in carafe.problem(2, 8, 5, 6, 3, 2, 2))
    grad = torch.randn(2, 8, 10, 12).to(dtype)
    sizes = (3, 2, 2)
    by_torch = [ops.carafe(x, masks, *sizes), *ops.carafe_backward(grad, x, masks, *sizes)]
    by_mmcv = full(*by_torch)
    FUNCTIONS["carafe_naive_forward"](x, masks, by_mmcv[0], *sizes)
    FUNCTIONS["carafe_naive_backward"](grad, x, masks, *by_mmcv[1:], *sizes)
    maps = nhwc(x), nhwc(masks)
    by_numpy = [
        front.carafe_forward(*maps, *sizes, **words),
        *front.carafe_backward(*maps, nhwc(grad), *sizes, **words),
    ]
    return {"numpy": by_numpy, "torch": [*map(nhwc, by_torch)], "mmcv": [*map(nhwc, by_mmcv)]}


def align_results(dtype: torch.dtype, words: dict[str, Any]) -> Results:
    x, boxes = (t.to(dtype) for t in align.problem(2, 6, 4, 5))
    given = (boxes, 0.125, 5)
    by_torch = [
        ops.rotated_feature_align(x, *given),
        ops.rotated_feature_align_backward(x, *given),
    ]
    by_mmcv = full(*by_torch)
    names = ("rotated_feature_align_forward", "rotated_feature_align_backward")
    for name, out in zip(names, by_mmcv):
        FUNCTIONS[name](x, boxes, out, 0.125, 5)
    by_numpy = [getattr(front, name)(nhwc(x), array(boxes), 0.125, 5, **words) for name in names]
    return {"numpy": by_numpy, "torch": [*map(nhwc, by_torch)], "mmcv": [*map(nhwc, by_mmcv)]}


def roiaware_results(dtype: torch.dtype, words: dict[str, Any]) -> Results:
    rois, pts, features = (t.to(dtype) for t in roiaware.problem(4, 80, 3))
    results: Results = {"numpy": [], "torch": [], "mmcv": []}
    for number, mode in enumerate(("max", "avg")):
        pooled, argmax, idx = ops.roiaware_pool3d(rois, pts, features, (2, 3, 2), 6, number)
        back = ops.roiaware_pool3d_backward(idx, argmax, pooled, 80, number)
        by_mmcv = full(pooled, argmax, idx, back)
        out, most, listed, grad = by_mmcv
        FUNCTIONS["roiaware_pool3d_forward"](rois, pts, features, most, listed, out, number)
        FUNCTIONS["roiaware_pool3d_backward"](listed, most, out, grad, number)
        given = map(array, (rois, pts, features))
        found = front.roiaware_pool3d_forward(*given, (2, 3, 2), 6, mode, **words)
        turned = front.roiaware_pool3d_backward(found[2], found[1], found[0], 80, mode, **words)
        results["numpy"] += [*found, turned]
        results["torch"] += map(array, (pooled, argmax, idx, back))
        results["mmcv"] += map(array, by_mmcv)
    return results


def boxes_results(dtype: torch.dtype, words: dict[str, Any]) -> Results:
    boxes, points, _ = (t.to(dtype)[None] for t in roiaware.problem(4, 80, 3))
    by_torch = [ops.points_in_boxes(points, boxes, all) for all in (False, True)]
    by_mmcv = full(*by_torch)
    FUNCTIONS["points_in_boxes_part_forward"](boxes, points, by_mmcv[0])
    FUNCTIONS["points_in_boxes_all_forward"](boxes, points, by_mmcv[1])
    turned = torch.full((4, 80), -7, dtype=torch.int32)
    FUNCTIONS["points_in_boxes_cpu_forward"](boxes[0], points[0], turned)
    assert torch.equal(turned, by_torch[1][0].t())
    given = array(points), array(boxes)
    functions = front.points_in_boxes_part, front.points_in_boxes_all
    by_numpy = [function(*given, **words) for function in functions]
    return {"numpy": by_numpy, "torch": [*map(array, by_torch)], "mmcv": [*map(array, by_mmcv)]}


def sparse_results(dtype: torch.dtype, words: dict[str, Any]) -> Results:
    p = pairs("strided", rows=30)
    x, filters = distinct(30, 9).to(dtype), torch.randn(*p.kernel, 9, 17).to(dtype)
    grad, table, rows = torch.randn(p.outputs, 17).to(dtype), (p.pairs, p.num), p.outputs
    pooled = ops.indice_maxpool(x, *table, rows)
    by_torch = [
        ops.indice_conv(x, filters, *table, rows, False, False),
        ops.indice_conv_data(grad, filters, *table, 30, False, False),
        ops.indice_conv_filter(x, grad, *table, filters.shape, False, False),
        pooled,
        ops.indice_maxpool_backward(x, pooled, pooled, *table),
    ]
    by_mmcv = [
        FUNCTIONS["indice_conv_forward"](x, filters, *table, rows, 0, 0),
        *FUNCTIONS["indice_conv_backward"](x, filters, grad, *table, 0, 0),
        FUNCTIONS["indice_maxpool_forward"](x, *table, rows),
        FUNCTIONS["indice_maxpool_backward"](x, pooled, pooled, *table),
    ]
    a, w, g, most, *tables = map(array, (x, filters, grad, pooled, *table))
    by_numpy = [
        front.indice_conv_forward(a, w, *tables, rows, **words),
        front.indice_conv_backward_data(g, w, *tables, 30, **words),
        front.indice_conv_backward_filter(a, g, *tables, p.kernel, **words),
        front.indice_maxpool_forward(a, *tables, rows, **words),
        front.indice_maxpool_backward(a, most, most, *tables, **words),
    ]
    return {"numpy": by_numpy, "torch": [*map(array, by_torch)], "mmcv": [*map(array, by_mmcv)]}


def voxels_results(dtype: torch.dtype, words: dict[str, Any]) -> Results:
    points = cloud(300).to(dtype)
    hard, coors = ops.voxelization(points, *GRID, 4, 50), ops.dynamic_voxelize(points, *GRID)
    grid, number = [torch.tensor(each) for each in GRID], torch.zeros((), dtype=torch.int64)
    rows = [torch.full((50, *each.shape[1:]), -7, dtype=each.dtype) for each in hard]
    FUNCTIONS["hard_voxelize_forward"](points, *grid, *rows, number, 4, 50, 3, True)
    assert not any(each[int(number) :].any() for each in rows)
    (dynamic,) = full(coors)
    FUNCTIONS["dynamic_voxelize_forward"](points, *grid, dynamic, 3)
    by_torch = [*hard, coors]
    by_mmcv = [*(each[: int(number)] for each in rows), dynamic]
    found = front.voxelization(array(points), *GRID, 4, 50, **words)
    by_numpy = [*found, front.dynamic_voxelize(array(points), *GRID, **words)]
    return {"numpy": by_numpy, "torch": [*map(array, by_torch)], "mmcv": [*map(array, by_mmcv)]}


def scatter_results(dtype: torch.dtype, words: dict[str, Any]) -> Results:
    points = cloud(200).to(dtype)
    coors = ops.dynamic_voxelize(points, *GRID)
    results: Results = {"numpy": [], "torch": [], "mmcv": []}
    for number, mode in enumerate(("sum", "mean", "max")):
        found = ops.dynamic_scatter(points, coors, number)
        grad = torch.randn(found[0].shape, dtype=torch.float64).to(dtype)
        back = ops.dynamic_scatter_backward(grad, points, found[0], *found[2:], number)
        by_mmcv = FUNCTIONS["dynamic_point_to_voxel_forward"](points, coors, mode)
        (filled,) = full(points)
        arguments = (filled, grad, points, by_mmcv[0], *by_mmcv[2:], mode)
        FUNCTIONS["dynamic_point_to_voxel_backward"](*arguments)
        arrays = front.dynamic_scatter_forward(array(points), array(coors), mode, **words)
        tables = (array(points), arrays[0], *arrays[2:], mode)
        turned = front.dynamic_scatter_backward(array(grad), *tables, **words)
        results["numpy"] += [*arrays, turned]
        results["torch"] += map(array, (*found, back))
        results["mmcv"] += map(array, (*by_mmcv, filled))
    return results


def overlap_results(dtype: torch.dtype, words: dict[str, Any]) -> Results:
    first, second = (turned_boxes(30, seed).to(dtype) for seed in (0, 1))
    solids, more = (boxes[:, [0, 1, 2, 2, 3, 3, 4]] for boxes in (first, second))
    upright = torch.cat([first[:, :2], first[:, :2] + first[:, 2:4]], 1)
    scores = distinct(30, 1)[:, 0].to(dtype)
    order = scores.sort(descending=True, stable=True)[1]
    by_torch = [
        ops.box_iou_rotated(first, second, 1, False),
        ops.boxes_overlap_bev(solids, more),
        ops.nms(upright, scores, 0.4, 0),
        ops.nms_rotated(first, scores, 0.4),
        ops.nms3d(solids[order], 0.4, False),
        ops.nms3d(solids[order], 0.4, True),
    ]
    ious, overlap = full(*by_torch[:2])
    FUNCTIONS["box_iou_rotated"](first, second, ious.view(-1), mode_flag=1, aligned=False)
    FUNCTIONS["iou3d_boxes_overlap_bev_forward"](solids, more, overlap)
    sorted_boxes, labels = first[order], torch.zeros(0, dtype=torch.int32)
    by_mmcv = [
        ious,
        overlap,
        FUNCTIONS["nms"](upright, scores, iou_threshold=0.4, offset=0),
        FUNCTIONS["nms_rotated"](first, scores, order, sorted_boxes, labels, 0.4, False),
    ]
    for name in ("iou3d_nms3d_forward", "iou3d_nms3d_normal_forward"):
        keep, number = torch.full((30,), -7), torch.zeros((), dtype=torch.int64)
        FUNCTIONS[name](solids[order], keep, number, nms_overlap_thresh=0.4)
        assert not keep[int(number) :].any()
        by_mmcv.append(keep[:number])
    given = array(solids), array(scores)
    by_numpy = [
        front.box_iou_rotated(array(first), array(second), "iof", **words),
        front.boxes_overlap_bev(array(solids), array(more), **words),
        front.nms(array(upright), array(scores), 0.4, **words),
        front.nms_rotated(array(first), array(scores), 0.4, **words),
        *(front.nms3d(*given, 0.4, normal, **words) for normal in (False, True)),
    ]
    for results in (by_torch, by_mmcv):  # theirs are places in the order of the scores
        results[4:] = [order[kept] for kept in results[4:]]
    return {"numpy": by_numpy, "torch": [*map(array, by_torch)], "mmcv": [*map(array, by_mmcv)]}


def roi_align_results(dtype: torch.dtype, words: dict[str, Any]) -> Results:
    x = torch.randn(2, 9, 6, 7, dtype=torch.float64).to(dtype)
    rois = rois_of(10, 2, 6, 7).to(dtype)
    results: Results = {"numpy": [], "torch": [], "mmcv": []}
    for number, mode in enumerate(("max", "avg")):
        sampling = (0.25, 0, number, True)
        found = ops.roi_align(x, rois, (3, 2), *sampling)
        back = ops.roi_align_backward(found[0], rois, *found[1:], x.shape, *sampling, False)
        out, most_y, most_x, grad = full(*found, back)
        names = dict(aligned_height=3, aligned_width=2, spatial_scale=0.25, sampling_ratio=0)
        names.update(pool_mode=number, aligned=True)
        FUNCTIONS["roi_align_forward"](x, rois, out, most_y, most_x, **names)
        FUNCTIONS["roi_align_backward"](out, rois, most_y, most_x, grad, **names)
        most = 3 if mode == "max" else 1
        given = nhwc(x), array(rois)
        arrays = front.roi_align_forward(*given, (3, 2), 0.25, mode=mode, **words)[:most]
        argmax: Any = arrays[1:] if mode == "max" else None
        turned = front.roi_align_backward(
            arrays[0], array(rois), given[0].shape, 0.25, mode=mode, argmax=argmax, **words
        )
        results["numpy"] += [*arrays, turned]
        results["torch"] += map(nhwc, (*found[:most], back))
        results["mmcv"] += map(nhwc, (*(out, most_y, most_x)[:most], grad))
    return results


FAMILIES = (
    carafe_results,
    align_results,
    roiaware_results,
    boxes_results,
    sparse_results,
    voxels_results,
    scatter_results,
    overlap_results,
    roi_align_results,
)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_three_fronts_give_the_same_bytes(family: Any, dtype: torch.dtype, threads: int) -> None:
    mluops_cpu.set_num_threads(threads)
    results = family(dtype, {"dtype": "bfloat16"} if dtype == torch.bfloat16 else {})
    expected = results.pop("numpy")
    for name, found in results.items():
        assert len(found) == len(expected)
        for mine, theirs in zip(found, expected):
            assert mine.shape == theirs.shape, name
            assert mine.tobytes() == theirs.tobytes(), name
