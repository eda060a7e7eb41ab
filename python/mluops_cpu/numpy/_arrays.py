"""Arrays in, records out: dtypes, byte order, contiguity, layouts, and the rules for `out`."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from ctypes import addressof, c_char
from typing import Any, Optional, Union

import numpy

from .. import _native
from .._calls import Record

Array = numpy.ndarray[Any, Any]
#: One result or several; None where it is to be allocated.
Out = Union[None, Array, Sequence[Optional[Array]]]

_CODES: dict[numpy.dtype[Any], int] = {
    numpy.dtype(numpy.float16): _native.HALF,
    numpy.dtype(numpy.float32): _native.FLOAT,
    numpy.dtype(numpy.float64): _native.DOUBLE,
}
_INT32 = numpy.dtype(numpy.int32)
_UINT16 = numpy.dtype(numpy.uint16)
_LEAST, _MOST = -0x80000000, 0x7FFFFFFF

# Dims of a map in NHWC order, taken from NCHW, and back.
TO_NHWC, TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)


def address(array: Any) -> int:
    """The address of the first element of a contiguous array."""
    try:
        # A fifth of the time of array.ctypes.data.
        return addressof(c_char.from_buffer(array))
    except (TypeError, ValueError, BufferError):  # read-only, empty, or a dtype of another package
        return int(array.ctypes.data)


def convert(value: Any, name: str) -> Array:
    """What numpy.asarray or numpy.from_dlpack makes of an argument that is no plain array."""
    device = getattr(value, "__dlpack_device__", None)
    if device is not None and not isinstance(value, numpy.ndarray):
        kind = device()[0]
        if kind not in (1, 3):  # the CPU's own memory, and pinned host memory
            raise NotImplementedError(f"{name} is not on the CPU: DLPack device type {int(kind)}")
        if not hasattr(value, "__array__") and not hasattr(value, "__array_interface__"):
            # numpy 1.22 has it under a private name.
            read = getattr(numpy, "from_dlpack", None) or getattr(numpy, "_from_dlpack")  # noqa: B009
            array: Array = read(value)
            return array
    return numpy.asarray(value)


def _code(array: Array, name: str, dtype: Any) -> int:
    """The dtype code of an array that is not one of the three plain ones, or TypeError."""
    found = array.dtype
    if not found.isnative:
        raise TypeError(f"{name} has foreign byte order ({found.str}); convert it to native order")
    if dtype is None:
        if found.name == "bfloat16" and found.itemsize == 2:
            _CODES[found] = _native.BFLOAT16
            return _native.BFLOAT16
        raise TypeError(
            f"{name} must be float16, float32, float64 or bfloat16, got {found}"
            + ("; bits of bfloat16 need dtype='bfloat16'" if found == _UINT16 else "")
        )
    if dtype != "bfloat16":
        raise ValueError(f"dtype must be None or 'bfloat16', got {dtype!r}")
    if found == _UINT16 or found.name == "bfloat16":
        return _native.BFLOAT16
    raise TypeError(f"{name} must be uint16 bits or bfloat16 with dtype='bfloat16', got {found}")


def refuse_shared(out: Out, value: Array, name: str) -> None:
    """ValueError if out shares memory with an input that C does not see, because it is copied."""
    for one in out if isinstance(out, (tuple, list)) else (out,):
        if isinstance(one, numpy.ndarray) and numpy.shares_memory(one, value):
            raise ValueError(f"out shares memory with {name}")


def floats(value: Any, name: str, dtype: Any = None, out: Out = None) -> tuple[Array, Record]:
    """A contiguous floating-point array and its record; no `out` may share memory with it."""
    if type(value) is not numpy.ndarray:
        value = convert(value, name)
    code = _CODES.get(value.dtype) if dtype is None else None
    if code is None:
        code = _code(value, name, dtype)
    if not value.flags.c_contiguous:
        refuse_shared(out, value, name)
        value = numpy.ascontiguousarray(value)
    return value, (address(value), value.shape, code)


def check_layout(layout: str) -> bool:
    """Whether maps are NCHW; ValueError if they are neither that nor NHWC."""
    if layout not in ("NHWC", "NCHW"):
        raise ValueError(f"layout must be 'NHWC' or 'NCHW', got {layout!r}")
    return layout == "NCHW"


def nchw_map(value: Any, name: str, dtype: Any, out: Out) -> tuple[Array, Record]:
    """A map [N,C,H,W] as a contiguous array [N,H,W,C] and its record."""
    if type(value) is not numpy.ndarray:
        value = convert(value, name)
    refuse_shared(out, value, name)
    # Another rank is for C to refuse.
    return floats(value.transpose(TO_NHWC) if value.ndim == 4 else value, name, dtype)


def integers(value: Any, name: str, out: Out = None) -> tuple[Array, Record]:
    """A contiguous int32 array of any integer array's values; ValueError for one out of range."""
    if type(value) is not numpy.ndarray:
        value = convert(value, name)
    if value.dtype is not _INT32:
        value = _narrow(value, name, out)
    if not value.flags.c_contiguous:
        refuse_shared(out, value, name)
        value = numpy.ascontiguousarray(value)
    return value, (address(value), value.shape, _native.INT32)


