"""What a tiny call costs through each front, against the bare C call with everything prepared."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Callable

import numpy as np
import torch

from bars import Row
from mluops_cpu import _native, ops
from mluops_cpu import numpy as front
from timing import per_call

CALLS, ROUNDS = 3000, 5


def measure() -> Iterator[Row]:
    torch.set_num_threads(1)
    try:
        yield from _align()
        yield from _convolution()
    finally:
        torch.set_num_threads(2)


def _best(functions: dict[str, Callable[[], object]]) -> dict[str, float]:
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(ROUNDS):
        for name, function in functions.items():
            best[name] = min(best[name], per_call(function, CALLS, 1))
    return best


def _align() -> Iterator[Row]:
    state = _native.acquire(1)
    features, boxes = torch.randn(1, 8, 4, 4), torch.rand(1, 4, 4, 5)
    features = features.to(memory_format=torch.channels_last)
    leaf = features.clone().requires_grad_()
    array, box_array = features.permute(0, 2, 3, 1).numpy(), boxes.numpy()
    out = np.empty_like(array)
    maps = state.descriptors[_native.LAYOUT_NHWC, _native.FLOAT, (1, 4, 4, 8)]
    box = state.descriptors[_native.LAYOUT_ARRAY, _native.FLOAT, (1, 4, 4, 5)]
    arguments = (state.handle, maps, array.ctypes.data, box, box_array.ctypes.data)
    scale, target = ctypes.c_float(0.125), out.ctypes.data
    call = _native.c.mluOpRotatedFeatureAlignForward

    def no_grad() -> torch.Tensor:
        return ops.rotated_feature_align(features, boxes, 0.125, 1)

    best = _best(
        {
            "bare": lambda: call(*arguments, scale, 1, maps, target),
            "numpy": lambda: front.rotated_feature_align_forward(
                array, box_array, 0.125, 1, out=out
            ),
            "torch": no_grad,
            "grad": lambda: ops.rotated_feature_align(leaf, boxes, 0.125, 1),
        }
    )
    bare = best["bare"]
    note = f"bare call {bare * 1e6:.2f} us"
    yield Row("tiny align call: numpy with out", best["numpy"] / bare, most=4, note=note)
    yield Row("tiny align call: torch, no gradient", best["torch"] / bare, most=8)
    yield Row("tiny align call: torch, with gradient", best["grad"] / bare, most=11)


def _convolution() -> Iterator[Row]:
    sites = torch.tensor([[0, z, y, x] for z in (1, 2) for y in (1, 2) for x in (1, 2)])
    geometry = (sites.int(), 1, [4, 4, 4], [3, 3, 3], [1, 1, 1])
    pairs, num = torch.ops.mluops_cpu.subm_pairs(*geometry)
    features, filters = torch.randn(8, 4), torch.randn(3, 3, 3, 4, 4)
    leaf = filters.clone().requires_grad_()
    state = _native.acquire(1)
    describe = state.descriptors
    rows = describe[_native.LAYOUT_ARRAY, _native.FLOAT, (8, 4)]
    filter_desc = describe[_native.LAYOUT_ARRAY, _native.FLOAT, (27, 1, 1, 4, 4)]
    pair_desc = describe[_native.LAYOUT_ARRAY, _native.INT32, (27, 2, 8)]
    counts = (ctypes.c_int64 * 27)(*num.tolist())
    size, out = ctypes.c_size_t(), torch.empty(8, 4)
    c = _native.c

    def bare() -> None:
        c.mluOpGetIndiceConvolutionForwardWorkspaceSize(
            state.handle, rows, filter_desc, pair_desc, rows, counts, 8, 0, 0, ctypes.byref(size)
        )
        c.mluOpIndiceConvolutionForward(
            *(state.handle, rows, features.data_ptr(), filter_desc, filters.data_ptr()),
            *(pair_desc, pairs.data_ptr(), counts, 8, 0, 0),
            *(state.workspace(size.value).pointer, size.value, rows, out.data_ptr()),
        )

    from mluops_cpu.ops.sparse_functional import indice_subm_conv as conv

    best = _best(
        {
            "bare": bare,
            "torch": lambda: conv(features, filters, pairs, num, 8),
            "grad": lambda: conv(features, leaf, pairs, num, 8),
        }
    )
    note = f"bare query and call {best['bare'] * 1e6:.2f} us"
    yield Row("convolution of 8 sites: torch", best["torch"] / best["bare"], most=8, note=note)
    yield Row("convolution of 8 sites: torch, gradient", best["grad"] / best["bare"], most=11)
