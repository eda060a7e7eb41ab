"""A training step of CenterPoint's encoder: where its time goes, and what others need for it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import torch

from bars import Row
from centerpoint import Scene, encoder, plain_torch, random_scene, scanned_scene, step
from mluops_cpu import _native
from mluops_cpu._torch import autograd
from mluops_cpu.ops.sparse_conv import SparseConvolution
from timing import in_turns, timed

TUNABLES = "glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=4294967296"
WARM = 5


def scene_of(mluop: Path, quick: bool) -> Scene:
    return random_scene(1000) if quick else scanned_scene(mluop)


def measure(mluop: Path, quick: bool) -> Iterator[Row]:
    torch.manual_seed(0)
    torch.set_num_threads(2)
    scene, net = scene_of(mluop, quick), encoder()
    rounds = 2 if quick else 5
    for _ in range(2 if quick else WARM):
        step(net, scene)
    yield _pair_builds(net, scene)
    yield _share_outside(net, scene, rounds)
    yield from _against_torch(net, scene, rounds)
    yield _allocator(mluop, quick)


def _pair_builds(net: torch.nn.Module, scene: Scene) -> Row:
    build, builds = _native.c.mluOpGetIndicePairs, []

    def counted(*arguments: Any) -> Any:
        builds.append(arguments)
        return build(*arguments)

    _native.c.mluOpGetIndicePairs = counted
    try:
        step(net, scene)
    finally:
        _native.c.mluOpGetIndicePairs = build
    note = "21 without the pair cache"
    return Row("pair builds of the encoder", len(builds), "", most=8, note=note)


class _Stopwatch:
    """Seconds inside the calls it wraps; a call inside another one counts once."""

    def __init__(self) -> None:
        self.seconds, self._depth = 0.0, 0

    def wrap(self, function: Any) -> Any:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if self._depth:
                return function(*args, **kwargs)
            self._depth, begin = 1, perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds += perf_counter() - begin
                self._depth = 0

        return wrapped


@contextmanager
def _front_watched() -> Iterator[_Stopwatch]:
    """Times the layers' forward and the gradient functions' backward: all that the front runs."""
    watch, forward, backward = _Stopwatch(), SparseConvolution.forward, autograd.Conv.backward
    SparseConvolution.forward = watch.wrap(forward)  # type: ignore[method-assign]
    autograd.Conv.backward = staticmethod(watch.wrap(backward))  # type: ignore[method-assign]
    try:
        yield watch
    finally:
        SparseConvolution.forward = forward  # type: ignore[method-assign]
        autograd.Conv.backward = staticmethod(backward)  # type: ignore[method-assign]


def _share_outside(net: torch.nn.Module, scene: Scene, rounds: int) -> Row:
    best, inside, whole = float("inf"), 0.0, 0.0
    for _ in range(rounds):
        with _native.timer as timer, _front_watched() as watch:
            seconds = timed(lambda: step(net, scene))
        share = 1 - timer.seconds / watch.seconds
        if share < best:
            best, inside, whole = share, timer.seconds, seconds
    note = f"{inside * 1e3:.0f} ms in C of a step of {whole * 1e3:.0f} ms"
    return Row("share of the front's time outside C", 100 * best, "%", most=3, note=note)


def _against_torch(net: torch.nn.Module, scene: Scene, rounds: int) -> Iterator[Row]:
    for name, dtype, bar in (("float", None, 2.0), ("bfloat16", torch.bfloat16, 1.2)):

        def ours(dtype: Any = dtype) -> None:
            step(net, scene, dtype)

        def plain(dtype: Any = dtype) -> None:
            with plain_torch():
                step(net, scene, dtype)

        plain()  # warm
        best = in_turns({"ours": ours, "torch": plain}, rounds)
        note = f"{best['ours'] * 1e3:.0f} against {best['torch'] * 1e3:.0f} ms"
        ratio = best["torch"] / best["ours"]
        yield Row(f"step, {name}, against index_select, mm, index_add", ratio, least=bar, note=note)


def _allocator(mluop: Path, quick: bool) -> Row:
    """Two processes in turns, one with malloc told to keep everything."""
    best = {"plain": float("inf"), "tuned": float("inf")}
    for _ in range(1 if quick else 2):
        for name, extra in (("plain", {}), ("tuned", {"GLIBC_TUNABLES": TUNABLES})):
            command = [sys.executable, __file__, str(mluop), *(["--quick"] if quick else [])]
            environment = {**os.environ, **extra}
            done = subprocess.run(command, check=True, capture_output=True, env=environment)
            best[name] = min(best[name], float(done.stdout))
    note = f"{best['plain'] * 1e3:.0f} against {best['tuned'] * 1e3:.0f} ms"
    return Row(
        "step without allocator tunables", best["plain"] / best["tuned"], most=1.15, note=note
    )


def _one_process() -> None:
    mluop, quick = Path(sys.argv[1]), "--quick" in sys.argv
    torch.manual_seed(0)
    torch.set_num_threads(2)
    scene, net = scene_of(mluop, quick), encoder()
    rounds = 2 if quick else WARM
    for _ in range(rounds):
        step(net, scene)
    print(min(timed(lambda: step(net, scene)) for _ in range(rounds)))


if __name__ == "__main__":
    _one_process()
