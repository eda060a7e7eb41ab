"""The declared prototypes are those of the two headers, and every declared symbol is used."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import pytest

from mluops_cpu import _native
from mluops_cpu._native import prototypes, types
from mluops_cpu._native.library import WANTED

DECLARED = {**prototypes.SETTERS, **prototypes.OPERATORS}

VALUES: dict[str, Any] = {
    "int": ctypes.c_int,
    "bool": ctypes.c_bool,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
    "mluOpStatus_t": ctypes.c_int,
    "mluOpTensorLayout_t": ctypes.c_int,
    "mluOpDataType_t": ctypes.c_int,
    "mluOpCpuMaxPoolMode_t": ctypes.c_int,
    "mluOpReduceMode_t": ctypes.c_int,
    "mluOpRoiAlignForwardDescriptor_t": types.RoiAlignDescriptor,
    "mluOpHandle_t": types.Handle,
    "mluOpTensorDescriptor_t": types.TensorDescriptor,
    "mluOpCarafeDescriptor_t": types.CarafeDescriptor,
    "mluOpSparseConvolutionDescriptor_t": types.SparseDescriptor,
    "mluOpCpuImplementation_t": types.Implementation,
}


def headers(root: Path) -> str:
    text = "\n".join(
        (root / "include" / name).read_text(encoding="utf-8")
        for name in ("mlu_op.h", "mlu_op_cpu.h")
    )
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def c_type(text: str) -> Any:
    """The ctypes type of a parameter such as `const int64_t indice_num[]`."""
    text = re.sub(r"\bconst\b", " ", text)
    depth = text.count("*") + text.count("[")
    base = re.sub(r"[*\[\]]", " ", text).split()[0]
    if base == "void":
        return ctypes.c_void_p if depth == 1 else None
    if base == "char":
        base_type, depth = ctypes.c_char_p, depth - 1
    else:
        base_type = VALUES[base]
    return ctypes.POINTER(base_type) if depth else base_type


def parse(text: str, name: str) -> tuple[Any, tuple[Any, ...]]:
    found = re.findall(rf"([\w ]+\*?)\s+(?:MLUOP_WIN_API\s+)?{name}\s*\(([^)]*)\)\s*;", text)
    assert len(found) == 1, f"{name}: {len(found)} declarations"
    result, parameters = found[0]
    result = result.replace("MLUOP_WIN_API", "")
    entries = [] if parameters.strip() == "void" else parameters.split(",")
    return c_type(result), tuple(c_type(entry) for entry in entries)


@pytest.mark.parametrize("name", DECLARED)
def test_prototype_is_that_of_the_header(root: Path, name: str) -> None:
    assert DECLARED[name] == parse(headers(root), name)


@pytest.mark.parametrize("name", DECLARED)
def test_symbol_is_bound(name: str) -> None:
    function: Any = getattr(_native.c, name)
    assert (function.restype, tuple(function.argtypes)) == DECLARED[name]


def test_every_symbol_is_used(root: Path) -> None:
    sources = [
        path.read_text(encoding="utf-8")
        for path in (root / "python/mluops_cpu").rglob("*.py")
        if path.name != "prototypes.py"
    ]
    for name in DECLARED:
        # The two entries of the filter gradient are named by a prefix.
        used = name.replace("mluOpCpu", "", 1) if "BackwardFilter" in name else name
        used = used.replace("mluOp", "", 1) if "BackwardFilter" in name else used
        assert any(used in source for source in sources), name


@pytest.mark.parametrize(
    ("code", "enumerator"),
    [
        (_native.HALF, "MLUOP_DTYPE_HALF"),
        (_native.FLOAT, "MLUOP_DTYPE_FLOAT"),
        (_native.INT32, "MLUOP_DTYPE_INT32"),
        (_native.INT64, "MLUOP_DTYPE_INT64"),
        (_native.DOUBLE, "MLUOP_DTYPE_DOUBLE"),
        (_native.BFLOAT16, "MLUOP_DTYPE_BFLOAT16"),
        (_native.LAYOUT_NHWC, "MLUOP_LAYOUT_NHWC"),
        (_native.LAYOUT_NDHWC, "MLUOP_LAYOUT_NDHWC"),
        (_native.LAYOUT_ARRAY, "MLUOP_LAYOUT_ARRAY"),
    ],
)
def test_codes(root: Path, code: int, enumerator: str) -> None:
    assert re.search(rf"\b{enumerator} = {code}\b", headers(root))


def test_fields_of_an_implementation(root: Path) -> None:
    body = re.search(r"typedef struct \{([^}]*)\} mluOpCpuImplementation_t;", headers(root))
    assert body is not None
    fields = [field.split() for field in body.group(1).split(";") if field.strip()]
    declared = [(words[-1].lstrip("*"), c_type(" ".join(words))) for words in fields]
    assert declared == [tuple(field) for field in types.Implementation._fields_]


def test_wanted_version_is_not_above_the_header(root: Path) -> None:
    numbers = re.findall(r"#define MLUOP_CPU_(?:MAJOR|MINOR) (\d+)", headers(root))
    assert int(numbers[0]) == WANTED[0]
    assert int(numbers[1]) >= WANTED[1]
