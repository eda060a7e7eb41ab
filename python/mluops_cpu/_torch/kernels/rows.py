"""Results of which only the first rows are used."""

from __future__ import annotations

from torch import Tensor

from .. import memory


def trimmed(rows: Tensor, used: int) -> Tensor:
    """Return the first rows; a copy if less than half is used, so that the rest can be freed."""
    if used == rows.shape[0]:
        return rows
    shape = (used, *rows.shape[1:])
    if 2 * used < rows.shape[0]:
        return memory.empty(shape, rows.dtype).copy_(rows[:used])
    return rows.as_strided_(shape, rows.stride())
