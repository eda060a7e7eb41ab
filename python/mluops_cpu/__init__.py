"""Operators of 3-D detection and up-sampling on the CPU, for numpy and torch.

``mluops_cpu.numpy``, ``mluops_cpu.ops`` (torch) and ``mluops_cpu.mmcv`` are imported on first use;
importing this package alone imports neither numpy nor torch and loads no library.

>>> import mluops_cpu
>>> mluops_cpu.library_version()[0]
0
"""

from __future__ import annotations

import importlib
import operator
import sys
from typing import Any, Optional

from ._errors import (
    AllocFailedError,
    BadParamError,
    InternalError,
    MluOpError,
    NotSupportedError,
    NumericalOverflowError,
)

__version__ = "0.1.0"

__all__ = [
    "AllocFailedError",
    "BadParamError",
    "InternalError",
    "MluOpError",
    "NotSupportedError",
    "NumericalOverflowError",
    "__version__",
    "api_version",
    "get_num_threads",
    "isa",
    "library_path",
    "library_version",
    "release_memory",
    "set_num_threads",
]

_SUBMODULES = ("mmcv", "numpy", "ops")


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES})


def library_version() -> tuple[int, int, int]:
    """Major, minor and patch version of the C library.

    >>> len(library_version())
    3
    """
    from . import _native

    return _native.version


def api_version() -> tuple[int, int, int]:
    """The version of the MLU-OPS interface that the C library implements.

    >>> api_version()[:2]
    (1, 11)
    """
    from . import _native

    return _native.api_version


def library_path() -> str:
    """The file of the C library.

    >>> import os
    >>> os.path.isabs(library_path())
    True
    """
    from . import _native

    return _native.path


def isa() -> str:
    """The instruction set of this thread's operators.

    >>> isa() in ("generic", "sse4", "avx2", "avx512", "avx512_bf16", "amx", "neon")
    True
    """
    from ctypes import byref, c_char_p

    from . import _native

    name = c_char_p()
    status = _native.c.mluOpCpuGetIsa(_native.acquire(0).handle, byref(name))
    if status:
        _native.fail("mluOpCpuGetIsa", status)
    return (name.value or b"").decode()


def set_num_threads(threads: Optional[int]) -> None:
    """Sets the threads of every call from now on, 1 to 1024; None gives the choice back.

    Without it MLUOP_NUM_THREADS counts, then ``torch.get_num_threads()`` in ``mluops_cpu.ops``, or
    the cores of the process in ``mluops_cpu.numpy``. Results have the same bits for every number.

    >>> set_num_threads(1)
    >>> get_num_threads()
    1
    >>> set_num_threads(None)
    """
    from . import _native

    _native.force_threads(None if threads is None else operator.index(threads))


def get_num_threads() -> int:
    """The threads of a call made now in this thread; through torch if its front has been imported.

    >>> get_num_threads() >= 1
    True
    """
    from . import _native

    torch = sys.modules.get("torch") if f"{__name__}._torch" in sys.modules else None
    return _native.acquire(torch.get_num_threads() if torch else 0).threads


def release_memory() -> None:
    """Gives back what this thread keeps between calls (workspace, scratch), and pooled torch
    memory.

    >>> release_memory()
    """
    from . import _native

    _native.release_memory()
