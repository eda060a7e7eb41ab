"""The floating-point types of the numpy front, and how far from double each may be."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
import pytest


def to_bits(values: Any) -> Any:
    """bfloat16 as uint16 bits, rounded to nearest even."""
    wide = numpy.ascontiguousarray(values, numpy.float32).view(numpy.uint32).astype(numpy.uint64)
    return ((wide + 0x7FFF + ((wide >> 16) & 1)) >> 16).astype(numpy.uint16)


def from_bits(bits: Any) -> Any:
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32).astype(numpy.float64)


class Type(NamedTuple):
    """How to make arrays of a type and to read them back, and its tolerance."""

    name: str
    tolerance: float

    @property
    def keywords(self) -> dict[str, str]:
        return {"dtype": "bfloat16"} if self.name == "bits" else {}

    def cast(self, values: Any) -> Any:
        if self.name == "bits":
            return to_bits(values)
        if self.name == "bfloat16":
            # Skips with its reason where the package is missing.
            return numpy.asarray(values).astype(pytest.importorskip("ml_dtypes").bfloat16)
        return numpy.asarray(values).astype(self.name)

    def wide(self, array: Any) -> Any:
        return from_bits(array) if self.name == "bits" else array.astype(numpy.float64)

    def check(self, measured: Any, wanted: Any, name: str = "") -> None:
        """diff1 and diff2, the measures of MLU-OPS, are within the tolerance; shapes agree."""
        assert measured.shape == wanted.shape, name
        values = self.wide(measured)
        assert numpy.isfinite(values).all(), name
        error, size = numpy.abs(values - wanted), numpy.abs(wanted)
        assert not error.sum() > self.tolerance * size.sum(), name
        assert not (error**2).sum() > self.tolerance**2 * (size**2).sum(), name


TYPES = [
    Type("float64", 1e-12),
    Type("float32", 1e-5),
    Type("float16", 3e-3),
    Type("bfloat16", 1e-2),
    Type("bits", 1e-2),
]
DOUBLE = TYPES[0]
every_type = pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
