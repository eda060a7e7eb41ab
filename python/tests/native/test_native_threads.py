"""Handles, workspaces and descriptors belong to a thread; the GIL is free; numbers of threads."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from typing import Any, Callable

import numpy
import pytest

import mluops_cpu
import mluops_cpu.numpy as front
from mluops_cpu import _native
from mluops_cpu._native import state, types

X = numpy.linspace(-1, 1, 128, dtype="f4").reshape(1, 4, 4, 8)
BOXES = numpy.linspace(0, 30, 80, dtype="f4").reshape(1, 4, 4, 5)


def small() -> Any:
    return front.rotated_feature_align_forward(X, BOXES)


def in_thread(function: Callable[[], Any]) -> Any:
    """What a function returns in a thread of its own; its exception is raised here."""
    result: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(function())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return result[0]


@pytest.fixture
def destroyed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The handles that are destroyed while a test runs."""
    found: list[int] = []
    plain = types.Handle.destroy

    def destroy(handle: Any) -> int:
        found.append(handle.value)
        return plain(handle)

    monkeypatch.setattr(types.Handle, "destroy", destroy)
    return found


def test_one_handle_per_thread(destroyed: list[int]) -> None:
    small()
    mine = _native.acquire(0)
    small()
    assert _native.acquire(0) is mine

    def other() -> int:
        small()
        first = _native.acquire(0)
        small()
        assert first is _native.acquire(0)
        assert first.handle.value != mine.handle.value
        assert destroyed == []
        return int(first.handle.value or 0)

    theirs = in_thread(other)
    gc.collect()
    assert destroyed == [theirs]


def test_exit_destroys_the_handle_of_the_main_thread() -> None:
    code = """
import atexit
from mluops_cpu import _native
from mluops_cpu._native import types
plain, found = types.Handle.destroy, []
types.Handle.destroy = lambda handle: (print("destroyed", flush=True), plain(handle))[1]
_native.acquire(0)
print("made", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["made", "destroyed"], done.stderr


def test_release_memory(destroyed: list[int]) -> None:
    called: list[str] = []
    callback = lambda: called.append("pool")  # noqa: E731
    _native.on_release(callback)
    _native.on_release(callback)
    try:
        before = _native.acquire(0)
        before.workspace(1 << 16)
        handle = before.handle.value
        del before
        mluops_cpu.release_memory()
        assert called == ["pool"]
        assert destroyed == [handle]
        assert _native.acquire(0).workspace_size() == 0
        assert numpy.isfinite(small()).all()
    finally:
        state._on_release.remove(callback)


def test_workspace_is_kept_and_grown(rng: Any) -> None:
    mluops_cpu.release_memory()
    sizes, pointers = [], []
    for rows in (4000, 200, 4000, 9000, 100):
        sites = rng.integers(0, 40, (rows, 4))
        sites[:, 0] = 0
        front.get_indice_pairs(sites, 1, (40, 40, 40), 3, 2, 1)
        mine = _native.acquire(0)
        sizes.append(mine.workspace_size())
        pointers.append(mine.workspace(1).pointer)
    assert sizes[0] > 0
    assert sizes[0] == sizes[1] == sizes[2] < sizes[3] == sizes[4]
    assert pointers[0] == pointers[1] == pointers[2]
    assert pointers[3] == pointers[4]


def test_workspace_that_cannot_be_had() -> None:
    mine = _native.acquire(0)
    with pytest.raises(MemoryError, match=r"^no \d+ bytes of workspace: "):
        mine.workspace(1 << 62)
    assert numpy.isfinite(small()).all()


def test_descriptors_are_bounded() -> None:
    want = small().tobytes()
    for rows in range(1, 3 * state.MOST_DESCRIPTORS):
        front.rotated_feature_align_forward(
            numpy.ones((1, 1, rows, 1), "f4"), numpy.ones((1, 1, rows, 5), "f4")
        )
        assert len(_native.acquire(0).descriptors) <= state.MOST_DESCRIPTORS
    assert small().tobytes() == want


def busy() -> Callable[[], Any]:
    """A call of 50 ms or more on one thread."""
    mluops_cpu.set_num_threads(1)
    rows = 32
    while True:
        x, boxes = numpy.ones((1, rows, 256, 64), "f4"), numpy.ones((1, rows, 256, 5), "f4")
        out = numpy.empty_like(x)
        front.rotated_feature_align_forward(x, boxes, points=5, out=out)
        begin = time.perf_counter()
        front.rotated_feature_align_forward(x, boxes, points=5, out=out)
        if time.perf_counter() - begin >= 0.05:
            return lambda: front.rotated_feature_align_forward(x, boxes, points=5)
        rows *= 2


def test_calls_of_two_threads_overlap() -> None:
    call, barrier = busy(), threading.Barrier(2)
    spans: list[tuple[float, float]] = []

    def run() -> None:
        small()
        barrier.wait()
        begin = time.perf_counter()
        call()
        spans.append((begin, time.perf_counter()))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (begin, end), (other_begin, other_end) = spans
    assert max(begin, other_begin) < min(end, other_end)


def test_python_runs_while_an_operator_does() -> None:
    call, done = busy(), threading.Event()

    def run() -> None:
        call()
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    steps = 0
    while not done.is_set():
        time.sleep(0.001)
        steps += 1
    thread.join()
    assert steps >= 5


THREADS = """
import mluops_cpu, mluops_cpu._native as native
print(native.acquire(0).default, native.acquire(3).threads, mluops_cpu.get_num_threads())
mluops_cpu.set_num_threads(4)
print(native.acquire(0).threads, native.acquire(3).threads, mluops_cpu.get_num_threads())
mluops_cpu.set_num_threads(None)
print(native.acquire(0).threads, native.acquire(3).threads, native.acquire(5000).threads)
"""


def threads_of(**environment: str) -> list[list[int]]:
    kept = {name: value for name, value in os.environ.items() if name != "MLUOP_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", THREADS],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return [[int(number) for number in line.split()] for line in done.stdout.splitlines()]


def test_threads_of_a_call() -> None:
    """What the front asks for, else the handle's default; set_num_threads wins."""
    first, forced, last = threads_of()
    default = first[0]
    assert first == [default, 3, default]
    assert forced == [4, 4, 4]
    assert last == [default, 3, 1024]


def test_threads_of_the_environment() -> None:
    """MLUOP_NUM_THREADS wins over the front, set_num_threads over both."""
    assert threads_of(MLUOP_NUM_THREADS="2") == [[2, 2, 2], [4, 4, 4], [2, 2, 2]]


def test_set_threads_reaches_threads_that_exist() -> None:
    gate, ready, seen = threading.Event(), threading.Event(), []

    def run() -> None:
        small()
        ready.set()
        gate.wait()
        seen.append(mluops_cpu.get_num_threads())

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    mluops_cpu.set_num_threads(7)
    gate.set()
    thread.join()
    assert seen == [7]


def test_timer_counts_only_while_it_is_on() -> None:
    small()
    plain = _native.c.mluOpRotatedFeatureAlignForward
    with _native.timer as timer:
        begin = time.perf_counter()
        small()
        small()
        wall = time.perf_counter() - begin
    assert timer.calls == 2
    assert 0 < timer.seconds < wall
    assert list(timer.by_function) == ["mluOpRotatedFeatureAlignForward"]
    small()
    assert timer.calls == 2
    assert _native.c.mluOpRotatedFeatureAlignForward is plain
