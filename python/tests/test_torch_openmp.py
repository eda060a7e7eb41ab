"""The OpenMP runtime inside torch: left the only one, and kept from spinning beside our threads."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SPINNING = """
import os, threading, time, torch
from mluops_cpu import ops

def seconds():
    found = {}
    for thread in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{thread}/schedstat") as file:
            found[thread] = int(file.read().split()[0]) / 1e9
    return found

torch.set_num_threads(2)
ops.carafe(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), 1, 1, 1)
large, spun = torch.randn(2_000_000), []
for _ in range(5):
    torch.relu(large)
    before = seconds()
    time.sleep(0.05)
    after = seconds()
    here = str(threading.get_native_id())
    spun.append(sum(after[t] - before.get(t, 0.0) for t in after if t != here))
print(sorted(spun)[2])
"""


def spun_seconds(**variables: str) -> float:
    """CPU time that torch's workers spend in the 50 ms after a parallel loop."""
    cleared = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "MLUOPS_CPU_OPENMP", "OMP_NUM_THREADS")
    environment = {name: value for name, value in os.environ.items() if name not in cleared}
    command = [sys.executable, "-c", SPINNING]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**environment, **variables}
    )
    return float(done.stdout)


@pytest.fixture(scope="module")
def spun_otherwise() -> float:
    """How long the workers spin if left alone."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core: OpenMP does not spin there")
    seconds = spun_seconds(MLUOPS_CPU_OPENMP="keep")
    if seconds < 1e-3:
        pytest.skip("this torch does not spin (another OpenMP runtime, or more threads than cores)")
    return seconds


def test_workers_stop_spinning(spun_otherwise: float) -> None:
    assert spun_seconds() < spun_otherwise / 4


def test_settings_of_the_user_win(spun_otherwise: float) -> None:
    assert spun_seconds(GOMP_SPINCOUNT="300000") > spun_otherwise / 2


RUNTIMES = """
import torch

def runtimes():
    with open("/proc/self/maps") as maps:
        return {line.split()[-1] for line in maps if "libgomp" in line or "libomp" in line}

before = runtimes()
from mluops_cpu import ops
ops.carafe(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), 1, 1, 1)
print(sorted(runtimes() - before))
"""


def test_no_second_runtime_is_loaded() -> None:
    """The library has threads of its own, so nothing can clash with the runtime inside torch."""
    done = subprocess.run(
        [sys.executable, "-c", RUNTIMES], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
