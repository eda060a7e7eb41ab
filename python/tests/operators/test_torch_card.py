"""With the limits of the card the torch front works, and what the card lacks is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CARD = """
import torch, mluops_cpu
from mluops_cpu.ops import SparseConv3d, SparseConvTensor, SubMConv2d, SubMConv3d, carafe
from mluops_cpu.ops import SparseConvTranspose3d, box_iou_rotated, dynamic_scatter, nms_rotated
from mluops_cpu.ops import roi_align, voxelization

sites = torch.tensor([[0, 1, 1, 1], [0, 1, 1, 2]])
def run(*layers, dtype=torch.float32, columns=4):
    x = SparseConvTensor(torch.ones(2, 4, dtype=dtype), sites[:, :columns], [4] * (columns - 1), 1)
    for layer in layers:
        x = layer.to(dtype)(x)
    x.features.sum().backward()
    return x.features.shape
print(run(SubMConv3d(4, 8, 3), SparseConv3d(8, 8, 3, 2, 1)))
grid = [1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 4.0, 4.0, 4.0]
points, boxes = torch.rand(9, 5) * 4, torch.rand(9, 5) + 1
print(voxelization(points, *grid)[0].shape)
coors = voxelization(points, *grid, -1)
feats = points.clone().requires_grad_()
dynamic_scatter(feats, coors, "max")[0].sum().backward()
print(dynamic_scatter(points, coors, "mean")[0].shape)
print(box_iou_rotated(boxes, boxes).shape, nms_rotated(boxes, points[:, 0], 0.5)[0].shape[1])
image, rois = torch.rand(1, 4, 5, 5).requires_grad_(), torch.tensor([[0.0, 1, 1, 3, 3]])
roi_align(image, rois, 2).sum().backward()
for call in (
    lambda: voxelization(points.double(), *grid),
    lambda: dynamic_scatter(points, coors, "sum"),
    lambda: dynamic_scatter(points, coors[:, :2], "max"),
    lambda: dynamic_scatter(feats, coors, "mean")[0].sum().backward(),
    lambda: box_iou_rotated(boxes.double(), boxes.double()),
    lambda: roi_align(image.bfloat16(), rois.bfloat16(), 2),
    lambda: run(SubMConv2d(4, 8, 3), columns=3),
    lambda: run(SparseConvTranspose3d(4, 8, 3)),
    lambda: run(SubMConv3d(4, 8, 3), dtype=torch.float64),
    lambda: run(SubMConv3d(4, 8, 3), dtype=torch.bfloat16),
    lambda: carafe(torch.ones(1, 4, 2, 2).double(), torch.ones(1, 9, 4, 4).double(), 3, 1, 2),
):
    try:
        print("works", call())
    except mluops_cpu.MluOpError as error:
        print(error)
"""


def test_limits_of_the_card(root: Path) -> None:
    """A float network of three axes trains; what the card lacks fails with C's sentence."""
    run = subprocess.run(
        [sys.executable, "-c", CARD],
        env={**os.environ, "MLUOP_LIMITS": "mlu", "PYTHONPATH": str(root / "python")},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    works, refused = lines[:4], lines[4:]
    assert all(line.startswith("torch.Size") for line in works), works
    assert len(refused) == 11
    assert all(line.startswith("mluOp") and ": " in line for line in refused), refused
