"""Running the programs of examples/python, and what their lines say."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/python"
TORCH = tuple(int(part) for part in torch.__version__.split(".")[:2])
DETECTOR = [str(EXAMPLES / "train_detector.py"), "--short"]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run"]

needs_mluop = pytest.mark.skipif(
    not (EXAMPLES.parents[1] / "build/release/cli/mluop").exists() and not shutil.which("mluop"),
    reason="mluop, which makes the scenes, is not built (make build)",
)
needs_torchrun = pytest.mark.skipif(
    TORCH < (2, 0) and sys.version_info >= (3, 11),
    reason=f"torchrun of torch {torch.__version__} does not start on Python 3.11 or later:"
    " AttributeError in torch/distributed/elastic/multiprocessing/api.py",
)


def environment(threads: int, **more: str) -> dict[str, str]:
    """That of this process, with the package in it and so many threads."""
    values: dict[str, Any] = {**os.environ, "OMP_NUM_THREADS": str(threads), **more}
    values.pop("MLUOP_NUM_THREADS", None)
    values["PYTHONPATH"] = str(EXAMPLES.parents[1] / "python")
    return values


def losses(output: str) -> list[float]:
    """Of the epochs that train_detector.py reports."""
    return [float(text) for text in re.findall(r"^epoch \d+/\d+: loss ([\d.]+)", output, re.M)]


def checksums(output: str) -> dict[int, str]:
    """Of the parameters at the end, by rank."""
    return {int(r): c for r, c in re.findall(r"^rank (\d+): parameters (\w{8})$", output, re.M)}
