"""CARAFE and rotated feature align, pixel by pixel."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy


def _windows(
    height: int, width: int, k: int, scale: int
) -> Iterator[tuple[int, int, int, int, int]]:
    """Output row, column, cell of the window, input row, column: for every cell inside."""
    for row in range(scale * height):
        for column in range(scale * width):
            for cell in range(k * k):
                y = row // scale + cell // k - (k - 1) // 2
                x = column // scale + cell % k - (k - 1) // 2
                if 0 <= y < height and 0 <= x < width:
                    yield row, column, cell, y, x


def carafe(x: Any, mask: Any, k: int, groups: int, scale: int) -> Any:
    """[N,H,W,C], [N,sH,sW,G*k*k] -> [N,sH,sW,C]."""
    n, height, width, channels = x.shape
    out = numpy.zeros((n, scale * height, scale * width, channels))
    for row, column, cell, i, j in _windows(height, width, k, scale):
        for group in range(groups):
            part = slice(group * channels // groups, (group + 1) * channels // groups)
            weight = mask[:, row, column, group * k * k + cell, None]
            out[:, row, column, part] += weight * x[:, i, j, part]
    return out


def carafe_backward(x: Any, mask: Any, grad: Any, k: int, groups: int, scale: int) -> Any:
    """(grad_input, grad_mask)."""
    _, height, width, channels = x.shape
    grad_x, grad_mask = numpy.zeros(x.shape), numpy.zeros(mask.shape)
    for row, column, cell, i, j in _windows(height, width, k, scale):
        for group in range(groups):
            part = slice(group * channels // groups, (group + 1) * channels // groups)
            at = group * k * k + cell
            upstream = grad[:, row, column, part]
            grad_x[:, i, j, part] += mask[:, row, column, at, None] * upstream
            grad_mask[:, row, column, at] = (upstream * x[:, i, j, part]).sum(-1)
    return grad_x, grad_mask


def _axis(value: float, size: int) -> list[tuple[int, float]]:
    value = max(value, 0.0)
    low = int(value)
    if low >= size - 1:
        return [(size - 1, 1.0)]
    return [(low, 1 - (value - low)), (low + 1, value - low)]


def _samples(box: Any, scale: float, points: int) -> Iterator[tuple[float, float]]:
    y, x, w, h, angle = (float(value) for value in box)
    y, x, w, h = y * scale, x * scale, w * scale / 2, h * scale / 2
    yield y, x
    if points == 5:
        c, s = math.cos(angle), math.sin(angle)
        for i, j in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
            yield y + i * w * s + j * h * c, x + i * w * c - j * h * s


def align_matrix(boxes: Any, scale: float, points: int) -> Any:
    """[N,H*W,H*W] of boxes [N,H,W,5]: output pixels by input pixels."""
    n, height, width, _ = boxes.shape
    out = numpy.zeros((n, height * width, height * width))
    for image, row, column in numpy.ndindex(n, height, width):
        pixel = row * width + column
        out[image, pixel, pixel] += 1
        for y, x in _samples(boxes[image, row, column], scale, points):
            if -1 <= y <= height and -1 <= x <= width:
                for i, a in _axis(y, height):
                    for j, b in _axis(x, width):
                        out[image, pixel, i * width + j] += a * b
    return out


def align(x: Any, boxes: Any, scale: float, points: int) -> Any:
    """[N,H,W,C] -> [N,H,W,C]."""
    n, height, width, channels = x.shape
    flat = x.reshape(n, height * width, channels)
    return (align_matrix(boxes, scale, points) @ flat).reshape(x.shape)


def align_backward(grad: Any, boxes: Any, scale: float, points: int) -> Any:
    n, height, width, channels = grad.shape
    flat = grad.reshape(n, height * width, channels)
    turned = align_matrix(boxes, scale, points).transpose(0, 2, 1)
    return (turned @ flat).reshape(grad.shape)
