"""The exceptions behind the statuses of the C library.

``str(e)`` is the sentence that C left and nothing else. Every class can be built from its text
alone, because frameworks rebuild exceptions of worker processes as ``type(e)(text)``.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar, Optional

_NAMES: dict[int, str] = {
    0: "MLUOP_STATUS_SUCCESS",
    1: "MLUOP_STATUS_NOT_INITIALIZED",
    2: "MLUOP_STATUS_ALLOC_FAILED",
    3: "MLUOP_STATUS_BAD_PARAM",
    4: "MLUOP_STATUS_INTERNAL_ERROR",
    5: "MLUOP_STATUS_ARCH_MISMATCH",
    6: "MLUOP_STATUS_EXECUTION_FAILED",
    7: "MLUOP_STATUS_NOT_SUPPORTED",
    8: "MLUOP_STATUS_NUMERICAL_OVERFLOW",
}

# A sentence opens with the name of the C function that wrote it.
_FUNCTION = re.compile(r"(mluOp\w+): ")


class MluOpError(RuntimeError):
    """A call of the C library failed.

    Attributes: ``status`` (the number), ``status_name`` (its enumerator) and ``function`` (the C
    function, "" if unknown).

    >>> from mluops_cpu import BadParamError, MluOpError
    >>> error = BadParamError("mluOpCarafeForward: kernel_size must be odd, got 4")
    >>> isinstance(error, MluOpError), isinstance(error, ValueError)
    (True, True)
    >>> error.status, error.status_name, error.function
    (3, 'MLUOP_STATUS_BAD_PARAM', 'mluOpCarafeForward')
    """

    _default_status: ClassVar[int] = 4
    status: int
    function: str

    def __init__(
        self, text: str = "", status: Optional[int] = None, function: Optional[str] = None
    ) -> None:
        super().__init__(text)
        self.status = self._default_status if status is None else status
        if function is None:
            opening = _FUNCTION.match(text)
            function = opening.group(1) if opening else ""
        self.function = function

    @property
    def status_name(self) -> str:
        return _NAMES.get(self.status, "MLUOP_STATUS_UNKNOWN")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.status, self.function)


class BadParamError(MluOpError, ValueError):
    """An argument breaks the contract of the call.

    >>> import numpy, mluops_cpu
    >>> from mluops_cpu.numpy import carafe_forward
    >>> try:
    ...     carafe_forward(numpy.ones((1, 2, 2, 4)), numpy.ones((1, 4, 4, 8)), 3, 1, 2)
    ... except mluops_cpu.BadParamError as error:
    ...     print(error.status_name)
    MLUOP_STATUS_BAD_PARAM
    """

    _default_status = 3


class NotSupportedError(MluOpError, NotImplementedError):
    """The call makes sense but is not implemented.

    >>> from mluops_cpu import NotSupportedError
    >>> NotSupportedError("no").status
    7
    """

    _default_status = 7


class AllocFailedError(MluOpError, MemoryError):
    """The library ran out of memory.

    >>> from mluops_cpu import AllocFailedError
    >>> isinstance(AllocFailedError("no room"), MemoryError)
    True
    """

    _default_status = 2


class NumericalOverflowError(MluOpError, OverflowError):
    """A number does not fit its type.

    >>> from mluops_cpu import NumericalOverflowError
    >>> isinstance(NumericalOverflowError("too large"), OverflowError)
    True
    """

    _default_status = 8


class InternalError(MluOpError):
    """Any other status: a fault of the library or of these bindings.

    >>> from mluops_cpu import InternalError
    >>> InternalError("?").status_name
    'MLUOP_STATUS_INTERNAL_ERROR'
    """

    _default_status = 4


_CLASSES: dict[int, type[MluOpError]] = {
    kind._default_status: kind
    for kind in (BadParamError, NotSupportedError, AllocFailedError, NumericalOverflowError)
}


def from_status(status: int, function: str, sentence: str) -> MluOpError:
    """The exception for a status that is not SUCCESS; unknown numbers become InternalError."""
    kind = _CLASSES.get(status, InternalError)
    return kind(sentence or f"{function}: status {status}", status, function)
