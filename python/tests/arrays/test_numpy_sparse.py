"""Pairs, convolution and pooling on numpy arrays against brute force."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from layers import LAYERS, every_layer, problem

from mluops_cpu import _calls
from mluops_cpu.numpy import (
    get_indice_pairs,
    indice_conv_backward_data,
    indice_conv_backward_filter,
    indice_conv_forward,
    indice_maxpool_backward,
    indice_maxpool_forward,
)
from mluops_cpu.numpy._arrays import floats, integers, output
from references.arrays import sparse
from references.arrays.dtypes import DOUBLE, Type, every_type
from references.arrays.sparse import Layer

by_name = {layer.name: layer for layer in LAYERS}


@every_layer
@pytest.mark.parametrize("duplicates", [False, True], ids=["distinct", "duplicates"])
def test_pairs(rng: Any, layer: Layer, duplicates: bool) -> None:
    want = problem(rng, layer, duplicates=duplicates)
    got = get_indice_pairs(want.indices, 2, layer.shape, **layer.keywords)
    assert got.out_spatial_shape == want.shape
    for mine, theirs in zip(got[:3], want[1:4]):
        assert mine.dtype == numpy.int32
        assert numpy.array_equal(mine, theirs)
    if layer.subm:
        assert got.out_indices is want.indices


def test_more_rows_than_cells(rng: Any) -> None:
    layer = Layer("crowd", (2, 2, 2), (3, 3, 3), (2, 2, 2), (1, 1, 1), (1, 1, 1))
    indices = numpy.concatenate([numpy.zeros((60, 1)), rng.integers(0, 2, (60, 3))], 1)
    sites, pairs, counts = sparse.pairs(indices, layer)
    got = get_indice_pairs(indices.astype(int), 1, layer.shape, **layer.keywords)
    assert numpy.array_equal(got.out_indices, sites)
    assert numpy.array_equal(got.indice_pairs, pairs)
    assert numpy.array_equal(got.indice_num, counts)


def test_few_sites_are_a_copy(rng: Any) -> None:
    """Duplicates of one site: the rows of the bound must not stay in memory behind a view."""
    indices = numpy.tile([[0, 4, 4, 4]], (50, 1))
    got = get_indice_pairs(indices, 1, (9, 9, 9), 3, 2, 1)
    assert len(got.out_indices) == 1
    assert got.out_indices.base is None


@every_type
@every_layer
@pytest.mark.parametrize("krsc", [False, True], ids=["rsck", "krsc"])
def test_conv(rng: Any, kind: Type, layer: Layer, krsc: bool) -> None:
    case = problem(rng, layer)
    check_conv(rng, kind, layer, case, krsc, False)


@every_type
@pytest.mark.parametrize("name", ["2d strided", "3d strided", "3d transposed"])
def test_inverse_conv(rng: Any, kind: Type, name: str) -> None:
    check_conv(rng, kind, by_name[name], problem(rng, by_name[name]), False, True)
    check_conv(rng, kind, by_name[name], problem(rng, by_name[name]), True, True)


@pytest.mark.parametrize("name", ["1d strided", "2d subm", "3d pool", "3d subm"])
def test_conv_of_duplicates(rng: Any, name: str) -> None:
    case = problem(rng, by_name[name], rows=8, duplicates=True)
    check_conv(rng, DOUBLE, by_name[name], case, False, False)


def check_conv(rng: Any, kind: Type, layer: Layer, case: Any, krsc: bool, inverse: bool) -> None:
    """All three functions against loops; 9 inputs and 17 outputs straddle vector widths."""
    inputs, outputs = 9, 17
    rows, sites = len(case.indices), len(case.sites)
    if inverse:
        rows, sites = sites, rows
    x = kind.cast(rng.normal(size=(rows, inputs)))
    grad = kind.cast(rng.normal(size=(sites, outputs)))
    plain = kind.cast(rng.normal(size=(*layer.kernel, inputs, outputs)))
    flat = kind.wide(plain).reshape(-1, inputs, outputs)
    filters = numpy.ascontiguousarray(numpy.moveaxis(plain, -1, 0)) if krsc else plain
    keywords = {
        "inverse": inverse,
        "filter_layout": "KRSC" if krsc else "RSCK",
        **kind.keywords,
    }
    given = (case.pairs, case.counts)

    y = indice_conv_forward(x, filters, *given, sites, **keywords)
    kind.check(y, sparse.conv(kind.wide(x), flat, *given, sites, inverse), "forward")
    dx = indice_conv_backward_data(grad, filters, *given, rows, **keywords)
    kind.check(dx, sparse.conv_data(kind.wide(grad), flat, *given, rows, inverse), "data")
    dw = indice_conv_backward_filter(x, grad, *given, layer.kernel, **keywords)
    want = sparse.conv_filter(kind.wide(x), kind.wide(grad), *given, inverse)
    want = want.reshape(plain.shape)
    kind.check(dw, numpy.moveaxis(want, -1, 0) if krsc else want, "filter")

    out = numpy.empty_like(y)
    assert indice_conv_forward(x, filters, *given, sites, out=out, **keywords) is out
    assert out.tobytes() == y.tobytes()
    out = numpy.empty_like(dx)
    assert indice_conv_backward_data(grad, filters, *given, rows, out=out, **keywords) is out
    assert out.tobytes() == dx.tobytes()
    out = numpy.empty_like(dw)
    assert indice_conv_backward_filter(x, grad, *given, layer.kernel, out=out, **keywords) is out
    assert out.tobytes() == dw.tobytes()


@every_layer
def test_conv_is_adjoint(rng: Any, layer: Layer) -> None:
    case = problem(rng, layer)
    x = rng.normal(size=(len(case.indices), 3))
    filters = rng.normal(size=(*layer.kernel, 3, 4))
    grad = rng.normal(size=(len(case.sites), 4))
    given = (case.pairs, case.counts)
    there = (indice_conv_forward(x, filters, *given, len(grad)) * grad).sum()
    by_data = (x * indice_conv_backward_data(grad, filters, *given, len(x))).sum()
    by_filter = (filters * indice_conv_backward_filter(x, grad, *given, layer.kernel)).sum()
    assert by_data == pytest.approx(there, rel=1e-12)
    assert by_filter == pytest.approx(there, rel=1e-12)


@every_type
@pytest.mark.parametrize("name", ["1d strided", "2d strided", "3d pool", "3d subm", "4d strided"])
def test_maxpool(rng: Any, kind: Type, name: str) -> None:
    case = problem(rng, by_name[name])
    # Few distinct values make ties, negative windows meet the floor, zeros tie with it.
    x = kind.cast(rng.integers(-3, 4, (len(case.indices), 9)))
    given = (case.pairs, case.counts)
    want = sparse.maxpool(kind.wide(x), *given, len(case.sites))
    got = indice_maxpool_forward(x, *given, len(case.sites), **kind.keywords)
    assert numpy.array_equal(kind.wide(got), want)
    grad = kind.cast(rng.normal(size=got.shape))
    back = indice_maxpool_backward(x, got, grad, *given, **kind.keywords)
    kind.check(back, sparse.maxpool_backward(kind.wide(x), want, kind.wide(grad), *given))
    out = numpy.empty_like(back)
    assert indice_maxpool_backward(x, got, grad, *given, out=out, **kind.keywords) is out
    assert out.tobytes() == back.tobytes()


def test_maxpool_ignores_nan() -> None:
    pairs = numpy.array([[[0, -1]], [[0, -1]]]).reshape(1, 2, 2)
    x = numpy.array([[numpy.nan, 1.0], [9.0, 9.0]])
    assert indice_maxpool_forward(x, pairs, [1], 1).tolist() == [[0.0, 1.0]]


@every_type
@pytest.mark.parametrize("name", ["2d strided", "3d pool"])
def test_exact_and_average_pool_calls(rng: Any, kind: Type, name: str) -> None:
    """Not part of the numpy functions; the torch front uses these calls."""
    case = problem(rng, by_name[name])
    rows, sites = len(case.indices), len(case.sites)
    x, x_record = floats(kind.cast(rng.integers(-3, 4, (rows, 5))), "x", **kind.keywords)
    grad, grad_record = floats(kind.cast(rng.normal(size=(sites, 5))), "g", **kind.keywords)
    pairs, pairs_record = integers(case.pairs, "pairs")
    numbers = case.counts.tolist()
    given = (case.pairs, case.counts)

    def room(count: int) -> Any:
        return output(None, (count, 5), x.dtype, x_record[2])

    most, most_record = room(sites)
    _calls.indice_maxpool_forward(0, x_record, pairs_record, numbers, most_record, exact=True)
    want = sparse.maxpool(kind.wide(x), *given, sites, exact=True)
    assert numpy.array_equal(kind.wide(most), want)
    back, back_record = room(rows)
    _calls.indice_maxpool_backward(
        0, x_record, most_record, grad_record, pairs_record, numbers, back_record, exact=True
    )
    wide = kind.wide(grad)
    kind.check(back, sparse.maxpool_backward(kind.wide(x), want, wide, *given, exact=True))
    mean, mean_record = room(sites)
    _calls.indice_avgpool_forward(0, x_record, pairs_record, numbers, mean_record)
    kind.check(mean, sparse.avgpool(kind.wide(x), *given, sites))
    _calls.indice_avgpool_backward(0, grad_record, pairs_record, numbers, back_record)
    kind.check(back, sparse.avgpool_backward(wide, *given, rows))
    assert pairs is case.pairs
