"""The long form, with --long-networks (make test-networks): scenes are learned, full sizes run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import openmmlab
import pytest
import torch

openmmlab.require()

import steps  # noqa: E402
from models import NETWORKS  # noqa: E402

import mluops_cpu.mmcv  # noqa: E402

pytestmark = pytest.mark.long_networks
STEPS = 100


@pytest.fixture(autouse=True, scope="module")
def _installed() -> Iterator[None]:
    mluops_cpu.mmcv.install()
    openmmlab.import_models()
    yield
    mluops_cpu.mmcv.uninstall()


def truths(sample: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Boxes as the network gives them back, and labels."""
    if "gt_instances_3d" in sample:
        return sample.gt_instances_3d.bboxes_3d.tensor, sample.gt_instances_3d.labels_3d
    return sample.gt_instances.bboxes.tensor, sample.gt_instances.labels


def centres(boxes: torch.Tensor) -> torch.Tensor:
    return (boxes[:, :2] + boxes[:, 2:4]) / 2 if boxes.shape[1] == 4 else boxes[:, :2]


@pytest.mark.parametrize("name", NETWORKS)
def test_objects_are_found(name: str) -> None:
    """After training on one batch, a box of its class and of a good score is near most objects."""
    network = NETWORKS[name]
    model, batch = steps.seeded(network), network.batch(1)
    optimizer = steps.optimizer(model, network.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, network.rate, total_steps=STEPS)
    for module in model.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.momentum = 0.2  # mmdet3d's 0.01 takes hundreds of steps to reach the statistics
    for _ in range(STEPS):
        steps.train(model, batch, optimizer)
        schedule.step()
    hits = objects = 0
    for found, sample in zip(steps.infer(model, batch), batch["data_samples"]):
        boxes, labels = truths(sample)
        near = torch.cdist(centres(boxes), centres(found["bboxes"]))
        same = labels[:, None] == found["labels"]
        best = found["scores"].topk(min(3 * len(boxes), len(found["scores"]))).values[-1]
        reach = 0.5 if "3d" in network.package else 6.0  # metres, pixels
        hits += int(((near < reach) & same & (found["scores"] >= best)).any(1).sum())
        objects += len(boxes)
    assert hits >= 0.7 * objects, f"{hits} of {objects}"


@pytest.mark.parametrize("name", NETWORKS)
def test_published_size(name: str) -> None:
    """A step and an inference."""
    network = NETWORKS[name]
    model, batch = steps.seeded(network, reduced=False), network.published_batch(1)
    assert steps.backward(model, batch).isfinite()
    for key, parameter in model.named_parameters():
        assert parameter.grad is None or parameter.grad.isfinite().all(), key
    for found in steps.infer(model, batch):
        assert found["bboxes"].isfinite().all()
