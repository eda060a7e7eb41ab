"""Each layer imports only those below it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mluops_cpu

PACKAGE = Path(mluops_cpu.__file__).parent

#: layer: what it may import at all, besides itself and the standard library
ALLOWED: dict[str, set[str]] = {
    "_errors": set(),
    "_native": {"_errors"},
    "_calls": {"_native", "_errors"},
    "_pairs_4d": {"_calls", "_native", "_errors", "numpy!"},
    "_selfcheck": {"_calls", "_native"},
    "numpy": {"_calls", "_native", "_errors", "_pairs_4d", "numpy!"},
    "_torch": {"_calls", "_native", "_errors", "_pairs_4d", "torch!"},
    # In functions, as in mmcv: nms takes arrays, RoIAlign may be asked for torchvision's operator.
    "ops": {"_torch", "_calls", "_errors", "torch!", "numpy!", "torchvision!"},
    "mmcv": {"ops", "_torch", "_errors", "torch!", "mmcv!", "mmengine!"},
    "__init__": {"_errors", "_native"},
    "__main__": {"", "_native", "_selfcheck", "mmcv"},
}


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(path: Path) -> Iterator[str]:
    """Layers of ours, and roots of other packages with a "!"."""
    inner = path.relative_to(PACKAGE.parent).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(inner[: len(inner) - node.level]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            root, _, rest = name.partition(".")
            if root == "mluops_cpu":
                yield rest.split(".")[0]
            elif root not in sys.stdlib_module_names and root != "__future__":
                yield f"{root}!"


@pytest.mark.skipif(sys.version_info < (3, 10), reason="no list of the standard library")
@pytest.mark.parametrize("layer", ALLOWED)
def test_layer(layer: str) -> None:
    paths = [path for path in PACKAGE.rglob("*.py") if layer_of(path) == layer]
    names = {"__version__"} | set(mluops_cpu.__all__)
    for path in paths:
        found = set(imports(path)) - names - {layer}
        assert found <= ALLOWED[layer], f"{path}: {found - ALLOWED[layer]}"


def test_every_file_has_a_layer() -> None:
    assert {layer_of(path) for path in PACKAGE.rglob("*.py")} - {"_lib"} <= set(ALLOWED)
