"""Rotated feature align as a dense matrix, sample by sample, in double."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def _samples(box: list[float], scale: float, points: int) -> list[tuple[float, float]]:
    y, x, w, h, angle = box
    x, y, u, v = x * scale, y * scale, w * scale / 2, h * scale / 2
    c, s = math.cos(angle), math.sin(angle)
    corners = [
        (x + u * c - v * s, y + u * s + v * c),
        (x - u * c - v * s, y - u * s + v * c),
        (x - u * c + v * s, y - u * s - v * c),
        (x + u * c + v * s, y + u * s - v * c),
    ]
    return [(x, y), *(corners if points == 5 else [])]


def _axis(value: float, size: int) -> list[tuple[int, float]]:
    """The two cells of a coordinate with their weights."""
    value = max(value, 0.0)
    low = int(value)
    if low >= size - 1:
        return [(size - 1, 1.0)]
    return [(low, 1 - (value - low)), (low + 1, value - low)]


def matrix(boxes: Tensor, scale: float, points: int) -> Tensor:
    """A [N,H·W,H·W] of boxes [N,H,W,5]: the aligned map is A x, its gradient Aᵀ g."""
    n, height, width, _ = boxes.shape
    result = torch.eye(height * width, dtype=torch.float64).repeat(n, 1, 1)
    for image in range(n):
        for row in range(height):
            for column in range(width):
                box = boxes[image, row, column].double().tolist()
                for x, y in _samples(box, scale, points):
                    if y < -1 or y > height or x < -1 or x > width:
                        continue
                    for i, a in _axis(y, height):
                        for j, b in _axis(x, width):
                            result[image, row * width + column, i * width + j] += a * b
    return result


def align(features: Tensor, boxes: Tensor, scale: float, points: int) -> Tensor:
    """[N,C,H,W], [N,H,W,5] → [N,C,H,W]; differentiable."""
    n, c, h, w = features.shape
    return (features.reshape(n, c, h * w) @ matrix(boxes, scale, points).mT).reshape(n, c, h, w)


def problem(n: int, c: int, h: int, w: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Random features, and boxes of which some reach outside of the map, for a scale of 1/8."""
    generator = torch.Generator().manual_seed(seed)
    features = torch.randn(n, c, h, w, dtype=torch.float64, generator=generator)
    boxes = torch.rand(n, h, w, 5, dtype=torch.float64, generator=generator)
    sizes = torch.tensor([h, w, w, h, 0.8], dtype=torch.float64) * 8
    return features, boxes * sizes
