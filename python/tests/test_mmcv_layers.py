"""mmcv's own layers on the CPU after install(): numbers, gradients, weights, registry."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn

import mluops_cpu.mmcv
from mluops_cpu import _native, ops

pytest.importorskip("mmcv", reason="mmcv-lite is not installed (it needs torch 2)")


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    mluops_cpu.mmcv.install()
    yield
    mluops_cpu.mmcv.uninstall()


def sites(count: int = 150, size: int = 8) -> torch.Tensor:
    cells = torch.unique(torch.randint(0, size, (count, 3)), dim=0).int()
    return nn.functional.pad(cells, (1, 0))


LAYERS = {
    "subm": ("SubMConv3d", {"kernel_size": 3, "indice_key": "k"}),
    "strided": ("SparseConv3d", {"kernel_size": 3, "stride": 2, "padding": 1}),
    "transposed": ("SparseConvTranspose3d", {"kernel_size": 2, "stride": 2}),
    "one": ("SubMConv3d", {"kernel_size": 1}),
    "bare": ("SparseConv3d", {"kernel_size": (3, 1, 1), "bias": False}),
}


def pair(kind: str) -> tuple[Any, Any]:
    """The layer out of mmengine's registry and ours, from the same seed."""
    from mmengine.registry import MODELS

    name, arguments = LAYERS[kind]
    torch.manual_seed(3)
    theirs = MODELS.build(dict(type=name, in_channels=4, out_channels=6, **arguments))
    torch.manual_seed(3)
    return theirs, getattr(ops, name)(4, 6, **arguments)


@pytest.mark.parametrize("kind", LAYERS)
def test_weights_of_a_seed_are_mmcvs(kind: str) -> None:
    theirs, ours = pair(kind)
    assert type(theirs).__module__ == "mmcv.ops.sparse_conv"
    assert theirs.state_dict().keys() == ours.state_dict().keys()
    for name, value in theirs.state_dict().items():
        assert torch.equal(value, ours.state_dict()[name]), name


@pytest.mark.parametrize("kind", LAYERS)
def test_results_and_gradients_are_ours(kind: str) -> None:
    from mmcv.ops import SparseConvTensor

    theirs, ours = pair(kind)
    indices = sites()
    features = torch.randn(len(indices), 4)
    results = []
    for layer, tensor in ((theirs, SparseConvTensor), (ours, ops.SparseConvTensor)):
        leaf = features.clone().requires_grad_()
        out = layer(tensor(leaf, indices, [8, 8, 8], 1))
        assert type(out) is tensor
        out.dense().square().sum().backward()
        results.append([out.features, out.indices, leaf.grad, layer.weight.grad])
    for of_theirs, of_ours in zip(*results):
        assert torch.equal(of_theirs, of_ours)


def test_state_dicts_go_both_ways() -> None:
    for kind in LAYERS:
        theirs, ours = pair(kind)
        with torch.no_grad():
            theirs.weight.add_(1)
        ours.load_state_dict(theirs.state_dict())
        assert torch.equal(ours.weight, theirs.weight)
        with torch.no_grad():
            ours.weight.mul_(2)
        theirs.load_state_dict(ours.state_dict())
        assert torch.equal(ours.weight, theirs.weight)


def test_inverse_layer_undoes_its_coupled_one() -> None:
    from mmcv.ops import SparseConv3d, SparseConvTensor, SparseInverseConv3d, SparseSequential

    net = SparseSequential(
        SparseConv3d(2, 3, 3, 2, 1, indice_key="d"), SparseInverseConv3d(3, 2, 3, "d")
    )
    indices = sites()
    out = net(SparseConvTensor(torch.randn(len(indices), 2), indices, [8, 8, 8], 1))
    assert torch.equal(out.indices, indices)
    out.features.sum().backward()
    assert all(parameter.grad.abs().sum() > 0 for parameter in net.parameters())


def test_training_lowers_the_loss() -> None:
    from mmcv.ops import SparseConvTensor, SparseMaxPool3d, SparseSequential
    from mmengine.registry import MODELS

    build = MODELS.build
    net = SparseSequential(
        build(
            dict(type="SubMConv3d", in_channels=2, out_channels=8, kernel_size=3, indice_key="a")
        ),
        nn.BatchNorm1d(8),
        nn.ReLU(),
        SparseMaxPool3d(2, 2),
        build(dict(type="SparseConv3d", in_channels=8, out_channels=1, kernel_size=2, stride=2)),
    )
    indices = sites()
    features, optimizer = torch.randn(len(indices), 2), torch.optim.SGD(net.parameters(), 0.1)
    losses = []
    for _ in range(10):
        out = net(SparseConvTensor(features, indices, [8, 8, 8], 1))
        loss = (out.features - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]


