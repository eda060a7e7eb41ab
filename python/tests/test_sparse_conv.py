"""Sparse convolution layers against dense convolutions in double, with their gradients."""

from __future__ import annotations

import pytest
import torch

from mluops_cpu import set_num_threads
from mluops_cpu.ops import SparseConvTensor
from mluops_cpu.ops.sparse_conv import SparseConv4d, SparseConvolution, SubMConv4d
from mluops_cpu.ops.sparse_functional import convolve
from mluops_cpu.ops.sparse_ops import get_indice_pairs
from references import sparse
from references.sparse_cases import CASES, Case, dense_result, named

TOLERANCES = {
    torch.float64: 1e-12,
    torch.float32: 1e-5,
    torch.float16: 3e-3,
    torch.bfloat16: 1e-2,
}


def step(case: Case, dtype: torch.dtype) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """(output, gradients of features, weight, bias) of the layer and of the dense reference."""
    tensor, layer = case.tensor(dtype), case.layer().to(dtype)
    tensor.features.requires_grad_()
    leaves = [tensor.features, layer.weight, layer.bias]
    result = layer(tensor)
    upstream = torch.randn(result.features.shape, dtype=torch.float64).to(dtype)
    got = [result.features, *torch.autograd.grad(result.features, leaves, upstream)]
    exact = [leaf.detach().double().requires_grad_() for leaf in leaves]
    wanted = dense_result(case, tensor, *exact, result.indices, list(result.spatial_shape))
    return got, [wanted, *torch.autograd.grad(wanted, exact, upstream.double())]


@pytest.mark.parametrize("dtype", TOLERANCES, ids=str)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_layer_equals_the_dense_convolution(case: Case, dtype: torch.dtype) -> None:
    got, wanted = step(case, dtype)
    for ours, reference, name in zip(got, wanted, ("output", "features", "weight", "bias")):
        assert ours.dtype == dtype
        assert not ours.isnan().any(), name
        assert max(sparse.errors(ours, reference)) <= TOLERANCES[dtype], name


@pytest.mark.parametrize("case", CASES, ids=str)
def test_output_sites_are_all_windows_that_hold_a_site(case: Case) -> None:
    tensor, layer = case.tensor(torch.float64), case.layer()
    result = layer.double()(tensor)
    if layer.subm:
        assert result.indices is tensor.indices
        return
    if layer.inverse:
        assert result.indices.shape[0] == case.rows
        return
    ones = torch.ones(tensor.features.shape[0], 1, dtype=torch.float64)
    weight = torch.ones(*layer.kernel_size, 1, 1, dtype=torch.float64)
    bias = torch.zeros(1, dtype=torch.float64)
    shape = list(result.spatial_shape)
    everywhere = torch.cartesian_prod(torch.arange(case.batch), *map(torch.arange, shape))
    counts = dense_result(case, tensor, ones, weight, bias, everywhere, shape)[:, 0]
    assert torch.equal(result.indices.long(), everywhere[counts > 0.5])


@pytest.mark.parametrize("threads", [1, 3, 7])
@pytest.mark.parametrize("case", named("subm", "strided", "transposed", "inverse"), ids=str)
def test_bits_do_not_depend_on_threads(case: Case, threads: int) -> None:
    tensor, layer = case.tensor(torch.float32, 16), case.layer((16, 32), bias=False)
    tensor.features.requires_grad_()

    def run(count: int) -> list[torch.Tensor]:
        set_num_threads(count)
        fresh = SparseConvTensor(
            tensor.features, tensor.indices, tensor.spatial_shape, tensor.batch_size
        )
        fresh.indice_dict = dict(tensor.indice_dict)
        result = layer(fresh).features
        return [result, *torch.autograd.grad(result, [tensor.features, layer.weight], result)]

    for ours, reference in zip(run(threads), run(2)):
        assert torch.equal(ours, reference)


