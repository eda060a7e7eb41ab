"""report_data.py SCHEMA FILE: a JSON file fits its schema; the pages beside a report have its numbers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Iterator

import jsonschema

TIMES = ("ms", "ms_best", "limit_ms", "io_efficiency", "compute_efficiency")


def spoiled(value: Any) -> Iterator[tuple[str, Any]]:
    """Copies of an array or object, each with one thing wrong, deep inside or outside."""
    text = json.dumps(value)
    for what, pattern, wrong in (
        ("a number as text", r'("threads": )(\d+)', r'\1"\2"'),
        ("a negative time", r'("ms_best": )', r"\1-"),
        ("an unknown direction", r'("direction": )"\w+"', r'\1"sideways"'),
        ("a missing member", r'"bound": "\w+", ', ""),
        ("an unknown member", r'("bound": )', r'"colour": 1, \1'),
    ):
        other, count = re.subn(pattern, wrong, text, count=1)
        assert count == 1, f"nothing to spoil for {what}"
        yield what, json.loads(other)


def check_schema(schema: Any, value: Any) -> None:
    kind = jsonschema.Draft202012Validator
    kind.check_schema(schema)
    validator = kind(schema)
    for error in validator.iter_errors(value):
        sys.exit(f"{error.json_path}: {error.message}")
    for what, other in spoiled(value):  # a schema that takes anything would be no schema
        assert not validator.is_valid(other), f"the schema takes {what}"


def members(value: Any, names: tuple[str, ...]) -> Iterator[float]:
    """The numbers of that name anywhere in a value."""
    if isinstance(value, dict):
        yield from (value[name] for name in names if isinstance(value.get(name), (int, float)))
    if isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from members(part, names)


def numbers(page: str, pattern: str) -> set[float]:
    return {float(text) for text in re.findall(pattern, page)}


def check_pages(report: Any, folder: Path) -> None:
    """Every time is a cell of both pages; every error of HTML, which names more cases."""
    figure = r"(\d+(?:\.\d+)?(?:e[+-]\d+)?)"
    html = numbers((folder / "report.html").read_text(), rf"(?<=>){figure}(?=<)")
    markdown = numbers((folder / "report.md").read_text(), rf"(?<=\| ){figure}(?= \|)")
    times = set(members([one["timings"] for one in report["operators"]], TIMES))
    # A negative diff4 means too few deviations to judge by, and is not printed.
    errors = {error for error in members(report, ("error",)) if error >= 0}
    assert len(times) >= 4 and len(errors) >= 4, "too few numbers to compare"
    assert not times - html, f"report.html lacks {times - html}"
    assert not times - markdown, f"report.md lacks {times - markdown}"
    assert not errors - html, f"report.html lacks {errors - html}"


schema_path, path = map(Path, sys.argv[1:])
data = json.loads(path.read_text())
check_schema(json.loads(schema_path.read_text()), data)
if path.name == "report.json":
    check_pages(data, path.parent)
