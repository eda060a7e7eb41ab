"""One step of training, one inference; what mmengine's loops do, without hooks and data sets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from models import Batch, Network

#: Of torch's own kernels; the number of ours varies.
TORCH_THREADS = 2


def environment() -> dict[str, str]:
    """For a process that imports this package from the sources."""
    package = Path(__file__).resolve().parents[2]
    return {**os.environ, "PYTHONPATH": str(package), "OMP_NUM_THREADS": str(TORCH_THREADS)}


def seeded(network: Network, reduced: bool = True) -> Any:
    """The network with the weights of seed 1."""
    torch.manual_seed(1)
    return network.build(reduced)


def optimizer(model: Any, rate: float) -> torch.optim.Optimizer:
    return torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], rate)


def backward(model: Any, batch: Batch) -> torch.Tensor:
    """The loss, with gradients in the parameters."""
    model.train()
    loss, _ = model.parse_losses(model(**model.data_preprocessor(batch, True), mode="loss"))
    model.zero_grad(set_to_none=True)
    loss.backward()
    return loss.detach()


def train(model: Any, batch: Batch, optimizer: torch.optim.Optimizer) -> float:
    """A step; returns the loss before it."""
    loss = backward(model, batch)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
    optimizer.step()
    return float(loss)


@torch.no_grad()
def infer(model: Any, batch: Batch) -> list[dict[str, torch.Tensor]]:
    """Boxes, scores, labels, and masks of each scan or image."""
    model.eval()
    results = []
    for sample in model(**model.data_preprocessor(batch, False), mode="predict"):
        name = "pred_instances_3d" if "pred_instances_3d" in sample else "pred_instances"
        found = {key.removesuffix("_3d"): value for key, value in sample.get(name).items()}
        results.append({key: getattr(value, "tensor", value) for key, value in found.items()})
    return results
