"""Records, and what every call needs: emptiness, filling, host counts."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from .._native import LAYOUT_ARRAY, SIZES

#: A tensor: address of its first element, shape, dtype code. C-contiguous; the caller keeps it
#: alive.
Record = tuple[int, tuple[int, ...], int]

_count_types: dict[int, Any] = {}


def elements(shape: tuple[int, ...]) -> int:
    product = 1
    for size in shape:
        product *= size
    return product


def fill(record: Record, byte: int = 0) -> None:
    """Sets every byte of a tensor: 0 for zeros, 255 for integers of -1."""
    pointer, shape, dtype = record
    size = elements(shape) * SIZES[dtype]
    if size:
        ctypes.memset(pointer, byte, size)


def arguments(descriptors: Any, *records: Record) -> list[Any]:
    """Descriptor and address of each tensor, in the order in which C takes them."""
    found: list[Any] = []
    for pointer, shape, dtype in records:
        found += (descriptors[LAYOUT_ARRAY, dtype, shape], pointer)
    return found


def host_counts(counts: Sequence[int], least: int = 0) -> Any:
    """indice_num as the host array of int64 that C takes, with `least` entries or more."""
    length = max(len(counts), least)
    kind = _count_types.get(length)
    if kind is None:
        if len(_count_types) >= 256:
            _count_types.clear()
        kind = _count_types[length] = ctypes.c_int64 * length
    return kind(*counts)
