"""RoI-aware pooling and points in boxes by loops over boxes and points."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def local(point: list[float], box: list[float]) -> tuple[float, float, float] | None:
    """The point in the box's frame, from its lower corner, or None if it is outside."""
    cx, cy, cz, dx, dy, dz, rz = box
    x, y, z = point
    if abs(z - (cz + dz / 2)) > dz / 2:
        return None
    c, s = math.cos(-rz), math.sin(-rz)
    lx = (x - cx) * c + (y - cy) * (-s)
    ly = (x - cx) * s + (y - cy) * c
    if not (-dx / 2 < lx < dx / 2 and -dy / 2 < ly < dy / 2):
        return None
    return lx + dx / 2, ly + dy / 2, z - cz


def voxels(rois: Tensor, pts: Tensor, out_size: tuple[int, int, int], most: int) -> dict:
    """{(box, x, y, z): points in ascending order, at most `most` - 1}."""
    found: dict[tuple[int, ...], list[int]] = {}
    for b, box in enumerate(rois.double().tolist()):
        for p, point in enumerate(pts.double().tolist()):
            inside = local(point, box)
            if inside is None:
                continue
            cell = [
                min(max(math.floor(at / (size / cells)), 0), cells - 1)
                for at, size, cells in zip(inside, box[3:6], out_size)
            ]
            members = found.setdefault((b, *cell), [])
            if len(members) < most - 1:
                members.append(p)
    return found


def pool(
    rois: Tensor,
    pts: Tensor,
    feature: Tensor,
    out_size: tuple[int, int, int],
    most: int,
    mode: int,
) -> Tensor:
    """Pooled features [B,x,y,z,C], 0 (max) or 1 (average); differentiable."""
    result = feature.new_zeros((rois.shape[0], *out_size, feature.shape[1]))
    for cell, members in voxels(rois, pts, out_size, most).items():
        if members:
            rows = feature[members]
            result[cell] = rows.mean(0) if mode else rows.max(0).values
    return result


def in_boxes(points: Tensor, boxes: Tensor) -> Tensor:
    """Flags [B,M,T]."""
    result = torch.zeros((*points.shape[:2], boxes.shape[1]), dtype=torch.int32)
    for b in range(points.shape[0]):
        for m, point in enumerate(points[b].double().tolist()):
            for t, box in enumerate(boxes[b].double().tolist()):
                result[b, m, t] = int(local(point, box) is not None)
    return result


def problem(boxes: int, points: int, channels: int, seed: int = 0) -> tuple[Tensor, ...]:
    """Random rois, points, most of them inside a box, and features at least 1e-2 apart."""
    generator = torch.Generator().manual_seed(seed)
    rois = torch.rand(boxes, 7, dtype=torch.float64, generator=generator) * 4 + 1
    pts = torch.rand(points, 3, dtype=torch.float64, generator=generator) * 7
    order = torch.randperm(points * channels, generator=generator).double()
    return rois, pts, (order * 0.02 + 0.5).reshape(points, channels)
