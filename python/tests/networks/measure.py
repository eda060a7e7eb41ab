"""Times a network in its published size: a training step, an inference, and the operators' share.

    python python/tests/networks/measure.py               # all, in Markdown, as in docs/networks.md
    python python/tests/networks/measure.py SECOND R3Det  # these

One process, torch and the operators with the threads of OMP_NUM_THREADS or one for each core.
"""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any, Callable

import openmmlab
import steps
import torch
from models import NETWORKS

import mluops_cpu.mmcv
from mluops_cpu._native import timer


def best(run: Callable[[], Any], seconds: float) -> tuple[float, dict[str, float]]:
    """Least time of at least two runs after one, and of it the time in C by function."""
    run()
    least, parts, begin = float("inf"), {}, time.perf_counter()
    while parts == {} or time.perf_counter() - begin < seconds:
        with timer:
            start = time.perf_counter()
            run()
            taken = time.perf_counter() - start
        if taken < least:
            least, parts = taken, dict(timer.by_function)
    return least, parts


def main() -> None:
    warnings.simplefilter("ignore")
    mluops_cpu.mmcv.install()
    openmmlab.import_models()
    print(
        "| network | step, ms | in the operators | inference, ms | in the operators | most time |"
    )
    print("|---|---|---|---|---|---|")
    for name in sys.argv[1:] or NETWORKS:
        network = NETWORKS[name]
        model, batch = steps.seeded(network, reduced=False), network.published_batch(1)
        optimizer = steps.optimizer(model, 1e-4)

        def step(model: Any = model, batch: Any = batch, optimizer: Any = optimizer) -> None:
            steps.train(model, batch, optimizer)

        def inference(model: Any = model, batch: Any = batch) -> None:
            steps.infer(model, batch)

        torch.manual_seed(0)
        row = [name]
        parts: dict[str, float] = {}
        for run in (step, inference):
            taken, parts_of_run = best(run, 4)
            share = sum(parts_of_run.values()) / taken
            row += [f"{1e3 * taken:.0f}", f"{share:.0%}"]
            parts = parts or parts_of_run
        first = sorted(parts, key=lambda function: -parts[function])[:4]
        row.append(", ".join(f"{f.removeprefix('mluOp')} {1e3 * parts[f]:.0f}" for f in first))
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
