"""What C refuses of voxels, overlaps and RoI align: its sentence, from every function."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import mluops_cpu.numpy as front
from mluops_cpu import BadParamError

POINTS, COORS = numpy.ones((6, 5), "f4"), numpy.zeros((6, 3), "i4")
SIZE, RANGE = (1, 1, 1), (0, 0, 0, 4, 4, 4)
TURNED, SOLIDS = numpy.ones((3, 5), "f4"), numpy.ones((3, 7), "f4")
UPRIGHT, SCORES = TURNED[:, :4], numpy.ones(3, "f4")
X, ROIS = numpy.ones((1, 4, 4, 8), "f4"), numpy.array([[0, 0, 0, 4, 4]], "f4")
GRAD, MAP_SHAPE = numpy.ones((1, 2, 2, 8), "f4"), (1, 4, 4, 8)
#: One voxel of all points.
REDUCED, TABLE, COUNTS = POINTS[:1], numpy.zeros(6, "i4"), numpy.array([6])

#: name: (call, function, sentence after its name)
CASES: dict[str, tuple[Any, str, str]] = {
    "voxels columns": (
        lambda: front.voxelization(POINTS[:, :2], SIZE, RANGE),
        "mluOpVoxelization",
        "points dim 1 must be at least 3, got 2",
    ),
    "voxels size": (
        lambda: front.voxelization(POINTS, SIZE[:2], RANGE),
        "mluOpVoxelization",
        "voxel_size dim 0 must be 3, got 2",
    ),
    "voxels range": (
        lambda: front.voxelization(POINTS, SIZE, RANGE[:5]),
        "mluOpVoxelization",
        "coors_range dim 0 must be 6, got 5",
    ),
    "voxels max_points": (
        lambda: front.voxelization(POINTS, SIZE, RANGE, -3),
        "mluOpVoxelization",
        "voxels dim 1 must be max_points = -3, got 0",
    ),
    "voxels max_voxels": (
        lambda: front.voxelization(POINTS, SIZE, RANGE, 3, -3),
        "mluOpVoxelization",
        "voxels dim 0 must be max_voxels = -3, got 0",
    ),
    "voxels rank": (
        lambda: front.voxelization(POINTS[0], SIZE, RANGE),
        "mluOpVoxelization",
        "points must have 2 dims, got 1",
    ),
    "dynamic columns": (
        lambda: front.dynamic_voxelize(POINTS[:, :2], SIZE, RANGE),
        "mluOpCpuDynamicVoxelize",
        "points dim 1 must be at least 3, got 2",
    ),
    "scatter rows": (
        lambda: front.dynamic_scatter_forward(POINTS, COORS[:5]),
        "mluOpDynamicPointToVoxelForward",
        "coors dim 0 must be N = 6 (feats dim 0), got 5",
    ),
    "scatter rank": (
        lambda: front.dynamic_scatter_forward(POINTS, COORS[:, 0]),
        "mluOpDynamicPointToVoxelForward",
        "coors must have 2 dims, got 1",
    ),
    "scatter map": (
        lambda: front.dynamic_scatter_backward(REDUCED, POINTS, REDUCED, TABLE + 5, COUNTS),
        "mluOpDynamicPointToVoxelBackward",
        "point2voxel_map[0] must be at least -1 and below 1 (voxel_num), got 5",
    ),
    "scatter count": (
        lambda: front.dynamic_scatter_backward(REDUCED, POINTS, REDUCED, TABLE, [0], "mean"),
        "mluOpDynamicPointToVoxelBackward",
        "voxel_points_count[0] must be at least 1, as point2voxel_map[0] names it, got 0",
    ),
    "scatter channels": (
        lambda: front.dynamic_scatter_backward(REDUCED[:, :3], POINTS, REDUCED, TABLE, COUNTS),
        "mluOpDynamicPointToVoxelBackward",
        "grad_voxel_feats dim 1 must be C = 5 (feats dim 1), got 3",
    ),
    "iou columns": (
        lambda: front.box_iou_rotated(UPRIGHT, TURNED),
        "mluOpBoxIouRotated",
        "bbox1 dim 1 must be 5, got 4",
    ),
    "iou aligned": (
        lambda: front.box_iou_rotated(TURNED, TURNED[:2], aligned=True),
        "mluOpBoxIouRotated",
        "bbox2 dim 0 must be N = 3 (bbox1 dim 0), got 2",
    ),
    "iou dtype": (
        lambda: front.box_iou_rotated(TURNED, TURNED.astype("f8")),
        "mluOpBoxIouRotated",
        "bbox2 dtype must be that of bbox1 (FLOAT), got DOUBLE",
    ),
    "bev columns": (
        lambda: front.boxes_overlap_bev(SOLIDS[:, :6], SOLIDS),
        "mluOpCpuBoxesOverlapBev",
        "boxes_a dim 1 must be 7, got 6",
    ),
    "nms columns": (
        lambda: front.nms(TURNED, SCORES, 0.5),
        "mluOpCpuNms",
        "boxes dim 1 must be 4, got 5",
    ),
    "nms scores": (
        lambda: front.nms(UPRIGHT, SCORES[:2], 0.5),
        "mluOpCpuNms",
        "scores dim 0 must be N = 3 (boxes dim 0), got 2",
    ),
    "nms offset": (
        lambda: front.nms(UPRIGHT, SCORES, 0.5, 2),
        "mluOpCpuNms",
        "offset must be one of 0, 1, got 2",
    ),
    "nms dtype": (
        lambda: front.nms(UPRIGHT, SCORES.astype("f8"), 0.5),
        "mluOpCpuNms",
        "scores dtype must be that of boxes (FLOAT), got DOUBLE",
    ),
    "rotated columns": (
        lambda: front.nms_rotated(UPRIGHT, SCORES, 0.5),
        "mluOpNmsRotated",
        "boxes dim 1 must be one of 5, 6, got 4",
    ),
    "rotated scores": (
        lambda: front.nms_rotated(TURNED, SCORES[:2], 0.5),
        "mluOpNmsRotated",
        "scores dim 0 must be N = 3 (boxes dim 0), got 2",
    ),
    "nms3d columns": (
        lambda: front.nms3d(TURNED, SCORES, 0.5),
        "mluOpCpuNms3d",
        "boxes dim 1 must be 7, got 5",
    ),
    "roi columns": (
        lambda: front.roi_align_forward(X, ROIS[:, :4], 2),
        "mluOpRoiAlignForward_v2",
        "boxes dim 1 must be 5, got 4",
    ),
    "roi image": (
        lambda: front.roi_align_forward(X, ROIS + 1, 2),
        "mluOpRoiAlignForward_v2",
        "boxes[0,0] must be at least 0 and below 1 (images of input), got 1",
    ),
    "roi size": (
        lambda: front.roi_align_forward(X, ROIS, (2, -1)),
        "mluOpSetRoiAlignForwardDescriptor_v2",
        "pooled_width must be at least 1, got -1",
    ),
    "roi scale": (
        lambda: front.roi_align_forward(X, ROIS, 2, numpy.inf),
        "mluOpSetRoiAlignForwardDescriptor_v2",
        "spatial_scale must be finite, got inf",
    ),
    "roi rank": (
        lambda: front.roi_align_forward(X[0], ROIS, 2),
        "mluOpRoiAlignForward_v2",
        "input must have 4 dims, got 3",
    ),
    "roi dtype": (
        lambda: front.roi_align_forward(X, ROIS.astype("f8"), 2),
        "mluOpRoiAlignForward_v2",
        "boxes dtype must be that of input (FLOAT), got DOUBLE",
    ),
    "roi gradient": (
        lambda: front.roi_align_backward(GRAD[..., :7], ROIS, MAP_SHAPE),
        "mluOpRoiAlignBackward_v2",
        "grads_image dim 3 must be C = 7 (grads dim 3), got 8",
    ),
    "roi image of a gradient": (
        lambda: front.roi_align_backward(GRAD, ROIS + 2, MAP_SHAPE),
        "mluOpRoiAlignBackward_v2",
        "boxes[0,0] must be at least 0 and below 1 (images of grads_image), got 2",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_parameter(name: str) -> None:
    call, function, sentence = CASES[name]
    with pytest.raises(BadParamError) as caught:
        call()
    assert caught.value.function == function
    assert str(caught.value) == f"{function}: {sentence}"


def test_what_the_front_checks() -> None:
    with pytest.raises(ValueError, match=r"^mode must be 'max', 'mean' or 'sum', got 'min'$"):
        front.dynamic_scatter_forward(POINTS, COORS, "min")
    with pytest.raises(ValueError, match=r"^mode must be 'iou' or 'iof', got 'giou'$"):
        front.box_iou_rotated(TURNED, TURNED, "giou")
    with pytest.raises(ValueError, match=r"^scores must have shape \(3,\), got \(2,\)$"):
        front.nms3d(SOLIDS, SCORES[:2], 0.5)
    with pytest.raises(TypeError, match=r"^coors must be integers, got float32$"):
        front.dynamic_scatter_forward(POINTS, COORS.astype("f4"))


def test_refused_calls_write_nothing() -> None:
    out = numpy.full((6, 5), 7, "f4")
    with pytest.raises(BadParamError):
        front.dynamic_scatter_backward(REDUCED, POINTS, REDUCED, TABLE + 5, COUNTS, out=out)
    assert (out == 7).all()
    out = numpy.full((1, 2, 2, 8), 7, "f4")
    with pytest.raises(BadParamError):
        front.roi_align_forward(X, ROIS + 1, 2, out=(out, None, None))
    assert (out == 7).all()