def _narrow(value: Array, name: str, out: Out) -> Array:
    if value.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, got {value.dtype}")
    if not value.dtype.isnative:
        raise TypeError(f"{name} has foreign byte order ({value.dtype.str})")
    if value.dtype == _INT32:
        return value
    refuse_shared(out, value, name)
    if value.size:
        for extreme in (int(value.min()), int(value.max())):
            if not _LEAST <= extreme <= _MOST:
                raise ValueError(f"{name} must fit in int32, got {extreme}")
    return value.astype(numpy.int32)


def counts(value: Any, out: Out) -> list[int]:
    """indice_num [K] as the numbers that a call takes."""
    array, _ = integers(value, "indice_num", out)
    if array.ndim != 1:
        raise ValueError(f"indice_num must have 1 dim, got {array.ndim}")
    if out is not None:
        refuse_shared(out, array, "indice_num")
    numbers: list[int] = array.tolist()
    return numbers


def output(
    out: Optional[Array],
    shape: tuple[int, ...],
    dtype: numpy.dtype[Any],
    code: int,
    name: str = "out",
) -> tuple[Array, Record]:
    """The result: `out` if it is exactly what the call writes, else ValueError; or a new array."""
    if out is None:
        out = numpy.empty(shape, dtype)
    else:
        if not isinstance(out, numpy.ndarray):
            raise TypeError(f"{name} must be a numpy array, got {type(out).__name__}")
        if out.shape != shape:
            raise ValueError(f"{name} must have shape {shape}, got {out.shape}")
        if out.dtype != dtype:
            raise ValueError(f"{name} must have dtype {dtype}, got {out.dtype}")
        flags = out.flags
        if not (flags.c_contiguous and flags.writeable):
            raise ValueError(f"{name} must be C-contiguous and writable")
    return out, (address(out), shape, code)


def nchw_output(
    out: Optional[Array], shape: tuple[int, ...], dtype: numpy.dtype[Any], name: str = "out"
) -> Array:
    """The result in NCHW order for a map of this shape in NHWC order."""
    if len(shape) == 4:
        shape = tuple(shape[axis] for axis in TO_NCHW)
    return output(out, shape, dtype, 0, name)[0]


def several(out: Any, count: int) -> Sequence[Optional[Array]]:
    """`out` of a function with several results: a tuple with None where one is to be allocated."""
    if not isinstance(out, (tuple, list)) or len(out) != count:
        raise ValueError(f"out must be a tuple of {count}")
    return out


def integer(value: Any, name: str) -> int:
    """A number of any integer type; TypeError for anything else."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {type(value).__name__}") from None


def size(value: Any, name: str) -> int:
    """An integer that is not negative."""
    number = integer(value, name)
    if number < 0:
        raise ValueError(f"{name} must be at least 0, got {number}")
    return number


def axes(value: Union[int, Iterable[int]], count: int, name: str) -> tuple[int, ...]:
    """`count` integers, one per axis; a single one stands for all of them."""
    if not isinstance(value, Iterable):
        return (integer(value, name),) * count
    numbers = tuple(integer(entry, name) for entry in value)
    if len(numbers) != count:
        raise ValueError(f"{name} must have {count} entries, got {len(numbers)}")
    return numbers
