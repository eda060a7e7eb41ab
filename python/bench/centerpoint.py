"""CenterPoint's sparse encoder, its sites, and a plain torch convolution to compare with."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Optional

import torch
from torch import nn

from mluops_cpu import ops
from mluops_cpu.ops import _sparse_run


class Scene(NamedTuple):
    """Voxels [L,4] (batch, z, y, x) of a batch, with features [L,5]."""

    features: torch.Tensor
    indices: torch.Tensor
    shape: tuple[int, int, int]
    batch_size: int


def scanned_scene(mluop: Path) -> Scene:
    """The 248 636 voxels of `mluop`'s case centerpoint_subm1: ten sweeps, batch 4."""
    case = "centerpoint_subm1"
    with tempfile.TemporaryDirectory() as folder:
        command = [str(mluop), "gen", "--suite", "network", "--op", "get_indice_pairs"]
        command += ["--case", case, "--out", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        data = Path(folder, "get_indice_pairs", f"{case}_int32_data0_input").read_bytes()
    indices = torch.frombuffer(bytearray(data), dtype=torch.int32).view(-1, 4)
    return _with_features(indices, (41, 1440, 1440), 4)


def random_scene(rows: int, seed: int = 0) -> Scene:
    """Distinct voxels anywhere in a small space: for quick runs and for changing sizes."""
    shape = (41, 160, 160)
    generator = torch.Generator().manual_seed(seed)
    cells = torch.randperm(shape[0] * shape[1] * shape[2], generator=generator)[:rows]
    cells, x = cells // shape[2], cells % shape[2]
    z, y = cells // shape[1], cells % shape[1]
    indices = torch.stack([torch.zeros_like(z), z, y, x], 1).int()
    return _with_features(indices, shape, 1)


def _with_features(indices: torch.Tensor, shape: tuple[int, int, int], batch: int) -> Scene:
    generator = torch.Generator().manual_seed(1)
    return Scene(torch.randn(len(indices), 5, generator=generator), indices, shape, batch)


class BasicBlock(ops.SparseModule):
    """Two submanifold convolutions around a shortcut, without an indice_key, as in mmdet3d."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = ops.SubMConv3d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm1d(channels)
        self.conv2 = ops.SubMConv3d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm1d(channels)

    def forward(self, x: ops.SparseConvTensor) -> ops.SparseConvTensor:
        out = self.conv1(x)
        out.features = torch.relu(self.bn1(out.features))
        out = self.conv2(out)
        out.features = torch.relu(self.bn2(out.features) + x.features)
        return out


def _conv(layer: nn.Module, channels: int) -> list[nn.Module]:
    return [layer, nn.BatchNorm1d(channels), nn.ReLU()]


def encoder() -> ops.SparseSequential:
    """21 convolutions on 8 sets of pairs: 17 submanifold ones on 4, and 4 strided ones."""
    layers = _conv(ops.SubMConv3d(5, 16, 3, padding=1, bias=False, indice_key="subm1"), 16)
    for channels, padding in ((16, 1), (32, 1), (64, (0, 1, 1))):
        layers += [BasicBlock(channels), BasicBlock(channels)]
        down = ops.SparseConv3d(channels, 2 * channels, 3, 2, padding=padding, bias=False)
        layers += _conv(down, 2 * channels)
    layers += [BasicBlock(128), BasicBlock(128)]
    out = ops.SparseConv3d(128, 128, (3, 1, 1), stride=(2, 1, 1), bias=False)
    return ops.SparseSequential(*layers, *_conv(out, 128))


def step(net: nn.Module, scene: Scene, dtype: Optional[torch.dtype] = None) -> float:
    """One training step without the optimiser: forward and all gradients; returns the loss."""
    net.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=dtype or torch.bfloat16, enabled=dtype is not None):
        x = ops.SparseConvTensor(scene.features, scene.indices, list(scene.shape), scene.batch_size)
        loss = net(x).features.float().square().mean()
    loss.backward()  # type: ignore[no-untyped-call]
    return float(loss.detach())


def gather_multiply_scatter(
    features: torch.Tensor,
    weight: torch.Tensor,
    pairs: torch.Tensor,
    num: torch.Tensor,
    rows: int,
    inverse: bool,
) -> torch.Tensor:
    """The convolution as torch users write it: index_select, mm, index_add for each offset."""
    out = features.new_zeros(rows, weight.shape[-1])
    for k, (matrix, n) in enumerate(zip(weight.flatten(0, -3).unbind(), num.tolist())):
        if n:
            source, target = pairs[k, int(inverse), :n], pairs[k, 1 - int(inverse), :n]
            out.index_add_(0, target, torch.mm(features.index_select(0, source), matrix))
    return out


@contextmanager
def plain_torch() -> Iterator[None]:
    """Within it the layers convolve by `gather_multiply_scatter`; pairs stay ours."""
    ours = _sparse_run.convolve
    _sparse_run.convolve = gather_multiply_scatter
    try:
        yield
    finally:
        _sparse_run.convolve = ours
