"""Finds and loads libmluops.so.0, once per process, when this module is imported."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable

from .prototypes import OPERATORS, SETTERS, Prototype
from .types import (
    CarafeDescriptor,
    Handle,
    RoiAlignDescriptor,
    SparseDescriptor,
    TensorDescriptor,
)

SONAME = "libmluops.so.0"
#: Major and minor version that these bindings are written for.
WANTED = (0, 1)
VARIABLE = "MLUOPS_CPU_LIBRARY"


class Functions:
    """The C functions as attributes; looked up at each call, so that a timer can stand in."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., int]: ...


def candidates() -> Iterator[str]:
    """The places to look, in order. A variable that is set leaves no other choice."""
    named = os.environ.get(VARIABLE)
    if named:
        yield os.path.abspath(named)
        return
    bundled = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "_lib")
    yield os.path.join(bundled, SONAME)
    yield SONAME  # by the rules of the dynamic linker


def load() -> tuple[ctypes.CDLL, str]:
    """The library and the name under which it was found; ImportError tells what was tried."""
    tried: list[str] = []
    for name in candidates():
        try:
            return ctypes.CDLL(name, mode=ctypes.RTLD_LOCAL), name
        except OSError as error:
            tried.append(f"  {name}: {error}")
    raise ImportError(
        f"{SONAME}, the library behind mluops_cpu, cannot be loaded. Tried:\n"
        + "\n".join(tried)
        + f"\nSet {VARIABLE} to its path, or install the wheel, which holds it."
    )


def bind(
    library: ctypes.CDLL, path: str, prototypes: Mapping[str, Prototype], to: Functions
) -> None:
    """Sets argtypes and restype; a missing symbol is ImportError."""
    for name, (result, arguments) in prototypes.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(
                f"{path} has no {name}: version {'.'.join(map(str, version_of(library)))}, "
                f"wanted {WANTED[0]}.{WANTED[1]} or a later {WANTED[0]}.x"
            ) from None
        function.restype = result
        function.argtypes = arguments
        setattr(to, name, function)


def version_of(library: ctypes.CDLL, function: str = "mluOpCpuGetVersion") -> tuple[int, int, int]:
    numbers = [ctypes.c_int(-1) for _ in range(3)]
    getattr(library, function)(*map(ctypes.byref, numbers))
    major, minor, patch = (number.value for number in numbers)
    return major, minor, patch


def check_version(found: tuple[int, int, int], path: str) -> None:
    """ImportError unless the major version is ours and the minor one not below."""
    if found[0] != WANTED[0] or found[1] < WANTED[1]:
        raise ImportError(
            f"{path} has version {'.'.join(map(str, found))}, "
            f"wanted {WANTED[0]}.{WANTED[1]} or a later {WANTED[0]}.x"
        )


def path_of(function: Any, fallback: str) -> str:
    """The file that holds a C function, as the dynamic linker sees it."""

    class Info(ctypes.Structure):
        _fields_ = [
            ("file", ctypes.c_char_p),
            ("base", ctypes.c_void_p),
            ("symbol", ctypes.c_char_p),
            ("address", ctypes.c_void_p),
        ]

    try:
        dladdr = ctypes.CDLL(None).dladdr
    except AttributeError:
        return fallback
    dladdr.argtypes = (ctypes.c_void_p, ctypes.POINTER(Info))
    info = Info()
    if not dladdr(ctypes.cast(function, ctypes.c_void_p), ctypes.byref(info)) or not info.file:
        return fallback
    return os.path.abspath(os.fsdecode(info.file))


def _open() -> tuple[Functions, str, tuple[int, int, int], tuple[int, int, int]]:
    library, path = load()
    if not hasattr(library, "mluOpCpuGetVersion"):
        raise ImportError(f"{path} is not libmluops: it has no mluOpCpuGetVersion")
    path = path_of(library.mluOpCpuGetVersion, path)
    version = version_of(library)
    check_version(version, path)
    functions = Functions()
    bind(library, path, OPERATORS, functions)
    bind(ctypes.PyDLL(library._name, mode=ctypes.RTLD_LOCAL), path, SETTERS, functions)
    return functions, path, version, version_of(library, "mluOpGetLibVersion")


c, path, version, api_version = _open()

Handle.destroy = c.mluOpDestroy
TensorDescriptor.destroy = c.mluOpDestroyTensorDescriptor
CarafeDescriptor.destroy = c.mluOpDestroyCarafeDescriptor
SparseDescriptor.destroy = c.mluOpDestroySparseConvolutionDescriptor
RoiAlignDescriptor.destroy = c.mluOpDestroyRoiAlignForwardDescriptor
