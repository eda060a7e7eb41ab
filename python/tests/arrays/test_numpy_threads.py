"""The bytes of a result do not depend on the number of threads."""

from __future__ import annotations

from typing import Any, Callable

import numpy
import pytest

import mluops_cpu
import mluops_cpu.numpy as front


def maps(rng: Any) -> Any:
    x = rng.normal(size=(2, 31, 33, 24)).astype("f4")
    boxes = rng.uniform(0, 260, (2, 31, 33, 5)).astype("f4")
    return front.rotated_feature_align_forward(x, boxes, points=5), (
        front.rotated_feature_align_backward(x, boxes, points=5)
    )


def carafe(rng: Any) -> Any:
    x = rng.normal(size=(2, 15, 17, 24)).astype("f4")
    mask = rng.normal(size=(2, 30, 34, 25)).astype("f4")
    y = front.carafe_forward(x, mask, 5, 1, 2)
    return y, *front.carafe_backward(x, mask, y, 5, 1, 2)


def roiaware(rng: Any) -> Any:
    rois = rng.uniform([-9, -9, -2, 2, 2, 2, -3], [9, 9, 0, 5, 5, 5, 3], (40, 7))
    pts, features = rng.uniform(-10, 10, (3000, 3)), rng.normal(size=(3000, 16))
    results = []
    for mode in ("max", "avg"):
        pooled, argmax, idx = front.roiaware_pool3d_forward(rois, pts, features, 3, 20, mode)
        back = front.roiaware_pool3d_backward(idx, argmax, pooled, 3000, mode)
        results += [pooled, argmax, idx, back]
    boxes, cloud = rois[None], pts[None]
    return (
        *results,
        front.points_in_boxes_part(cloud, boxes),
        (front.points_in_boxes_all(cloud, boxes)),
    )


def sparse(rng: Any) -> Any:
    sites = rng.integers(0, 24, (6000, 4))
    sites[:, 0] %= 2
    pairs = front.get_indice_pairs(sites, 2, (24, 24, 24), 3, 2, 1)
    tables = (pairs.indice_pairs, pairs.indice_num)
    x = rng.normal(size=(6000, 17)).astype("f4")
    filters = rng.normal(size=(3, 3, 3, 17, 33)).astype("f4")
    rows = len(pairs.out_indices)
    y = front.indice_conv_forward(x, filters, *tables, rows)
    dx = front.indice_conv_backward_data(y, filters, *tables, 6000)
    dw = front.indice_conv_backward_filter(x, y, *tables, (3, 3, 3))
    most = front.indice_maxpool_forward(x, *tables, rows)
    back = front.indice_maxpool_backward(x, most, most, *tables)
    return *pairs[:3], y, dx, dw, most, back


def pairs_of_four_axes(rng: Any) -> Any:
    sites = rng.integers(0, 12, (3000, 5))
    sites[:, 0] %= 2
    return front.get_indice_pairs(sites, 2, (12, 12, 12, 12), (3, 3, 3, 1), 2, 1)[:3]


def voxels(rng: Any) -> Any:
    points = rng.uniform(-9, 9, (20000, 5)).astype("f4")
    grid = ((0.5, 0.5, 0.5), (-8, -8, -8, 8, 8, 8))
    coors, results = front.dynamic_voxelize(points, *grid), []
    for mode in ("max", "mean", "sum"):
        found = front.dynamic_scatter_forward(points, coors, mode)
        tables = (points, *found[:1], *found[2:])
        results += [*found, front.dynamic_scatter_backward(found[0], *tables, mode)]
    return coors, *front.voxelization(points, *grid, 5, 9000), *results


def boxes(rng: Any) -> Any:
    turned = rng.uniform([0, 0, 1, 1, -4], [60, 60, 9, 9, 4], (900, 5)).astype("f4")
    solids = numpy.insert(turned, [2, 4], 1, 1)
    low, scores = turned[:, :2], rng.uniform(0, 1, 900).astype("f4")
    upright = numpy.concatenate([low, low + turned[:, 2:4]], 1)
    return (
        front.box_iou_rotated(turned, turned[:300]),
        front.boxes_overlap_bev(solids, solids[:300]),
        front.nms(upright, scores, 0.5),
        front.nms_rotated(turned, scores, 0.3),
        front.nms3d(solids, scores, 0.3),
    )


def roi_align(rng: Any) -> Any:
    x = rng.normal(size=(2, 40, 50, 19)).astype("f4")
    corners = rng.uniform(0, 180, (60, 4))
    rois = numpy.concatenate([rng.integers(0, 2, (60, 1)), corners], 1).astype("f4")
    y, _, _ = front.roi_align_forward(x, rois, 7, 0.25)
    most, *argmax = front.roi_align_forward(x, rois, 7, 0.25, mode="max")
    back = front.roi_align_backward(y, rois, x.shape, 0.25)
    of_max = front.roi_align_backward(most, rois, x.shape, 0.25, mode="max", argmax=tuple(argmax))
    return y, most, *argmax, back, of_max


FAMILIES = [maps, carafe, roiaware, sparse, pairs_of_four_axes, voxels, boxes, roi_align]


@pytest.mark.parametrize("family", FAMILIES)
def test_bytes_of_1_2_3_7_threads(family: Callable[[Any], Any]) -> None:
    found = []
    for threads in (1, 2, 3, 7):
        mluops_cpu.set_num_threads(threads)
        results = family(numpy.random.default_rng(7))
        found.append([result.tobytes() for result in results])
    assert all(results == found[0] for results in found)
