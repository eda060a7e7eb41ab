"""What sparse layers accept, refuse and hand on: arguments, keys, 1x1, dtypes, empty inputs."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch
from torch import nn

from mluops_cpu import BadParamError
from mluops_cpu.ops import (
    SparseConv2d,
    SparseConv3d,
    SparseConvTensor,
    SparseConvTranspose3d,
    SparseInverseConv3d,
    SparseMaxPool3d,
    SparseSequential,
    SubMConv2d,
    SubMConv3d,
)
from mluops_cpu.ops import sparse_conv as layers
from mluops_cpu.ops.sparse_conv import SparseConvolution
from mluops_cpu.ops.sparse_modules import ToDense
from references import sparse


def scene(
    rows: int = 20, channels: int = 4, dtype: torch.dtype = torch.float32
) -> SparseConvTensor:
    sites = sparse.random_sites(rows, (8, 8, 8), 2)
    return SparseConvTensor(torch.randn(rows, channels).to(dtype), sites, [8, 8, 8], 2)


def test_attributes_carry_the_argument_names() -> None:
    layer = SparseConvolution(3, 4, 16, 3, [2, 1, 2], 1, 1, output_padding=1, indice_key="k")
    assert (layer.ndim, layer.in_channels, layer.out_channels, layer.groups) == (3, 4, 16, 1)
    assert layer.kernel_size == [3, 3, 3]
    assert layer.stride == [2, 1, 2]
    assert (layer.padding, layer.dilation, layer.output_padding) == ([1] * 3, [1] * 3, [1] * 3)
    assert (layer.subm, layer.transposed, layer.inverse, layer.fused_bn) == (False,) * 4
    assert layer.conv1x1 is False
    assert layer.indice_key == "k"
    assert layer.weight.shape == (3, 3, 3, 4, 16)
    assert list(layer.state_dict()) == ["weight", "bias"]
    assert SparseConvolution(2, 4, 16, (1, 1), bias=False).conv1x1
    assert list(SparseConvolution(2, 4, 16, bias=False).state_dict()) == ["weight"]


@pytest.mark.parametrize(
    ("name", "ndim", "flags"),
    [
        *[(f"SparseConv{n}d", n, (False, False, False)) for n in (2, 3, 4)],
        *[(f"SubMConv{n}d", n, (True, False, False)) for n in (2, 3, 4)],
        *[(f"SparseConvTranspose{n}d", n, (False, True, False)) for n in (2, 3)],
    ],
)
def test_positional_arguments_of_the_subclasses(
    name: str, ndim: int, flags: tuple[bool, ...]
) -> None:
    layer = getattr(layers, name)(4, 8, 3, 1, 1, 2, 1, False, "key")
    assert (layer.subm, layer.transposed, layer.inverse) == flags
    assert (layer.ndim, layer.bias, layer.indice_key) == (ndim, None, "key")
    assert (layer.padding, layer.dilation) == ([1] * ndim, [2] * ndim)


@pytest.mark.parametrize("ndim", [2, 3])
def test_positional_arguments_of_the_inverse_layers(ndim: int) -> None:
    layer = getattr(layers, f"SparseInverseConv{ndim}d")(4, 8, 3, "key", False)
    assert layer.inverse
    assert (layer.ndim, layer.indice_key, layer.bias) == (ndim, "key", None)


def test_constructor_refusals() -> None:
    with pytest.raises(AssertionError, match="groups"):
        SparseConv3d(4, 8, 3, groups=2)
    with pytest.raises(AssertionError, match="axis 1"):
        SparseConv3d(4, 8, 3, stride=[1, 2, 1], dilation=[2, 2, 1])
    SparseConv3d(4, 8, 3, stride=[1, 2, 1], dilation=[2, 1, 3])
    with pytest.raises(ValueError, match="kernel_size must have 3"):
        SparseConv3d(4, 8, [3, 3])


@pytest.mark.parametrize("layer", [SubMConv3d(4, 8, 3), SparseMaxPool3d(2)], ids=["conv", "pool"])
def test_input_must_be_a_sparse_tensor(layer: nn.Module) -> None:
    with pytest.raises(AssertionError, match="SparseConvTensor, got Tensor"):
        layer(torch.randn(3, 4))


def test_output_shares_dict_and_grid() -> None:
    x = scene()
    x.grid = torch.zeros(3)
    y = SparseConv3d(4, 8, 3, 2, 1, indice_key="down")(x)
    assert y is not x
    assert y.indice_dict is x.indice_dict
    assert y.grid is x.grid
    assert (y.spatial_shape, y.batch_size) == ([4, 4, 4], 2)
    outids, indices, pairs, num, shape = x.indice_dict["down"]
    assert outids is y.indices
    assert indices is x.indices
    assert pairs.shape == (27, 2, 20)
    assert num.shape == (27,)
    assert {pairs.dtype, num.dtype} == {torch.int32}
    assert shape == [8, 8, 8]


def test_no_pairs_are_kept_under_the_key_none() -> None:
    x = scene()
    SubMConv3d(4, 8, 3)(x)
    assert x.indice_dict == {}


def test_output_shape_below_one() -> None:
    with pytest.raises(BadParamError, match="axis 2, got 0 from an input of 4"):
        SparseConv3d(4, 8, [3, 3, 5])(SparseConvTensor(*_parts(scene()), [8, 8, 4], 2))
    with pytest.raises(BadParamError, match="axis 0"):
        SparseConvTranspose3d(4, 8, 3, padding=9)(scene(0))


def _parts(x: SparseConvTensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x.features[:1], torch.zeros(1, 4, dtype=torch.int32)


def test_site_outside_of_the_space_is_named() -> None:
    x = scene()
    x.indices[7, 2] = 8
    for layer in (SubMConv3d(4, 8, 3), SparseConv3d(4, 8, 3, 2)):
        with pytest.raises(BadParamError, match="indices row 7, column 2"):
            layer(x)


def test_inverse_layer_refusals() -> None:
    x = scene()
    y = SparseConv3d(4, 8, 3, 2, 1, indice_key="down")(x)
    with pytest.raises(AssertionError, match="'other'"):
        SparseInverseConv3d(8, 4, 3, "other")(y)
    with pytest.raises(AssertionError, match="None"):
        SparseInverseConv3d(8, 4, 3)(y)
    with pytest.raises(AssertionError, match="27 offsets"):
        SparseInverseConv3d(8, 4, 2, "down")(y)
    z = SparseInverseConv3d(8, 4, 3, "down")(y)
    assert z.indices is x.indices
    assert z.spatial_shape == [8, 8, 8]


def test_entry_of_another_geometry() -> None:
    x = scene()
    y = SparseConv3d(4, 4, 3, 2, 1, indice_key="key")(x)
    with pytest.raises(BadParamError, match="27 offsets and 20 rows"):
        SubMConv3d(4, 4, 3, indice_key="key")(y)
    with pytest.raises(BadParamError, match="the layer has 125 offsets"):
        SubMConv3d(4, 4, 5, indice_key="key")(x)
    with pytest.raises(BadParamError, match="rows"):
        SparseInverseConv3d(4, 4, 3, "key")(x)


def test_1x1_is_a_product_at_the_same_sites() -> None:
    x = scene(dtype=torch.float64)
    with pytest.warns(UserWarning, match="1x1") as caught:
        strided = SparseConv3d(4, 8, 1, stride=2, padding=1).double()
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain = SubMConv3d(4, 8, 1, padding=1).double()
        inverse = SparseInverseConv3d(4, 8, 1, "unknown").double()
        bare = SparseConv3d(4, 8, 1, bias=False).double()
    for layer in (strided, plain, inverse, bare):
        y = layer(x)
        assert y.indices is x.indices
        assert y.spatial_shape == [8, 8, 8]
        wanted = x.features @ layer.weight[0, 0, 0]
        if layer.bias is not None:
            wanted = wanted + layer.bias
        assert torch.equal(y.features, wanted)


def test_1x1_of_halves_is_rounded_once() -> None:
    x, layer = scene(200, 64, torch.float16), SubMConv3d(64, 16, 1).half()
    got = layer(x).features
    exact = x.features.float() @ layer.weight.float().view(64, 16) + layer.bias.float()
    assert torch.equal(got, exact.half())
    got.sum().backward()
    assert layer.weight.grad.dtype == torch.float16


def test_fused_bn_needs_a_bias() -> None:
    x = scene()
    with pytest.raises(AssertionError, match="bias"):
        SparseConvolution(3, 4, 8, bias=False, subm=True, fused_bn=True)(x)
    layer = SparseConvolution(3, 4, 8, subm=True, fused_bn=True)
    other = SparseConvolution(3, 4, 8, subm=True)
    other.load_state_dict(layer.state_dict())
    assert torch.equal(layer(x).features, other(x).features)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int16, torch.uint8], ids=str)
def test_integer_indices_are_converted(dtype: torch.dtype) -> None:
    x = scene()
    y = SparseConvTensor(x.features, x.indices.to(dtype), [8, 8, 8], 2)
    assert y.indices.dtype == torch.int32
    layer = SparseConv3d(4, 8, 3, 2)
    assert torch.equal(layer(x).features, layer(y).features)
    x.indices = x.indices.to(dtype)
    assert layer(x).indices.dtype == torch.int32


def test_other_indices_are_refused() -> None:
    features = torch.randn(1, 4)
    with pytest.raises(TypeError, match="float"):
        SparseConvTensor(features, torch.zeros(1, 4), [8, 8, 8], 2)
    with pytest.raises(ValueError, match="int32"):
        SparseConvTensor(features, torch.tensor([[0, 0, 0, 2**32]]), [8, 8, 8], 2)
    with pytest.raises(ValueError, match="int32"):
        SparseConvTensor(features, torch.tensor([[0, -(2**31) - 1, 0, 0]]), [8, 8, 8], 2)


@pytest.mark.parametrize("kernel", [1, 3])
def test_autocast(kernel: int) -> None:
    x, layer = scene(), SubMConv3d(4, 8, kernel)
    x.features.requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = layer(x).features
        assert y.dtype == torch.bfloat16
        double = layer.double()(scene(dtype=torch.float64)).features
        assert double.dtype == torch.float64
    y.float().sum().backward()
    assert x.features.grad.dtype == torch.float32


def test_autocast_equals_a_bfloat16_layer() -> None:
    x, layer = scene(), SparseConv3d(4, 8, 3, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        got = layer(x).features
        pooled = SparseMaxPool3d(2)(x).features
    x.features = x.features.bfloat16()
    assert torch.equal(got, layer.bfloat16()(x).features)
    assert pooled.dtype == torch.float32


@pytest.mark.parametrize("kernel", [3, 1])
def test_unequal_dtypes_are_refused(kernel: int) -> None:
    with pytest.raises(BadParamError, match="dtype"):
        SubMConv3d(4, 8, kernel)(scene(dtype=torch.float64))


EMPTY: dict[str, Any] = {
    "subm": lambda: SubMConv3d(4, 8, 3),
    "strided": lambda: SparseConv3d(4, 8, 3, 2, 1),
    "transposed": lambda: SparseConvTranspose3d(4, 8, 3, 2, 1),
    "1x1": lambda: SubMConv3d(4, 8, 1),
    "pool": lambda: SparseMaxPool3d(2, 2),
    "inverse": lambda: SparseSequential(
        SparseConv3d(4, 4, 3, 2, indice_key="d"), SparseInverseConv3d(4, 8, 3, "d")
    ),
    "dense": lambda: SparseSequential(SubMConv3d(4, 8, 3), nn.ReLU(), ToDense()),
}


@pytest.mark.parametrize("kind", EMPTY)
def test_no_rows(kind: str) -> None:
    net, x = EMPTY[kind](), scene(0)
    x.features.requires_grad_()
    y = net(x)
    y = y.features if isinstance(y, SparseConvTensor) else y
    assert y.shape[0] == (2 if kind == "dense" else 0)
    assert y.grad_fn is not None
    leaves = [x.features, *net.parameters()]
    upstream = torch.ones_like(y, requires_grad=True)
    gradients = torch.autograd.grad(y, leaves, upstream, create_graph=True)
    total = sum(g.sum() for g in gradients)
    second = torch.autograd.grad(total, [upstream, *leaves], allow_unused=True)
    for leaf, gradient in zip(leaves, gradients):
        assert gradient.shape == leaf.shape
        assert not gradient.any()
    assert not any(g.any() for g in second if g is not None)


def test_no_output_rows() -> None:
    """A site that no window reaches."""
    x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2]]), [4, 4], 1)
    x.features.requires_grad_()
    layer = SparseConv2d(4, 8, 1 + 1, stride=3)
    y = layer(x)
    assert y.indices.shape == (0, 3)
    assert y.features.shape == (0, 8)
    y.features.sum().backward()
    for leaf in (x.features, layer.weight, layer.bias):
        assert leaf.grad is not None
        assert not leaf.grad.any()
    z = SubMConv2d(8, 8, 3)(y)
    assert z.features.shape == (0, 8)
