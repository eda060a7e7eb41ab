"""Pooling over given pairs [K,2,L] with counts n [K]: features [L,C], output [Y,C]."""

from __future__ import annotations

from collections.abc import Sequence

from .._native import acquire, c, fail
from .common import Record, arguments, fill
from .conv import checked_counts


def indice_maxpool_forward(
    threads: int,
    features: Record,
    pairs: Record,
    counts: Sequence[int],
    output: Record,
    exact: bool = False,
) -> None:
    """Writes output [Y,C]: max(0, the window's values), or the true maximum if exact."""
    if 0 in features[1] or 0 in pairs[1] or 0 in output[1]:
        return fill(output)
    numbers = checked_counts(counts, pairs)
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpCpuIndiceMaxPoolForward(
        state.handle,
        *arguments(find, features, pairs),
        numbers,
        output[1][0],
        1 if exact else 0,
        *arguments(find, output),
    )
    if status:
        fail("mluOpCpuIndiceMaxPoolForward", status)
    return None


def indice_maxpool_backward(
    threads: int,
    features: Record,
    pooled: Record,
    grad_out: Record,
    pairs: Record,
    counts: Sequence[int],
    grad_in: Record,
    exact: bool = False,
) -> None:
    """Writes grad_in [L,C]: an output's gradient goes to each equal input (exact: the first)."""
    if 0 in grad_in[1] or 0 in pairs[1] or 0 in pooled[1] or 0 in grad_out[1]:
        return fill(grad_in)
    numbers = checked_counts(counts, pairs)
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpCpuIndiceMaxPoolBackward(
        state.handle,
        *arguments(find, features, pooled, grad_out, pairs),
        numbers,
        1 if exact else 0,
        *arguments(find, grad_in),
    )
    if status:
        fail("mluOpCpuIndiceMaxPoolBackward", status)
    return None


def indice_avgpool_forward(
    threads: int, features: Record, pairs: Record, counts: Sequence[int], output: Record
) -> None:
    """Writes output [Y,C]: the mean over the pairs of a site, 0 where there is none."""
    if 0 in features[1] or 0 in pairs[1] or 0 in output[1]:
        return fill(output)
    numbers = checked_counts(counts, pairs)
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpCpuIndiceAvgPoolForward(
        state.handle,
        *arguments(find, features, pairs),
        numbers,
        output[1][0],
        *arguments(find, output),
    )
    if status:
        fail("mluOpCpuIndiceAvgPoolForward", status)
    return None


def indice_avgpool_backward(
    threads: int, grad_out: Record, pairs: Record, counts: Sequence[int], grad_in: Record
) -> None:
    """Writes grad_in [L,C]: grad_out divided by the pairs of its site, to each pair."""
    if 0 in grad_in[1] or 0 in pairs[1] or 0 in grad_out[1]:
        return fill(grad_in)
    numbers = checked_counts(counts, pairs)
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpCpuIndiceAvgPoolBackward(
        state.handle,
        *arguments(find, grad_out, pairs),
        numbers,
        *arguments(find, grad_in),
    )
    if status:
        fail("mluOpCpuIndiceAvgPoolBackward", status)
    return None
