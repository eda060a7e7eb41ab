"""Pairs, sparse convolution and sparse pooling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from .. import _calls
from .._calls import Geometry
from .._native import INT32
from .tensors import Tensor, dot, like, numbers


def _meets(sites: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """(offset, input row, output site) for kernel 3, stride 2, padding 1 on a 5 x 5 map."""
    for number, offset in enumerate(product(range(3), repeat=2)):
        for row, (batch, *place) in enumerate(sites):
            moved = [z + 1 - a for z, a in zip(place, offset)]
            if all(m >= 0 and m % 2 == 0 and m // 2 <= 2 for m in moved):
                yield number, row, (batch, *(m // 2 for m in moved))


def sparse() -> bool:
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
    x, filters = Tensor((5, 3), numbers(15, 6)), Tensor((3, 3, 3, 2), numbers(54, 7))
    result, most = Tensor((found, 2)), Tensor((found, 3))
    host = [int(value) for value in counts.data]
    inputs = (x.record, filters.record, pairs.record, host)
    _calls.indice_conv_forward(0, *inputs, result.record, False, False)
    _calls.indice_maxpool_forward(0, x.record, pairs.record, host, most.record)
    sums, maxima = [0.0] * (2 * found), [0.0] * (3 * found)
    for number, row, site in meets:
        target = want.index(site)
        for i in range(3):
            maxima[3 * target + i] = max(maxima[3 * target + i], x[3 * row + i])
            for j in range(2):
                sums[2 * target + j] += x[3 * row + i] * filters[(number * 3 + i) * 2 + j]
    grad, grad_x, grad_filters = like(result, 11), like(x), like(filters)
    tables = (pairs.record, host)
    _calls.indice_conv_backward_data(
        0, grad.record, filters.record, *tables, grad_x.record, False, False
    )
    _calls.indice_conv_backward_filter(
        0, x.record, grad.record, *tables, grad_filters.record, False, False
    )
    turned = dot(result, grad) == dot(x, grad_x) == dot(filters, grad_filters)
    return result.list() == sums and most.list() == maxima and turned
