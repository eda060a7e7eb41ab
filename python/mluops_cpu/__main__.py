"""`python -m mluops_cpu info`: library, levels, threads, torch and mmcv, the functions of mmcv that
are here, and a quick self-check."""

from __future__ import annotations

import argparse
import ctypes
import glob
import importlib.metadata
import importlib.util
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Optional

import mluops_cpu


def _version(*distributions: str) -> Optional[str]:
    """Name and version of the first distribution that is installed, without importing it."""
    for name in distributions:
        try:
            return f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue
    return None


def _spec(module: str) -> Optional[importlib.machinery.ModuleSpec]:
    try:
        return importlib.util.find_spec(module)
    except (ImportError, ValueError):  # ValueError: in sys.modules without a spec
        return None


def _package(module: str, *distributions: str) -> str:
    spec = _spec(module)
    if spec is None:
        return "not found"
    place = os.path.dirname(spec.origin) if spec.origin else "unknown place"
    return f"{_version(*distributions) or 'found, version unknown'} in {place}"


def _mmcv() -> str:
    """What mluops_cpu.mmcv has done in this process, or would do."""
    adapter = sys.modules.get("mluops_cpu.mmcv")
    spec = _spec("mmcv")
    if spec is None:
        return "nothing to install over: no mmcv"
    places = spec.submodule_search_locations or []
    compiled = any(glob.glob(os.path.join(place, "_ext*.so")) for place in places)
    over = f"{_version('mmcv', 'mmcv-lite') or 'mmcv'}, " + (
        "compiled: its operators stay for other devices" if compiled else "without operators"
    )
    if adapter is not None and adapter.is_installed():
        return f"installed over {over}"
    return f"not installed in this process; install() puts it over {over}"


def _operators() -> Iterator[tuple[str, str]]:
    """Every operator with the design it tries first and the others that this machine can run."""
    from mluops_cpu import _native
    from mluops_cpu._native.types import Implementation

    c, handle = _native.c, _native.acquire(0).handle
    count, name = ctypes.c_size_t(), ctypes.c_char_p()
    c.mluOpCpuGetOperatorCount(ctypes.byref(count))
    for index in range(count.value):
        c.mluOpCpuGetOperatorName(index, ctypes.byref(name))
        each, entry = ctypes.c_size_t(), Implementation(ctypes.sizeof(Implementation))
        c.mluOpCpuGetImplementationCount(name.value, ctypes.byref(each))
        chosen, levels = "none", []
        for number in range(each.value):
            c.mluOpCpuGetImplementation(handle, name.value, number, ctypes.byref(entry))
            text = f"{entry.name.decode()} ({entry.isa.decode()})"
            if entry.chosen:
                chosen = text
            elif entry.available:
                levels.append(text)
        also = f"; also {', '.join(levels)}" if levels else ""
        yield (name.value or b"").decode(), chosen + also


def _functions_of_mmcv() -> Iterator[str]:
    """Every function that mmcv.ops wants of `mmcv._ext`: here, or what it would take."""
    from mluops_cpu.mmcv import _names

    rows = list(_names.table())
    here = len(list(_names.provided()))
    yield f"{'mmcv._ext':<16} {here} of {len(rows)} functions are here, the others raise"
    for name, text in rows:
        yield f"  {name:<42} {text}"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _self_check() -> tuple[bool, str]:
    from mluops_cpu import _selfcheck

    begin = perf_counter()
    failed = [name for name, check in _selfcheck.CHECKS.items() if not check()]
    taken = f"{(perf_counter() - begin) * 1e3:.0f} ms"
    if failed:
        return False, f"FAILED: {', '.join(failed)} ({taken})"
    return True, f"{len(_selfcheck.CHECKS)} families agree with plain loops ({taken})"


def info(verbose: bool = False) -> int:
    """Prints what is in use; returns 1 if the self-check fails, else 0.

    >>> info() # doctest: +ELLIPSIS
    mluops_cpu ...
    0
    """

    def line(name: str, text: str) -> None:
        print(f"{name:<16} {text}", flush=True)

    def dotted(numbers: Sequence[int]) -> str:
        return ".".join(map(str, numbers))

    line("mluops_cpu", f"{mluops_cpu.__version__} in {os.path.dirname(mluops_cpu.__file__)}")
    line("Python", f"{platform.python_version()} in {sys.executable}")
    library, api = mluops_cpu.library_version(), mluops_cpu.api_version()
    line("library", f"{dotted(library)} in {mluops_cpu.library_path()}")
    line("interface", f"MLU-OPS {dotted(api)}")
    line("instruction set", mluops_cpu.isa())
    line("threads", f"{mluops_cpu.get_num_threads()} on {_cores()} cores")
    line("numpy", _package("numpy", "numpy"))
    line("torch", _package("torch", "torch"))
    line("mmcv", _package("mmcv", "mmcv", "mmcv-lite"))
    line("mluops_cpu.mmcv", _mmcv())
    for row in _functions_of_mmcv():
        print(row)
    if verbose:
        for name, text in _operators():
            print(f"  {name:<40} {text}")
    good, text = _self_check()
    line("self-check", text)
    return 0 if good else 1


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command line; returns the exit code.

    >>> main(["info", "--verbose"]) # doctest: +ELLIPSIS
    mluops_cpu ...
    0
    """
    parser = argparse.ArgumentParser(prog="python -m mluops_cpu", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("info", help="what is in use, and a check in a second")
    command.add_argument("-v", "--verbose", action="store_true", help="list every operator")
    parsed = parser.parse_args(arguments)
    return info(parsed.verbose)


if __name__ == "__main__":
    sys.exit(main())
