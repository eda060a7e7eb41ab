"""What one rank of a distributed test does. Started by torch.multiprocessing.spawn or by torchrun.

Every check runs in every rank; a rank that fails ends the others by the timeout of collectives.
"""

from __future__ import annotations

import copy
import math
import os
import sys
from datetime import timedelta
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import mluops_cpu
from mluops_cpu.ops import SparseConv3d, SparseConvTensor, SparseSequential, SubMConv3d
from mluops_cpu.ops.sparse_modules import ToDense

WORLD = 2
STEPS = 3


class Net(nn.Module):
    """Gives a tensor: DistributedDataParallel does not look into a SparseConvTensor."""

    def __init__(self) -> None:
        super().__init__()
        self.body = SparseSequential(
            SubMConv3d(4, 8, 3), nn.BatchNorm1d(8), nn.ReLU(),
            SparseConv3d(8, 8, 3, 2, 1), nn.BatchNorm1d(8), nn.ReLU(), ToDense(),
        )  # fmt: skip

    def forward(self, features: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
        return self.body(SparseConvTensor(features, indices, [8, 8, 8], 1))  # type: ignore[no-any-return]


def scene(rank: int, step: int, rows: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Sites and features of a rank's own."""
    generator = torch.Generator().manual_seed(100 * rank + step)
    cells = torch.randperm(512, generator=generator)[:rows]
    zeros = torch.zeros_like(cells)
    sites = torch.stack([zeros, cells // 64, cells // 8 % 8, cells % 8], 1).int()
    return torch.randn(rows, 4, generator=generator), sites


def everywhere(tensor: torch.Tensor) -> list[torch.Tensor]:
    """The tensor of each rank."""
    results = [torch.empty_like(tensor) for _ in range(WORLD)]
    dist.all_gather(results, tensor.detach().contiguous())
    return results


def loss_of(net: nn.Module, features: torch.Tensor, sites: torch.Tensor) -> torch.Tensor:
    # A linear term, so that a dense grid of zeros has a gradient as well.
    output = net(features, sites)
    return output.square().sum() + output.sum()  # type: ignore[no-any-return]


def gradients_alone(net: Net, features: torch.Tensor, sites: torch.Tensor) -> list[torch.Tensor]:
    """Gradients of a copy of the net without DistributedDataParallel."""
    alone = copy.deepcopy(net)
    return list(torch.autograd.grad(loss_of(alone, features, sites), list(alone.parameters())))


def same_bytes(a: torch.Tensor, b: torch.Tensor) -> bool:
    # + 0.0: a sum with 0 turns -0.0 into 0.0.
    x, y = (t.detach().contiguous() + 0.0 for t in (a, b))
    return torch.equal(x.view(torch.uint8), y.view(torch.uint8))


def train(rank: int, rows: list[int], **options: Any) -> None:
    """Three steps of SGD with rows[rank] voxels; checks gradients and parameters after each."""
    torch.manual_seed(1)
    net = Net()
    wrapped = DistributedDataParallel(net, **options)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    running = net.body[1].running_mean.clone()
    for step in range(STEPS):
        features, sites = scene(rank, step, rows[rank])
        alone = gradients_alone(net, features, sites)
        before = [p.detach().clone() for p in net.parameters()]
        optimizer.zero_grad()
        loss = loss_of(wrapped, features, sites)
        assert math.isfinite(float(loss.detach()))
        loss.backward()
        check_gradients(net, alone, rows)
        optimizer.step()
        for (name, parameter), old in zip(net.named_parameters(), before):
            assert same_bytes(*everywhere(parameter)), name
            assert any(rows) or same_bytes(parameter, old), name
    if options.get("broadcast_buffers") is False and rows[rank] == 0:
        assert torch.equal(net.body[1].running_mean, running)
        assert int(net.body[1].num_batches_tracked) == STEPS


def check_gradients(net: Net, alone: list[torch.Tensor], rows: list[int]) -> None:
    """Gradients are those of the ranks alone, averaged; exactly, if only rank 0 has voxels."""
    for (name, parameter), own in zip(net.named_parameters(), alone):
        assert parameter.grad is not None, name
        assert same_bytes(*everywhere(parameter.grad)), name
        first, second = everywhere(own)
        if rows[1]:
            torch.testing.assert_close(parameter.grad, (first + second) / 2, rtol=1e-5, atol=1e-6)
        else:
            assert not second.any(), name
            assert same_bytes(parameter.grad, 0.5 * first), name
        assert any(rows) or not parameter.grad.any(), name


def full(rank: int) -> None:
    train(rank, [60, 90])


def one_empty(rank: int) -> None:
    train(rank, [60, 0])
    train(rank, [60, 0], broadcast_buffers=False)


def both_empty(rank: int) -> None:
    train(rank, [0, 0])
    train(rank, [0, 0], broadcast_buffers=False)


def unused_parameters(rank: int) -> None:
    train(rank, [60, 0], find_unused_parameters=True)
    train(rank, [60, 0], find_unused_parameters=True, broadcast_buffers=False)


def threads(rank: int) -> None:
    """torchrun sets OMP_NUM_THREADS=1, and torch passes it on."""
    assert os.environ["OMP_NUM_THREADS"] == "1"
    assert torch.get_num_threads() == 1
    Net()(*scene(rank, 0, 60))
    assert mluops_cpu.get_num_threads() == 1


def sync_batch_norm(rank: int) -> None:
    """Not on the CPU, says torch; no substitute is offered."""
    net = nn.SyncBatchNorm.convert_sync_batchnorm(Net()).train()
    with pytest.raises(ValueError, match="SyncBatchNorm"):
        net(*scene(rank, 0, 60))


CASES = {
    function.__name__: function
    for function in (full, one_empty, both_empty, unused_parameters, threads, sync_batch_norm)
}


def main(rank: int, names: list[str], init_method: str) -> None:
    """Joins the group, runs the cases, leaves."""
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    dist.init_process_group(
        "gloo",
        init_method=init_method,
        rank=rank,
        world_size=WORLD,
        timeout=timedelta(seconds=60),
    )
    try:
        for name in names:
            CASES[name](rank)
            dist.barrier()
    finally:
        dist.destroy_process_group()
    print(f"rank {rank}: {len(names)} cases passed", flush=True)
    # Once in about 20 runs torch 2.13 aborts after a group of gloo when the interpreter ends
    # ("terminate called without an active exception"), with linear layers alone too.
    os._exit(0)


if __name__ == "__main__":
    main(int(os.environ["RANK"]), sys.argv[1:], "env://")
