"""A sparse encoder and the same network on dense grids with a mask of the active cells."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from mluops_cpu.ops import SparseConv3d, SparseConvTensor, SparseSequential, SubMConv3d
from mluops_cpu.ops.sparse_modules import SparseModule, ToDense
from references import sparse


class Block(SparseModule):
    """mmdet3d's SparseBasicBlock: two submanifold convolutions without a key and a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = SubMConv3d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm1d(channels)
        self.conv2 = SubMConv3d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm1d(channels)

    def forward(self, x: SparseConvTensor) -> SparseConvTensor:
        out = self.conv1(x)
        out.features = torch.relu(self.bn1(out.features))
        out = self.conv2(out)
        out.features = torch.relu(self.bn2(out.features) + x.features)
        return out  # type: ignore[no-any-return]


def strided(a: int, b: int, key: str) -> list[nn.Module]:
    """A strided convolution with norm and activation."""
    return [SparseConv3d(a, b, 3, 2, 1, bias=False, indice_key=key), nn.BatchNorm1d(b), nn.ReLU()]


def centerpoint(widths: tuple[int, int, int, int] = (4, 8, 8, 8)) -> SparseSequential:
    """CenterPoint's encoder: an input layer, four stages of two blocks, strided layers between."""
    a, b, c, d = widths
    return SparseSequential(
        SubMConv3d(5, a, 3, padding=1, bias=False, indice_key="subm1"),
        nn.BatchNorm1d(a), nn.ReLU(),
        Block(a), Block(a), *strided(a, b, "spconv1"),
        Block(b), Block(b), *strided(b, c, "spconv2"),
        Block(c), Block(c), *strided(c, d, "spconv3"),
        Block(d), Block(d),
        SparseConv3d(d, d, [3, 1, 1], [2, 1, 1], bias=False, indice_key="spconv_down2"),
        nn.BatchNorm1d(d), nn.ReLU(), ToDense(),
    )  # fmt: skip


def dense_forward(
    net: SparseSequential, features: torch.Tensor, sites: torch.Tensor, shape: list[int], batch: int
) -> torch.Tensor:
    """The network on dense grids [B,C,*shape], by torch's own layers."""
    grid = sparse.grid_of(features, sites, shape, batch)
    mask = sparse.grid_of(torch.ones_like(features[:, :1]), sites, shape, batch) > 0
    for module in net:  # type: ignore[attr-defined]
        if isinstance(module, Block):
            out = normalised(conv(grid, module.conv1, [1] * 3, [1] * 3), mask, module.bn1).relu()
            out = normalised(conv(out * mask, module.conv2, [1] * 3, [1] * 3), mask, module.bn2)
            grid = (out + grid).relu() * mask
        elif isinstance(module, SubMConv3d):
            grid = conv(grid, module, [1] * 3, [1] * 3) * mask
        elif isinstance(module, SparseConv3d):
            grid = conv(grid, module, module.stride, module.padding)
            ones = grid.new_ones(1, 1, *module.kernel_size)
            reach = functional.conv3d(
                mask.to(grid.dtype), ones, None, module.stride, module.padding
            )
            mask = reach > 0.5
        elif isinstance(module, nn.BatchNorm1d):
            grid = normalised(grid, mask, module)
        elif isinstance(module, nn.ReLU):
            grid = grid.relu()
    return grid * mask


def conv(
    grid: torch.Tensor, layer: SparseConv3d, stride: list[int], padding: list[int]
) -> torch.Tensor:
    """Dense convolution with the layer's weight."""
    return sparse.conv(grid, layer.weight, stride, padding, [1] * 3)


def normalised(grid: torch.Tensor, mask: torch.Tensor, norm: nn.BatchNorm1d) -> torch.Tensor:
    """Batch norm over the active cells only."""
    cells = mask[:, 0].nonzero(as_tuple=True)
    channels_last = grid.movedim(1, -1)
    rows = functional.batch_norm(
        channels_last[cells], None, None, norm.weight, norm.bias, True, 0.0, norm.eps
    )
    return torch.zeros_like(channels_last).index_put(cells, rows).movedim(-1, 1)
