"""CARAFE, rotated feature align and RoI align."""

from __future__ import annotations

from itertools import product

from .. import _calls
from .tensors import Tensor, dot, like, numbers


def carafe() -> bool:
    height, width, channels, k, groups, scale = 3, 4, 4, 3, 2, 2
    x = Tensor((1, height, width, channels), numbers(height * width * channels, 1))
    weights = scale * scale * height * width * groups * k * k
    mask_shape = (1, scale * height, scale * width, groups * k * k)
    mask = Tensor(mask_shape, numbers(weights, 2))
    out = Tensor((1, scale * height, scale * width, channels))
    _calls.carafe_forward(0, x.record, mask.record, out.record, k, groups, scale)
    want = []
    for row, column, channel in product(*(range(size) for size in out.record[1][1:])):
        total = 0.0
        for i, j in product(range(k), repeat=2):
            y, z = row // scale + i - k // 2, column // scale + j - k // 2
            if 0 <= y < height and 0 <= z < width:
                cell = (channel // (channels // groups) * k + i) * k + j
                pixel = row * scale * width + column
                weight = mask[pixel * groups * k * k + cell]
                total += weight * x[(y * width + z) * channels + channel]
        want.append(total)
    grad, grad_x, grad_mask = like(out, 8), like(x), like(mask)
    reads = (x.record, mask.record, grad.record)
    _calls.carafe_backward(0, *reads, grad_x.record, grad_mask.record, k, groups, scale)
    turned = dot(out, grad) == dot(x, grad_x) == dot(mask, grad_mask)
    return out.list() == want and turned


def align() -> bool:
    height, width, channels = 3, 4, 5
    x = Tensor((1, height, width, channels), numbers(height * width * channels, 3))
    boxes = Tensor((1, height, width, 5), [8.0, 16.0, 0.0, 0.0, 0.0] * (height * width))
    out = Tensor((1, height, width, channels))
    _calls.rotated_feature_align_forward(0, x.record, boxes.record, out.record, 0.125, 1)
    sampled = 1 * width + 2  # y = 8 / 8, x = 16 / 8
    want = [
        x[pixel * channels + channel] + x[sampled * channels + channel]
        for pixel in range(height * width)
        for channel in range(channels)
    ]
    grad, grad_x = like(out, 9), like(x)
    _calls.rotated_feature_align_backward(0, grad.record, boxes.record, grad_x.record, 0.125, 1)
    return out.list() == want and dot(out, grad) == dot(x, grad_x)


def roi_align() -> bool:
    """Each RoI has one sample, amid four pixels."""
    height, width, channels = 4, 5, 3
    x = Tensor((1, height, width, channels), numbers(height * width * channels, 12))
    places = [(0, 0), (2, 1), (3, 2), (1, 1)]
    rois = Tensor((4, 5), [n for px, py in places for n in (0, px, py, px + 1, py + 1)])
    out = Tensor((4, 1, 1, channels))
    _calls.roi_align_forward(
        0, x.record, rois.record, out.record, None, None, (1, 1), 1.0, 1, 1, False
    )
    want = []
    for column, row in places:
        corners = [(row + i) * width + column + j for i, j in product(range(2), repeat=2)]
        want += [sum(x[at * channels + c] for at in corners) / 4 for c in range(channels)]
    grad, grad_x = like(out, 13), like(x)
    records = (grad.record, rois.record, None, None, grad_x.record)
    _calls.roi_align_backward(0, *records, 1.0, 1, 1, False)
    return out.list() == want and dot(out, grad) == dot(x, grad_x)
