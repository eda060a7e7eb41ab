"""Trains a small centre-point detector of cars on scans of synthetic streets, on a CPU.

    python train_detector.py                       # a few minutes on two cores
    python train_detector.py --short               # seconds, to see that it runs
    torchrun --nproc-per-node 2 train_detector.py  # two processes, gradients averaged over gloo

Scans come from `mluop scene`: 24 000 points a turn, boxes of the cars. They become voxels, a sparse
encoder makes a bird's-eye map of them, and a head marks the centres of cars on it. Written are
loss.png and birds_eye.png, in --out, if matplotlib is installed. Each of several processes prints a
checksum of its parameters at the end: they are the same.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from detector import processes
from detector.evaluation import average_precision
from detector.model import Detector, decode, loss
from detector.scenes import Scene, augmented, collate, find_mluop, load_scenes
from torch import nn


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=96, help="streets to train on (96)")
    parser.add_argument("--checked", type=int, default=24, help="streets to check on (24)")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=4, help="streets per step, of all processes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="8 streets, 4 to check, 3 epochs")
    parser.add_argument("--out", type=Path, default=Path("."), help="where the pictures go")
    parser.add_argument("--mluop", help="path of the program mluop")
    given = parser.parse_args()
    if given.short:
        given.scenes, given.checked, given.epochs = 8, 4, 3
    return given


def read_scenes(given: argparse.Namespace) -> tuple[list[Scene], list[Scene]]:
    """Streets to train on and others to check on."""
    with tempfile.TemporaryDirectory() as folder:
        count = given.scenes + given.checked
        scenes = load_scenes(find_mluop(given.mluop), Path(folder), count, given.seed)
    return scenes[: given.scenes], scenes[given.scenes :]


class Training:
    """A model, its optimiser, and the share of the data that is this process's."""

    def __init__(
        self, given: argparse.Namespace, scenes: list[Scene], rank: int, world: int
    ) -> None:
        torch.manual_seed(given.seed)  # the same weights in every process
        self.given, self.scenes, self.rank, self.world = given, scenes, rank, world
        self.model: nn.Module = processes.shared(Detector(), world)
        steps = given.epochs * self.steps_per_epoch()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), weight_decay=0.01)
        schedule = torch.optim.lr_scheduler.OneCycleLR
        self.schedule = schedule(self.optimizer, max_lr=3e-3, total_steps=steps)

    def steps_per_epoch(self) -> int:
        return max(len(self.scenes) // self.given.batch, 1)

    def epoch(self, number: int) -> float:
        """One pass over the streets; returns the mean loss."""
        random = np.random.default_rng((self.given.seed, number))
        order = random.permutation(len(self.scenes))
        steps, total = self.steps_per_epoch(), 0.0
        progress = processes.Progress(f"epoch {number + 1:2}", steps, self.rank == 0)
        for step in range(steps):
            everybody = order[step * self.given.batch : (step + 1) * self.given.batch]
            mine = everybody[self.rank :: self.world]
            batch = collate([augmented(self.scenes[i], random) for i in mine])
            heat, regressed = self.model(batch.features, batch.indices, len(batch.boxes))
            cost = loss(heat, regressed, batch)
            self.optimizer.zero_grad()
            cost.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
            self.optimizer.step()
            self.schedule.step()
            total += cost.item()
            progress.at(step + 1, f"loss {total / (step + 1):.2f}")
        return processes.mean(total / steps, self.world)


@torch.no_grad()
def check(model: nn.Module, scenes: list[Scene]) -> tuple[float, list[torch.Tensor]]:
    """Average precision on streets that were not trained on, and the boxes found in each."""
    inner: Any = getattr(model, "module", model)
    inner.eval()
    found = []
    for scene in scenes:
        batch = collate([scene])
        found += decode(*inner(batch.features, batch.indices, 1))
    inner.train()
    return average_precision(found, [torch.from_numpy(s.boxes) for s in scenes]), found


def draw(
    given: argparse.Namespace,
    losses: list[float],
    precisions: list[float],
    checked: list[Scene],
    found: list[torch.Tensor],
) -> None:
    """The curves of the training, and the street with the most cars."""
    try:
        from detector import pictures
    except ModuleNotFoundError as missing:
        print(f"no pictures: {missing.name} is not installed")
        return
    given.out.mkdir(parents=True, exist_ok=True)
    pictures.curves(losses, precisions, given.out / "loss.png")
    most = max(range(len(checked)), key=lambda i: len(checked[i].boxes))
    pictures.birds_eye(checked[most], found[most].numpy(), given.out / "birds_eye.png")
    print(f"pictures: {given.out / 'loss.png'}, {given.out / 'birds_eye.png'}")


def main() -> None:
    given = options()
    rank, world = processes.start()
    streets, checked = read_scenes(given)
    training = Training(given, streets, rank, world)
    losses, precisions, found = [], [], []
    for number in range(given.epochs):
        begin = time.perf_counter()
        losses.append(training.epoch(number))
        seconds = time.perf_counter() - begin
        if rank == 0:
            precision, found = check(training.model, checked)
            precisions.append(precision)
            text = f"loss {losses[-1]:.3f}, average precision {precision:.3f}, {seconds:.1f} s"
            print(f"epoch {number + 1}/{given.epochs}: {text}", flush=True)
        processes.wait(world)
    if rank == 0:
        draw(given, losses, precisions, checked, found)
    if world > 1:
        print(f"rank {rank}: parameters {processes.checksum(training.model)}", flush=True)
    processes.end(world)


if __name__ == "__main__":
    main()
