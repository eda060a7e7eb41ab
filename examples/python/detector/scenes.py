"""Scans of synthetic streets as voxels, and the boxes of the cars that are to be found in them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from mluops_cpu.ops import points_in_boxes_all

#: Metres around the scanner, by x, y, z, and the voxels they are cut into.
LOWER = np.array([-32.0, -32.0, -3.0], np.float32)
UPPER = np.array([32.0, 32.0, 2.0], np.float32)
VOXEL = np.array([0.2, 0.2, 0.25], np.float32)
SHAPE = [20, 320, 320]  # z, y, x
STRIDE = 4  # of the map that the network answers with
MAP = 320 // STRIDE
CELL = float(VOXEL[0]) * STRIDE
#: A car is to be found if the scanner saw at least so many points of it.
SEEN = 8


class Scene(NamedTuple):
    """Points [P,4] (x, y, z, age) and boxes [T,7] (x, y, z, length, width, height, heading)."""

    points: np.ndarray
    boxes: np.ndarray


class Batch(NamedTuple):
    """Voxels of several scenes: features [L,5], indices [L,4] (scene, z, y, x); boxes of each."""

    features: torch.Tensor
    indices: torch.Tensor
    boxes: list[torch.Tensor]


def find_mluop(given: str | None) -> str:
    """The program that writes scenes: as given, of this checkout, or on the PATH."""
    built = Path(__file__).resolve().parents[3] / "build/release/cli/mluop"
    found = given or (str(built) if built.exists() else shutil.which("mluop"))
    if found is None:
        raise SystemExit("mluop not found: run 'make build', or give --mluop PATH")
    return found


def load_scenes(mluop: str, folder: Path, count: int, seed: int) -> list[Scene]:
    """Has `mluop scene` write `count` scenes, and reads them; the same seed gives the same ones."""
    command = [mluop, "scene", "--count", str(count), "--sweeps", "2", "--seed", str(seed)]
    subprocess.run([*command, "--out", str(folder)], check=True, stdout=subprocess.DEVNULL)
    return [
        _visible(np.load(folder / f"{i:04}_points.npy"), np.load(folder / f"{i:04}_boxes.npy"))
        for i in range(count)
    ]


def _visible(points: np.ndarray, boxes: np.ndarray) -> Scene:
    """Keeps the points within range, and the boxes that hold enough of them."""
    points = points[((points[:, :3] >= LOWER) & (points[:, :3] < UPPER)).all(1)]
    inside = points_in_boxes_all(
        torch.from_numpy(points[None, :, :3].copy()), torch.from_numpy(boxes[None])
    )[0]
    kept = (inside.sum(0).numpy() >= SEEN) & (np.abs(boxes[:, :2]) < UPPER[0]).all(1)
    return Scene(points, boxes[kept])


def augmented(scene: Scene, random: np.random.Generator) -> Scene:
    """The scene turned a little and perhaps mirrored: a hundred streets are few."""
    points, boxes = scene.points.copy(), scene.boxes.copy()
    if random.random() < 0.5:
        points[:, 1] *= -1
        boxes[:, [1, 6]] *= -1
    angle = random.uniform(-0.4, 0.4)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]], np.float32)
    points[:, :2] = points[:, :2] @ turn
    boxes[:, :2] = boxes[:, :2] @ turn
    boxes[:, 6] += angle
    points = points[((points[:, :3] >= LOWER) & (points[:, :3] < UPPER)).all(1)]
    return Scene(points, boxes[(np.abs(boxes[:, :2]) < UPPER[0]).all(1)])


def voxelize(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points [P,4] -> features [L,5], cells [L,3] (z, y, x): the mean of the points in each cell.

    Features: x, y, z relative to the cell, age, and the logarithm of the number of points.
    """
    cells = ((points[:, :3] - LOWER) / VOXEL).astype(np.int64)
    key = (cells[:, 2] * SHAPE[1] + cells[:, 1]) * SHAPE[2] + cells[:, 0]
    key, voxel, count = np.unique(key, return_inverse=True, return_counts=True)
    relative = (points[:, :3] - LOWER) / VOXEL - cells - 0.5
    values = np.concatenate([relative, 10 * points[:, 3:]], 1)
    sums = np.stack([np.bincount(voxel, column, len(key)) for column in values.T], 1)
    features = np.concatenate([sums / count[:, None], np.log(count)[:, None]], 1)
    plane, x = np.divmod(key, SHAPE[2])
    z, y = np.divmod(plane, SHAPE[1])
    return features.astype(np.float32), np.stack([z, y, x], 1).astype(np.int32)


def collate(scenes: Sequence[Scene]) -> Batch:
    """Several scenes as one batch."""
    features, indices = [], []
    for number, scene in enumerate(scenes):
        values, cells = voxelize(scene.points)
        features.append(values)
        indices.append(np.insert(cells, 0, number, axis=1))
    return Batch(
        torch.from_numpy(np.concatenate(features)),
        torch.from_numpy(np.concatenate(indices)),
        [torch.from_numpy(scene.boxes) for scene in scenes],
    )
