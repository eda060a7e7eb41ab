"""Rows of a table: what was measured, against which bar."""

from __future__ import annotations

import sys
from typing import NamedTuple, Optional


class Row(NamedTuple):
    """One measurement; `most` and `least` are the bars, None where there is none."""

    what: str
    value: float
    unit: str = "x"
    most: Optional[float] = None
    least: Optional[float] = None
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.most is None and self.least is None:
            return "-"
        below = self.least is not None and not self.value >= self.least
        above = self.most is not None and not self.value <= self.most
        return "missed" if below or above else "met"

    @property
    def bar(self) -> str:
        if self.most is not None:
            return f"<= {self.most:g}"
        return "" if self.least is None else f">= {self.least:g}"


def show(row: Row) -> None:
    """Prints a row as soon as it is known: the whole table takes minutes."""
    value = f"{row.value:.3g} {row.unit}".rstrip()
    print(f"{row.what:58} {value:>12} {row.bar:>9} {row.verdict:7} {row.note}".rstrip())
    sys.stdout.flush()
