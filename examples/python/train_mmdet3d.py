"""Trains a published network of mmdet3d for cars on scans of synthetic streets, on a CPU.

    python train_mmdet3d.py                       # PointPillars at a quarter of its width, minutes
    python train_mmdet3d.py --network second      # with sparse convolutions
    python train_mmdet3d.py --short               # seconds, to see that it runs
    torchrun --nproc-per-node 2 train_mmdet3d.py  # two processes, gradients averaged over gloo

The network is built from the configuration inside mmdet3d's wheel; replaced are the area, the
anchors, which fit the cars of `mluop scene`, and the width. With mmcv-lite there is nothing to
compile: mluops_cpu.mmcv.install(), before mmdet3d is imported, is all it takes. Written are
loss.png and birds_eye.png, in --out, if matplotlib is installed. Each of several processes prints a
checksum of its parameters at the end: they are the same.
"""

from __future__ import annotations

import argparse
import logging
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from detector import processes
from detector.evaluation import average_precision
from detector.scenes import Scene, augmented
from torch import nn
from train_detector import draw, read_scenes

import mluops_cpu.mmcv

mluops_cpu.mmcv.install()

import mmdet3d  # noqa: E402
import mmdet3d.models  # noqa: E402  (registers them)
from mmdet3d.structures import Det3DDataSample, LiDARInstance3DBoxes  # noqa: E402
from mmengine.config import Config  # noqa: E402
from mmengine.logging import MMLogger  # noqa: E402
from mmengine.registry import MODELS, init_default_scope  # noqa: E402
from mmengine.structures import InstanceData  # noqa: E402

CONFIGS = {
    "pointpillars": "pointpillars/pointpillars_hv_secfpn_8xb6-160e_kitti-3d-car.py",
    "second": "second/second_hv_secfpn_8xb6-80e_kitti-3d-car.py",
}
#: Metres around the scanner; a multiple of eight voxels of both networks.
AREA = [-25.6, -25.6, -3.0, 25.6, 25.6, 1.0]
GROUND = -2.02  # the wheels of the cars of `mluop scene`
CAR = [4.5, 1.8, 1.5]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", choices=CONFIGS, default="pointpillars")
    parser.add_argument("--width", type=float, default=0.25, help="of all layers (0.25)")
    parser.add_argument("--scenes", type=int, default=64, help="streets to train on (64)")
    parser.add_argument("--checked", type=int, default=16, help="streets to check on (16)")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=2, help="streets per step, of all processes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="8 streets, 4 to check, 3 epochs")
    parser.add_argument("--out", type=Path, default=Path("."), help="where the pictures go")
    parser.add_argument("--mluop", help="path of the program mluop")
    given = parser.parse_args()
    if given.short:
        given.scenes, given.checked, given.epochs, given.width = 8, 4, 3, 0.125
    return given


def build(network: str, width: float) -> nn.Module:
    """The published model with our area, anchors and width."""
    config = Config.fromfile(Path(mmdet3d.__file__).parent / ".mim/configs" / CONFIGS[network])
    model = config.model
    cells = [
        round((AREA[axis + 3] - AREA[axis]) / model.data_preprocessor.voxel_layer.voxel_size[axis])
        for axis in range(3)
    ]
    model.data_preprocessor.voxel_layer.point_cloud_range = AREA
    anchors = [*AREA[:2], GROUND, *AREA[3:5], GROUND]
    model.bbox_head.anchor_generator.update(ranges=[anchors], sizes=[CAR])
    model.test_cfg.score_thr = 0.05  # for the whole curve of precision and recall
    if network == "pointpillars":
        model.voxel_encoder.point_cloud_range = AREA
        model.middle_encoder.output_shape = [cells[1], cells[0]]
    else:
        model.middle_encoder.sparse_shape = [cells[2] + 1, cells[1], cells[0]]
    narrow(model, width)
    MMLogger.get_current_instance().setLevel(logging.WARNING)
    init_default_scope("mmdet3d")
    built: nn.Module = MODELS.build(model)
    built.init_weights()
    return built


def narrow(model: Any, width: float) -> None:
    """Scales what the configuration says of channels behind the voxels, and keeps the rest."""

    def scaled(channels: Any) -> Any:
        if isinstance(channels, (list, tuple)):
            return type(channels)(scaled(each) for each in channels)
        return max(int(channels * width), 8)

    backbone, neck, head = model.backbone, model.neck, model.bbox_head
    if model.middle_encoder.type == "SparseEncoder":
        channels = ((16,), (32, 32, 32), (64, 64, 64), (64, 64, 64))  # mmdet3d's default
        model.middle_encoder.update(
            base_channels=scaled(16),
            encoder_channels=scaled(channels),
            output_channels=scaled(128),
        )
        backbone.in_channels = 2 * scaled(128)  # two layers are left of the height
    else:
        model.voxel_encoder.feat_channels = scaled(model.voxel_encoder.feat_channels)
        model.middle_encoder.in_channels = scaled(model.middle_encoder.in_channels)
        backbone.in_channels = scaled(backbone.in_channels)
    backbone.out_channels = neck.in_channels = scaled(backbone.out_channels)
    neck.out_channels = scaled(neck.out_channels)
    head.in_channels = head.feat_channels = sum(neck.out_channels)


