"""SparseSequential, its fusion with batch norms, and the other containers."""

from __future__ import annotations

from collections import OrderedDict

import pytest
import torch
from torch import nn

from mluops_cpu.ops import (
    SparseConv3d,
    SparseConvTensor,
    SparseConvTranspose3d,
    SparseInverseConv3d,
    SparseMaxPool3d,
    SparseModule,
    SparseSequential,
    SubMConv3d,
)
from mluops_cpu.ops.sparse_modules import RemoveGrid, ToDense, is_sparse_conv, is_spconv_module
from references import sparse


def scene(rows: int = 40, channels: int = 4) -> SparseConvTensor:
    sites = sparse.random_sites(rows, (8, 8, 8), 2)
    return SparseConvTensor(torch.randn(rows, channels), sites, [8, 8, 8], 2)


def test_three_ways_to_give_modules() -> None:
    conv, relu = SubMConv3d(4, 8, 3), nn.ReLU()
    assert list(SparseSequential(conv, relu)._modules) == ["0", "1"]
    assert list(SparseSequential(conv, last=relu)._modules) == ["0", "last"]
    ordered = SparseSequential(OrderedDict([("a", conv), ("b", relu)]), c=nn.ReLU())
    assert list(ordered._modules) == ["a", "b", "c"]
    with pytest.raises(ValueError, match="'a'"):
        SparseSequential(OrderedDict([("a", conv)]), a=relu)


def test_indexing_and_iteration() -> None:
    conv, relu = SubMConv3d(4, 8, 3), nn.ReLU()
    net = SparseSequential(conv, relu)
    assert len(net) == 2
    assert net[0] is conv
    assert net[-1] is relu
    assert [module for module in net] == [conv, relu]  # type: ignore[attr-defined]  # noqa: C416
    for index in (2, -3):
        with pytest.raises(IndexError, match="out of range"):
            net[index]


def test_add() -> None:
    net = SparseSequential()
    net.add(nn.ReLU())
    net.add(nn.Tanh(), "tanh")
    net.add(nn.Sigmoid())
    assert list(net._modules) == ["0", "tanh", "2"]
    taken = SparseSequential(OrderedDict([("1", nn.ReLU())]))
    with pytest.raises(KeyError, match="exists"):
        taken.add(nn.ReLU())


def test_ordinary_modules_see_the_features() -> None:
    x = scene()
    before = x.features
    net = SparseSequential(nn.ReLU())
    assert net(x) is x
    assert torch.equal(x.features, before.relu())
    plain = torch.randn(3)
    assert torch.equal(net(plain), plain.relu())
    dense = SparseSequential(SubMConv3d(4, 2, 3), ToDense(), nn.ReLU())(scene())
    assert dense.shape == (2, 2, 8, 8, 8)


def test_sparse_modules_take_sparse_tensors_only() -> None:
    with pytest.raises(AssertionError, match="SubMConv3d takes a SparseConvTensor, got Tensor"):
        SparseSequential(SubMConv3d(4, 8, 3))(torch.randn(3, 4))
    with pytest.raises(AssertionError, match="got Tensor"):
        SparseSequential(ToDense(), ToDense())(scene())


def test_ordinary_modules_run_without_rows() -> None:
    norm = nn.BatchNorm1d(8)
    net = SparseSequential(SubMConv3d(4, 8, 3), norm, nn.ReLU(), SparseConv3d(8, 8, 3, 2))
    net(scene(0)).features.sum().backward()
    assert norm.num_batches_tracked == 1
    assert torch.equal(norm.running_mean, torch.zeros(8))
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None, name
        assert not parameter.grad.any(), name


def test_sparity_dict() -> None:
    net = SparseSequential(SubMConv3d(4, 4, 3), nn.ReLU(), SparseMaxPool3d(2, 2))
    assert net.sparity_dict == {}
    net(scene(40))
    assert net.sparity_dict == {"0": 40 / 1024, "2": 40 / 1024}


def test_kinds() -> None:
    assert is_spconv_module(ToDense())
    assert is_spconv_module(SparseSequential())
    assert not is_spconv_module(nn.Linear(1, 1))
    assert is_sparse_conv(SparseInverseConv3d(4, 4, 3, "key"))
    assert not is_sparse_conv(SparseModule())


def test_remove_grid() -> None:
    x = scene()
    x.grid = torch.zeros(3)
    assert RemoveGrid()(x) is x
    assert x.grid is None


def trained(net: nn.Module) -> nn.Module:
    """Double, with batch norms whose statistics and parameters are far from their defaults."""
    for module in net.modules():
        if isinstance(module, nn.BatchNorm1d):
            for tensor in (module.weight, module.bias, module.running_mean):
                if tensor is not None:
                    nn.init.normal_(tensor)
            nn.init.uniform_(module.running_var, 0, 1e-4)
    return net.double().eval()


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("bias", [True, False])
def test_fused(bias: bool, affine: bool) -> None:
    def norm() -> nn.Module:
        return nn.BatchNorm1d(6, eps=1e-3, affine=affine)

    net = SparseSequential(
        SubMConv3d(4, 6, 3, bias=bias, indice_key="a"), norm(), nn.ReLU(),
        SparseConv3d(6, 6, 3, 2, 1, bias=bias, indice_key="d"), norm(), norm(),
        SubMConv3d(6, 6, 1, bias=bias), norm(), nn.ReLU(),
        SparseInverseConv3d(6, 6, 3, "d", bias=bias), norm(),
        SparseConvTranspose3d(6, 6, 2, 2, bias=bias), norm(),
        SparseMaxPool3d(2), norm(),
    )  # fmt: skip
    trained(net)
    fused = net.fused()
    assert type(fused) is SparseSequential
    kinds = [type(module).__name__ for module in fused]  # type: ignore[attr-defined]
    conv = "SparseConvolution"
    assert kinds == [
        conv, "ReLU", conv, "BatchNorm1d", conv, "ReLU", conv, conv, "SparseMaxPool3d",
        "BatchNorm1d",
    ]  # fmt: skip
    assert all(m.fused_bn for m in fused if is_sparse_conv(m))  # type: ignore[attr-defined]
    x = scene()
    x.features = x.features.double()
    with torch.no_grad():
        wanted = net(x)
        got = fused(SparseConvTensor(x.features, x.indices, [8, 8, 8], 2))
    assert torch.equal(got.indices, wanted.indices)
    assert max(sparse.errors(got.features, wanted.features)) <= 1e-12


def test_norms_without_statistics_are_not_fused() -> None:
    net = SparseSequential(SubMConv3d(4, 6, 3), nn.BatchNorm1d(6, track_running_stats=False))
    assert [type(m) for m in net.fused()] == [type(m) for m in net]  # type: ignore[attr-defined]
