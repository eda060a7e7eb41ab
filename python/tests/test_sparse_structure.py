"""SparseConvTensor, scatter_nd and the functions on given pairs."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
import torch

from mluops_cpu import BadParamError
from mluops_cpu.ops import SparseConv3d, SparseConvTensor, SubMConv3d, scatter_nd
from mluops_cpu.ops import sparse_functional as functional
from mluops_cpu.ops import sparse_ops as ops
from references import sparse


def last_wins(features: torch.Tensor, sites: torch.Tensor, shape: list[int]) -> torch.Tensor:
    """Dense [*shape,C], assigned row by row."""
    dense = torch.zeros(*shape, features.shape[1], dtype=features.dtype)
    for row, site in zip(features, sites.tolist()):
        dense[tuple(site)] = row
    return dense


@pytest.mark.parametrize("duplicates", [False, True])
@pytest.mark.parametrize("shape", [(9,), (4, 5), (3, 4, 5), (2, 3, 2, 3)], ids=str)
def test_dense(shape: tuple[int, ...], duplicates: bool) -> None:
    sites = sparse.random_sites(8, shape, 2, duplicates)
    x = SparseConvTensor(torch.randn(8, 3, requires_grad=True), sites, shape, 2)
    wanted = last_wins(x.features.detach(), sites, [2, *shape])
    last = x.dense(channels_first=False)
    first = x.dense()
    assert torch.equal(last, wanted)
    assert torch.equal(first, wanted.movedim(-1, 1))
    assert first.is_contiguous()
    assert last.is_contiguous()
    upstream = torch.randn_like(first)
    (gradient,) = torch.autograd.grad(first, x.features, upstream)
    winners = sparse.last_of_each(sites)
    assert torch.equal(gradient, sparse.at(upstream, sites) * winners[:, None])


@pytest.mark.parametrize("threads", [1, 2])
def test_duplicates_of_dense_do_not_depend_on_threads(threads: int) -> None:
    torch.set_num_threads(threads)
    sites = sparse.random_sites(60000, (20, 10), 1, duplicates=True)
    features = torch.arange(60000, dtype=torch.float32)[:, None].repeat(1, 4)
    got = SparseConvTensor(features, sites, (20, 10), 1).dense(False)
    cell = (sites[:, 1] * 10 + sites[:, 2]).tolist()
    last = dict(zip(cell, range(60000)))
    wanted = torch.tensor([float(last.get(c, 0)) for c in range(200)])
    assert torch.equal(got[..., 0].flatten(), wanted)


def test_dense_gradcheck() -> None:
    sites = sparse.random_sites(12, (3, 3), 1, duplicates=True)

    def function(x: torch.Tensor) -> torch.Tensor:
        return SparseConvTensor(x, sites, (3, 3), 1).dense()

    x = torch.randn(12, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(function, (x,))
    assert torch.autograd.gradgradcheck(function, (x,))


@pytest.mark.parametrize("kind", [list, tuple, torch.Size])
def test_scatter_nd_takes_any_shape(kind: Any) -> None:
    indices = torch.tensor([[[0, 1], [1, 0]], [[0, 1], [1, 1]]])
    updates = torch.arange(8.0).view(2, 2, 2)
    got = scatter_nd(indices, updates, kind([2, 2, 2]))
    wanted = torch.tensor([[[0.0, 0.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]])
    assert torch.equal(got, wanted)


@pytest.mark.parametrize("bad", [[0, 2], [-1, 0]])
def test_scatter_nd_outside_of_the_shape(bad: list[int]) -> None:
    with pytest.raises(IndexError, match=r"inside of \(2, 2\)"):
        scatter_nd(torch.tensor([bad]), torch.ones(1), (2, 2))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
def test_dense_keeps_the_dtype(dtype: torch.dtype) -> None:
    x = SparseConvTensor(torch.ones(1, 2, dtype=dtype), torch.tensor([[0, 1]]), [3], 1)
    assert x.dense().dtype == dtype


def test_attributes_are_assignable() -> None:
    grid = torch.zeros(1)
    sites = torch.tensor([[0, 1, 1]], dtype=torch.int32)
    x = SparseConvTensor(torch.ones(1, 2), sites, (3, 4), 2, grid)
    assert x.indices is sites
    assert x.grid is grid
    assert (x.spatial_size, x.sparity, x.indice_dict) == (12, 1 / 24, {})
    assert x.find_indice_pair(None) is None
    assert x.find_indice_pair("a") is None
    x.indice_dict["a"] = (1, 2)
    x.indice_dict[None] = (3, 4)
    assert x.find_indice_pair("a") == (1, 2)
    assert x.find_indice_pair(None) is None
    x.features = torch.zeros(1, 5)
    x.batch_size = 3
    assert x.dense().shape == (3, 5, 3, 4)
    # mmdet3d tells spconv 2 from mmcv by this method.
    assert not hasattr(x, "replace_feature")


@pytest.mark.parametrize("how", ["pickle", "deepcopy"])
def test_copies(how: str) -> None:
    sites = sparse.random_sites(20, (6, 6, 6), 1)
    x = SparseConvTensor(torch.randn(20, 4), sites, [6, 6, 6], 1)
    down = SparseConv3d(4, 4, 3, 2, indice_key="down")
    with torch.no_grad():
        y = down(x)
    z = pickle.loads(pickle.dumps(y)) if how == "pickle" else copy.deepcopy(y)
    assert torch.equal(z.features, y.features)
    assert torch.equal(z.indices, y.indices)
    assert z.indices is not y.indices
    assert torch.equal(z.indice_dict["down"][2], y.indice_dict["down"][2])
    layer = SubMConv3d(4, 4, 3)
    assert torch.equal(layer(z).features, layer(y).features)


def problem() -> tuple[torch.Tensor, ...]:
    sites = sparse.random_sites(30, (5, 5, 5), 1)
    outids, pairs, num = ops.get_indice_pairs(sites, 1, [5, 5, 5], 3, 2, 1)
    return torch.randn(30, 4), torch.randn(3, 3, 3, 4, 6), outids, pairs, num


def test_plain_functions_equal_the_differentiable_ones() -> None:
    x, weight, outids, pairs, num = problem()
    rows = outids.shape[0]
    a, b = x.clone().requires_grad_(), weight.clone().requires_grad_()
    y = functional.indice_conv(a, b, pairs, num, rows)
    assert torch.equal(functional.indice_subm_conv(a, b, pairs, num, rows), y)
    plain = ops.indice_conv(a, b, pairs, num, rows)
    assert torch.equal(plain, y)
    assert not plain.requires_grad
    g = torch.randn_like(y)
    y.backward(g)
    gradients = ops.indice_conv_backward(a, b, g, pairs, num)
    assert isinstance(gradients, list)
    assert torch.equal(gradients[0], a.grad)
    assert torch.equal(gradients[1], b.grad)
    bias = torch.randn(6)
    fused = ops.fused_indice_conv(a, b, bias, pairs, num, rows, False, False)
    assert torch.equal(fused, plain + bias)
    back = torch.randn(3, 3, 3, 6, 4)
    inverse = ops.indice_conv(g, back, pairs, num, 30, inverse=True)
    assert torch.equal(inverse, functional.indice_inverse_conv(g, back, pairs, num, 30))
    with pytest.raises(BadParamError):
        ops.indice_conv(x[:-1], weight, pairs, num, rows)


def test_plain_pooling_equals_the_differentiable_one() -> None:
    x, _, outids, pairs, num = problem()
    a = x.clone().requires_grad_()
    y = functional.indice_maxpool(a, pairs, num, outids.shape[0])
    plain = ops.indice_maxpool(a, pairs, num, outids.shape[0])
    assert torch.equal(plain, y)
    assert not plain.requires_grad
    g = torch.randn_like(y)
    y.backward(g)
    assert torch.equal(ops.indice_maxpool_backward(a, plain, g, pairs, num), a.grad)


def test_output_sizes() -> None:
    assert ops.get_conv_output_size([41, 8], [3, -1], [2, 1], [1, 0], [1, 1]) == [21, 1]
    assert ops.get_conv_output_size([9], [3], [1], [0], [2]) == [5]
    # Dilation does not enter, as in mmcv.
    assert ops.get_deconv_output_size([5], [3], [2], [1], [7], [1]) == [10]
    with pytest.raises(ValueError, match="-1"):
        ops.get_deconv_output_size([5], [-1], [2], [1], [1], [0])


def test_get_indice_pairs_refusals() -> None:
    sites = torch.zeros(1, 4, dtype=torch.int32)
    with pytest.raises(AssertionError, match="axis 0"):
        ops.get_indice_pairs(sites, 1, [5] * 3, 3, 2, dilation=2)
    with pytest.raises(NotImplementedError, match="5 axes"):
        ops.get_indice_pairs(torch.zeros(1, 6, dtype=torch.int32), 1, [5] * 5)
    with pytest.raises(NotImplementedError, match="with grid"):
        ops.get_indice_pairs(sites[:, :2], 1, [5], grid=torch.zeros(5))
    with pytest.raises(BadParamError, match=r"stride\[0\] must be at least 1, got 0"):
        ops.get_indice_pairs(sites, 1, [5] * 3, 3, 0)
    grid = torch.ones(5)
    same = ops.get_indice_pairs(sites, 1, [5] * 3, 3, 2, grid=grid)
    for got, wanted in zip(same, ops.get_indice_pairs(sites, 1, [5] * 3, 3, 2)):
        assert torch.equal(got, wanted)
    assert torch.equal(grid, torch.ones(5))


def test_get_indice_pairs_of_submanifolds_gives_the_sites_themselves() -> None:
    sites = sparse.random_sites(10, (5, 5), 1)
    outids, pairs, num = ops.get_indice_pairs(sites, 1, (5, 5), subm=True)
    assert outids is sites
    assert pairs.shape == (9, 2, 10)
    assert num[4] == 10
    outids, _, _ = ops.get_indice_pairs(sites.long(), 1, (5, 5), subm=True)
    assert outids.dtype == torch.int32
