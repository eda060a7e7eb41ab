"""RoI align, sample by sample: geometry in the arithmetic of `real`, sums in double."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy


class Sampling(NamedTuple):
    """What a call is given besides tensors."""

    size: tuple[int, int]
    scale: float = 1.0
    ratio: int = 0
    aligned: bool = True


def bins(
    roi: Any, sampling: Sampling, real: Any
) -> Iterator[tuple[int, int, list[Any], list[Any]]]:
    """ph, pw, and the coordinates of the rows and of the columns of samples of each bin."""
    scale, shift = real(numpy.float32(sampling.scale)), real(0.5 if sampling.aligned else 0)
    x1, y1, x2, y2 = (real(value) * scale - shift for value in roi[1:])
    w, h = x2 - x1, y2 - y1
    if not sampling.aligned:
        w, h = max(w, real(1)), max(h, real(1))
    of_y, of_x = h / real(sampling.size[0]), w / real(sampling.size[1])
    counts = [
        sampling.ratio if sampling.ratio > 0 else math.ceil(numpy.float32(each))
        for each in (of_y, of_x)
    ]
    for ph in range(sampling.size[0]):
        rows = _places(y1, of_y, ph, counts[0], real)
        for pw in range(sampling.size[1]):
            yield ph, pw, rows, _places(x1, of_x, pw, counts[1], real)


def _places(start: Any, width: Any, number: int, count: int, real: Any) -> list[Any]:
    first = start + real(number) * width
    return [first + real(i + 0.5) * width / real(count) for i in range(count)]


def _axis(place: Any, size: int) -> list[tuple[int, Any]]:
    """The two cells of a coordinate that is inside, with their weights."""
    place = max(place, type(place)(0))
    low = int(place)
    if low >= size - 1:
        return [(size - 1, 1.0)]
    return [(low, 1 - (place - low)), (low + 1, place - low)]


def taps(y: Any, x: Any, height: int, width: int) -> list[tuple[int, int, float]]:
    """Row, column and weight of each cell of a sample; none outside of the map."""
    if not (-1 <= y <= height and -1 <= x <= width):
        return []
    rows, columns = _axis(y, height), _axis(x, width)
    return [(i, j, float(a) * float(b)) for i, a in rows for j, b in columns]


def matrix(rois: Any, shape: tuple[int, ...], sampling: Sampling, real: Any) -> Any:
    """A [K,PH,PW,N,H,W] of averages: the output is A x, the gradient Aᵀ g."""
    n, _, _, height, width = len(rois), *sampling.size, *shape[1:3]
    result = numpy.zeros((n, *sampling.size, *shape[:3]))
    for k, roi in enumerate(rois):
        image = int(roi[0])
        for ph, pw, rows, columns in bins(roi, sampling, real):
            for y in rows:
                for x in columns:
                    for i, j, weight in taps(y, x, height, width):
                        result[k, ph, pw, image, i, j] += weight / (len(rows) * len(columns))
    return result


def average(map: Any, rois: Any, sampling: Sampling, real: Any) -> Any:
    """[N,H,W,C] -> [K,PH,PW,C]."""
    return numpy.einsum("kpqnhw,nhwc->kpqc", matrix(rois, map.shape, sampling, real), map)


def average_backward(
    grad: Any, rois: Any, shape: tuple[int, ...], sampling: Sampling, real: Any
) -> Any:
    """[K,PH,PW,C] -> [N,H,W,C]."""
    return numpy.einsum("kpqnhw,kpqc->nhwc", matrix(rois, shape, sampling, real), grad)


def maximum(map: Any, rois: Any, sampling: Sampling, real: Any) -> tuple[Any, Any, Any]:
    """The output, and where each maximum was: y, x, -1 without samples."""
    _, height, width, channels = map.shape
    shape = (len(rois), *sampling.size, channels)
    most = numpy.full(shape, float(numpy.finfo(numpy.float32).min))
    at_y, at_x = numpy.full(shape, -1.0), numpy.full(shape, -1.0)
    for k, roi in enumerate(rois):
        for ph, pw, rows, columns in bins(roi, sampling, real):
            for y in rows:
                for x in columns:
                    value = numpy.zeros(channels)
                    for i, j, weight in taps(y, x, height, width):
                        value += weight * map[int(roi[0]), i, j]
                    wins = value > most[k, ph, pw]
                    most[k, ph, pw][wins] = value[wins]
                    at_y[k, ph, pw][wins], at_x[k, ph, pw][wins] = y, x
    return most, at_y, at_x


def maximum_backward(grad: Any, rois: Any, at_y: Any, at_x: Any, shape: tuple[int, ...]) -> Any:
    """[K,PH,PW,C] -> [N,H,W,C]."""
    result = numpy.zeros(shape)
    for k, ph, pw, c in numpy.ndindex(grad.shape):
        y, x = at_y[k, ph, pw, c], at_x[k, ph, pw, c]
        if y == -1:
            continue
        for i, j, weight in taps(y, x, *shape[1:3]):
            result[int(rois[k, 0]), i, j, c] += weight * grad[k, ph, pw, c]
    return result
