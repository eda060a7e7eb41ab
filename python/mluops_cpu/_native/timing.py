"""Time spent inside C, for the benchmarks; costs nothing until it is enabled."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Callable

from .library import c
from .prototypes import OPERATORS, SETTERS


class Timer:
    """Counts seconds and calls of the C functions while it is on, in all threads.

    >>> from mluops_cpu._native import timer
    >>> with timer:
    ...     pass
    >>> timer.calls
    0
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.calls = 0
        self.by_function: dict[str, float] = {}
        self._plain: dict[str, Callable[..., int]] = {}

    def start(self) -> None:
        """Sets the counters to zero and begins; a second start without a stop only resets."""
        self.seconds, self.calls, self.by_function = 0.0, 0, {}
        if not self._plain:
            for name in (*OPERATORS, *SETTERS):
                self._plain[name] = getattr(c, name)
                setattr(c, name, self._timed(name, self._plain[name]))

    def stop(self) -> None:
        for name, function in self._plain.items():
            setattr(c, name, function)
        self._plain = {}

    def __enter__(self) -> Timer:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def _timed(self, name: str, function: Callable[..., int]) -> Callable[..., int]:
        def timed(*arguments: Any) -> int:
            begin = perf_counter()
            result = function(*arguments)
            taken = perf_counter() - begin
            self.seconds += taken
            self.calls += 1
            self.by_function[name] = self.by_function.get(name, 0.0) + taken
            return result

        return timed


timer = Timer()
