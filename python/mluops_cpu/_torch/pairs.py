"""Pair cache: index pairs built once for each set of sites and geometry of a pass.

A network asks for the same pairs again and again: every submanifold layer of a stage sees the same
sites. Layers that share an `indice_key` find them in `indice_dict`; blocks without a key (mmdet3d's
SparseBasicBlock) would build them anew, 21 times instead of 8 in CenterPoint's encoder. The sparse
tensors of a pass therefore hand on one PairCache. It dies with them: there is no cache outside a
pass, because the memory behind `torch.from_numpy` changes without a trace.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import torch

from .tracing import compiling

# (batch size, spatial shape, output shape, kernel, stride, padding, dilation, transposed), or for
# submanifold layers (batch size, spatial shape, kernel, dilation): stride and padding do not enter
# there.
Geometry = tuple[Any, ...]


class Built(NamedTuple):
    """What a build gives: output sites [Y,ndim+1], pairs [K,2,L] and counts [K], all int32."""

    outids: torch.Tensor
    pairs: torch.Tensor
    num: torch.Tensor


class _Entry(NamedTuple):
    # Holding the sites themselves keeps their id from being given to another tensor.
    indices: torch.Tensor
    version: int
    # Inference tensors have no version counter: their contents are compared instead.
    copy: Optional[torch.Tensor]
    built: Built


class PairCache:
    """Pairs by identity and version of the sites, and by geometry.

    A list is searched by `is` rather than a dict by `id`, so that torch.compile can trace the
    search.
    """

    def __init__(self) -> None:
        self._entries: dict[Geometry, list[_Entry]] = {}

    def find(self, indices: torch.Tensor, geometry: Geometry) -> Optional[Built]:
        """The pairs of these sites; None if there are none or the sites changed in place."""
        if geometry not in self._entries:
            return None
        for entry in self._entries[geometry]:
            if entry.indices is indices and _unchanged(entry, indices):
                return entry.built
        return None

    def add(self, indices: torch.Tensor, geometry: Geometry, built: Built) -> None:
        """Keeps the pairs of these sites."""
        entry = _entry(indices, built)
        if geometry in self._entries:
            kept = [old for old in self._entries[geometry] if old.indices is not indices]
            self._entries[geometry] = [*kept, entry]
        else:
            self._entries[geometry] = [entry]

    def __len__(self) -> int:
        return sum(len(entries) for entries in self._entries.values())


def cache_of(tensor: Any) -> PairCache:
    """The cache that a sparse tensor carries; a tensor of another library is given one."""
    cache: Optional[PairCache] = getattr(tensor, "_pair_cache", None)
    if cache is None:
        cache = PairCache()
        tensor._pair_cache = cache
    return cache


def hand_on(source: Any, result: Any) -> None:
    """Lets `result` share the cache of `source`."""
    result._pair_cache = cache_of(source)


# Version of the sites of an entry made while torch.compile traces, where a version is a symbol that
# cannot be compared. Such an entry is found while tracing only, and only by identity: compiled code
# must not change sites in place between two layers.
_TRACED = -1


def _entry(indices: torch.Tensor, built: Built) -> _Entry:
    if compiling():
        return _Entry(indices, _TRACED, None, built)
    if indices.is_inference():
        return _Entry(indices, 0, indices.clone(), built)
    return _Entry(indices, indices._version, None, built)


def _unchanged(entry: _Entry, indices: torch.Tensor) -> bool:
    if compiling() or entry.version == _TRACED:
        return compiling() and entry.version == _TRACED
    if entry.copy is not None:
        return torch.equal(entry.copy, indices)
    return entry.version == indices._version
