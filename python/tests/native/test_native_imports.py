"""What an import brings along and how the library is found, each in a fresh interpreter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mluops_cpu

HEAVY = ("numpy", "torch", "mmcv", "mmengine", "spconv", "ctypes.util")


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    package = Path(mluops_cpu.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(package), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


def imported(module: str) -> set[str]:
    """The heavy modules, and those of ours, that importing `module` brings."""
    done = run(f"import {module}, sys; print(*sys.modules)")
    assert done.returncode == 0, done.stderr
    names = done.stdout.split()
    ours = {name for name in names if name.split(".")[0] == "mluops_cpu"}
    return ours | {name for name in HEAVY if name in names}


def test_the_package_alone() -> None:
    assert imported("mluops_cpu") == {"mluops_cpu", "mluops_cpu._errors"}


def test_native_and_calls_need_neither_numpy_nor_torch() -> None:
    found = imported("mluops_cpu._calls")
    assert not found & set(HEAVY)
    assert {name for name in found if name.count(".") == 1} == {
        "mluops_cpu._errors",
        "mluops_cpu._native",
        "mluops_cpu._calls",
    }


def test_numpy_front() -> None:
    found = imported("mluops_cpu.numpy")
    assert found & {"torch", "mmcv", "mmengine", "spconv"} == set()
    assert not any(name.startswith(("mluops_cpu._torch", "mluops_cpu.ops")) for name in found)


def test_info_does_not_import_torch() -> None:
    code = "import sys; from mluops_cpu.__main__ import info; info(); print(*sys.modules)"
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert "torch" not in done.stdout.splitlines()[-1].split()


def test_torch_front_needs_no_mmcv() -> None:
    pytest.importorskip("torch")
    found = imported("mluops_cpu.ops")
    assert "torch" in found
    assert not found & {"mmcv", "mmengine", "spconv", "mluops_cpu.mmcv", "mluops_cpu.numpy"}


def test_no_library_is_loaded_before_it_is_needed() -> None:
    code = (
        "import mluops_cpu, re; maps = open('/proc/self/maps').read(); print('libmluops' in maps)"
    )
    assert run(code).stdout == "False\n"


def test_submodules_on_first_use() -> None:
    done = run("import mluops_cpu; print(mluops_cpu.numpy.carafe_forward.__name__)")
    assert done.stdout == "carafe_forward\n", done.stderr
    with pytest.raises(AttributeError, match=r"^module 'mluops_cpu' has no attribute 'nothing'$"):
        mluops_cpu.nothing  # noqa: B018
    assert {"numpy", "ops", "mmcv", "library_version"} <= set(dir(mluops_cpu))


def test_variable_names_the_library(tmp_path: Path) -> None:
    copy = tmp_path / "other name.so"
    shutil.copy(mluops_cpu.library_path(), copy)
    code = "import mluops_cpu; print(mluops_cpu.library_path())"
    assert run(code, MLUOPS_CPU_LIBRARY=str(copy)).stdout == f"{copy}\n"


def test_missing_library_lists_what_was_tried(tmp_path: Path) -> None:
    done = run("import mluops_cpu.numpy", MLUOPS_CPU_LIBRARY=str(tmp_path / "none.so"))
    error = done.stderr.partition("ImportError: ")[2]
    assert error.startswith("libmluops.so.0, the library behind mluops_cpu, cannot be loaded.")
    assert f"  {tmp_path}/none.so: " in error
    assert error.count("  ") == 1  # nothing else is tried
    assert "No such file" in error


def test_bundled_library_before_the_linkers(tmp_path: Path) -> None:
    """A copy of the package with a library in _lib uses it; without one, the linker is asked."""
    source = Path(mluops_cpu.__file__).parent
    shutil.copytree(source, tmp_path / "mluops_cpu", ignore=shutil.ignore_patterns("_lib"))
    code = "import mluops_cpu; print(mluops_cpu.library_path())"
    elsewhere = {"PYTHONPATH": str(tmp_path), "MLUOPS_CPU_LIBRARY": ""}
    linker = tmp_path / "linker"
    linker.mkdir()
    shutil.copy(mluops_cpu.library_path(), linker / "libmluops.so.0")
    by_linker = run(code, LD_LIBRARY_PATH=str(linker), **elsewhere)
    assert by_linker.stdout == f"{linker}/libmluops.so.0\n", by_linker.stderr
    bundled = tmp_path / "mluops_cpu/_lib/libmluops.so.0"
    bundled.parent.mkdir()
    shutil.copy(mluops_cpu.library_path(), bundled)
    assert run(code, LD_LIBRARY_PATH=str(linker), **elsewhere).stdout == f"{bundled}\n"


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "is not libmluops: it has no mluOpCpuGetVersion"),
        ("*a = 1; *b = 0; *c = 0;", "has version 1.0.0, wanted 0.1 or a later 0.x"),
        ("*a = 0; *b = 0; *c = 9;", "has version 0.0.9, wanted 0.1 or a later 0.x"),
        ("*a = 0; *b = 7; *c = 0;", "has no mluOpCreate: version 0.7.0, wanted 0.1 or a later 0.x"),
    ],
    ids=["no library", "major", "minor", "symbol"],
)
def test_other_libraries(tmp_path: Path, body: str, words: str) -> None:
    source, library = tmp_path / "fake.c", tmp_path / "fake.so"
    function = f"void mluOpCpuGetVersion(int* a, int* b, int* c) {{ {body} }}"
    source.write_text(function if body else "int nothing;", encoding="ascii")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    done = run("import mluops_cpu.numpy", MLUOPS_CPU_LIBRARY=str(library))
    assert done.stderr.rstrip().endswith(f"ImportError: {library} {words}")


def test_bad_variable_surfaces_at_the_first_call() -> None:
    code = """
import mluops_cpu, mluops_cpu.numpy
try:
    mluops_cpu.isa()
except ValueError as error:
    print(type(error).__name__, error)
"""
    done = run(code, MLUOP_NUM_THREADS="many")
    assert done.stdout.startswith("BadParamError mluOpCreate: MLUOP_NUM_THREADS"), done.stderr
