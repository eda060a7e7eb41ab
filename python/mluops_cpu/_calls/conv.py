"""Sparse convolution over given pairs [K,2,L] with counts n [K]; filters [k...,Ci,Co] or (krsc)
[Co,k...,Ci].

C sees only K, so filters of any rank are viewed as rank 5. The convolutions are always called with
sub_m 0: the result is the same, and backward data with sub_m 1 refuses even K.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._native import LAYOUT_ARRAY, LAYOUT_NDHWC, acquire, c, fail
from .common import Record, elements, fill, host_counts


def filter_sizes(shape: tuple[int, ...], krsc: bool) -> tuple[int, int, int]:
    """K, Ci and Co of filters [k...,Ci,Co], or [Co,k...,Ci] if krsc."""
    if len(shape) < 3:
        raise ValueError(f"filters must have 3 dims or more, got shape {shape}")
    if krsc:
        return elements(shape[1:-1]), shape[-1], shape[0]
    return elements(shape[:-2]), shape[-2], shape[-1]


def _filter_key(filters: Record, krsc: bool) -> tuple[int, int, tuple[int, ...]]:
    volume, inputs, outputs = filter_sizes(filters[1], krsc)
    if krsc:
        return LAYOUT_NDHWC, filters[2], (outputs, volume, 1, 1, inputs)
    return LAYOUT_ARRAY, filters[2], (volume, 1, 1, inputs, outputs)


def checked_counts(counts: Sequence[int], pairs: Record, volume: int = 0) -> Any:
    """The host array of indice_num; C reads K numbers of it, so their number is checked here.

    The array has `volume` entries at least: C may read as many as the filters have offsets before
    it refuses filters that do not fit the pairs.
    """
    if len(pairs[1]) == 3 and len(counts) != pairs[1][0]:
        raise ValueError(f"indice_num must have {pairs[1][0]} entries, got {len(counts)}")
    return host_counts(counts, volume)


def indice_conv_forward(
    threads: int,
    features: Record,
    filters: Record,
    pairs: Record,
    counts: Sequence[int],
    output: Record,
    inverse: bool,
    krsc: bool,
) -> None:
    """Writes output [rows,Co] from features [L,Ci]; inverse exchanges the sides of the pairs."""
    key = _filter_key(filters, krsc)
    if 0 in features[1] or 0 in key[2] or 0 in pairs[1] or 0 in output[1]:
        return fill(output)
    numbers = checked_counts(counts, pairs, key[2][1 if krsc else 0])
    state = acquire(threads)
    find, handle = state.descriptors, state.handle
    read = find[LAYOUT_ARRAY, features[2], features[1]]
    weights = find[key]
    table = find[LAYOUT_ARRAY, pairs[2], pairs[1]]
    written = find[LAYOUT_ARRAY, output[2], output[1]]
    given = (numbers, output[1][0], 1 if inverse else 0, 0)
    status = c.mluOpGetIndiceConvolutionForwardWorkspaceSize(
        handle, read, weights, table, written, *given, state.size_ref
    )
    if status:
        fail("mluOpGetIndiceConvolutionForwardWorkspaceSize", status)
    size = state.size.value
    workspace = state.workspace(size)  # referenced until the call returns
    room = workspace.pointer if size else None
    inputs = (read, features[0], weights, filters[0], table, pairs[0])
    status = c.mluOpIndiceConvolutionForward(
        handle, *inputs, *given, room, size, written, output[0]
    )
    if status:
        fail("mluOpIndiceConvolutionForward", status)
    return None


def indice_conv_backward_data(
    threads: int,
    grad_output: Record,
    filters: Record,
    pairs: Record,
    counts: Sequence[int],
    grad_input: Record,
    inverse: bool,
    krsc: bool,
) -> None:
    """Writes grad_input [rows,Ci] from grad_output [Y,Co]."""
    key = _filter_key(filters, krsc)
    if 0 in grad_output[1] or 0 in key[2] or 0 in pairs[1] or 0 in grad_input[1]:
        return fill(grad_input)
    numbers = checked_counts(counts, pairs, key[2][1 if krsc else 0])
    state = acquire(threads)
    find, handle = state.descriptors, state.handle
    read = find[LAYOUT_ARRAY, grad_output[2], grad_output[1]]
    weights = find[key]
    table = find[LAYOUT_ARRAY, pairs[2], pairs[1]]
    written = find[LAYOUT_ARRAY, grad_input[2], grad_input[1]]
    back = 1 if inverse else 0
    status = c.mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(
        handle, read, weights, table, written, numbers, back, state.size_ref
    )
    if status:
        fail("mluOpGetIndiceConvolutionBackwardDataWorkspaceSize", status)
    size = state.size.value
    workspace = state.workspace(size)
    room = workspace.pointer if size else None
    inputs = (read, grad_output[0], weights, filters[0], table, pairs[0])
    status = c.mluOpIndiceConvolutionBackwardData(
        handle, *inputs, numbers, back, 0, room, size, written, grad_input[0]
    )
    if status:
        fail("mluOpIndiceConvolutionBackwardData", status)
    return None


def indice_conv_backward_filter(
    threads: int,
    features: Record,
    grad_output: Record,
    pairs: Record,
    counts: Sequence[int],
    grad_filters: Record,
    inverse: bool,
    krsc: bool,
) -> None:
    """Writes grad_filters, [k...,Ci,Co] or (krsc) [Co,k...,Ci]."""
    key = _filter_key(grad_filters, krsc)
    if 0 in features[1] or 0 in grad_output[1] or 0 in key[2] or 0 in pairs[1]:
        return fill(grad_filters)
    numbers = checked_counts(counts, pairs, key[2][1 if krsc else 0])
    state = acquire(threads)
    find, handle = state.descriptors, state.handle
    read = find[LAYOUT_ARRAY, features[2], features[1]]
    grad = find[LAYOUT_ARRAY, grad_output[2], grad_output[1]]
    table = find[LAYOUT_ARRAY, pairs[2], pairs[1]]
    written = find[key]
    given = (numbers, 1 if inverse else 0, 0)
    # The MLU-OPS entry ignores the layout tag of filters_grad; only the other one writes KRSC.
    prefix = "mluOpCpu" if krsc else "mluOp"
    name = f"{prefix}GetIndiceConvolutionBackwardFilterWorkspaceSize"
    status = getattr(c, name)(handle, read, grad, table, written, *given, state.size_ref)
    if status:
        fail(name, status)
    size = state.size.value
    workspace = state.workspace(size)
    room = workspace.pointer if size else None
    name = f"{prefix}IndiceConvolutionBackwardFilter"
    inputs = (read, features[0], grad, grad_output[0], table, pairs[0])
    status = getattr(c, name)(handle, *inputs, *given, room, size, written, grad_filters[0])
    if status:
        fail(name, status)
    return None