@pytest.mark.parametrize("layout", ["RSCK", "KRSC"])
@pytest.mark.parametrize(
    "case",
    named(
        "subm",
        "subm_dilated",
        "subm_duplicates",
        "strided",
        "strided_2d",
        "strided_duplicates",
        "transposed",
        "inverse",
    ),
    ids=str,
)
def test_gradcheck(case: Case, layout: str) -> None:
    small = case._replace(rows=12)
    tensor, layer = small.tensor(torch.float64, 2), small.layer((2, 2)).double()
    result = layer(tensor)
    outids, pairs, num = _pairs(layer, tensor)
    weight = layer.weight.detach()
    if layout == "KRSC":
        weight = weight.movedim(-1, 0).contiguous()
    arguments = (tensor.features.requires_grad_(), weight.requires_grad_())

    def function(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return convolve(x, w, pairs, num, outids.shape[0], layer.inverse, layout == "KRSC")

    assert torch.equal(function(*arguments) + layer.bias, result.features)
    assert torch.autograd.gradcheck(function, arguments, eps=1e-6, atol=1e-6)
    assert torch.autograd.gradgradcheck(function, arguments, eps=1e-6, atol=1e-6)


def _pairs(layer: SparseConvolution, tensor: SparseConvTensor) -> tuple[torch.Tensor, ...]:
    if layer.inverse:
        _, outids, pairs, num, _ = tensor.indice_dict["d"]
        return outids, pairs, num
    return get_indice_pairs(
        tensor.indices,
        tensor.batch_size,
        tensor.spatial_shape,
        layer.kernel_size,
        layer.stride,
        layer.padding,
        layer.dilation,
        layer.output_padding,
        layer.subm,
        layer.transposed,
    )


@pytest.mark.parametrize("case", named("subm", "strided", "transposed", "inverse"), ids=str)
def test_gradcheck_of_whole_layers(case: Case) -> None:
    small = case._replace(rows=10)
    tensor, layer = small.tensor(torch.float64, 2), small.layer((2, 2)).double()

    leaves = [tensor.features, *[p.detach().clone() for p in layer.parameters()]]
    arguments = tuple(leaf.requires_grad_() for leaf in leaves)

    def call(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        tensor.features = x
        for name, value in (("weight", weight), ("bias", bias)):
            layer._parameters.pop(name, None)
            layer.__dict__[name] = value
        result: torch.Tensor = layer(tensor).features
        return result.tanh()

    assert torch.autograd.gradcheck(call, arguments, eps=1e-6, atol=1e-6)
    assert torch.autograd.gradgradcheck(call, arguments, eps=1e-6, atol=1e-6)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_gradients_are_adjoints(case: Case) -> None:
    tensor, layer = case.tensor(torch.float64), case.layer(bias=False).double()
    x = tensor.features.requires_grad_()
    y = layer(tensor).features
    g = torch.randn_like(y)
    grad_x, grad_w = torch.autograd.grad(y, [x, layer.weight], g)
    products = [(y * g).sum(), (x * grad_x).sum(), (layer.weight * grad_w).sum()]
    scale = (y.abs() * g.abs()).sum()
    for product in products[1:]:
        assert not abs(product - products[0]) > 1e-12 * scale


def test_frozen_weight_gets_no_gradient() -> None:
    case = named("strided")[0]
    tensor, layer = case.tensor(torch.float32), case.layer()
    layer.weight.requires_grad_(False)
    layer(tensor).features.sum().backward()
    assert layer.weight.grad is None
    assert layer.bias is not None
    assert layer.bias.grad is not None


@pytest.mark.parametrize("kind", ["subm", "strided"])
def test_4d_equals_loops(kind: str) -> None:
    shape = (4, 5, 3, 4)
    sites = sparse.random_sites(25, shape, 2, duplicates=kind == "strided")
    tensor = SparseConvTensor(torch.randn(25, 2, dtype=torch.float64), sites, list(shape), 2)
    tensor.features.requires_grad_()
    if kind == "subm":
        layer: SparseConvolution = SubMConv4d(2, 3, 3)
        settings = [1] * 4, [1] * 4, [1] * 4
    else:
        layer = SparseConv4d(2, 3, [2, 3, 1, 3], stride=[2, 1, 2, 2], padding=[1, 0, 0, 1])
        settings = [2, 1, 2, 2], [1, 0, 0, 1], [1] * 4
    layer.double()
    result = layer(tensor)
    exact = sparse.loops(tensor.features, tensor.indices, layer.weight, result.indices, *settings)
    wanted = exact + layer.bias
    assert max(sparse.errors(result.features, wanted)) <= 1e-12
    leaves = [tensor.features, layer.weight, layer.bias]
    upstream = torch.randn_like(wanted)
    for ours, reference in zip(
        torch.autograd.grad(result.features, leaves, upstream),
        torch.autograd.grad(wanted, leaves, upstream),
    ):
        assert max(sparse.errors(ours, reference)) <= 1e-12
    linear = result.indices.long() @ torch.tensor([10**8, 10**6, 10**4, 10**2, 1])
    assert kind == "subm" or bool((linear[1:] > linear[:-1]).all())
