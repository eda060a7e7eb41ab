"""Training steps of a CenterPoint-style encoder, and operators inside of DataLoader workers."""

from __future__ import annotations

import multiprocessing

import pytest
import torch

from mluops_cpu import BadParamError, set_num_threads
from mluops_cpu.ops import SparseConvTensor, SparseSequential, SubMConv3d
from references import sparse
from references.dense_encoder import centerpoint, dense_forward

SHAPE = [17, 16, 16]


def scene(rows: int = 150) -> tuple[torch.Tensor, torch.Tensor]:
    sites = sparse.random_sites(rows, SHAPE, 2)
    return torch.randn(rows, 5, dtype=torch.float64), sites


def run(net: SparseSequential, features: torch.Tensor, sites: torch.Tensor) -> torch.Tensor:
    dense: torch.Tensor = net(SparseConvTensor(features, sites, SHAPE, 2))
    return dense


def test_training_steps_equal_those_of_dense_grids() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(3)
    ours = centerpoint().double()
    torch.manual_seed(3)
    reference = centerpoint().double()
    steps = [torch.optim.SGD(net.parameters(), lr=0.05) for net in (ours, reference)]
    for _ in range(3):
        features, sites = scene()
        outputs = run(ours, features, sites), dense_forward(reference, features, sites, SHAPE, 2)
        assert outputs[0].shape == outputs[1].shape == (2, 8, 1, 2, 2)
        assert max(sparse.errors(*outputs)) <= 1e-10
        target = torch.randn_like(outputs[0])
        for output, optimizer in zip(outputs, steps):
            optimizer.zero_grad()
            (output - target).square().sum().backward()
        for (name, a), b in zip(ours.named_parameters(), reference.parameters()):
            assert a.grad is not None
            assert b.grad is not None
            # Batch norm amplifies rounding where the gradient nearly cancels.
            scale = max(float(b.grad.abs().max()), 1e-3)
            assert not float((a.grad - b.grad).abs().max()) > 1e-9 * scale, name
        for optimizer in steps:
            optimizer.step()


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_gradients_do_not_depend_on_our_threads(threads: int) -> None:
    """Everything that torch computes runs on one thread, ours on several."""
    torch.set_num_threads(1)
    torch.manual_seed(5)
    net = centerpoint((16, 16, 32, 32)).float()
    features, sites = scene(400)
    features = features.float()

    def gradients(count: int) -> list[torch.Tensor]:
        set_num_threads(count)
        output = run(net, features, sites)
        return [output, *torch.autograd.grad(output.square().sum(), list(net.parameters()))]

    for a, b in zip(gradients(threads), gradients(2)):
        assert torch.equal(a, b)


def test_deterministic_algorithms() -> None:
    torch.use_deterministic_algorithms(True)
    features, sites = scene()
    sites = torch.cat([sites, sites[:20]])
    features = torch.cat([features, features[:20]])
    run(centerpoint().double(), features, sites).sum().backward()


class Convolved(torch.utils.data.Dataset):  # type: ignore[type-arg]
    """A convolution of its own for each item."""

    def __init__(self, broken: bool = False) -> None:
        torch.manual_seed(11)
        self.layer = SubMConv3d(4, 8, 3)
        self.sites = sparse.random_sites(300, (8, 8, 8), 1)
        self.features = torch.randn(6, 300, 4)
        self.space = [8, 8, 7] if broken else [8, 8, 8]

    def __len__(self) -> int:
        return 6

    def __getitem__(self, index: int) -> torch.Tensor:
        set_num_threads(2)
        x = SparseConvTensor(self.features[index], self.sites, self.space, 1)
        with torch.no_grad():
            return self.layer(x).features  # type: ignore[no-any-return]


def test_data_loader_with_forked_workers() -> None:
    data = Convolved()
    # The parent has run on two threads before it forks.
    wanted = torch.stack([data[index] for index in range(6)])
    loader = torch.utils.data.DataLoader(
        data,
        batch_size=2,
        num_workers=2,
        timeout=60,
        multiprocessing_context=multiprocessing.get_context("fork"),
    )
    for _ in range(2):
        assert torch.equal(torch.cat(list(loader)), wanted)
    assert torch.equal(data[0], wanted[0])


def test_errors_of_workers_keep_their_type() -> None:
    loader = torch.utils.data.DataLoader(
        Convolved(broken=True), num_workers=1, timeout=60, multiprocessing_context="fork"
    )
    with pytest.raises(BadParamError, match="indices row"):
        list(loader)
