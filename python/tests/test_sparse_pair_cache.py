"""Pairs are built once for each set of sites and geometry of a pass, and never reused wrongly."""

from __future__ import annotations

import copy
import gc
import weakref

import pytest
import torch

from mluops_cpu._torch import ops
from mluops_cpu.ops import (
    SparseConv3d,
    SparseConvTensor,
    SparseMaxPool3d,
    SubMConv3d,
)
from references import sparse
from references.dense_encoder import centerpoint


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the pair operators called, in order."""
    calls: list[str] = []
    for name in ("subm_pairs", "pairs"):
        original = getattr(ops, name)

        def counting(*args: object, name: str = name, original: object = original) -> object:
            calls.append(name)
            return original(*args)  # type: ignore[operator]

        monkeypatch.setattr(ops, name, counting)
    return calls


def scene(rows: int = 60, channels: int = 5) -> SparseConvTensor:
    sites = sparse.random_sites(rows, (32, 32, 32), 1)
    return SparseConvTensor(torch.randn(rows, channels), sites, [32, 32, 32], 1)


def test_centerpoint_builds_8_times_not_21(builds: list[str]) -> None:
    x = scene()
    centerpoint()(x).sum().backward()
    assert len(builds) == 8
    assert builds.count("subm_pairs") == 4


def test_no_build_is_shared_between_passes(builds: list[str]) -> None:
    net, x = centerpoint(), scene()
    for _ in range(2):
        net(SparseConvTensor(x.features, x.indices, [32, 32, 32], 1))
    assert len(builds) == 16


def test_a_second_pass_over_the_same_tensor_builds_nothing(builds: list[str]) -> None:
    net, x = centerpoint().eval(), scene()
    first = net(x)
    # The container assigns features in place only on tensors that layers made.
    assert torch.equal(net(x), first)
    assert len(builds) == 8


def test_other_geometries_and_padding(builds: list[str]) -> None:
    x = scene()
    SubMConv3d(5, 4, 3)(x)
    SubMConv3d(5, 4, 3, padding=1)(x)
    SubMConv3d(5, 4, (3, 3, 3))(x)
    assert len(builds) == 1
    SubMConv3d(5, 4, 5)(x)
    SubMConv3d(5, 4, [3, 3, 1])(x)
    assert len(builds) == 3
    SparseConv3d(5, 4, 3, 2)(x)
    SparseConv3d(5, 4, 3, 2, 1)(x)
    SparseConv3d(5, 4, 3)(x)
    assert len(builds) == 6
    SparseMaxPool3d(3, 2)(x)
    assert len(builds) == 6
    x.spatial_shape = [40, 40, 40]
    SparseConv3d(5, 4, 3, 2)(x)
    SubMConv3d(5, 4, 3)(x)
    assert len(builds) == 8


def test_sites_changed_in_place_are_built_again(builds: list[str]) -> None:
    x, layer = scene(), SubMConv3d(5, 4, 3)
    layer(x)
    x.indices[:, 1] = x.indices[:, 1].flip(0)
    got = layer(x).features
    assert len(builds) == 2
    fresh = SparseConvTensor(x.features, x.indices.clone(), [32, 32, 32], 1)
    assert torch.equal(got, layer(fresh).features)


def test_new_sites_of_the_same_values_are_built_again(builds: list[str]) -> None:
    x, layer = scene(), SubMConv3d(5, 4, 3)
    layer(x)
    x.indices = x.indices.clone()
    layer(x)
    assert len(builds) == 2


def test_inference_mode(builds: list[str]) -> None:
    """Inference tensors have no version: a change is seen by comparing values."""
    layer = SubMConv3d(5, 4, 3)
    with torch.inference_mode():
        x = scene()
        centerpoint()(x)
        assert len(builds) == 8
        layer(x)
        assert len(builds) == 8
        x.indices[:, 1] = x.indices[:, 1].flip(0)
        layer(x)
        assert len(builds) == 9


def test_the_cache_dies_with_the_tensors() -> None:
    x = scene()
    y = SubMConv3d(5, 4, 3)(x)
    pairs = x._pair_cache.find(x.indices, (1, (32,) * 3, (3,) * 3, (1,) * 3))
    assert pairs is not None
    watched = weakref.ref(pairs.pairs)
    y = y.features.detach()
    del pairs, x
    gc.collect()
    assert watched() is None
    assert y.shape == (60, 4)


def test_copies_leave_the_cache_behind(builds: list[str]) -> None:
    x, layer = scene(), SubMConv3d(5, 4, 3)
    wanted = layer(x).features
    y = copy.deepcopy(x)
    assert torch.equal(layer(y).features, wanted)
    assert len(builds) == 2
