"""Which functions of `mmcv._ext` each network calls, seen where mmcv's own code calls them.

    python python/tests/networks/ext_calls.py            # JSON: losses, and calls of each phase
    python python/tests/networks/ext_calls.py --write    # writes the table into docs/networks.md

In a process of its own, because install() would put this package's functions in front of mmcv's.
Here only the functions of `_ext` are ours, as in a program that calls a compiled mmcv.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Callable

PAGE = Path(__file__).resolve().parents[3] / "docs/networks.md"
MARKS = "<!-- table of ext_calls.py -->\n", "<!-- end of table -->\n"
Calls = dict[str, dict[str, Any]]


def record() -> Calls:
    """By network: loss (hexadecimal), and the functions called in training and in inference."""
    called: set[str] = set()
    _only_ext(called)
    import openmmlab
    import steps
    from models import NETWORKS

    openmmlab.import_models()
    results: Calls = {}
    for name, network in NETWORKS.items():
        model, batch = steps.seeded(network), network.batch(1)
        called.clear()
        loss = float(steps.backward(model, batch))
        training = sorted(called)
        called.clear()
        steps.infer(model, batch)
        results[name] = dict(loss=loss.hex(), training=training, inference=sorted(called))
    return results


def _only_ext(called: set[str]) -> None:
    """mmcv's own Python over our `_ext`, whose calls are noted."""
    import torch

    import mluops_cpu.mmcv
    from mluops_cpu.mmcv import _ext, _patches

    def noted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            called.add(name)
            return function(*args, **kwargs)

        return call

    for name, function in _ext.ALL.items():
        _ext.ALL[name] = noted(name, function)
    _patches.all_of_mmcv = list
    # mmcv's points_in_boxes_part wants the number of the points' device, -1, to be CUDA's.
    torch.cuda.current_device = lambda: -1
    mluops_cpu.mmcv.install()


def table(calls: Calls) -> str:
    """Functions by networks: T called in training, I in inference."""
    from mluops_cpu.mmcv._names import OPERATORS

    used = sorted({f for c in calls.values() for f in (*c["training"], *c["inference"])})
    lines = [
        "| function of `mmcv._ext` | operator | " + " | ".join(calls) + " |",
        "|---" * (2 + len(calls)) + "|",
    ]
    for function in used:
        cells = [
            " ".join(mark for mark, phase in _PHASES if function in c[phase]) for c in calls.values()
        ]
        operators = ", ".join(f"`{name}`" for name in OPERATORS[function])
        lines.append(f"| `{function}` | {operators} | " + " | ".join(cells) + " |")
    return "".join(f"{line}\n" for line in lines)


_PHASES = (("T", "training"), ("I", "inference"))


def in_page(page: str) -> str:
    """The table that the page has."""
    begin, end = (re.escape(mark) for mark in MARKS)
    found = re.search(f"{begin}(.*?){end}", page, re.S)
    assert found, f"{PAGE.name} has no table between the marks"
    return found[1]


def main() -> None:
    calls = record()
    if sys.argv[1:] == ["--write"]:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(page.replace(in_page(page), table(calls)), encoding="utf-8")
    else:
        json.dump(calls, sys.stdout)


if __name__ == "__main__":
    main()
