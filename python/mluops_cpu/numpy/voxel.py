"""Voxelization, and the reduction of points by voxel (dynamic scatter)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Optional

import numpy

from .. import _calls, _native
from ._arrays import Array, floats, integer, integers, output

_INT32 = numpy.dtype(numpy.int32)
_MODES = {"sum": 0, "mean": 1, "max": 2}


class Voxels(NamedTuple):
    """What voxelization returns.

    >>> Voxels._fields
    ('voxels', 'coors', 'num_points_per_voxel')
    """

    voxels: Array
    coors: Array
    num_points_per_voxel: Array


class Scattered(NamedTuple):
    """What dynamic_scatter_forward returns.

    >>> Scattered._fields
    ('voxel_feats', 'voxel_coors', 'point2voxel_map', 'voxel_points_count')
    """

    voxel_feats: Array
    voxel_coors: Array
    point2voxel_map: Array
    voxel_points_count: Array


def _numbers(values: Iterable[float]) -> list[float]:
    return [float(value) for value in values]


def voxelization(
    points: Any,
    voxel_size: Iterable[float],
    coors_range: Iterable[float],
    max_points: int = 35,
    max_voxels: int = 20000,
    *,
    dtype: Optional[str] = None,
) -> Voxels:
    """Collects points [N,F] into voxels: [M,max_points,F], coors int32 [M,3] and counts [M].

    The first three columns are x, y, z; voxel_size has a size for each, coors_range the lower and
    then the upper corner. Voxels are in the order of their first points, coors are (z, y, x).
    Points beyond max_points of a voxel or in more than max_voxels voxels are dropped; unused slots
    are 0. dtype: see mluops_cpu.numpy.

    >>> import numpy
    >>> points = numpy.array([[0.5, 0.5, 0.5], [3.5, 0, 0], [0.7, 0, 0], [9, 9, 9]], "f4")
    >>> found = voxelization(points, [1, 1, 1], [0, 0, 0, 4, 4, 4], max_points=2)
    >>> found.coors, found.num_points_per_voxel
    (array([[0, 0, 0], [0, 0, 3]], dtype=int32), array([2, 1], dtype=int32))
    """
    cloud, read = floats(points, "points", dtype)
    most, depth = integer(max_voxels, "max_voxels"), integer(max_points, "max_points")
    rows = min(most, *cloud.shape[:1]) if most > 0 else most  # each voxel has a point
    shape = (max(rows, 0), max(depth, 0), *cloud.shape[1:2])
    voxels, voxels_record = output(None, shape, cloud.dtype, read[2])
    coors, coors_record = output(None, (shape[0], 3), _INT32, _native.INT32)
    counts, counts_record = output(None, shape[:1], _INT32, _native.INT32)
    outputs = (voxels_record, coors_record, counts_record)
    geometry = (_numbers(voxel_size), _numbers(coors_range))
    found = _calls.voxelization(0, read, *geometry, depth, rows, *outputs)
    # A view would keep all rows in memory.
    trimmed = [
        a[:found].copy() if 2 * found < len(a) else a[:found] for a in (voxels, coors, counts)
    ]
    return Voxels(*trimmed)


def dynamic_voxelize(
    points: Any,
    voxel_size: Iterable[float],
    coors_range: Iterable[float],
    *,
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """The voxel (z, y, x) of each point [N,F], (-1, -1, -1) for one outside: int32 [N,3].

    The arguments are those of voxelization.

    >>> import numpy
    >>> points = numpy.array([[0.5, 0.5, 0.5], [3.5, 0, 0], [9, 9, 9]], "f4")
    >>> dynamic_voxelize(points, [1, 1, 1], [0, 0, 0, 4, 4, 4])
    array([[ 0,  0,  0],
           [ 0,  0,  3],
           [-1, -1, -1]], dtype=int32)
    """
    cloud, read = floats(points, "points", dtype, out)
    result, written = output(out, (*cloud.shape[:1], 3), _INT32, _native.INT32)
    _calls.dynamic_voxelize(0, read, _numbers(voxel_size), _numbers(coors_range), written)
    del cloud
    return result


def _mode(mode: str) -> int:
    if mode not in _MODES:
        raise ValueError(f"mode must be 'max', 'mean' or 'sum', got {mode!r}")
    return _MODES[mode]


def dynamic_scatter_forward(
    feats: Any, coors: Any, mode: str = "max", *, dtype: Optional[str] = None
) -> Scattered:
    """Reduces features [N,C] of points with equal coordinates [N,ndim] to one row for each voxel.

    Returns voxel_feats [M,C], voxel_coors int32 [M,ndim] (ascending), point2voxel_map int32 [N] and
    voxel_points_count int32 [M]. A point with a coordinate below 0 is in no voxel: -1 in the map.

    >>> import numpy
    >>> coors = numpy.array([[0, 0, 3], [0, 0, 1], [-1, -1, -1], [0, 0, 3]])
    >>> found = dynamic_scatter_forward(numpy.array([[1.0], [2], [4], [8]]), coors, "sum")
    >>> found.voxel_feats.ravel(), found.point2voxel_map
    (array([2., 9.]), array([ 1,  0, -1,  1], dtype=int32))
    """
    number = _mode(mode)
    source, read = floats(feats, "feats", dtype)
    places, read_places = integers(coors, "coors")
    rows, columns = source.shape[:1], places.shape[1:2]
    sums, sums_record = output(None, (*rows, *source.shape[1:2]), source.dtype, read[2])
    sites, sites_record = output(None, (*rows, *columns), _INT32, _native.INT32)
    map, map_record = output(None, rows, _INT32, _native.INT32)
    counts, counts_record = output(None, rows, _INT32, _native.INT32)
    outputs = (sums_record, sites_record, map_record, counts_record)
    found = _calls.dynamic_scatter_forward(0, read, read_places, *outputs, number)
    del places
    trimmed = [a[:found].copy() if 2 * found < len(a) else a[:found] for a in (sums, sites, counts)]
    return Scattered(trimmed[0], trimmed[1], map, trimmed[2])


def dynamic_scatter_backward(
    grad_voxel_feats: Any,
    feats: Any,
    voxel_feats: Any,
    point2voxel_map: Any,
    voxel_points_count: Any,
    mode: str = "max",
    *,
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """The gradient of the features: grad_voxel_feats [M,C] -> [N,C].

    Of equal maxima in a voxel the first point gets it. The other arguments are the features and
    what dynamic_scatter_forward returned.

    >>> import numpy
    >>> feats, coors = numpy.array([[1.0], [8], [4]]), numpy.array([[0, 0], [0, 1], [0, 0]])
    >>> most = dynamic_scatter_forward(feats, coors)
    >>> grad = numpy.array([[10.0], [20]])
    >>> tables = most.point2voxel_map, most.voxel_points_count
    >>> dynamic_scatter_backward(grad, feats, most.voxel_feats, *tables).ravel()
    array([ 0., 20., 10.])
    """
    number = _mode(mode)
    grad, read_grad = floats(grad_voxel_feats, "grad_voxel_feats", dtype, out)
    source, read = floats(feats, "feats", dtype, out)
    most, read_most = floats(voxel_feats, "voxel_feats", dtype, out)
    map, read_map = integers(point2voxel_map, "point2voxel_map", out)
    counts, read_counts = integers(voxel_points_count, "voxel_points_count", out)
    result, written = output(out, source.shape, source.dtype, read[2])
    reads = (read_grad, read, read_most, read_map, read_counts)
    _calls.dynamic_scatter_backward(0, *reads, written, number)
    del grad, most, map, counts
    return result
