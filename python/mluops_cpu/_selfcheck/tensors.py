"""Memory with a shape, and small numbers to fill it with."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Union

from .._calls import Record
from .._native import FLOAT

Numbers = Sequence[Union[int, float]]


class Tensor:
    """Memory with a shape: the least that a call needs."""

    def __init__(self, shape: tuple[int, ...], values: Numbers = (), dtype: int = FLOAT) -> None:
        count = 1
        for size in shape:
            count *= size
        kind: Any = ctypes.c_float if dtype == FLOAT else ctypes.c_int32
        self.data = (kind * count)(*(values or (77,) * count))
        self.record: Record = (ctypes.addressof(self.data), shape, dtype)

    def __getitem__(self, place: int) -> float:
        return float(self.data[place])

    def list(self) -> list[float]:
        return [float(value) for value in self.data]


def numbers(count: int, seed: int) -> list[float]:
    """Integers from -4 to 4, each the next of a linear congruence."""
    found = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2**31
        found.append(float(seed // 65536 % 9 - 4))
    return found


def dot(first: Tensor, second: Tensor) -> float:
    return float(sum(a * b for a, b in zip(first.data, second.data)))


def like(tensor: Tensor, seed: int = 0) -> Tensor:
    """Of the same shape: other numbers, or without a seed none yet."""
    values = numbers(len(tensor.data), seed) if seed else ()
    return Tensor(tensor.record[1], values)
