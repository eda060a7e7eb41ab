"""Sharing the cores with the OpenMP runtime inside torch.

torch's workers spin for about 5 ms after each of its parallel loops. A call of ours that follows
then gets half of each of their cores: a convolution of 5 ms took 7. GCC's runtime spins for 20 µs
only when it has more threads than there are cores, and with ours the process does. So it is told: a
parked thread keeps one more OpenMP thread. That is once per process, at the first call with several
threads; `MLUOPS_CPU_OPENMP=keep` leaves the runtime alone, and so do `OMP_WAIT_POLICY` and
`GOMP_SPINCOUNT`, which say how long to spin.

Price: a small parallel loop of torch that follows another one waits 20 µs longer for its workers.
"""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Optional

import torch

_VARIABLES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "MLUOPS_CPU_OPENMP")
_lock = threading.Lock()
_settled = False


def threads() -> int:
    """The threads that torch uses, which calls of the torch front use too."""
    number = torch.get_num_threads()
    if number > 1 and not _settled:
        _settle()
    return number


def _settle() -> None:
    global _settled
    with _lock:
        if _settled:
            return
        _settled = True
        if any(os.environ.get(name) for name in _VARIABLES):
            return
        runtime = _gomp()
        if runtime is not None:
            _park(runtime)


def _gomp() -> Optional[ctypes.CDLL]:
    """GCC's OpenMP runtime, if it is in this process; nothing is loaded."""
    try:
        with open("/proc/self/maps") as maps:
            paths = {line.split()[-1] for line in maps if "libgomp" in line}
        if len(paths) != 1:  # none, or two, of which torch's is unknown
            return None
        return ctypes.CDLL(paths.pop(), mode=getattr(os, "RTLD_NOLOAD", 0) | ctypes.DEFAULT_MODE)
    except OSError:
        return None


def _park(runtime: ctypes.CDLL) -> None:
    """Starts a thread that has a team of two run nothing, keeps its second member, and sleeps."""
    try:
        parallel = runtime.GOMP_parallel
        nothing = ctypes.CDLL(None).free  # free(NULL), a C function that Python is not needed for
    except (AttributeError, OSError):
        return
    parallel.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]
    parallel.restype = None
    parked = threading.Event()

    def sleep() -> None:
        parallel(ctypes.cast(nothing, ctypes.c_void_p), None, 2, 0)
        parked.set()
        threading.Event().wait()

    try:
        threading.Thread(target=sleep, name="mluops_cpu-openmp", daemon=True).start()
    except RuntimeError:  # no more threads: the runtime spins, nothing else happens
        return
    parked.wait(1.0)
