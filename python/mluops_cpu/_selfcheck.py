"""Small problems of every family through C, against plain loops; for `python -m mluops_cpu info`.

Backward functions are held against their forward: <f(x), g> = <x, f'(g)>. Numbers are small
integers and boxes hit pixels exactly, so results are compared exactly.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Callable, Union

from . import _calls
from ._calls import Geometry, Record
from ._native import FLOAT, INT32

Numbers = Sequence[Union[int, float]]


class Tensor:
    """Memory with a shape: the least that a call needs."""

    def __init__(self, shape: tuple[int, ...], values: Numbers = (), dtype: int = FLOAT) -> None:
        count = 1
        for size in shape:
            count *= size
        kind: Any = ctypes.c_float if dtype == FLOAT else ctypes.c_int32
        self.data = (kind * count)(*(values or (77,) * count))
        self.record: Record = (ctypes.addressof(self.data), shape, dtype)

    def __getitem__(self, place: int) -> float:
        return float(self.data[place])

    def list(self) -> list[float]:
        return [float(value) for value in self.data]


def _numbers(count: int, seed: int) -> list[float]:
    """Integers from -4 to 4, each the next of a linear congruence."""
    numbers = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2**31
        numbers.append(float(seed // 65536 % 9 - 4))
    return numbers


def _dot(first: Tensor, second: Tensor) -> float:
    return float(sum(a * b for a, b in zip(first.data, second.data)))


def _like(tensor: Tensor, seed: int = 0) -> Tensor:
    """Of the same shape: other numbers, or without a seed none yet."""
    values = _numbers(len(tensor.data), seed) if seed else ()
    return Tensor(tensor.record[1], values)


def _carafe() -> bool:
    height, width, channels, k, groups, scale = 3, 4, 4, 3, 2, 2
    x = Tensor((1, height, width, channels), _numbers(height * width * channels, 1))
    weights = scale * scale * height * width * groups * k * k
    mask_shape = (1, scale * height, scale * width, groups * k * k)
    mask = Tensor(mask_shape, _numbers(weights, 2))
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
    grad, grad_x, grad_mask = _like(out, 8), _like(x), _like(mask)
    reads = (x.record, mask.record, grad.record)
    _calls.carafe_backward(0, *reads, grad_x.record, grad_mask.record, k, groups, scale)
    turned = _dot(out, grad) == _dot(x, grad_x) == _dot(mask, grad_mask)
    return out.list() == want and turned


def _align() -> bool:
    height, width, channels = 3, 4, 5
    x = Tensor((1, height, width, channels), _numbers(height * width * channels, 3))
    boxes = Tensor((1, height, width, 5), [8.0, 16.0, 0.0, 0.0, 0.0] * (height * width))
    out = Tensor((1, height, width, channels))
    _calls.rotated_feature_align_forward(0, x.record, boxes.record, out.record, 0.125, 1)
    sampled = 1 * width + 2  # y = 8 / 8, x = 16 / 8
    want = [
        x[pixel * channels + channel] + x[sampled * channels + channel]
        for pixel in range(height * width)
        for channel in range(channels)
    ]
    grad, grad_x = _like(out, 9), _like(x)
    _calls.rotated_feature_align_backward(0, grad.record, boxes.record, grad_x.record, 0.125, 1)
    return out.list() == want and _dot(out, grad) == _dot(x, grad_x)


def _cloud() -> tuple[Tensor, list[tuple[float, ...]], Tensor]:
    """Points off the faces of the boxes, and two boxes without heading."""
    flat = [value + 0.25 for value in _numbers(3 * 40, 4)]
    points = [tuple(flat[3 * i : 3 * i + 3]) for i in range(40)]
    boxes = Tensor((2, 7), [0, 0, -2, 4, 6, 4, 0, 1, 1, 0, 8, 4, 2, 0])
    return Tensor((40, 3), flat), points, boxes


def _inside(point: tuple[float, ...], box: Sequence[float]) -> bool:
    x, y = (abs(value - centre) for value, centre in zip(point[:2], box))
    return x < box[3] / 2 and y < box[4] / 2 and abs(point[2] - box[2] - box[5] / 2) <= box[5] / 2


def _boxes() -> bool:
    cloud, points, boxes = _cloud()
    solids = [boxes.list()[7 * i : 7 * i + 7] for i in range(2)]
    found, flags = Tensor((1, 40), dtype=INT32), Tensor((1, 40, 2), dtype=INT32)
    batched = (cloud.record[0], (1, 40, 3), FLOAT), (boxes.record[0], (1, 2, 7), FLOAT)
    _calls.points_in_boxes_part(0, *batched, found.record)
    _calls.points_in_boxes_all(0, *batched, flags.record)
    holds = [[_inside(point, solid) for solid in solids] for point in points]
    firsts = [float(row.index(True)) if any(row) else -1.0 for row in holds]
    return found.list() == firsts and flags.list() == [float(f) for row in holds for f in row]


def _roiaware() -> bool:
    cloud, points, boxes = _cloud()
    features = Tensor((40, 1), _numbers(40, 5))
    argmax, idx = Tensor((2, 1, 1, 1, 1), dtype=INT32), Tensor((2, 1, 1, 1, 41), dtype=INT32)
    pooled = Tensor((2, 1, 1, 1, 1))
    inputs = (boxes.record, cloud.record, features.record)
    _calls.roiaware_pool3d_forward(0, *inputs, argmax.record, idx.record, pooled.record, 0)
    for box in range(2):
        solid = boxes.list()[7 * box : 7 * box + 7]
        held = [i for i, point in enumerate(points) if _inside(point, solid)]
        best = max(held, key=lambda i: features[i])
        if (pooled[box], argmax[box]) != (features[best], best):
            return False
        if idx.list()[41 * box : 41 * box + len(held) + 1] != [float(len(held)), *map(float, held)]:
            return False
    grad, grad_in = _like(pooled, 10), _like(features)
    reads = (idx.record, argmax.record, grad.record)
    _calls.roiaware_pool3d_backward(0, *reads, grad_in.record, 0)
    return _dot(pooled, grad) == _dot(features, grad_in)


def _meets(sites: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """(offset, input row, output site) for kernel 3, stride 2, padding 1 on a 5 x 5 map."""
    for number, offset in enumerate(product(range(3), repeat=2)):
        for row, (batch, *place) in enumerate(sites):
            moved = [z + 1 - a for z, a in zip(place, offset)]
            if all(m >= 0 and m % 2 == 0 and m // 2 <= 2 for m in moved):
                yield number, row, (batch, *(m // 2 for m in moved))


def _sparse() -> bool:
    sites = [(0, 1, 1), (0, 4, 2), (1, 0, 3), (0, 2, 2), (1, 4, 4)]
    geometry = Geometry(2, (5, 5), (3, 3), (3, 3), (2, 2), (1, 1), (1, 1))
    indices = Tensor((5, 3), [number for site in sites for number in site], INT32)
    rows = _calls.out_rows_bound(5, geometry)
    out, pairs = Tensor((rows, 3), dtype=INT32), Tensor((9, 2, 5), dtype=INT32)
    counts = Tensor((9,), dtype=INT32)
    outputs = (out.record, pairs.record, counts.record)
    found = _calls.get_indice_pairs(0, indices.record, geometry, *outputs)
    meets = list(_meets(sites))
    want = sorted({site for _, _, site in meets})
    if out.list()[: 3 * found] != [float(number) for site in want for number in site]:
        return False
    x, filters = Tensor((5, 3), _numbers(15, 6)), Tensor((3, 3, 3, 2), _numbers(54, 7))
    result, most = Tensor((found, 2)), Tensor((found, 3))
    numbers = [int(value) for value in counts.data]
    inputs = (x.record, filters.record, pairs.record, numbers)
    _calls.indice_conv_forward(0, *inputs, result.record, False, False)
    _calls.indice_maxpool_forward(0, x.record, pairs.record, numbers, most.record)
    sums, maxima = [0.0] * (2 * found), [0.0] * (3 * found)
    for number, row, site in meets:
        target = want.index(site)
        for i in range(3):
            maxima[3 * target + i] = max(maxima[3 * target + i], x[3 * row + i])
            for j in range(2):
                sums[2 * target + j] += x[3 * row + i] * filters[(number * 3 + i) * 2 + j]
    grad, grad_x, grad_filters = _like(result, 11), _like(x), _like(filters)
    tables = (pairs.record, numbers)
    _calls.indice_conv_backward_data(
        0, grad.record, filters.record, *tables, grad_x.record, False, False
    )
    _calls.indice_conv_backward_filter(
        0, x.record, grad.record, *tables, grad_filters.record, False, False
    )
    turned = _dot(result, grad) == _dot(x, grad_x) == _dot(filters, grad_filters)
    return result.list() == sums and most.list() == maxima and turned


CHECKS: dict[str, Callable[[], bool]] = {
    "carafe": _carafe,
    "rotated_feature_align": _align,
    "roiaware_pool3d": _roiaware,
    "points_in_boxes": _boxes,
    "sparse convolution and pooling": _sparse,
}
