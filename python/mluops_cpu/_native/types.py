"""Codes of the C interface and the C objects that Python owns."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, ClassVar

HALF, FLOAT, INT32, INT64, DOUBLE, BFLOAT16 = 1, 2, 6, 9, 14, 17

#: Bytes of an element, by dtype code.
SIZES: dict[int, int] = {HALF: 2, FLOAT: 4, INT32: 4, INT64: 8, DOUBLE: 8, BFLOAT16: 2}

LAYOUT_NHWC, LAYOUT_NDHWC, LAYOUT_ARRAY = 1, 3, 4


class Owned(ctypes.c_void_p):
    """A C object that is destroyed with its last reference, in the process that created it.

    A forked child forgets what it inherited: its parent's threads do not exist there. The type is
    exact in ``argtypes``, which is the quickest conversion that ctypes has.
    """

    destroy: ClassVar[Callable[[Any], int]]
    process: int

    def __del__(self, _getpid: Callable[[], int] = os.getpid) -> None:
        # process is missing if creation failed half-way.
        if self.value and getattr(self, "process", 0) == _getpid():
            type(self).destroy(self)


class Handle(Owned):
    """mluOpHandle_t"""


class TensorDescriptor(Owned):
    """mluOpTensorDescriptor_t"""


class CarafeDescriptor(Owned):
    """mluOpCarafeDescriptor_t"""


class SparseDescriptor(Owned):
    """mluOpSparseConvolutionDescriptor_t"""


class RoiAlignDescriptor(Owned):
    """mluOpRoiAlignForwardDescriptor_t"""


class Implementation(ctypes.Structure):
    """mluOpCpuImplementation_t; the library fills as many bytes as struct_size says."""

    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("isa", ctypes.c_char_p),
        ("available", ctypes.c_int),
        ("chosen", ctypes.c_int),
    ]
