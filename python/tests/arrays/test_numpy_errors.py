"""What C refuses arrives as its exception with its sentence, from every function."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy
import pytest

import mluops_cpu.numpy as front
from mluops_cpu import BadParamError, NotSupportedError

X, BOXES = numpy.ones((1, 4, 4, 8), "f4"), numpy.ones((1, 4, 4, 5), "f4")
MASK, GRAD = numpy.ones((1, 8, 8, 9), "f4"), numpy.ones((1, 8, 8, 8), "f4")
ROIS, PTS, FEATURES = numpy.ones((2, 7), "f4"), numpy.ones((6, 3), "f4"), numpy.ones((6, 4), "f4")
SITES = [[0, 1, 1, 1], [0, 2, 2, 2]]
ROWS, FILTERS = numpy.ones((2, 3), "f4"), numpy.ones((1, 3, 5), "f4")
PAIRS, OUTPUT = numpy.array([[[0, 1], [0, 1]]]), numpy.ones((2, 5), "f4")

#: name: (call, function, sentence after its name)
CASES: dict[str, tuple[Any, str, str]] = {
    "align points": (
        lambda: front.rotated_feature_align_forward(X, BOXES, points=3),
        "mluOpRotatedFeatureAlignForward",
        "points must be one of 1, 5, got 3",
    ),
    "align scale": (
        lambda: front.rotated_feature_align_backward(X, BOXES, spatial_scale=0),
        "mluOpRotatedFeatureAlignBackward",
        "spatial_scale must be above 0, got 0",
    ),
    "align rank": (
        lambda: front.rotated_feature_align_forward(X[0], BOXES),
        "mluOpRotatedFeatureAlignForward",
        "input must have 4 dims, got 3",
    ),
    "align boxes": (
        lambda: front.rotated_feature_align_forward(X, BOXES[..., :4]),
        "mluOpRotatedFeatureAlignForward",
        "bboxes dim 3 must be 5, got 4",
    ),
    "carafe kernel": (
        lambda: front.carafe_forward(X, MASK, 2, 1, 2),
        "mluOpSetCarafeDescriptor",
        "kernel_size must be odd, got 2",
    ),
    "carafe mask": (
        lambda: front.carafe_forward(X, MASK[:, :7], 3, 1, 2),
        "mluOpCarafeForward",
        "mask dim 1 must be 2 * H = 8, got 7",
    ),
    "carafe groups": (
        lambda: front.carafe_backward(X, MASK, GRAD, 3, 3, 2),
        "mluOpCarafeBackward",
        "input dim 3 must be a multiple of 3, got 8",
    ),
    "carafe rank": (
        lambda: front.carafe_forward(X[0], MASK, 3, 1, 2),
        "mluOpCarafeForward",
        "input must have 4 dims, got 3",
    ),
    "roi columns": (
        lambda: front.roiaware_pool3d_forward(ROIS[:, :6], PTS, FEATURES, 2),
        "mluOpRoiAwarePool3dForward",
        "rois dim 1 must be 7, got 6",
    ),
    "roi out_size": (
        lambda: front.roiaware_pool3d_forward(ROIS, PTS, FEATURES, 0),
        "mluOpRoiAwarePool3dForward",
        "out_x must be at least 1, got 0",
    ),
    "roi points": (
        lambda: front.roiaware_pool3d_forward(ROIS, PTS[:5], FEATURES, 2),
        "mluOpRoiAwarePool3dForward",
        "pts_feature dim 0 must be pts_num = 5, got 6",
    ),
    "pairs outside": (
        lambda: front.get_indice_pairs([[0, 1, 1, 4]], 1, (4, 4, 4)),
        "mluOpGetIndicePairs",
        "indices row 0, column 3 must be at most 3, got 4",
    ),
    "pairs outside 4d": (
        lambda: front.get_indice_pairs([[1, 1, 1, 1, 1]], 1, (4, 4, 4, 4)),
        "mluOpGetIndicePairs",
        "indices row 0, column 0 must be at most 0, got 1",
    ),
    "pairs stride 4d": (
        lambda: front.get_indice_pairs([[0, 1, 1, 1, 1]], 1, (4,) * 4, stride=(1, 1, 0, 1)),
        "mluOpSetSparseConvolutionDescriptor",
        "stride[0] must be at least 1, got 0",
    ),
    "pairs kernel too large": (
        lambda: front.get_indice_pairs(SITES, 1, (4, 4, 4), kernel_size=9),
        "mluOpSetSparseConvolutionDescriptor",
        "output_space[0] must be at least 1, got -4",
    ),
    "conv channels": (
        lambda: front.indice_conv_forward(ROWS, FILTERS[:, :2], PAIRS, [2], 2),
        "mluOpGetIndiceConvolutionForwardWorkspaceSize",
        "features dim 1 must be Ci = 2 (filters dim 3), got 3",
    ),
    "conv offsets": (
        lambda: front.indice_conv_backward_data(ROWS, numpy.ones((2, 5, 3), "f4"), PAIRS, [2], 2),
        "mluOpGetIndiceConvolutionBackwardDataWorkspaceSize",
        "indice_pairs dim 0 must be Kd * Kh * Kw = 2, got 1",
    ),
    "conv pair outside": (
        lambda: front.indice_conv_forward(ROWS, FILTERS, PAIRS + 5, [2], 2),
        "mluOpIndiceConvolutionForward",
        "indice_pairs[0,0,0] must be at least 0 and below 2 (rows of features), got 5",
    ),
    "conv count": (
        lambda: front.indice_conv_backward_filter(ROWS, OUTPUT, PAIRS, [3], [1]),
        "mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize",
        "indice_num[0] must be at most 2, got 3",
    ),
    "conv count krsc": (
        lambda: front.indice_conv_backward_filter(
            ROWS, OUTPUT, PAIRS, [3], [1], filter_layout="KRSC"
        ),
        "mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize",
        "indice_num[0] must be at most 2, got 3",
    ),
    "pool count": (
        lambda: front.indice_maxpool_forward(ROWS, PAIRS, [3], 2),
        "mluOpCpuIndiceMaxPoolForward",
        "indice_num[0] must be at most 2, got 3",
    ),
    "boxes columns": (
        lambda: front.points_in_boxes_part(PTS[None], ROIS[None, :, :6]),
        "mluOpCpuPointsInBoxesPart",
        "boxes dim 2 must be 7, got 6",
    ),
    "boxes batch": (
        lambda: front.points_in_boxes_all(PTS[None], numpy.ones((2, 3, 7), "f4")),
        "mluOpCpuPointsInBoxesAll",
        "boxes dim 0 must be B = 1 (points dim 0), got 2",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_parameter(name: str) -> None:
    call, function, sentence = CASES[name]
    with pytest.raises(BadParamError) as caught:
        call()
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.status, error.status_name) == (3, "MLUOP_STATUS_BAD_PARAM")
    assert error.function == function
    assert str(error) == f"{function}: {sentence}"


def test_the_front_checks_what_c_cannot() -> None:
    with pytest.raises(ValueError, match=r"^indice_num must have 1 entries, got 2$"):
        front.indice_conv_forward(ROWS, FILTERS, PAIRS, [2, 0], 2)
    with pytest.raises(ValueError, match=r"^indice_num must have 1 dim, got 2$"):
        front.indice_conv_forward(ROWS, FILTERS, PAIRS, [[2]], 2)
    with pytest.raises(ValueError, match=r"^filters must have 3 dims or more, got shape \(3, 5\)$"):
        front.indice_conv_forward(ROWS, FILTERS[0], PAIRS, [2], 2)
    with pytest.raises(ValueError, match=r"^indices must have 2 dims, got 1$"):
        front.get_indice_pairs([0, 1], 1, [4])


CARD = """
import numpy, mluops_cpu, mluops_cpu.numpy as front
x, boxes = numpy.ones((1, 4, 4, 8), "f4"), numpy.ones((1, 4, 4, 5), "f4")
assert front.rotated_feature_align_forward(x, boxes).shape == x.shape
three = front.get_indice_pairs([[0, 1, 1, 1]], 1, (4, 4, 4), subm=True)
ones = numpy.ones((1, 8), "f4"), numpy.ones((3, 3, 3, 8, 8), "f4")
assert front.indice_conv_forward(*ones, *three[1:3], 1)[0, 0] == 8
for call in (
    lambda: front.rotated_feature_align_forward(x.astype("f8"), boxes.astype("f8")),
    lambda: front.rotated_feature_align_forward(
        x.astype("u2"), boxes.astype("u2"), dtype="bfloat16"
    ),
    lambda: front.get_indice_pairs([[0, 1, 1]], 1, (4, 4)),
    lambda: front.get_indice_pairs([[0, 1, 1, 1]], 1, (4, 4, 4), transpose=True),
    lambda: front.indice_conv_forward(*ones, *three[1:3], 1, inverse=True),
    lambda: front.carafe_forward(x, numpy.ones((1, 24, 24, 9), "f4"), 3, 1, 6),
):
    try:
        call()
    except mluops_cpu.MluOpError as error:
        print(type(error).__name__, error)
    else:
        print("works")
"""


def test_limits_of_the_card(root: Any) -> None:
    run = subprocess.run(
        [sys.executable, "-c", CARD],
        env={**os.environ, "MLUOP_LIMITS": "mlu", "PYTHONPATH": str(root / "python")},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    names = [line.split(" ", 1)[0] for line in lines]
    bad, cannot = BadParamError.__name__, NotSupportedError.__name__
    assert names == [bad, bad, bad, bad, cannot, cannot], lines
    assert all(": " in line and "mluOp" in line for line in lines)
