"""A small CenterPoint: sparse encoder, bird's-eye map, heat map of centres and boxes at them."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from mluops_cpu.ops import SparseConv3d, SparseConvTensor, SparseSequential, SubMConv3d

from .scenes import CELL, LOWER, MAP, SHAPE, Batch

#: What the network says of a car at its centre: offset in the cell (x, y), logarithm of length and
#: width, and sine and cosine of twice the heading: front and rear of these cars look alike.
REGRESSED = 6


def _sparse(layer: nn.Module, channels: int) -> list[nn.Module]:
    return [layer, nn.BatchNorm1d(channels), nn.ReLU()]


def _subm(channels: int, key: str) -> list[nn.Module]:
    return _sparse(SubMConv3d(channels, channels, 3, bias=False, indice_key=key), channels)


def _dense(inputs: int, outputs: int) -> list[nn.Module]:
    convolution = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
    return [convolution, nn.BatchNorm2d(outputs), nn.ReLU()]


class Detector(nn.Module):
    """Voxels -> heat map [B,1,80,80] (logits) and regressed values [B,6,80,80]."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = SparseSequential(
            *_sparse(SubMConv3d(5, 16, 3, bias=False, indice_key="subm1"), 16),
            *_subm(16, "subm1"),
            *_sparse(SparseConv3d(16, 32, 3, stride=2, padding=1, bias=False), 32),
            *_subm(32, "subm2"),
            *_sparse(SparseConv3d(32, 64, 3, stride=2, padding=1, bias=False), 64),
            *_subm(64, "subm3"),
            # 5 layers are left of 20: one column each.
            *_sparse(SparseConv3d(64, 64, (5, 1, 1), stride=(5, 1, 1), bias=False), 64),
        )
        self.neck = nn.Sequential(*_dense(64, 64), *_dense(64, 64))
        self.heat = nn.Conv2d(64, 1, 1)
        self.box = nn.Conv2d(64, REGRESSED, 1)
        nn.init.constant_(self.heat.bias, -4.0)  # centres are rare

    def forward(
        self, features: torch.Tensor, indices: torch.Tensor, batch_size: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.encoder(SparseConvTensor(features, indices, SHAPE, batch_size)).dense()
        x = self.neck(x.flatten(1, 2))
        return self.heat(x), self.box(x)


def targets(boxes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Boxes [T,7] -> heat map [80,80], cells [T,2] (row, column), regressed values [T,6]."""
    place = (boxes[:, :2] - float(LOWER[0])) / CELL
    cell = place.long().clamp(0, MAP - 1)
    grid = torch.arange(MAP)
    squared = (grid[None, None, :] - cell[:, 0, None, None]) ** 2
    squared = squared + (grid[None, :, None] - cell[:, 1, None, None]) ** 2
    heat = torch.exp(-squared / 2.0).amax(0) if len(boxes) else torch.zeros(MAP, MAP)
    twice = 2 * boxes[:, 6]
    values = [place - cell - 0.5, boxes[:, 3:5].log(), torch.stack([twice.sin(), twice.cos()], 1)]
    return heat, cell.flip(1), torch.cat(values, 1)


def loss(heat: torch.Tensor, regressed: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Focal loss on the heat map and L1 on the values at the centres, per car."""
    made = [targets(boxes) for boxes in batch.boxes]
    wanted = torch.stack([heat_map for heat_map, _, _ in made])[:, None]
    chance = heat.sigmoid().clamp(1e-4, 1 - 1e-4)
    positive = wanted.eq(1).float()
    hit = positive * (1 - chance) ** 2 * chance.log()
    missed = (1 - positive) * (1 - wanted) ** 4 * chance**2 * (1 - chance).log()
    cars = max(sum(len(cells) for _, cells, _ in made), 1)
    focal = -(hit + missed).sum() / cars
    distance = regressed.new_zeros(())
    for answer, (_, cells, values) in zip(regressed, made):
        distance = distance + F.l1_loss(
            answer[:, cells[:, 0], cells[:, 1]].t(), values, reduction="sum"
        )
    return focal + 0.5 * distance / cars


@torch.no_grad()
def decode(heat: torch.Tensor, regressed: torch.Tensor, most: int = 40) -> list[torch.Tensor]:
    """The boxes found in each scene, best first: [n,6] (score, x, y, length, width, heading)."""
    chance = heat.sigmoid()
    peak = chance * (F.max_pool2d(chance, 3, stride=1, padding=1) == chance)
    found = []
    for map_, values in zip(peak, regressed):
        scores, places = map_.flatten().topk(most)
        row, column = places // MAP, places % MAP
        offset_x, offset_y, length, width, sine, cosine = values[:, row, column]
        x = float(LOWER[0]) + CELL * (column + 0.5 + offset_x)
        y = float(LOWER[1]) + CELL * (row + 0.5 + offset_y)
        heading = torch.atan2(sine, cosine) / 2
        found.append(torch.stack([scores, x, y, length.exp(), width.exp(), heading], 1))
    return found
