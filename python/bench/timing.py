"""Best times, taken in turns so that a busy moment meets all candidates alike."""

from __future__ import annotations

from statistics import median
from time import perf_counter
from typing import Callable


def per_call(function: Callable[[], object], calls: int, rounds: int) -> float:
    """Seconds per call, the best of several rounds of many calls."""
    best = float("inf")
    for _ in range(rounds):
        begin = perf_counter()
        for _ in range(calls):
            function()
        best = min(best, (perf_counter() - begin) / calls)
    return best


def in_turns(functions: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Best seconds of one call of each, called in turns."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(rounds):
        for name, function in functions.items():
            best[name] = min(best[name], timed(function))
    return best


def medians(functions: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Median of what each function returns, called in turns."""
    values: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            values[name].append(function())
    return {name: median(all_of) for name, all_of in values.items()}


def timed(function: Callable[[], object]) -> float:
    """Seconds of one call."""
    begin = perf_counter()
    function()
    return perf_counter() - begin
