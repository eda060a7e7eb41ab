"""Pairs of sparse convolutions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Union

import numpy

from .. import _calls, _native
from .._calls import Geometry
from ._arrays import Array, axes, integer, integers, output

_INT32 = numpy.dtype(numpy.int32)
_Axes = Union[int, Iterable[int]]


class IndicePairs(NamedTuple):
    """What get_indice_pairs returns.

    >>> IndicePairs._fields
    ('out_indices', 'indice_pairs', 'indice_num', 'out_spatial_shape')
    """

    out_indices: Array
    indice_pairs: Array
    indice_num: Array
    out_spatial_shape: tuple[int, ...]


def get_indice_pairs(
    indices: Any,
    batch_size: int,
    spatial_shape: Iterable[int],
    kernel_size: _Axes = 3,
    stride: _Axes = 1,
    padding: _Axes = 0,
    dilation: _Axes = 1,
    output_padding: _Axes = 0,
    subm: bool = False,
    transpose: bool = False,
) -> IndicePairs:
    """Which input site meets which output site at each of the K offsets of a kernel; 1 to 4 axes.

    indices [L,ndim+1] are rows (batch, ...). Returns out_indices [Y,ndim+1] (ascending; with subm
    the int32 indices themselves), indice_pairs int32 [K,2,L], indice_num int32 [K] and the output
    shape. Pair t < indice_num[k] joins input row [k,0,t] with output row [k,1,t]; -1 follows. With
    subm, stride is 1 and padding (kernel // 2) * dilation whatever is given. BadParamError: a row
    outside batch or space, a geometry that C refuses.

    >>> sites = [[0, 0], [0, 1], [0, 4]]  # batch 0, one axis
    >>> found = get_indice_pairs(sites, 1, [5], kernel_size=3, subm=True)
    >>> found.indice_num
    array([1, 3, 1], dtype=int32)
    >>> found.indice_pairs[0]  # offset 0: row 0 reaches the site of row 1
    array([[ 0, -1, -1],
           [ 1, -1, -1]], dtype=int32)
    """
    rows, record = integers(indices, "indices")
    shape = tuple(integer(entry, "spatial_shape") for entry in spatial_shape)
    ndim = len(shape)
    if not 1 <= ndim <= 4:
        raise NotImplementedError(f"pairs exist for 1 to 4 axes, got {ndim}")
    kernel = axes(kernel_size, ndim, "kernel_size")
    steps, pads = axes(stride, ndim, "stride"), axes(padding, ndim, "padding")
    holes, extra = axes(dilation, ndim, "dilation"), axes(output_padding, ndim, "output_padding")
    if subm:
        out_shape = shape
    elif transpose:
        out_shape = _calls.deconv_output_shape(shape, kernel, steps, pads, holes, extra)
    else:
        out_shape = _calls.conv_output_shape(shape, kernel, steps, pads, holes)
    geometry = Geometry(
        integer(batch_size, "batch_size"),
        shape,
        out_shape,
        kernel,
        steps,
        pads,
        holes,
        bool(subm),
        bool(transpose),
    )
    return _build(rows, record, geometry)


def _build(rows: Array, record: _calls.Record, geometry: Geometry) -> IndicePairs:
    if rows.ndim != 2:
        raise ValueError(f"indices must have 2 dims, got {rows.ndim}")
    volume = 1
    for entry in geometry.kernel_size:
        volume *= max(entry, 0)
    bound = _calls.out_rows_bound(len(rows), geometry)
    sites, sites_record = output(None, (bound, rows.shape[1]), _INT32, _native.INT32)
    pairs, pairs_record = output(None, (volume, 2, len(rows)), _INT32, _native.INT32)
    counts, counts_record = output(None, (volume,), _INT32, _native.INT32)
    if len(geometry.kernel_size) == 4:
        from .._pairs_4d import get_indice_pairs as build
    else:
        build = _calls.get_indice_pairs
    found = build(0, record, geometry, sites_record, pairs_record, counts_record)
    if geometry.subm:
        out_indices = rows
    else:
        # A view would keep all rows of the bound in memory.
        out_indices = sites[:found].copy() if 2 * found < bound else sites[:found]
    return IndicePairs(out_indices, pairs, counts, geometry.out_shape)
