"""Sparse max pooling against loops over the windows."""

from __future__ import annotations

import itertools
import math

import pytest
import torch

from mluops_cpu.ops import SparseConvTensor, SparseMaxPool2d, SparseMaxPool3d
from mluops_cpu.ops.sparse_pool import SparseMaxPool
from references import sparse


def windows(x: SparseConvTensor, outids: torch.Tensor, pool: SparseMaxPool) -> list[list[int]]:
    """Rows of the input in the window of each output site."""
    result = []
    padding = [k // 2 for k in pool.kernel_size] if pool.subm else pool.padding
    sites = [tuple(row) for row in x.indices.tolist()]
    for batch, *site in outids.tolist():
        cells = set()
        for offset in itertools.product(*(range(k) for k in pool.kernel_size)):
            axes = zip(site, pool.stride, padding, offset, pool.dilation)
            cells.add((batch, *(o * s - p + a * d for o, s, p, a, d in axes)))
        result.append([row for row, cell in enumerate(sites) if cell in cells])
    return result


CASES = {
    "2d": (SparseMaxPool2d(2, 2), (9, 10), False),
    "3d": (SparseMaxPool3d(3, 2, 1), (6, 7, 8), False),
    "stride_is_1_by_default": (SparseMaxPool3d(2), (4, 4, 4), False),
    "dilated": (SparseMaxPool2d(3, 1, 1, 2), (9, 10), False),
    "subm": (SparseMaxPool(3, 3, subm=True), (6, 7, 8), False),
    "duplicates": (SparseMaxPool3d(2, 2), (3, 3, 3), True),
    "1d": (SparseMaxPool(1, 3, 2, 1), (40,), False),
}


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16], ids=str
)
@pytest.mark.parametrize("name", CASES)
def test_value_and_gradient(name: str, dtype: torch.dtype) -> None:
    pool, shape, duplicates = CASES[name]
    sites = sparse.random_sites(20, shape, 2, duplicates)
    # Few values, so that there are ties; half of them below 0.
    features = torch.randint(-3, 4, (20, 5)).to(dtype).requires_grad_()
    x = SparseConvTensor(features, sites, list(shape), 2)
    y = pool(x)
    upstream = torch.randint(-9, 9, y.features.shape).to(dtype)
    (gradient,) = torch.autograd.grad(y.features, features, upstream)
    exact = features.detach().double()
    wanted, wanted_gradient = torch.zeros(*y.features.shape).double(), torch.zeros_like(exact)
    for out, rows in enumerate(windows(x, y.indices, pool)):
        assert rows
        wanted[out] = exact[rows].amax(0).clamp(min=0)
        for row in rows:
            wanted_gradient[row] += (exact[row] == wanted[out]) * upstream[out].double()
    assert torch.equal(y.features.double(), wanted)
    assert torch.equal(gradient.double(), wanted_gradient)
    assert y.features.dtype == dtype


def test_ties_and_the_floor_at_zero() -> None:
    sites = torch.tensor([[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 2, 2]])
    values = [[2.0, -1.0, 0.0], [2.0, -2.0, -1.0], [1.0, -3.0, 0.0], [-5.0, 1.0, -1.0]]
    features = torch.tensor(values, requires_grad=True)
    y = SparseMaxPool2d(2, 2)(SparseConvTensor(features, sites, [4, 4], 1)).features
    assert y.tolist() == [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    y.sum().backward()
    wanted = [[1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    assert features.grad.tolist() == wanted


def test_nan_never_wins() -> None:
    sites = torch.tensor([[0, 0, 0], [0, 0, 1]])
    x = SparseConvTensor(torch.tensor([[math.nan, math.nan], [1.0, math.nan]]), sites, [2, 2], 1)
    assert SparseMaxPool2d(2, 2)(x).features.tolist() == [[1.0, 0.0]]


def test_gradcheck() -> None:
    sites = sparse.random_sites(15, (4, 4, 4), 1)
    # Values 1e-2 apart and away from 0: finite differences must not change the winners.
    values = (torch.randperm(30).double() + 1).view(15, 2) / 10 * (-1) ** torch.arange(15)[:, None]

    def function(x: torch.Tensor) -> torch.Tensor:
        return SparseMaxPool3d(3, 2, 1)(SparseConvTensor(x, sites, [4, 4, 4], 1)).features  # type: ignore[no-any-return]

    arguments = (values.requires_grad_(),)
    assert torch.autograd.gradcheck(function, arguments, eps=1e-6, atol=1e-6)
    assert torch.autograd.gradgradcheck(function, arguments, eps=1e-6, atol=1e-6)


def test_attributes_shape_and_refusals() -> None:
    pool = SparseMaxPool3d(3, 2, 1)
    assert (pool.ndim, pool.kernel_size, pool.stride) == (3, [3] * 3, [2] * 3)
    assert (pool.padding, pool.dilation, pool.subm) == ([1] * 3, [1] * 3, False)
    sites = sparse.random_sites(5, (8, 8, 8), 1)
    x = SparseConvTensor(torch.randn(5, 4), sites, [8, 8, 8], 1)
    y = pool(x)
    assert y.spatial_shape == [4, 4, 4]
    assert y.indice_dict is x.indice_dict
    assert x.indice_dict == {}
    with pytest.raises(AssertionError, match="stride or dilation"):
        SparseMaxPool3d(3, 2, 1, 2)(x)
