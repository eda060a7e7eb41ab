"""Initial weights, state_dicts, checkpoints of other layouts, copies of modules."""

from __future__ import annotations

import copy
import logging
import math
import pickle
from typing import Any

import pytest
import torch
from torch import nn

from mluops_cpu.ops import (
    SparseConv3d,
    SparseConvTensor,
    SparseModule,
    SparseSequential,
    SubMConv2d,
    SubMConv3d,
)
from mluops_cpu.ops.sparse_conv import SparseConvolution
from references import sparse

ENVIRONMENT = "SPCONV_SAVED_WEIGHT_LAYOUT"


def mmcv_formula(kernel: list[int], channels: tuple[int, int]) -> tuple[torch.Tensor, torch.Tensor]:
    """The initial values of mmcv's SparseConvolution, from the bounds of torch's own reading."""
    shape = [*kernel, *channels]
    fan = shape[1] * math.prod(shape[2:])
    # The gain for a = sqrt(5) is 1/sqrt(3), so that the bound is 1/sqrt(fan).
    bound = math.sqrt(3.0) * (math.sqrt(2.0 / (1 + math.sqrt(5) ** 2)) / math.sqrt(fan))
    weight = torch.empty(shape).uniform_(-bound, bound)
    of_bias = 1 / math.sqrt(channels[0] * math.prod(kernel))
    return weight, torch.empty(channels[1]).uniform_(-of_bias, of_bias)


@pytest.mark.parametrize(
    ("kernel", "channels"),
    [([3, 3, 3], (4, 16)), ([3, 1, 1], (8, 8)), ([1, 1, 1], (5, 7)), ([5, 3], (2, 3))],
)
def test_a_seed_gives_the_weights_of_mmcv(kernel: list[int], channels: tuple[int, int]) -> None:
    torch.manual_seed(7)
    layer = SparseConvolution(len(kernel), *channels, kernel)
    torch.manual_seed(7)
    weight, bias = mmcv_formula(kernel, channels)
    assert torch.equal(layer.weight, weight)
    assert torch.equal(layer.bias, bias)


def test_bound_of_the_weights() -> None:
    largest = SparseConv3d(4, 16, 3).weight.abs().max()
    assert 0.95 / 24 < largest <= 1 / 24


def permuted(weight: torch.Tensor, layout: str) -> torch.Tensor:
    """A weight [k...,in,out] in another layout."""
    if layout == "KRSC":
        return weight.movedim(-1, 0)
    return weight.movedim(-1, -2) if layout == "RSKC" else weight


def checkpoint(net: nn.Module, layout: str) -> dict[str, torch.Tensor]:
    state = net.state_dict()
    for key, value in state.items():
        if value.dim() > 2:
            state[key] = permuted(value, layout).contiguous()
    return state


def pair(*channels: int, kernel: Any = 3) -> tuple[SparseSequential, SparseSequential]:
    def build() -> SparseSequential:
        steps = zip(channels, channels[1:])
        return SparseSequential(*[SubMConv3d(a, b, kernel) for a, b in steps])

    return build(), build()


def assert_equal(a: nn.Module, b: nn.Module) -> None:
    for (name, x), (_, y) in zip(a.state_dict().items(), b.state_dict().items()):
        assert torch.equal(x, y), name


@pytest.mark.parametrize("layout", ["RSCK", "KRSC", "RSKC"])
def test_layout_by_shape(layout: str, caplog: pytest.LogCaptureFixture) -> None:
    net, other = pair(4, 16, 8, 5)
    state = checkpoint(net, layout)
    before = {key: value.shape for key, value in state.items()}
    with caplog.at_level(logging.INFO, "mluops_cpu"):
        for _ in range(2):
            other.load_state_dict(state)
    assert_equal(net, other)
    # Once for each load and layout, not for each layer.
    messages = [r.getMessage() for r in caplog.records if r.name == "mluops_cpu"]
    assert len(messages) == (0 if layout == "RSCK" else 2)
    assert all(layout in message for message in messages)
    assert {key: value.shape for key, value in state.items()} == before


def test_version_2_means_krsc() -> None:
    """One shape for all layouts: only the version tells."""
    net, other = pair(3, 3, 3)
    state = checkpoint(net, "KRSC")
    for metadata in state._metadata.values():  # type: ignore[attr-defined]
        metadata["version"] = 2
    other.load_state_dict(state)
    assert_equal(net, other)
    plain = checkpoint(net, "KRSC")
    other.load_state_dict(plain)
    assert torch.equal(other[0].weight, net[0].weight.movedim(-1, 0))


