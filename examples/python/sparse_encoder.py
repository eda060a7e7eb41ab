"""A training step of a CenterPoint-style sparse encoder on a LiDAR-like scene, timed by layer.

    python sparse_encoder.py [--sweeps 10] [--threads 2] [--bfloat16]

Needs torch and mluops_cpu, nothing else.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import torch
from torch import nn

from mluops_cpu import ops

#: Voxels by z, y, x: 0.2 m high, 0.075 m wide, as CenterPoint has them on nuScenes.
SHAPE = [41, 1440, 1440]
LOWER, CELL = torch.tensor([-54.0, -54.0, -5.0]), torch.tensor([0.075, 0.075, 0.2])


def scan(sweeps: int, generator: torch.Generator) -> torch.Tensor:
    """Points [P,3] of a scanner with 32 beams amid uneven ground and a hundred upright boxes."""
    beams = torch.linspace(-30.67, 10.67, 32) * math.pi / 180
    turn = torch.arange(1080) * (2 * math.pi / 1080)
    centre = torch.rand(100, 2, generator=generator) * 100 - 50
    radius = torch.rand(100, generator=generator) * 2 + 0.5
    clouds = []
    for _ in range(sweeps):
        angle = turn + torch.rand((), generator=generator)
        ray = torch.stack([angle.cos(), angle.sin()], 1)
        along = ray @ centre.t()  # [1080,100], metres along the ray to the point nearest to a box
        miss = (ray[:, :1] * centre[:, 1] - ray[:, 1:] * centre[:, 0]).abs()
        met = torch.where((miss < radius) & (along > 2), along, torch.full_like(along, 1e9))
        wall = met.amin(1)[:, None].expand(-1, 32)
        ground = torch.where(beams < 0, -2.0 / beams.tan(), torch.full_like(beams, 1e9)).expand(
            1080, -1
        )
        distance = torch.minimum(
            wall, ground * (1 + 0.02 * torch.randn(1080, 32, generator=generator))
        )
        distance = distance + 0.02 * torch.randn(1080, 32, generator=generator)
        points = torch.cat(
            [ray[:, None] * distance[..., None], (distance * beams.tan())[..., None]], 2
        )
        clouds.append(points[distance < 70])
    return torch.cat(clouds)


def voxels(points: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Points [P,3] -> features [L,5], indices [L,4] (batch, z, y, x) of voxels that hold some."""
    cells = ((points - LOWER) / CELL).floor().int()
    limit = torch.tensor(SHAPE[::-1])
    cells = cells[((cells >= 0) & (cells < limit)).all(1)].flip(1)
    cells, count = torch.unique(cells, dim=0, return_counts=True)
    height = cells[:, :1].float() / SHAPE[0]
    features = torch.cat([height, count[:, None].float().log(), torch.randn(len(cells), 3)], 1)
    return features, nn.functional.pad(cells, (1, 0)).int()


class Block(ops.SparseModule):
    """Two submanifold convolutions and a shortcut. Pairs are shared without an indice_key, too."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = ops.SubMConv3d(channels, channels, 3, bias=False)
        self.second = ops.SubMConv3d(channels, channels, 3, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm1d(channels) for _ in range(2))

    def forward(self, x: ops.SparseConvTensor) -> ops.SparseConvTensor:
        y = self.first(x)
        y.features = torch.relu(self.norms[0](y.features))
        y = self.second(y)
        y.features = torch.relu(self.norms[1](y.features) + x.features)
        return y


def encoder() -> ops.SparseSequential:
    """CenterPoint's: 21 convolutions, 5 to 128 channels, four strided layers thin the sites out."""
    net = ops.SparseSequential(ops.SubMConv3d(5, 16, 3, bias=False), nn.BatchNorm1d(16), nn.ReLU())
    for channels, padding in ((16, 1), (32, 1), (64, (0, 1, 1))):
        net.add(Block(channels))
        net.add(Block(channels))
        net.add(ops.SparseConv3d(channels, 2 * channels, 3, 2, padding=padding, bias=False))
        net.add(nn.BatchNorm1d(2 * channels))
        net.add(nn.ReLU())
    net.add(Block(128))
    net.add(Block(128))
    net.add(ops.SparseConv3d(128, 128, (3, 1, 1), stride=(2, 1, 1), bias=False))
    return net


def timed(net: nn.Module) -> list[tuple[str, float, tuple[int, ...]]]:
    """Has every layer of `net` write name, milliseconds and output size of its forward here."""
    rows: list[tuple[str, float, tuple[int, ...]]] = []
    begins: dict[nn.Module, float] = {}

    def before(module: nn.Module, _: Any) -> None:
        begins[module] = time.perf_counter()

    def after(module: nn.Module, _: Any, result: Any) -> None:
        size = tuple(getattr(result, "features", result).shape)
        rows.append((type(module).__name__, 1e3 * (time.perf_counter() - begins[module]), size))

    for module in net.children():
        module.register_forward_pre_hook(before)
        module.register_forward_hook(after)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sweeps", type=int, default=10, help="turns of the scanner (10)")
    parser.add_argument("--threads", type=int, default=0, help="0: as torch has them")
    parser.add_argument("--bfloat16", action="store_true", help="under torch.autocast")
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    torch.manual_seed(0)
    features, indices = voxels(scan(given.sweeps, torch.Generator().manual_seed(0)))
    net = encoder()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
    rows = timed(net)
    for _ in range(2):  # the first step also allocates and wakes threads
        rows.clear()
        begin = time.perf_counter()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=given.bfloat16):
            out = net(ops.SparseConvTensor(features, indices, SHAPE, batch_size=1))
        loss = out.features.float().square().mean()
        middle = time.perf_counter()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        end = time.perf_counter()
    print(f"{len(features)} voxels, {torch.get_num_threads()} threads")
    for name, milliseconds, size in rows:
        print(f"  {name:14} {milliseconds:8.2f} ms  -> {list(size)}")
    print(f"forward {1e3 * (middle - begin):.1f} ms, backward {1e3 * (end - middle):.1f} ms")
    print(f"loss {loss.item():.4f}, dense map {list(out.dense().shape)}")


if __name__ == "__main__":
    main()
