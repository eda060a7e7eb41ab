"""Sparse networks under torch.compile: whole graphs, changing numbers of sites, equal bits."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn

from mluops_cpu.ops import (
    SparseConv3d,
    SparseConvTensor,
    SparseInverseConv3d,
    SparseMaxPool3d,
    SparseModule,
    SparseSequential,
    SubMConv3d,
)
from mluops_cpu.ops.sparse_modules import ToDense
from references import sparse

TORCH = tuple(int(part) for part in torch.__version__.split(".")[:2])

pytestmark = pytest.mark.skipif(
    TORCH < (2, 4), reason="torch.compile of registered operators needs torch 2.4"
)


class Net(nn.Module):
    """Builds the sparse tensor inside, as a detector does."""

    def __init__(self, *modules: nn.Module) -> None:
        super().__init__()
        self.body = SparseSequential(*modules)

    def forward(self, features: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
        y = self.body(SparseConvTensor(features, indices, [8, 8, 8], 2))
        return y.features if isinstance(y, SparseConvTensor) else y  # type: ignore[no-any-return]


def submanifold() -> Net:
    return Net(
        SubMConv3d(4, 8, 3, indice_key="a"), nn.BatchNorm1d(8), nn.ReLU(),
        SubMConv3d(8, 8, 3), nn.BatchNorm1d(8), nn.ReLU(),
        SubMConv3d(8, 8, 1), SparseMaxPoolSubm(), SubMConv3d(8, 4, 3, indice_key="a"),
    )  # fmt: skip


class SparseMaxPoolSubm(SparseMaxPool3d):
    """Max pooling at the sites themselves."""

    def __init__(self) -> None:
        super().__init__(3)
        self.subm = True


def dense() -> Net:
    return Net(SubMConv3d(4, 8, 3), nn.ReLU(), SubMConv3d(8, 8, 3), ToDense())


def strided(*between: nn.Module) -> Net:
    return Net(
        SubMConv3d(4, 8, 3, indice_key="a"), nn.BatchNorm1d(8), nn.ReLU(),
        SparseConv3d(8, 8, 3, 2, 1, indice_key="d"), *between, nn.ReLU(),
        SubMConv3d(8, 8, 3), SparseInverseConv3d(8, 8, 3, "d"), SparseMaxPool3d(2, 2), ToDense(),
    )  # fmt: skip


@pytest.fixture(autouse=True)
def _reset() -> Iterator[None]:
    """Every test begins with nothing compiled."""
    import torch._dynamo

    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture
def _dynamic_shapes() -> Iterator[None]:
    """Sizes that depend on data may enter a graph."""
    import torch._dynamo

    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        yield


class Counter:
    """A backend that counts the graphs it is given."""

    def __init__(self, name: str) -> None:
        self.graphs = 0
        self.backend = torch._dynamo.lookup_backend(name)

    def __call__(self, graph: Any, inputs: Any) -> Any:
        self.graphs += 1
        return self.backend(graph, inputs)


def step(net: Any, features: torch.Tensor, sites: torch.Tensor) -> list[torch.Tensor]:
    """Output and all gradients."""
    x = features.clone().requires_grad_()
    y = net(x, sites)
    return [y, *torch.autograd.grad(y.square().sum(), [x, *net.parameters()])]


def compare(net: Net, backend: str, rows: list[int], fullgraph: bool = True) -> int:
    """Compiled against eager steps; the number of graphs."""
    counter = Counter(backend)
    compiled = torch.compile(copy.deepcopy(net), backend=counter, fullgraph=fullgraph)
    for count in rows:
        sites = sparse.random_sites(count, (8, 8, 8), 2)
        features = torch.randn(count, 4)
        got, wanted = step(compiled, features, sites), step(net, features, sites)
        for ours, reference in zip(got, wanted):
            if backend == "aot_eager":
                assert torch.equal(ours, reference)
            else:
                torch.testing.assert_close(ours, reference, rtol=1e-4, atol=1e-4)
    return counter.graphs


@pytest.mark.parametrize("build", [submanifold, dense], ids=lambda f: f.__name__)
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_submanifold_stacks_are_one_graph(build: Any, backend: str) -> None:
    # The first size is compiled as a constant, the second for every size.
    assert compare(build(), backend, [30, 50, 70, 33]) == 2


@pytest.mark.usefixtures("_dynamic_shapes")
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_strided_stack_is_one_graph(backend: str) -> None:
    assert compare(strided(), backend, [30, 50, 70, 33]) == 2


def test_strided_stack_with_graph_breaks() -> None:
    assert compare(strided(nn.BatchNorm1d(8)), "aot_eager", [30, 50], fullgraph=False) > 1


class ManyRows(SparseModule):
    """Tells the compiler that there are at least two rows."""

    def forward(self, x: SparseConvTensor) -> SparseConvTensor:
        torch._check(x.features.shape[0] > 1)
        return x


@pytest.mark.usefixtures("_dynamic_shapes")
@pytest.mark.parametrize("training", [True, False])
def test_batch_norm_after_a_strided_layer(training: bool) -> None:
    """torch's batch norm asks whether there are 0 or 1 rows, which a graph cannot know."""
    with pytest.raises(torch._dynamo.exc.UserError, match="data-dependent"):
        compare(strided(nn.BatchNorm1d(8)).train(training), "aot_eager", [30])
    torch._dynamo.reset()
    net = strided(ManyRows(), nn.BatchNorm1d(8)).train(training)
    assert compare(net, "aot_eager", [30, 50, 70]) == 2


def test_no_rows() -> None:
    assert compare(dense(), "aot_eager", [0]) == 1


def test_a_compiled_layer_hands_its_pairs_on() -> None:
    """A sparse tensor goes in and comes out: indice_dict has the pairs, the sites stay."""
    layer, second = SubMConv3d(4, 4, 3, indice_key="a"), SubMConv3d(4, 4, 3, indice_key="a")
    sites = sparse.random_sites(20, (8, 8, 8), 2)
    x = SparseConvTensor(torch.randn(20, 4), sites, [8, 8, 8], 2)
    y = torch.compile(lambda t: layer(t), backend="aot_eager", fullgraph=True)(x)
    assert type(y) is SparseConvTensor
    assert y.indices is x.indices
    assert y.indice_dict is x.indice_dict
    assert list(x.indice_dict) == ["a"]
    fresh = SparseConvTensor(x.features, sites, [8, 8, 8], 2)
    assert torch.equal(second(y).features, second(layer(fresh)).features)


def test_graphs_build_pairs_once() -> None:
    """Layers without a key share pairs inside of a graph as well."""
    found: list[str] = []

    def backend(graph: torch.fx.GraphModule, inputs: Any) -> Any:
        found.extend(str(node.target) for node in graph.graph.nodes)
        return graph

    net = Net(SubMConv3d(4, 4, 3), nn.ReLU(), SubMConv3d(4, 4, 3), SubMConv3d(4, 4, 3))
    compiled = torch.compile(net, backend=backend, fullgraph=True)
    with torch.no_grad():
        compiled(torch.randn(9, 4), sparse.random_sites(9, (8, 8, 8), 2))
    assert sum("subm_pairs" in name for name in found) == 1
    assert sum("indice_conv" in name for name in found) == 3


def test_indices_are_checked_in_a_graph() -> None:
    compiled = torch.compile(dense(), backend="aot_eager", fullgraph=True)
    sites = sparse.random_sites(9, (8, 8, 8), 2).long()
    compiled(torch.randn(9, 4), sites)
    with pytest.raises(RuntimeError, match="int32"):
        compiled(torch.randn(9, 4), sites + 2**33)
