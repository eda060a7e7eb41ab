"""Pairs of a sparse convolution: which input row meets which output row at each offset."""

from __future__ import annotations

import ctypes
from typing import Any

from .._native import INT32, LAYOUT_ARRAY, State, acquire, c, fail, int32
from .common import Record, elements, fill
from .geometry import Geometry


def get_indice_pairs(
    threads: int,
    indices: Record,
    geometry: Geometry,
    out_indices: Record,
    indice_pairs: Record,
    indice_num: Record,
) -> int:
    """Writes out_indices [rows,ndim+1], indice_pairs [K,2,L], indice_num [K]; returns the output
    sites Y.

    indices [L,ndim+1] are rows (batch, ...), all tensors int32, ndim 1 to 3. out_indices has
    out_rows_bound(L, geometry) rows; the first Y are sites, ascending (subm: the rows of indices).
    """
    ndim = len(geometry.kernel_size)
    if ndim == 1:
        return _one_axis(threads, indices, geometry, out_indices, indice_pairs, indice_num)
    if ndim not in (2, 3):
        raise NotImplementedError(f"pairs exist for 1 to 4 axes, got {ndim}")
    state = acquire(threads)
    empty = 0 in indices[1] and len(indices[1]) == 2
    sparse = _describe(state, geometry, empty)
    if empty:
        fill(indice_num)
        return 0
    if out_indices[1][0] == 0:
        # No site can be met: no rows for C to write to.
        fill(indice_pairs, 255)
        fill(indice_num)
        return 0
    return _run(state, sparse, indices, out_indices, indice_pairs, indice_num)


def check_geometry(threads: int, geometry: Geometry, empty: bool) -> None:
    """Raises what C says about a geometry of 2 or 3 axes; a batch of 0 is legal if it is empty."""
    _describe(acquire(threads), geometry, empty)


def _describe(state: State, geometry: Geometry, empty: bool) -> Any:
    """The sparse descriptor; it checks the geometry of an empty batch, too."""
    ndim = len(geometry.kernel_size)
    stride, padding, out_shape = geometry.stride, geometry.padding, geometry.out_shape
    if geometry.subm:
        # Centred whatever the layer says, as in mmcv; with dilation the padding grows (spconv 2).
        stride = (1,) * ndim
        padding = tuple(k // 2 * d for k, d in zip(geometry.kernel_size, geometry.dilation))
        out_shape = geometry.spatial_shape
    array = ctypes.c_int * ndim

    def ints(name: str, values: tuple[int, ...]) -> Any:
        if len(values) != ndim:
            raise ValueError(f"{name} must have {ndim} entries, got {len(values)}")
        return array(*(int32(value, name) for value in values))

    batch = int32(geometry.batch_size, "batch_size")
    sparse = state.sparse_descriptor()
    status = c.mluOpSetSparseConvolutionDescriptor(
        sparse,
        ndim + 2,
        1 if empty and batch == 0 else batch,
        ints("padding", padding),
        ints("stride", stride),
        ints("dilation", geometry.dilation),
        ints("spatial_shape", geometry.spatial_shape),
        ints("kernel_size", geometry.kernel_size),
        ints("out_shape", out_shape),
        1 if geometry.subm else 0,
        1 if geometry.transpose and not geometry.subm else 0,
        0,
    )
    if status:
        fail("mluOpSetSparseConvolutionDescriptor", status)
    return sparse


def _run(
    state: State,
    sparse: Any,
    indices: Record,
    out_indices: Record,
    indice_pairs: Record,
    indice_num: Record,
) -> int:
    find = state.descriptors
    indices_desc = find[LAYOUT_ARRAY, indices[2], indices[1]]
    pairs_desc = find[LAYOUT_ARRAY, indice_pairs[2], indice_pairs[1]]
    out_desc = find[LAYOUT_ARRAY, out_indices[2], out_indices[1]]
    num_desc = find[LAYOUT_ARRAY, indice_num[2], indice_num[1]]
    status = c.mluOpGetIndicePairsWorkspaceSize(
        state.handle, sparse, indices_desc, pairs_desc, out_desc, num_desc, state.size_ref
    )
    if status:
        fail("mluOpGetIndicePairsWorkspaceSize", status)
    size = state.size.value
    workspace = state.workspace(size)
    status = c.mluOpGetIndicePairs(
        state.handle,
        sparse,
        indices_desc,
        indices[0],
        workspace.pointer if size else None,
        size,
        pairs_desc,
        indice_pairs[0],
        out_desc,
        out_indices[0],
        num_desc,
        indice_num[0],
    )
    if status:
        fail("mluOpGetIndicePairs", status)
    sites = ctypes.c_int()
    status = c.mluOpGetSparseConvolutionNumActOut(sparse, ctypes.byref(sites))
    if status:
        fail("mluOpGetSparseConvolutionNumActOut", status)
    return sites.value


def _ints(pointer: int, count: int) -> memoryview:
    return memoryview((ctypes.c_int32 * count).from_address(pointer)).cast("B").cast("i")


def _one_axis(
    threads: int,
    indices: Record,
    geometry: Geometry,
    out_indices: Record,
    indice_pairs: Record,
    indice_num: Record,
) -> int:
    """1-D is 2-D with a leading axis of size 1; the rows get a column of zeros for it."""
    wide = Geometry(
        geometry.batch_size,
        (1, *geometry.spatial_shape),
        (1, *geometry.out_shape),
        (1, *geometry.kernel_size),
        (1, *geometry.stride),
        (0, *geometry.padding),
        (1, *geometry.dilation),
        geometry.subm,
        geometry.transpose,
    )
    pointer, shape, dtype = indices
    if len(shape) != 2 or shape[1] != 2 or dtype != INT32:
        raise ValueError(f"indices must be int32 [L,2] for one axis, got shape {shape}")
    rows, out_rows = shape[0], out_indices[1][0]
    read = (ctypes.c_int32 * (3 * rows))()
    written = (ctypes.c_int32 * (3 * out_rows))()
    if rows:
        source, target = _ints(pointer, 2 * rows), _ints(ctypes.addressof(read), 3 * rows)
        target[0::3], target[2::3] = source[0::2], source[1::2]
    sites = get_indice_pairs(
        threads,
        (ctypes.addressof(read), (rows, 3), INT32),
        wide,
        (ctypes.addressof(written), (out_rows, 3), INT32),
        indice_pairs,
        indice_num,
    )
    if out_rows and elements(out_indices[1]):
        source = _ints(ctypes.addressof(written), 3 * out_rows)
        target = _ints(out_indices[0], 2 * out_rows)
        target[0::2], target[1::2] = source[0::3], source[2::3]
    return sites
