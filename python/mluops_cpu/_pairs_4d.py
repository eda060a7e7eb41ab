"""Pairs over four axes, which C does not have, with the order rules of its 2-D and 3-D builder.

Output sites ascend, the pairs of an offset ascend by input row, and the last axis of offsets runs
fastest.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy

from . import _calls, _native
from ._calls import Geometry, Record
from ._calls.pairs import check_geometry
from ._errors import BadParamError

_Array = numpy.ndarray[Any, Any]


def get_indice_pairs(
    threads: int,
    indices: Record,
    geometry: Geometry,
    out_indices: Record,
    indice_pairs: Record,
    indice_num: Record,
) -> int:
    """As _calls.get_indice_pairs, for indices [L,5] and geometries of four axes."""
    rows = _view(indices)
    if rows.ndim != 2 or rows.shape[1] != 5:
        raise ValueError(f"indices must have shape [L,5] for four axes, got {indices[1]}")
    for axes in (slice(0, 2), slice(2, 4)):
        check_geometry(threads, _some_axes(geometry, axes), empty=len(rows) == 0)
    pairs, counts = _view(indice_pairs), _view(indice_num)
    pairs.fill(-1)
    counts.fill(0)
    if len(rows) == 0:
        return 0
    _check_rows(rows, geometry)
    if geometry.subm:
        _view(out_indices)[:] = rows
        _submanifold(rows, geometry, pairs, counts)
        return len(rows)
    return _strided(threads, rows, geometry, _view(out_indices), pairs, counts)


def _view(record: Record) -> _Array:
    """The int32 tensor of a record; the caller keeps the memory."""
    pointer, shape, dtype = record
    if dtype != _native.INT32:
        raise TypeError("indices, pairs and counts must be int32")
    count = 1
    for size in shape:
        count *= size
    if count == 0:
        return numpy.empty(shape, numpy.int32)
    return numpy.ctypeslib.as_array((ctypes.c_int32 * count).from_address(pointer)).reshape(shape)


def _some_axes(geometry: Geometry, axes: slice) -> Geometry:
    batch, *tuples, subm, transpose = geometry
    shape, out, kernel, stride, padding, dilation = (entry[axes] for entry in tuples)
    return Geometry(batch, shape, out, kernel, stride, padding, dilation, subm, transpose)


def _check_rows(rows: _Array, geometry: Geometry) -> None:
    limits = (geometry.batch_size, *geometry.spatial_shape)
    outside = (rows < 0) | (rows >= numpy.array(limits))
    if outside.any():
        row, column = (int(entry) for entry in numpy.argwhere(outside)[0])
        value, limit = int(rows[row, column]), limits[column] - 1
        bound = "at least 0" if value < 0 else f"at most {limit}"
        raise BadParamError(
            f"mluOpGetIndicePairs: indices row {row}, column {column} must be {bound}, got {value}"
        )


def _strided(
    threads: int,
    rows: _Array,
    geometry: Geometry,
    out_indices: _Array,
    pairs: _Array,
    counts: _Array,
) -> int:
    """One 3-D build: the first axis, of O outputs, is folded into the batch.

    A copy of the rows for each offset of that axis says in which output slice they land; copies of
    one offset lie together, so the pairs of each 3-D offset split into runs, one per copy.
    """
    origin, folded, starts = _fold(rows, geometry)
    outer = geometry.out_shape[0]
    inner = _some_axes(geometry, slice(1, 4))._replace(batch_size=geometry.batch_size * outer)
    bound = min(_calls.out_rows_bound(len(folded), inner), len(out_indices))
    volume = len(counts) // geometry.kernel_size[0]
    sites = numpy.empty((bound, 4), numpy.int32)
    flat = numpy.empty((volume, 2, len(folded)), numpy.int32)
    found = numpy.empty(volume, numpy.int32)
    count = _calls.get_indice_pairs(
        threads, _record(folded), inner, _record(sites), _record(flat), _record(found)
    )
    out_indices[:count, 0], out_indices[:count, 1] = numpy.divmod(sites[:count, 0], outer)
    out_indices[:count, 2:] = sites[:count, 1:]
    out_indices[count:] = -1
    for offset in range(volume):
        inputs, outputs = flat[offset, :, : found[offset]]
        cuts = numpy.searchsorted(inputs, starts)
        for copy, (begin, end) in enumerate(zip(cuts, cuts[1:])):
            target = copy * volume + offset
            counts[target] = end - begin
            pairs[target, 0, : end - begin] = origin[inputs[begin:end]]
            pairs[target, 1, : end - begin] = outputs[begin:end]
    return count


def _fold(rows: _Array, geometry: Geometry) -> tuple[_Array, _Array, _Array]:
    """Rows of origin, folded rows (batch * O + output, y, z, w), and where each copy starts."""
    stride, padding, dilation = geometry.stride[0], geometry.padding[0], geometry.dilation[0]
    outer = geometry.out_shape[0]
    place = rows[:, 1].astype(numpy.int64)
    origins, folds, starts = [], [], [0]
    for offset in range(geometry.kernel_size[0]):
        if geometry.transpose:
            site = place * stride - padding + offset * dilation
            meets = (site >= 0) & (site < outer)
        else:
            shifted = place + padding - offset * dilation
            site = shifted // stride
            meets = (shifted >= 0) & (shifted % stride == 0) & (site < outer)
        origin = numpy.flatnonzero(meets)
        fold = numpy.empty((len(origin), 4), numpy.int32)
        fold[:, 0] = rows[origin, 0].astype(numpy.int64) * outer + site[origin]
        fold[:, 1:] = rows[origin, 2:]
        origins.append(origin.astype(numpy.int32))
        folds.append(fold)
        starts.append(starts[-1] + len(origin))
    return numpy.concatenate(origins), numpy.concatenate(folds), numpy.array(starts)


def _record(array: _Array) -> Record:
    return int(array.ctypes.data), array.shape, _native.INT32


def _submanifold(rows: _Array, geometry: Geometry, pairs: _Array, counts: _Array) -> None:
    """Looks every shifted site up among the sites; of equal rows the last stands for the site."""
    shape = numpy.array(geometry.spatial_shape, numpy.int64)
    steps = numpy.array([shape[axis + 1 :].prod() for axis in range(4)], numpy.int64)
    places = rows[:, 1:].astype(numpy.int64)
    linear = rows[:, 0].astype(numpy.int64) * shape.prod() + places @ steps
    order = numpy.argsort(linear, kind="stable")
    ordered = linear[order]
    last = numpy.append(ordered[1:] != ordered[:-1], True)
    cells, owners = ordered[last], order[last]
    for number, offset in enumerate(numpy.ndindex(*geometry.kernel_size)):
        shift = (numpy.array(geometry.kernel_size) // 2 - offset) * geometry.dilation
        moved = places + shift
        inside = ((moved >= 0) & (moved < shape)).all(axis=1)
        wanted = linear + int(shift @ steps)
        found = numpy.minimum(numpy.searchsorted(cells, wanted), len(cells) - 1)
        inputs = numpy.flatnonzero(inside & (cells[found] == wanted))
        counts[number] = len(inputs)
        pairs[number, 0, : len(inputs)] = inputs
        pairs[number, 1, : len(inputs)] = owners[found[inputs]]
