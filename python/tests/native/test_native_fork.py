"""A forked child forgets what it inherited and computes the same bytes with threads of its own."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import warnings
from typing import Any, Callable

import numpy
import pytest

import mluops_cpu
import mluops_cpu.numpy as front
from mluops_cpu import _native
from mluops_cpu._native import types

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")


def in_child(function: Callable[[], Any], seconds: int = 20) -> Any:
    """What a function returns in a forked child, which an alarm ends if it hangs."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # 3.12: other threads exist
        child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        try:
            answer = pickle.dumps((True, function()))
        except BaseException as error:
            answer = pickle.dumps((False, repr(error)))
        with open(write, "wb") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, f"the child ended with {status}: 14 is the alarm"
    good, value = pickle.loads(answer)
    assert good, value
    return value


def large() -> bytes:
    """Enough work for several threads: pairs, which take a workspace, and a convolution."""
    rng = numpy.random.default_rng(1)
    sites = rng.integers(0, 60, (20000, 4))
    sites[:, 0] = 0
    pairs = front.get_indice_pairs(sites, 1, (60, 60, 60), 3, 2, 1)
    x = rng.normal(size=(20000, 16)).astype("f4")
    filters = rng.normal(size=(3, 3, 3, 16, 16)).astype("f4")
    tables = (pairs.indice_pairs, pairs.indice_num)
    y = front.indice_conv_forward(x, filters, *tables, len(pairs.out_indices))
    return pairs.indice_pairs.tobytes() + y.tobytes()


def test_child_computes_the_same_bytes() -> None:
    mluops_cpu.set_num_threads(2)
    want = large()
    assert in_child(lambda: (mluops_cpu.get_num_threads(), large() == want)) == (2, True)
    assert large() == want
    # A child of a child, and two in a row.
    assert in_child(lambda: in_child(lambda: large() == want) and large() == want)


def test_child_forgets_and_destroys_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Handles of the forking thread and of another one, which is gone in the child."""
    destroyed: list[int] = []
    plain = types.Handle.destroy

    def destroy(handle: Any) -> int:
        destroyed.append(handle.value)
        return plain(handle)

    monkeypatch.setattr(types.Handle, "destroy", destroy)
    mine = _native.acquire(0)
    mine.workspace(4096)
    ready, gate = threading.Event(), threading.Event()

    def other() -> None:
        _native.acquire(0)
        ready.set()
        gate.wait()

    thread = threading.Thread(target=other)
    thread.start()
    ready.wait()

    def child() -> tuple[bool, int, list[int]]:
        import gc

        gc.collect()
        fresh = _native.acquire(0)
        return fresh is mine, fresh.workspace_size(), destroyed

    assert in_child(child) == (False, 0, [])
    gate.set()
    thread.join()
    assert _native.acquire(0) is mine


def test_child_of_a_thread_that_computes() -> None:
    """The fork happens while another thread is inside a call."""
    mluops_cpu.set_num_threads(2)
    want, stop = large(), threading.Event()

    def run() -> None:
        while not stop.is_set():
            large()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        for _ in range(3):
            assert in_child(lambda: large() == want)
    finally:
        stop.set()
        thread.join()
