"""Resident memory over many steps with changing sizes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from statistics import mean

import torch

from bars import Row
from centerpoint import encoder, random_scene, step


def measure(quick: bool) -> Iterator[Row]:
    torch.manual_seed(0)
    net, steps = encoder(), 20 if quick else 100
    resident = []
    for i in range(steps):
        # The first steps meet the largest size, so that what they keep is enough for the rest.
        rows = (3000 if quick else 20000) * (100 - 37 * i % 60) // 100
        step(net, random_scene(rows, seed=i))
        resident.append(_resident_bytes())
    # Means of thirds: single steps differ by a tenth, with their size and with what malloc keeps.
    third = (steps - 10) // 3
    early, late = mean(resident[10 : 10 + third]), mean(resident[-third:])
    note = f"{int(early) >> 20} MiB on average, then {int(late) >> 20}; peak {max(resident) >> 20}"
    yield Row("resident memory after step 10, last third", late / early, most=1.05, note=note)


def _resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