def test_no_rows_still_run_every_module() -> None:
    from mmcv.ops import SparseConvTensor, SparseSequential, SubMConv3d

    net = SparseSequential(SubMConv3d(2, 4, 3), nn.BatchNorm1d(4), nn.Linear(4, 3))
    empty = torch.zeros(0, 4, dtype=torch.int32)
    out = net(SparseConvTensor(torch.zeros(0, 2), empty, [8, 8, 8], 1))
    assert out.features.shape == (0, 3)
    out.features.sum().backward()
    assert all(parameter.grad is not None for parameter in net.parameters())


def test_ordinary_modules_take_what_is_no_tensor() -> None:
    from mmcv.ops import SparseSequential

    class Sum(nn.Module):
        def forward(self, parts: list[torch.Tensor]) -> torch.Tensor:
            return parts[0] + parts[1]

    out = SparseSequential(Sum(), nn.ReLU())([torch.tensor([1.0, -3.0]), torch.ones(2)])
    assert out.tolist() == [2.0, 0.0]


def test_fused_equals_the_original_in_evaluation() -> None:
    from mmcv.ops import SparseConvTensor, SparseSequential, SubMConv3d

    net = SparseSequential(SubMConv3d(3, 5, 3), nn.BatchNorm1d(5), nn.ReLU()).double()
    nn.init.uniform_(net[1].running_mean)
    nn.init.uniform_(net[1].running_var, 0.5, 2)
    nn.init.uniform_(net[1].weight)
    net.eval()
    fused, indices = net.fused(), sites()
    assert len(fused) == 2
    assert type(fused) is SparseSequential
    features = torch.randn(len(indices), 3, dtype=torch.float64)
    results = [
        module(SparseConvTensor(features, indices, [8, 8, 8], 1)).features
        for module in (net, fused)
    ]
    torch.testing.assert_close(*results, rtol=1e-12, atol=1e-12)


def test_blocks_without_a_key_share_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    from mmcv.ops import SparseConv3d, SparseConvTensor, SparseSequential, SubMConv3d

    built, build = [], _native.c.mluOpGetIndicePairs

    def counted(*arguments: Any) -> Any:
        built.append(arguments)
        return build(*arguments)

    monkeypatch.setattr(_native.c, "mluOpGetIndicePairs", counted)
    layers: list[Any] = [
        SubMConv3d(2, 2, 3, indice_key="subm1"),
        *(SubMConv3d(2, 2, 3) for _ in range(4)),
    ]
    for _ in range(3):
        layers += [SparseConv3d(2, 2, 3, 2, 1), *(SubMConv3d(2, 2, 3) for _ in range(4))]
    layers.append(SparseConv3d(2, 2, (3, 1, 1), (2, 1, 1), (1, 0, 0)))
    indices = sites(60, 16)
    SparseSequential(*layers)(SparseConvTensor(torch.randn(len(indices), 2), indices, [16] * 3, 1))
    assert len(layers) == 21
    assert len(built) == 8


def test_layers_pickle() -> None:
    theirs, _ = pair("strided")
    again = pickle.loads(pickle.dumps(theirs))
    assert type(again) is type(theirs)
    assert torch.equal(again.weight, theirs.weight)


def test_carafe_pack_of_the_registry() -> None:
    from mmcv.cnn import build_upsample_layer

    torch.manual_seed(5)
    theirs = build_upsample_layer(dict(type="carafe", channels=8, scale_factor=2))
    torch.manual_seed(5)
    ours = ops.CARAFEPack(8, 2)
    for name, value in theirs.state_dict().items():
        assert torch.equal(value, ours.state_dict()[name]), name
    x = torch.randn(2, 8, 5, 6)
    results = []
    for module in (theirs, ours):
        leaf = x.clone().requires_grad_()
        y = module(leaf)
        y.square().sum().backward()
        results.append([y, leaf.grad, *(p.grad for p in module.parameters())])
    for of_theirs, of_ours in zip(*results):
        assert torch.equal(of_theirs, of_ours)


def test_carafe_pack_under_autocast() -> None:
    """Autocast makes the masks float32 beside bfloat16 features; a bare Function would refuse."""
    from mmcv.cnn import build_upsample_layer

    torch.manual_seed(5)
    theirs = build_upsample_layer(dict(type="carafe", channels=8, scale_factor=2))
    torch.manual_seed(5)
    ours = ops.CARAFEPack(8, 2)
    x = torch.randn(2, 8, 5, 6, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y, expected = theirs(x), ours(x)
    assert y.dtype == torch.bfloat16
    assert torch.equal(y, expected)
    y.float().square().sum().backward()
    assert x.grad is not None
    assert x.grad.isfinite().all()
