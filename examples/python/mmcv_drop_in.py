"""A program as users of mmcv write it, on a CPU, with mmcv-lite: one line makes it run.

    pip install mluops-cpu mmcv-lite mmengine
    python mmcv_drop_in.py

Without that line mmcv-lite has no operators at all, and mmcv none of these for the CPU.
"""

from __future__ import annotations

import mluops_cpu.mmcv

mluops_cpu.mmcv.install()  # the one line; before mmdet, mmdet3d or mmrotate are imported

import torch  # noqa: E402
from mmcv.cnn import build_upsample_layer  # noqa: E402
from mmcv.ops import (  # noqa: E402
    RoIAwarePool3d,
    SparseConvTensor,
    SparseSequential,
    points_in_boxes_part,
    rotated_feature_align,
)
from mmengine.registry import MODELS  # noqa: E402


def sparse_encoder() -> None:
    """Layers out of mmengine's registry, as mmdet3d's configs name them."""
    torch.manual_seed(0)
    net = SparseSequential(
        MODELS.build(
            dict(type="SubMConv3d", in_channels=4, out_channels=16, kernel_size=3, indice_key="a")
        ),
        torch.nn.BatchNorm1d(16),
        torch.nn.ReLU(),
        MODELS.build(
            dict(
                type="SparseConv3d",
                in_channels=16,
                out_channels=32,
                kernel_size=3,
                stride=2,
                padding=1,
            )
        ),
    )
    cells = torch.unique(torch.randint(0, 16, (300, 3)), dim=0).int()
    indices = torch.nn.functional.pad(cells, (1, 0))
    features = torch.randn(len(cells), 4)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    losses = []
    for _ in range(5):
        dense = net(SparseConvTensor(features, indices, [16, 16, 16], 1)).dense()
        loss = (dense - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(round(loss.item(), 4))
    print("sparse encoder:", list(dense.shape), "losses", losses)


def dense_operators() -> None:
    """CARAFE in a neck, rotated feature align, RoI-aware pooling, points in boxes."""
    up = build_upsample_layer(dict(type="carafe", channels=8, scale_factor=2))
    print("CARAFE:", list(up(torch.randn(1, 8, 10, 10)).shape))
    boxes = torch.rand(1, 10, 10, 5) * 40
    print("align:", list(rotated_feature_align(torch.randn(1, 8, 10, 10), boxes, 0.125, 5).shape))
    rois = torch.tensor([[0.0, 0.0, 0.0, 4.0, 4.0, 2.0, 0.3]])
    points = torch.rand(100, 3) * 4 - 2
    pool = RoIAwarePool3d(out_size=4, max_pts_per_voxel=16, mode="max")
    print("RoI-aware pooling:", list(pool(rois, points, torch.randn(100, 8)).shape))
    inside = points_in_boxes_part(points[None], rois[None])
    print("points in the box:", int((inside >= 0).sum()))


if __name__ == "__main__":
    sparse_encoder()
    dense_operators()
