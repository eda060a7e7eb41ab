"""Voxelization and dynamic scatter."""

from __future__ import annotations

from .. import _calls
from .._native import INT32
from .tensors import Tensor, dot, like, numbers


def voxels() -> bool:
    """Points off the faces of a grid of unit cells; voxels in the order of their first points."""
    cloud = Tensor((40, 3), [value + 0.25 for value in numbers(120, 14)])
    grid = [1.0, 1.0, 1.0], [-2.0, -2.0, -2.0, 2.0, 2.0, 2.0]
    filled, sites = Tensor((20, 2, 3)), Tensor((20, 3), dtype=INT32)
    counts, coors = Tensor((20,), dtype=INT32), Tensor((40, 3), dtype=INT32)
    records = (filled.record, sites.record, counts.record)
    found = _calls.voxelization(0, cloud.record, *grid, 2, 20, *records)
    _calls.dynamic_voxelize(0, cloud.record, *grid, coors.record)
    members: dict[tuple[float, ...], list[int]] = {}
    cells: list[float] = []
    for point in range(40):
        cell = tuple(cloud[3 * point + axis] // 1 + 2 for axis in (2, 1, 0))
        inside = all(0 <= place < 4 for place in cell)
        cells += cell if inside else (-1.0, -1.0, -1.0)
        if inside:
            members.setdefault(cell, []).append(point)
    values = []
    for held in members.values():
        rows = [cloud[3 * point + axis] for point in held[:2] for axis in range(3)]
        values += rows + [0.0] * (6 - len(rows))
    return (
        found == len(members)
        and coors.list() == cells
        and sites.list()[: 3 * found] == [place for cell in members for place in cell]
        and counts.list()[:found] == [float(min(len(held), 2)) for held in members.values()]
        and filled.list()[: 6 * found] == values
    )


def scatter() -> bool:
    """Sums over the voxels of 30 points, of which some are in none."""
    coors = Tensor((30, 2), [int(value) % 4 - 1 for value in numbers(60, 15)], INT32)
    feats, sums = Tensor((30, 2), numbers(60, 16)), Tensor((30, 2))
    sites, table = Tensor((30, 2), dtype=INT32), Tensor((30,), dtype=INT32)
    counts = Tensor((30,), dtype=INT32)
    outputs = (sums.record, sites.record, table.record, counts.record)
    found = _calls.dynamic_scatter_forward(0, feats.record, coors.record, *outputs, 0)
    members: dict[tuple[float, float], list[int]] = {}
    for point in range(30):
        cell = coors[2 * point], coors[2 * point + 1]
        if min(cell) >= 0:
            members.setdefault(cell, []).append(point)
    order = sorted(members)
    want = [sum(feats[2 * i + c] for i in members[cell]) for cell in order for c in range(2)]
    numbered = {i: n for n, cell in enumerate(order) for i in members[cell]}
    if found != len(order) or sums.list()[: 2 * found] != want:
        return False
    if sites.list()[: 2 * found] != [place for cell in order for place in cell]:
        return False
    if table.list() != [float(numbered.get(point, -1)) for point in range(30)]:
        return False
    if counts.list()[:found] != [float(len(members[cell])) for cell in order]:
        return False
    reduced = Tensor((found, 2), sums.list()[: 2 * found])
    held = Tensor((found,), [int(value) for value in counts.list()[:found]], INT32)
    grad, grad_feats = like(reduced, 17), like(feats)
    reads = (grad.record, feats.record, reduced.record, table.record, held.record)
    _calls.dynamic_scatter_backward(0, *reads, grad_feats.record, 0)
    return dot(reduced, grad) == dot(feats, grad_feats)