def collate(scenes: list[Scene]) -> dict[str, Any]:
    """Several streets as mmdet3d's data preprocessor takes them."""
    samples = []
    for scene in scenes:
        sample = Det3DDataSample(metainfo=dict(box_type_3d=LiDARInstance3DBoxes))
        inside = (np.abs(scene.boxes[:, :2]) < AREA[3]).all(1)
        sample.gt_instances_3d = InstanceData(
            bboxes_3d=LiDARInstance3DBoxes(torch.from_numpy(scene.boxes[inside])),
            labels_3d=torch.zeros(int(inside.sum()), dtype=torch.long),
        )
        samples.append(sample)
    points = [torch.from_numpy(scene.points) for scene in scenes]
    return dict(inputs=dict(points=points), data_samples=samples)


class Training:
    """A network, its optimiser, and the share of the data that is this process's."""

    def __init__(
        self, given: argparse.Namespace, scenes: list[Scene], rank: int, world: int
    ) -> None:
        torch.manual_seed(given.seed)  # the same weights in every process
        self.given, self.scenes, self.rank, self.world = given, scenes, rank, world
        self.network: Any = build(given.network, given.width)
        self.shared = processes.shared(self.network, world)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), weight_decay=0.01)
        schedule, steps = torch.optim.lr_scheduler.OneCycleLR, given.epochs * self.steps_per_epoch()
        self.schedule = schedule(self.optimizer, max_lr=3e-3, total_steps=steps)

    def steps_per_epoch(self) -> int:
        return max(len(self.scenes) // self.given.batch, 1)

    def epoch(self, number: int) -> float:
        """One pass over the streets; returns the mean loss."""
        random = np.random.default_rng((self.given.seed, number))
        order = random.permutation(len(self.scenes))
        steps, total = self.steps_per_epoch(), 0.0
        progress = processes.Progress(f"epoch {number + 1:2}", steps, self.rank == 0)
        self.network.train()
        for step in range(steps):
            everybody = order[step * self.given.batch : (step + 1) * self.given.batch]
            mine = everybody[self.rank :: self.world]
            data = collate([augmented(self.scenes[i], random) for i in mine])
            losses = self.shared(**self.network.data_preprocessor(data, True), mode="loss")
            cost, _ = self.network.parse_losses(losses)
            self.optimizer.zero_grad()
            cost.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 10.0)
            self.optimizer.step()
            self.schedule.step()
            total += cost.item()
            progress.at(step + 1, f"loss {total / (step + 1):.2f}")
        return processes.mean(total / steps, self.world)


@torch.no_grad()
def check(network: Any, scenes: list[Scene]) -> tuple[float, list[torch.Tensor]]:
    """Average precision on streets that were not trained on, and the boxes found in each.

    A box: score, x, y, length, width, heading.
    """
    network.eval()
    found, true = [], []
    for scene in scenes:
        data = collate([scene])
        true.append(data["data_samples"][0].gt_instances_3d.bboxes_3d.tensor)
        [sample] = network(**network.data_preprocessor(data, False), mode="predict")
        scores = sample.pred_instances_3d.scores_3d[:, None]
        boxes = sample.pred_instances_3d.bboxes_3d.tensor
        found.append(torch.cat([scores, boxes[:, [0, 1, 3, 4, 6]]], 1))
    return average_precision(found, true), found


def main() -> None:
    given = options()
    warnings.filterwarnings("ignore", module="mmdet|mmengine|torch")
    rank, world = processes.start()
    streets, checked = read_scenes(given)
    training = Training(given, streets, rank, world)
    losses, precisions, found = [], [], []
    for number in range(given.epochs):
        begin = time.perf_counter()
        losses.append(training.epoch(number))
        seconds = time.perf_counter() - begin
        if rank == 0:
            precision, found = check(training.network, checked)
            precisions.append(precision)
            text = f"loss {losses[-1]:.3f}, average precision {precision:.3f}, {seconds:.1f} s"
            print(f"epoch {number + 1}/{given.epochs}: {text}", flush=True)
        processes.wait(world)
    if rank == 0:
        draw(given, losses, precisions, checked, found)
    if world > 1:
        print(f"rank {rank}: parameters {processes.checksum(training.network)}", flush=True)
    processes.end(world)


if __name__ == "__main__":
    main()