@pytest.mark.parametrize("layout", ["RSCK", "KRSC"])
def test_weights_are_rotated_once(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """mmdet3d gives spconv's base class a loader of its own, which rotates unless version is 2."""

    def rotating(self: nn.Module, state: Any, prefix: str, metadata: Any, *args: Any) -> None:
        for name in self._parameters:
            weight = state.get(prefix + name)
            if weight is not None and metadata.get("version") != 2:
                state[prefix + name] = weight.movedim(-1, 0)
        nn.Module._load_from_state_dict(self, state, prefix, metadata, *args)

    monkeypatch.setattr(SparseModule, "_load_from_state_dict", rotating)
    net, other = pair(4, 16, 8)
    other.load_state_dict(checkpoint(net, layout))
    assert_equal(net, other)


@pytest.mark.parametrize("layout", ["RSCK", "KRSC", "RSKC"])
def test_layout_by_the_environment(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, layout)
    net, other = pair(3, 3)
    other.load_state_dict(checkpoint(net, layout))
    assert_equal(net, other)


def test_equal_channels_are_rsck_before_rskc() -> None:
    net, other = pair(4, 4)
    other.load_state_dict(checkpoint(net, "RSKC"))
    assert torch.equal(other[0].weight, net[0].weight.movedim(-1, -2))


def test_bad_layout_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, "NCHW")
    net, other = pair(3, 4)
    with pytest.raises(ValueError, match="SPCONV_SAVED_WEIGHT_LAYOUT must be one of RSCK"):
        other.load_state_dict(net.state_dict())


def test_1x1_weights_keep_their_memory_order() -> None:
    """spconv 2 multiplies by weight.view(in, out), though it calls the axes [out,1,1,1,in]."""
    net, other = pair(4, 6, kernel=1)
    state = net.state_dict()
    state["0.weight"] = net[0].weight.detach().reshape(6, 1, 1, 1, 4)
    other.load_state_dict(state)
    assert_equal(net, other)


@pytest.mark.parametrize("shape", [(3, 3, 3, 4, 17), (16, 4), (2, 3, 3, 3, 4, 16)], ids=str)
def test_other_shapes_give_the_message_of_torch(shape: tuple[int, ...]) -> None:
    net, other = pair(4, 16)
    state = net.state_dict()
    state["0.weight"] = torch.zeros(shape)
    with pytest.raises(RuntimeError, match=r"size mismatch for 0\.weight"):
        other.load_state_dict(state)


def test_missing_and_unexpected_keys() -> None:
    net, other = pair(4, 16)
    state = checkpoint(net, "KRSC")
    state["0.extra"] = torch.zeros(1)
    del state["0.bias"]
    result = other.load_state_dict(state, strict=False)
    assert (result.missing_keys, result.unexpected_keys) == (["0.bias"], ["0.extra"])
    assert torch.equal(other[0].weight, net[0].weight)


def test_load_by_assignment() -> None:
    net, other = pair(4, 16)
    try:
        other.load_state_dict(checkpoint(net, "KRSC"), assign=True)
    except TypeError:
        pytest.skip(f"torch {torch.__version__} has no load_state_dict(assign=True)")
    assert_equal(net, other)
    assert other[0].weight.is_contiguous()
    assert isinstance(other[0].weight, nn.Parameter)


def test_2d_checkpoint() -> None:
    net, other = SubMConv2d(4, 6, 3), SubMConv2d(4, 6, 3)
    other.load_state_dict(checkpoint(net, "KRSC"))
    assert_equal(net, other)


@pytest.mark.parametrize("how", ["pickle", "deepcopy"])
def test_copies_of_modules(how: str) -> None:
    net = SparseSequential(
        SubMConv3d(4, 8, 3, indice_key="a"), nn.BatchNorm1d(8), nn.ReLU(), SparseConv3d(8, 8, 3, 2)
    ).eval()
    x = SparseConvTensor(torch.randn(20, 4), sparse.random_sites(20, (8, 8, 8), 1), [8, 8, 8], 1)
    wanted = net(x).features
    other = pickle.loads(pickle.dumps(net)) if how == "pickle" else copy.deepcopy(net)
    fresh = SparseConvTensor(x.features, x.indices, [8, 8, 8], 1)
    assert torch.equal(other(fresh).features, wanted)
    assert_equal(net, other)
    assert other[0].weight is not net[0].weight
