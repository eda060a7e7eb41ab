"""A pytest plugin: mmcv's own tests, written for CUDA, on the CPU with this package's operators.

Loaded by test_mmcv_upstream.py into a pytest of its own (`-p mmcv_on_cpu`).
"""

from __future__ import annotations

from typing import Any, Callable

import pytest
import torch

import mluops_cpu.mmcv


def pytest_configure() -> None:
    """Before a test file imports mmcv.ops."""
    mluops_cpu.mmcv.install()
    torch.Tensor.cuda = torch.nn.Module.cuda = _itself
    torch.cuda.empty_cache = lambda: None
    torch.tensor = _on_cpu(torch.tensor)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Every test once, with device 'cpu', whatever devices it is meant for."""
    kept: dict[tuple[Any, ...], pytest.Item] = {}
    repeated = []
    for item in items:
        # Also those of its class and its module.
        for node in item.listchain():
            node.own_markers = [mark for mark in node.own_markers if mark.name != "skipif"]
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if "device" in parameters:
            parameters["device"] = "cpu"
        same = (
            item.parent,
            getattr(item, "originalname", item.name),
            *map(str, parameters.items()),
        )
        if kept.setdefault(same, item) is not item:
            repeated.append(item)
    config.hook.pytest_deselected(items=repeated)
    items[:] = kept.values()


def _itself(self: Any, *args: Any, **kwargs: Any) -> Any:
    return self


def _on_cpu(make: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    def made(*args: Any, **kwargs: Any) -> torch.Tensor:
        if str(kwargs.get("device", "")).startswith("cuda"):
            kwargs["device"] = "cpu"
        return make(*args, **kwargs)

    return made
