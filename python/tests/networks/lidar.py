"""Scans of synthetic streets, as a turning LiDAR on a car would see them, with boxes of the objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

#: Of the scanner above the ground, in metres.
HEIGHT = 1.73
#: Length, width, height of the classes of KITTI and nuScenes, in the order of the configurations.
KITTI = ((0.8, 0.6, 1.73), (1.76, 0.6, 1.73), (3.9, 1.6, 1.56))
NUSCENES = (
    (4.6, 1.95, 1.7),  # car
    (6.9, 2.5, 2.8),  # truck
    (6.4, 2.8, 3.2),  # construction vehicle
    (11.0, 2.9, 3.5),  # bus
    (12.3, 2.9, 3.9),  # trailer
    (0.5, 2.5, 1.0),  # barrier
    (2.1, 0.8, 1.5),  # motorcycle
    (1.7, 0.6, 1.3),  # bicycle
    (0.7, 0.7, 1.8),  # pedestrian
    (0.4, 0.4, 1.1),  # traffic cone
)


class Scan(NamedTuple):
    """points [N,4]: x, y, z, intensity; boxes [T,7]: x, y, bottom, length, width, height, yaw."""

    points: np.ndarray
    boxes: np.ndarray
    labels: np.ndarray


def scan(
    seed: int,
    area: Sequence[float],
    sizes: Sequence[Sequence[float]] = KITTI,
    each: int = 2,
    ground: int = 6000,
) -> Scan:
    """A street within area (x0, y0, x1, y1), with `each` objects of every size in free places."""
    random = np.random.default_rng(seed)
    boxes, labels = _placed(random, np.asarray(area, float), sizes, each)
    clouds = [_ground(random, np.asarray(area, float), ground), _posts(random, area)]
    clouds += [_surface(random, box, label) for box, label in zip(boxes, labels)]
    points = np.concatenate(clouds)
    points[:, :3] += random.normal(0, 0.01, (len(points), 3))
    return Scan(
        random.permutation(points).astype(np.float32),
        boxes.astype(np.float32),
        labels.astype(np.int64),
    )


def _placed(
    random: np.random.Generator, area: np.ndarray, sizes: Sequence[Sequence[float]], each: int
) -> tuple[np.ndarray, np.ndarray]:
    """The largest first; boxes stand along the street, a little turned, and do not touch."""
    boxes: list[np.ndarray] = []
    labels: list[int] = []
    by_size = sorted(range(len(sizes)), key=lambda i: -sizes[i][0] * sizes[i][1])
    for label in np.repeat(by_size, each):
        length, width, height = sizes[label]
        for _ in range(2000):
            place = random.uniform(area[:2] + 1, area[2:] - 1)
            if all(
                abs(place[0] - b[0]) > (length + b[3]) / 2 + 0.8
                or abs(place[1] - b[1]) > (width + b[4]) / 2 + 0.8
                for b in boxes
            ):
                break
        else:
            raise AssertionError(f"no place for {each} objects of each size within {area}")
        yaw = random.uniform(-0.15, 0.15) + np.pi * random.integers(2)
        box = [*place, -HEIGHT, *(random.uniform(0.95, 1.05, 3) * (length, width, height)), yaw]
        boxes.append(np.array(box))
        labels.append(int(label))
    return np.array(boxes), np.array(labels)


def _ground(random: np.random.Generator, area: np.ndarray, count: int) -> np.ndarray:
    """Rings around the scanner, denser near it."""
    beams = np.tan(np.radians(np.linspace(1.5, 24, 40)))
    radius = HEIGHT / random.choice(beams, 12 * count)
    angle = random.uniform(-np.pi, np.pi, 12 * count)
    x, y = radius * np.cos(angle), radius * np.sin(angle)
    inside = (x > area[0]) & (x < area[2]) & (y > area[1]) & (y < area[3])
    plane = np.stack([x, y, np.full_like(x, -HEIGHT), np.full_like(x, 0.2)], 1)
    return plane[inside][:count]


def _posts(random: np.random.Generator, area: Sequence[float], count: int = 12) -> np.ndarray:
    """Poles and trunks, which are no objects."""
    place = random.uniform(area[:2], area[2:], (count, 1, 2))
    around = place + random.normal(0, 0.08, (count, 40, 2))
    up = random.uniform(-HEIGHT, 0.9, (count, 40, 2)) * (1, 0) + (0, 0.5)
    return np.concatenate([around, up], 2).reshape(-1, 4)


def _surface(random: np.random.Generator, box: np.ndarray, label: int) -> np.ndarray:
    """Points of the sides and the top, more on near objects; brightness tells the class a little."""
    x, y, bottom, length, width, height, yaw = box
    count = int(np.clip(6000 / (np.hypot(x, y) + 4), 120, 700))
    unit = random.uniform(-0.5, 0.5, (count, 3))
    face = random.choice(3, count, p=[0.4, 0.4, 0.2])
    unit[np.arange(count), face] = np.where(face < 2, random.choice([-0.5, 0.5], count), 0.5)
    local = unit * (length, width, height)
    sin, cos = np.sin(yaw), np.cos(yaw)
    turned = local[:, :2] @ np.array([[cos, sin], [-sin, cos]])
    bright = np.full((count, 1), 0.3 + 0.06 * label)
    return np.concatenate([turned + (x, y), local[:, 2:] + bottom + height / 2, bright], 1)
