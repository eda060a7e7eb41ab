"""Named geometries of sparse layers, and one problem for each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy
import pytest

from references.arrays.sparse import Layer, out_shape, pairs, random_sites


def _layer(
    name: str, shape: tuple[int, ...], k: Any, s: Any = 1, p: Any = 0, d: Any = 1, **kind: Any
) -> Layer:
    n = len(shape)
    spread = [value if isinstance(value, tuple) else (value,) * n for value in (k, s, p, d)]
    return Layer(name, shape, *spread, **kind)


LAYERS = [
    _layer("1d subm", (9,), 3, subm=True),
    _layer("1d strided", (11,), 3, 2, 1),
    _layer("1d transposed", (6,), 3, 2, 1, transpose=True, extra=(1,)),
    _layer("2d subm", (6, 7), 3, subm=True),
    _layer("2d subm even kernel", (6, 7), (2, 3), subm=True),
    _layer("2d strided", (7, 8), 3, 2, 1),
    _layer("2d dilated", (9, 8), 3, 1, 2, 2),
    _layer("2d stride and dilation", (9, 9), 3, 2, 2, 3),
    _layer("2d transposed", (4, 5), 3, 2, 1, transpose=True, extra=(1, 0)),
    _layer("3d subm", (5, 6, 7), 3, subm=True),
    _layer("3d subm 5 1 3", (5, 6, 7), (5, 1, 3), subm=True),
    _layer("3d subm dilated", (6, 7, 8), 3, subm=True, d=(2, 1, 3)),
    _layer("3d strided", (5, 6, 7), 3, 2, 1),
    _layer("3d strided 3 1 1", (7, 4, 4), (3, 1, 1), (2, 1, 1)),
    _layer("3d pool", (6, 6, 6), 2, 2),
    _layer("3d transposed", (3, 4, 3), 3, 2, 1, transpose=True),
    _layer("4d subm", (5, 4, 5, 6), 3, subm=True),
    _layer("4d subm dilated", (6, 5, 5, 6), (3, 1, 3, 3), subm=True, d=(2, 1, 1, 2)),
    _layer("4d strided", (7, 6, 5, 6), 3, 2, 1),
    _layer("4d mixed", (6, 5, 7, 6), (2, 3, 1, 3), (2, 1, 3, 1), (0, 1, 0, 2), (1, 2, 1, 1)),
    _layer("4d transposed", (4, 3, 4, 3), (3, 2, 1, 3), (2, 1, 1, 2), (1, 0, 0, 1), transpose=True),
]
every_layer = pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)


class Problem(NamedTuple):
    """Sites of two batches, and the pairs that brute force finds."""

    indices: Any
    sites: Any
    pairs: Any
    counts: Any
    shape: tuple[int, ...]


def problem(rng: Any, layer: Layer, rows: int = 40, duplicates: bool = False) -> Problem:
    indices = random_sites(rng, rows, 2, layer.shape)
    if duplicates:
        indices = indices[rng.integers(0, len(indices), len(indices) + 5)]
    sites, found, counts = pairs(indices, layer)
    assert counts.sum() > 0
    return Problem(numpy.ascontiguousarray(indices), sites, found, counts, out_shape(layer))
