"""Pairs by brute force over dictionaries; convolution and pooling pair by pair."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy


class Layer(NamedTuple):
    """A geometry by name; tuples have one entry per axis."""

    name: str
    shape: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    subm: bool = False
    transpose: bool = False
    extra: tuple[int, ...] = ()

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def keywords(self) -> dict[str, Any]:
        return {
            "kernel_size": self.kernel,
            "stride": self.stride,
            "padding": self.padding,
            "dilation": self.dilation,
            "output_padding": self.extra or 0,
            "subm": self.subm,
            "transpose": self.transpose,
        }


def out_shape(layer: Layer) -> tuple[int, ...]:
    if layer.subm:
        return layer.shape
    extra = layer.extra or (0,) * layer.ndim
    sizes = zip(layer.shape, layer.kernel, layer.stride, layer.padding, layer.dilation, extra)
    if layer.transpose:
        return tuple((i - 1) * s - 2 * p + k + e for i, k, s, p, d, e in sizes)
    return tuple((i + 2 * p - d * (k - 1) - 1) // s + 1 for i, k, s, p, d, e in sizes)


def _site(layer: Layer, place: Any, offset: tuple[int, ...]) -> Any:
    """The output site that an input meets at an offset, or None."""
    found = []
    for axis, (z, a) in enumerate(zip(place, offset)):
        d = layer.dilation[axis]
        s = 1 if layer.subm else layer.stride[axis]
        p = layer.kernel[axis] // 2 * d if layer.subm else layer.padding[axis]
        if layer.transpose:
            found.append(z * s - p + a * d)
        elif (z + p - a * d) % s:
            return None
        else:
            found.append((z + p - a * d) // s)
    inside = all(0 <= o < size for o, size in zip(found, out_shape(layer)))
    return tuple(found) if inside else None


def pairs(indices: Any, layer: Layer) -> tuple[Any, Any, Any]:
    """out_indices [Y,ndim+1], indice_pairs [K,2,L], indice_num [K], by the order rules."""
    rows = [tuple(int(value) for value in row) for row in indices]
    meets: list[tuple[int, int, tuple[int, ...]]] = []
    for number, offset in enumerate(product(*(range(k) for k in layer.kernel))):
        for row, (batch, *place) in enumerate(rows):
            site = _site(layer, place, offset)
            if site is not None:
                meets.append((number, row, (batch, *site)))
    if layer.subm:
        rank = {site: row for row, site in enumerate(rows)}  # of equal rows the last one
        sites = rows
    else:
        sites = sorted({site for _, _, site in meets})
        rank = {site: row for row, site in enumerate(sites)}
    volume = int(numpy.prod(layer.kernel))
    found = numpy.full((volume, 2, len(rows)), -1, numpy.int32)
    counts = numpy.zeros(volume, numpy.int32)
    for number, row, site in meets:
        if site in rank:
            found[number, :, counts[number]] = row, rank[site]
            counts[number] += 1
    return numpy.array(sites, numpy.int32).reshape(-1, layer.ndim + 1), found, counts


def each(found: Any, counts: Any, inverse: bool = False) -> Iterator[tuple[int, int, int]]:
    """(offset, input row, output row) of every pair."""
    for number, count in enumerate(counts):
        for t in range(count):
            first, second = (int(row) for row in found[number, :, t])
            yield (number, second, first) if inverse else (number, first, second)


def conv(x: Any, filters: Any, found: Any, counts: Any, rows: int, inverse: bool = False) -> Any:
    """filters [K,Ci,Co]."""
    out = numpy.zeros((rows, filters.shape[2]))
    for number, i, o in each(found, counts, inverse):
        out[o] += x[i] @ filters[number]
    return out


def conv_data(
    grad: Any, filters: Any, found: Any, counts: Any, rows: int, inverse: bool = False
) -> Any:
    out = numpy.zeros((rows, filters.shape[1]))
    for number, i, o in each(found, counts, inverse):
        out[i] += filters[number] @ grad[o]
    return out


def conv_filter(x: Any, grad: Any, found: Any, counts: Any, inverse: bool = False) -> Any:
    out = numpy.zeros((len(counts), x.shape[1], grad.shape[1]))
    for number, i, o in each(found, counts, inverse):
        out[number] += numpy.outer(x[i], grad[o])
    return out


def maxpool(x: Any, found: Any, counts: Any, rows: int, exact: bool = False) -> Any:
    out = numpy.full((rows, x.shape[1]), -numpy.inf if exact else 0.0)
    for _, i, o in each(found, counts):
        out[o] = numpy.where(x[i] > out[o], x[i], out[o])
    return numpy.where(numpy.isfinite(out), out, 0.0)


def maxpool_backward(
    x: Any, pooled: Any, grad: Any, found: Any, counts: Any, exact: bool = False
) -> Any:
    out = numpy.zeros(x.shape)
    open_ = numpy.ones(pooled.shape, bool)
    for _, i, o in each(found, counts):
        take = (x[i] == pooled[o]) & (open_[o] if exact else True)
        out[i] += numpy.where(take, grad[o], 0.0)
        open_[o] &= ~take
    return out


def avgpool(x: Any, found: Any, counts: Any, rows: int) -> Any:
    out, members = numpy.zeros((rows, x.shape[1])), numpy.zeros((rows, 1))
    for _, i, o in each(found, counts):
        out[o] += x[i]
        members[o] += 1
    return out / numpy.maximum(members, 1)


def avgpool_backward(grad: Any, found: Any, counts: Any, rows: int) -> Any:
    out, members = numpy.zeros((rows, grad.shape[1])), numpy.zeros((len(grad), 1))
    for _, _, o in each(found, counts):
        members[o] += 1
    for _, i, o in each(found, counts):
        out[i] += grad[o] / members[o]
    return out


def random_sites(rng: Any, rows: int, batch: int, shape: tuple[int, ...]) -> Any:
    """Distinct rows (batch, ...) in random order."""
    cells = batch * int(numpy.prod(shape))
    chosen = rng.choice(cells, min(rows, cells), replace=False)
    return numpy.stack(numpy.unravel_index(chosen, (batch, *shape)), 1).astype(numpy.int32)
