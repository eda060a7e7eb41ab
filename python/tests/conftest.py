"""Shared fixtures: seeded random numbers, settings put back after each test, versions in use."""

from __future__ import annotations

import importlib.metadata
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest

import mluops_cpu

ROOT = Path(__file__).resolve().parents[2]
SEED = int(os.environ.get("MLUOP_TEST_SEED", "20240607"))


def pytest_report_header() -> list[str]:
    """The packages and the library that the results depend on."""
    versions = [f"python {sys.version.split()[0]}"]
    for name in ("numpy", "torch", "mmcv-lite", "mmengine", "ml-dtypes"):
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"no {name}")
    return [", ".join(versions), f"library: {mluops_cpu.library_path()}, MLUOP_TEST_SEED={SEED}"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long-networks", action="store_true", help="the long tests of networks")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long-networks", default=False):
        reason = pytest.mark.skip(reason="only with --long-networks (make test-networks)")
        for item in items:
            if item.get_closest_marker("long_networks"):
                item.add_marker(reason)


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the source tree."""
    return ROOT


@pytest.fixture
def rng() -> numpy.random.Generator:
    """Random numbers that are the same in every run with one MLUOP_TEST_SEED."""
    return numpy.random.default_rng(SEED)


@pytest.fixture(autouse=True)
def _fresh_settings() -> Iterator[None]:
    """Seeds every generator, and puts back what a test may have set for the whole process."""
    random.seed(SEED)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(SEED)
        before = torch.get_num_threads(), torch.get_default_dtype()
    yield
    if "mluops_cpu._native" in sys.modules:
        sys.modules["mluops_cpu"].set_num_threads(None)
    if torch is not None:
        if torch.get_num_threads() != before[0]:
            torch.set_num_threads(before[0])
        torch.set_default_dtype(before[1])
        torch.use_deterministic_algorithms(False)
