"""The sources are clean by ruff and mypy, and the package has the version of the library."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mluops_cpu


def check(root: Path, module: str, *arguments: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    run = subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=root, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_ruff_check(root: Path) -> None:
    check(root, "ruff", "check", "python", "examples", "docs/images")


def test_ruff_format(root: Path) -> None:
    check(root, "ruff", "format", "--check", "python", "examples", "docs/images")


def test_mypy(root: Path) -> None:
    check(root, "mypy")


def test_version_is_that_of_the_header(root: Path) -> None:
    header = (root / "include/mlu_op_cpu.h").read_text(encoding="utf-8")
    numbers = re.findall(r"#define MLUOP_CPU_(?:MAJOR|MINOR|PATCHLEVEL) (\d+)", header)
    assert mluops_cpu.__version__ == ".".join(numbers)
    assert list(mluops_cpu.library_version()) == [int(n) for n in numbers]
