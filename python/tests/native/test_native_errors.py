"""The exceptions: bases, attributes, pickles, and rebuilding from text."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

import mluops_cpu
from mluops_cpu._errors import from_status

SENTENCE = "mluOpCarafeForward: kernel_size must be odd, got 4"

#: status: (class, second base)
CLASSES = {
    1: (mluops_cpu.InternalError, RuntimeError),
    2: (mluops_cpu.AllocFailedError, MemoryError),
    3: (mluops_cpu.BadParamError, ValueError),
    4: (mluops_cpu.InternalError, RuntimeError),
    5: (mluops_cpu.InternalError, RuntimeError),
    6: (mluops_cpu.InternalError, RuntimeError),
    7: (mluops_cpu.NotSupportedError, NotImplementedError),
    8: (mluops_cpu.NumericalOverflowError, OverflowError),
    99: (mluops_cpu.InternalError, RuntimeError),
}


@pytest.mark.parametrize("status", CLASSES)
def test_class_of_a_status(root: Path, status: int) -> None:
    kind, base = CLASSES[status]
    error = from_status(status, "mluOpCarafeForward", SENTENCE)
    assert type(error) is kind
    assert isinstance(error, base)
    assert isinstance(error, mluops_cpu.MluOpError)
    assert isinstance(error, RuntimeError)
    assert str(error) == SENTENCE
    assert error.status == status
    assert error.function == "mluOpCarafeForward"
    header = (root / "include/mlu_op.h").read_text(encoding="utf-8")
    named = re.search(rf"(MLUOP_STATUS_\w+) = {status}\b", header)
    assert error.status_name == (named.group(1) if named else "MLUOP_STATUS_UNKNOWN")


@pytest.mark.parametrize("status", CLASSES)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(status: int, protocol: int) -> None:
    error = from_status(status, "mluOpCarafeForward", SENTENCE)
    error.__notes__ = ["seen"]  # type: ignore[attr-defined]
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is type(error)
    assert (str(again), again.status, again.function) == (SENTENCE, status, error.function)


@pytest.mark.parametrize("kind", {kind for kind, _ in CLASSES.values()}, ids=lambda k: k.__name__)
def test_rebuilt_from_text(kind: type[mluops_cpu.MluOpError]) -> None:
    error = kind(f"Caught {kind.__name__} in DataLoader worker process 0.")
    assert CLASSES[error.status][0] is kind
    assert error.function == ""
    assert kind(SENTENCE).function == "mluOpCarafeForward"


def test_without_a_sentence() -> None:
    assert str(from_status(4, "mluOpCreate", "")) == "mluOpCreate: status 4"
