"""The programs of docs/python.md print what the page says; every public name has an example."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs/python.md"
PROGRAMS = re.findall(
    r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S
)


def test_every_program_has_an_output() -> None:
    assert len(PROGRAMS) == PAGE.read_text(encoding="utf-8").count("```python\n") == 3


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_program(number: int) -> None:
    program, output = PROGRAMS[number]
    for module in re.findall(r"^(?:import|from) (torch|mmcv)\b", program, re.M):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    environment = {**os.environ, "PYTHONPATH": str(PAGE.parents[1] / "python")}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == output


OPS = [path.stem for path in sorted((PAGE.parents[1] / "python/mluops_cpu/ops").glob("[a-z]*.py"))]


@pytest.mark.parametrize("path", ["", ".numpy", ".mmcv", ".ops", *(f".ops.{name}" for name in OPS)])
def test_public_names_have_an_example(path: str) -> None:
    """The examples themselves are run as doctests."""
    if path.startswith(".ops"):
        pytest.importorskip("torch")
    importlib.import_module(f"mluops_cpu{path}")
    module = sys.modules[f"mluops_cpu{path}"]  # `ops.carafe` as an attribute is the function
    for name in module.__all__:
        value = getattr(module, name)
        # The Functions' aliases are their `apply`, whose example is the class's.
        if not callable(value) or getattr(value, "__qualname__", "").endswith(".apply"):
            continue
        # Not inherited: a subclass of a documented class needs words of its own.
        text = vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__
        assert text, name
        assert ">>> " in text, name
