"""Beside torch's own threads: they spin for milliseconds after each of torch's parallel loops."""

from __future__ import annotations

import time
from collections.abc import Iterator

import torch

from bars import Row
from centerpoint import random_scene
from mluops_cpu import ops
from timing import medians, timed


def measure(quick: bool) -> Iterator[Row]:
    torch.set_num_threads(2)
    scene = random_scene(36000)
    x = ops.SparseConvTensor(scene.features, scene.indices, list(scene.shape), scene.batch_size)
    pairs, num = torch.ops.mluops_cpu.subm_pairs(
        scene.indices, scene.batch_size, list(scene.shape), [3, 3, 3], [1, 1, 1]
    )
    features, weight = torch.randn(len(x.features), 128), torch.randn(3, 3, 3, 128, 128)
    large = torch.randn(10_000_000)

    def call() -> None:
        torch.ops.mluops_cpu.indice_conv(features, weight, pairs, num, len(features), False, False)

    def after_relu() -> float:
        torch.relu(large)
        return timed(call)

    def after_rest() -> float:
        time.sleep(0.05)
        return timed(call)

    call()
    found = medians({"rest": after_rest, "relu": after_relu}, 5 if quick else 40)
    note = f"{found['relu'] * 1e3:.2f} against {found['rest'] * 1e3:.2f} ms after 50 ms of rest"
    yield Row(
        "convolution right after ReLU of torch", found["relu"] / found["rest"], most=1.25, note=note
    )
