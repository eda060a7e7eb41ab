"""The programs of docs/python.md print what the page says."""

from __future__ import annotations

import importlib.util
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
