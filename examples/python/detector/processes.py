"""One process, or several that torchrun started: gradients are averaged over gloo."""

from __future__ import annotations

import os
import sys
import zlib
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import nn


def start() -> tuple[int, int]:
    """Joins the processes of torchrun, if it started this one; returns rank and world size."""
    if "WORLD_SIZE" not in os.environ:
        return 0, 1
    dist.init_process_group("gloo", timeout=timedelta(seconds=120))
    return dist.get_rank(), dist.get_world_size()


def shared(model: nn.Module, world: int) -> nn.Module:
    """The model, wrapped so that its gradients are those of all processes."""
    return nn.parallel.DistributedDataParallel(model) if world > 1 else model


def mean(value: float, world: int) -> float:
    """The mean of a number over all processes."""
    if world == 1:
        return value
    total = torch.tensor(value)
    dist.all_reduce(total)
    return float(total) / world


def checksum(model: nn.Module) -> str:
    """Of the bytes of all parameters."""
    value = 0
    for parameter in model.parameters():
        value = zlib.crc32(parameter.detach().numpy().tobytes(), value)
    return f"{value:08x}"


def wait(world: int) -> None:
    """Until every process is here."""
    if world > 1:
        dist.barrier()


def end(world: int) -> None:
    if world > 1:
        dist.destroy_process_group()


class Progress:
    """A bar on a terminal, nothing elsewhere."""

    def __init__(self, title: str, steps: int, shown: bool) -> None:
        self._title, self._steps, self._shown = title, steps, shown and sys.stderr.isatty()

    def at(self, step: int, text: str) -> None:
        if self._shown:
            done = 24 * step // max(self._steps, 1)
            bar = "#" * done + "." * (24 - done)
            print(f"\r{self._title} [{bar}] {step}/{self._steps} {text} ", end="", file=sys.stderr)
            if step == self._steps:
                print(file=sys.stderr)
