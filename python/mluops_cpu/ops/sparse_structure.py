"""SparseConvTensor, the active sites of a grid with their features, and scatter_nd."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Callable, Optional

import torch

from .._torch.pairs import PairCache, hand_on
from .._torch.tracing import compiling

__all__ = ["SparseConvTensor", "scatter_nd"]

_INT32 = torch.iinfo(torch.int32)
_INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int64)


def as_int32(indices: torch.Tensor) -> torch.Tensor:
    """int32 tensor with the values of an integer tensor; the tensor itself if it is int32 already.

    Raises TypeError for a dtype that is no integer and ValueError for a value that int32 does not
    hold.
    """
    if indices.dtype == torch.int32:
        return indices
    if indices.dtype not in _INTEGERS:
        raise TypeError(f"indices must be an integer tensor, got {indices.dtype}")
    if indices.dtype == torch.int64:
        fits = ((indices >= _INT32.min) & (indices <= _INT32.max)).all()
        _require(fits, ValueError("indices has a value that int32 does not hold"))
    return indices.to(torch.int32)


def scatter_nd(indices: torch.Tensor, updates: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """Zeros of `shape` with `updates` assigned at `indices`; of equal indices the last one wins.

    indices [..., n], integers; updates [..., *shape[n:]]. Only the updates that were assigned get a
    gradient, so that the result and its gradients do not depend on the number of threads.

    Raises IndexError for an index outside of shape.

    >>> import torch
    >>> from mluops_cpu.ops import scatter_nd
    >>> scatter_nd(torch.tensor([[0], [2], [0]]), torch.tensor([[1.0], [2.0], [3.0]]), (3, 1))
    tensor([[3.],
            [0.],
            [2.]])
    """
    sizes = [int(size) for size in shape]
    depth = indices.shape[-1]
    cells, width = math.prod(sizes[:depth]), math.prod(sizes[depth:])
    coordinates = indices.reshape(-1, depth).to(torch.int64)
    cell = _linear(coordinates, sizes[:depth])
    # An extra cell takes the rows that lose; slicing it off gives them a gradient of 0.
    target = torch.where(_is_last(cell), cell, cells)
    result = updates.new_zeros((cells + 1, width))
    result = result.index_copy_(0, target, updates.reshape(cell.shape[0], width))
    return result[:cells].view(sizes)


def _linear(coordinates: torch.Tensor, sizes: Sequence[int]) -> torch.Tensor:
    """Row-major number of the cell of each row of coordinates [rows,len(sizes)]."""
    bound = torch.tensor(sizes, dtype=torch.int64, device=coordinates.device)
    inside = ((coordinates >= 0) & (coordinates < bound)).all()
    _require(inside, IndexError(f"indices must lie inside of {tuple(sizes)}"))
    strides = [math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    # int64 has no matrix product on every device.
    return (coordinates * torch.tensor(strides, device=coordinates.device)).sum(1)


def _is_last(cell: torch.Tensor) -> torch.Tensor:
    """True for the last row of each value of `cell`."""
    if not compiling() and bool((cell[1:] > cell[:-1]).all()):
        # Sites of a strided convolution are ascending: no need to sort.
        return torch.ones_like(cell, dtype=torch.bool)
    ascending, order = torch.sort(cell, stable=True)
    ends = torch.ones_like(cell, dtype=torch.bool)
    ends[:-1] = ascending[1:] != ascending[:-1]
    return torch.zeros_like(ends).index_copy(0, order, ends)


def _require(condition: torch.Tensor, error: Exception) -> None:
    """Raises `error` unless the condition holds; compiled, a RuntimeError of the same text."""
    if compiling():
        torch._assert_async(condition, str(error))
    elif not bool(condition):
        raise error


class SparseConvTensor:
    """Active sites of a batch of grids, with one row of features each.

    features [L,C]; indices [L,ndim+1], integers (batch, *coordinates), converted to int32;
    spatial_shape: the ndim sizes of the grid; batch_size; grid: kept for compatibility, neither
    read nor written. All are attributes and may be assigned. `indice_dict` holds the pairs of
    layers with an `indice_key`, by key: (outids, indices, indice_pairs [K,2,L], indice_num [K],
    spatial_shape).

    Raises TypeError or ValueError for indices that are no integers or exceed int32.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor
    >>> sites = torch.tensor([[0, 0, 1], [0, 1, 0]])
    >>> x = SparseConvTensor(torch.tensor([[1.0], [2.0]]), sites, [2, 2], 1)
    >>> x.dense()
    tensor([[[[0., 1.],
              [2., 0.]]]])
    >>> x.spatial_size, x.sparity
    (4, 0.5)
    """

    def __init__(
        self,
        features: torch.Tensor,
        indices: torch.Tensor,
        spatial_shape: Sequence[int],
        batch_size: int,
        grid: Optional[torch.Tensor] = None,
    ) -> None:
        self.features = features
        self.indices = as_int32(indices)
        self.spatial_shape = spatial_shape
        self.batch_size = batch_size
        self.indice_dict: dict[Any, Any] = {}
        self.grid = grid
        self._pair_cache = PairCache()

    @property
    def spatial_size(self) -> int:
        """Cells of one grid."""
        return math.prod(int(size) for size in self.spatial_shape)

    @property
    def sparity(self) -> float:
        """Active sites as a fraction of the cells of all grids."""
        return self.indices.shape[0] / self.spatial_size / self.batch_size

    def find_indice_pair(self, key: Any) -> Any:
        """Entry of `indice_dict` for a key; None if there is none and for the key None."""
        if key is None:
            return None
        return self.indice_dict.get(key)

    def dense(self, channels_first: bool = True) -> torch.Tensor:
        """[B,C,*spatial_shape], or [B,*spatial_shape,C]; the last duplicate wins."""
        shape = [int(self.batch_size), *(int(size) for size in self.spatial_shape)]
        result = scatter_nd(self.indices, self.features, [*shape, self.features.shape[1]])
        if not channels_first:
            return result
        return result.permute(0, len(shape), *range(1, len(shape))).contiguous()

    def __getstate__(self) -> dict[str, Any]:
        # A copy has sites of its own, of which the cache knows nothing.
        state = self.__dict__.copy()
        state.pop("_pair_cache", None)
        return state


def successor(
    source: Any,
    features: torch.Tensor,
    indices: torch.Tensor,
    spatial_shape: Sequence[int],
    tensor_class: Callable[..., Any] = SparseConvTensor,
) -> Any:
    """A layer's result: a new tensor with the indice_dict, grid and pair cache of its source."""
    result = tensor_class(features, indices, spatial_shape, source.batch_size)
    result.indice_dict = source.indice_dict
    result.grid = source.grid
    hand_on(source, result)
    return result
