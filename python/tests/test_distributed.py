"""Training on two processes over gloo, full and empty ranks, by spawn and by torchrun."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import distributed_worker

pytestmark = pytest.mark.skipif(
    not torch.distributed.is_available(), reason="this torch has no torch.distributed"
)

TORCH = tuple(int(part) for part in torch.__version__.split(".")[:2])


@pytest.mark.parametrize("case", distributed_worker.CASES)
def test_spawn(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.delenv("MLUOP_NUM_THREADS", raising=False)
    method = f"file://{tmp_path}/rendezvous"
    torch.multiprocessing.spawn(
        distributed_worker.main, ([case], method), nprocs=distributed_worker.WORLD
    )


def test_torchrun(root: Path) -> None:
    """Without OMP_NUM_THREADS, which torchrun sets to 1."""
    environment = {k: v for k, v in os.environ.items() if k not in _THREADS}
    environment["PYTHONPATH"] = str(root / "python")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "torch.distributed.run", "--nnodes=1", "--nproc_per_node=2"]
    command += ["--master_addr=127.0.0.1", f"--master_port={port}"]
    command += [distributed_worker.__file__, *distributed_worker.CASES]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200)
    # torch 1.13 looks for a member of an enumeration in a way that Python 3.11 changed.
    if TORCH < (2, 0) and "in to_map" in run.stderr and "AttributeError" in run.stderr:
        pytest.skip(f"torchrun of torch {torch.__version__} fails in elastic's to_map")
    assert run.returncode == 0, run.stdout + run.stderr
    for rank in range(distributed_worker.WORLD):
        assert f"rank {rank}: {len(distributed_worker.CASES)} cases passed" in run.stdout


_THREADS = ("OMP_NUM_THREADS", "MLUOP_NUM_THREADS")
