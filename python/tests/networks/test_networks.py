"""The published networks of OpenMMLab train and infer on a CPU, reduced (models.py).

mmcv-lite, mmdet, mmdet3d and mmrotate as pip installs them, and `mluops_cpu.mmcv.install()`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import openmmlab
import pytest
import torch

openmmlab.require()

import steps  # noqa: E402
from models import NETWORKS, Batch  # noqa: E402

import mluops_cpu  # noqa: E402
import mluops_cpu.mmcv  # noqa: E402

STEPS = 20


@pytest.fixture(autouse=True, scope="module")
def _installed() -> Iterator[None]:
    mluops_cpu.mmcv.install()
    openmmlab.import_models()
    yield
    mluops_cpu.mmcv.uninstall()


@dataclass
class Trained:
    """What some steps on one batch have left behind."""

    model: Any
    batch: Batch
    losses: list[float]
    #: By name of the parameter: steps in which it had a gradient, and in which that was not 0.
    with_gradient: dict[str, int]
    not_zero: dict[str, int]


def trained(name: str, count: int) -> Trained:
    network = NETWORKS[name]
    model, batch, losses = steps.seeded(network), network.batch(1), []
    optimizer = steps.optimizer(model, network.rate)
    with_gradient = {key: 0 for key, p in model.named_parameters() if p.requires_grad}
    not_zero = dict(with_gradient)
    for _ in range(count):
        losses.append(steps.train(model, batch, optimizer))
        for key, parameter in model.named_parameters():
            if parameter.grad is not None:
                assert parameter.grad.isfinite().all(), key
                with_gradient[key] += 1
                not_zero[key] += bool(parameter.grad.any())
    return Trained(model, batch, losses, with_gradient, not_zero)


@pytest.fixture(scope="module", params=NETWORKS)
def after(request: pytest.FixtureRequest) -> Trained:
    """Each network after 20 steps on one scan or two images."""
    torch.set_num_threads(steps.TORCH_THREADS)
    return trained(request.param, STEPS)


def test_every_parameter_learns(after: Trained) -> None:
    """At the first step already; but L1 gradients may cancel, and residuals may begin at 0."""
    missing = [key for key, count in after.with_gradient.items() if count < STEPS]
    assert missing == []
    assert [key for key, count in after.not_zero.items() if count == 0] == []


def test_loss_falls(after: Trained) -> None:
    assert all(0 < loss < float("inf") for loss in after.losses)
    first, last = sum(after.losses[:3]), sum(after.losses[-3:])
    assert last < 0.7 * first, after.losses


def test_inference_returns_boxes(after: Trained) -> None:
    for found in steps.infer(after.model, after.batch):
        boxes, scores = found["bboxes"], found["scores"]
        assert len(boxes) == len(scores) == len(found["labels"]) > 0
        assert boxes.isfinite().all()
        assert scores.isfinite().all()
        sizes = boxes[:, 3:6] if boxes.shape[1] >= 7 else boxes[:, 2:4]
        assert (sizes > 0).all()
        if "masks" in found:
            assert found["masks"].any()


@pytest.mark.parametrize("name", NETWORKS)
def test_same_bits_for_one_and_two_threads(name: str) -> None:
    """Of our operators: loss, gradients and boxes."""
    torch.set_num_threads(steps.TORCH_THREADS)
    network = NETWORKS[name]
    batch, results = network.batch(1), []
    for threads in (1, 2):
        mluops_cpu.set_num_threads(threads)
        model = steps.seeded(network)
        tensors = {"loss": steps.backward(model, batch)}
        tensors.update((key, p.grad) for key, p in model.named_parameters() if p.grad is not None)
        torch.manual_seed(2)
        for number, found in enumerate(steps.infer(model, batch)):
            tensors.update((f"{key} {number}", value) for key, value in found.items())
        results.append(tensors)
    one, two = results
    assert one.keys() == two.keys()
    assert [key for key in one if not torch.equal(one[key], two[key])] == []
