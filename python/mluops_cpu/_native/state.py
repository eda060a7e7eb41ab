"""What a thread keeps between calls (handle, descriptors, workspace), and the threads of a call."""

from __future__ import annotations

import atexit
import ctypes
import mmap
import os
import threading
from typing import Callable, NoReturn, Optional, TypeVar

from .._errors import from_status
from .library import c
from .types import (
    CarafeDescriptor,
    Handle,
    Owned,
    RoiAlignDescriptor,
    SparseDescriptor,
    TensorDescriptor,
)

#: Descriptors kept per thread; changing row counts would otherwise collect them for ever.
MOST_DESCRIPTORS = 512
MOST_THREADS = 1024

_Object = TypeVar("_Object", bound=Owned)


def fail(function: str, status: int) -> NoReturn:
    """Raises the exception of a status; called right after the failure, in the same thread."""
    sentence: Optional[bytes] = c.mluOpCpuGetLastError()  # type: ignore[assignment]
    raise from_status(status, function, (sentence or b"").decode("utf-8", "replace"))


def create(kind: type[_Object], function: str) -> _Object:
    """A new C object, destroyed with its last reference."""
    made = kind()
    status = getattr(c, function)(ctypes.byref(made))
    if status:
        fail(function, status)
    made.process = os.getpid()
    return made


class _Descriptors(dict[tuple[int, int, tuple[int, ...]], TensorDescriptor]):
    """Tensor descriptors by (layout, dtype, shape), shared by calls: operators only read them."""

    def __missing__(self, key: tuple[int, int, tuple[int, ...]]) -> TensorDescriptor:
        if len(self) >= MOST_DESCRIPTORS:
            self.clear()  # those of the call at hand live on: it refers to them
        layout, dtype, shape = key
        made = create(TensorDescriptor, "mluOpCreateTensorDescriptor")
        rank = len(shape)
        sizes = (ctypes.c_int64 * max(rank, 1))(*shape)
        status = c.mluOpSetTensorDescriptor_v2(made, layout, dtype, rank, sizes)
        if status:
            fail("mluOpSetTensorDescriptor_v2", status)
        self[key] = made
        return made


class _Carafes(dict[tuple[int, int, int], CarafeDescriptor]):
    """CARAFE descriptors by (kernel_size, group_size, scale_factor)."""

    def __missing__(self, key: tuple[int, int, int]) -> CarafeDescriptor:
        if len(self) >= MOST_DESCRIPTORS:
            self.clear()
        names = ("kernel_size", "group_size", "scale_factor")
        numbers = [int32(value, name) for value, name in zip(key, names)]
        made = create(CarafeDescriptor, "mluOpCreateCarafeDescriptor")
        status = c.mluOpSetCarafeDescriptor(made, 4, *numbers)
        if status:
            fail("mluOpSetCarafeDescriptor", status)
        self[key] = made
        return made


class _RoiAligns(dict[tuple[int, int, int, float, int, bool], RoiAlignDescriptor]):
    """RoI align descriptors by (height, width, sampling_ratio, spatial_scale, mode, aligned)."""

    def __missing__(self, key: tuple[int, int, int, float, int, bool]) -> RoiAlignDescriptor:
        if len(self) >= MOST_DESCRIPTORS:
            self.clear()
        height, width, ratio, scale, mode, aligned = key
        names = ("pooled_height", "pooled_width", "sampling_ratio")
        sizes = [int32(value, name) for value, name in zip((height, width, ratio), names)]
        made = create(RoiAlignDescriptor, "mluOpCreateRoiAlignForwardDescriptor")
        status = c.mluOpSetRoiAlignForwardDescriptor_v2(made, *sizes, scale, mode, aligned)
        if status:
            fail("mluOpSetRoiAlignForwardDescriptor_v2", status)
        self[key] = made
        return made


def int32(value: int, name: str) -> int:
    """The value itself; ValueError where ctypes would silently keep the low 32 bits."""
    if not -0x80000000 <= value <= 0x7FFFFFFF:
        raise ValueError(f"{name} must fit in 32 bits, got {value}")
    return value


class Workspace:
    """Anonymous private memory: page-aligned, not shared with a forked child, returned at once."""

    __slots__ = ("_hold", "_memory", "pointer", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self.pointer: Optional[int] = None
        if size:
            try:
                self._memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            except (OSError, OverflowError) as error:
                raise MemoryError(f"no {size} bytes of workspace: {error}") from None
            self._hold = ctypes.c_char.from_buffer(self._memory)
            self.pointer = ctypes.addressof(self._hold)


class State:
    """One thread's handle and what it reuses."""

    __slots__ = (
        "_workspace",
        "carafes",
        "default",
        "descriptors",
        "environment",
        "handle",
        "roi_aligns",
        "size",
        "size_ref",
        "threads",
    )

    def __init__(self) -> None:
        #: MLUOP_NUM_THREADS, which mluOpCreate reads, wins over the number that a front asks for.
        self.environment = bool(os.environ.get("MLUOP_NUM_THREADS"))
        self.handle = create(Handle, "mluOpCreate")
        threads = ctypes.c_int()
        status = c.mluOpCpuGetThreads(self.handle, ctypes.byref(threads))
        if status:
            fail("mluOpCpuGetThreads", status)
        self.default = self.threads = threads.value
        self.descriptors = _Descriptors()
        self.carafes = _Carafes()
        self.roi_aligns = _RoiAligns()
        self._workspace = Workspace(0)
        self.size = ctypes.c_size_t()  # the answer of a workspace query
        self.size_ref = ctypes.byref(self.size)

    def workspace(self, size: int) -> Workspace:
        """At least `size` bytes; the caller refers to them until its call returns."""
        if size > self._workspace.size:
            self._workspace = Workspace(0)  # the old block goes first
            self._workspace = Workspace(size)
        return self._workspace

    def workspace_size(self) -> int:
        return self._workspace.size

    def set_threads(self, threads: int) -> None:
        threads = min(threads, MOST_THREADS)
        if threads != self.threads:
            status = c.mluOpCpuSetThreads(self.handle, threads)
            if status:
                fail("mluOpCpuSetThreads", status)
            self.threads = threads

    def sparse_descriptor(self) -> SparseDescriptor:
        """One for each call: mluOpGetIndicePairs writes to it."""
        return create(SparseDescriptor, "mluOpCreateSparseConvolutionDescriptor")


_local = threading.local()
_forced = 0  # what set_num_threads says; 0: nothing
_on_release: list[Callable[[], None]] = []


def acquire(threads: int) -> State:
    """This thread's state, with its handle set to the threads of a call whose front asks for
    `threads`.

    0 asks for the handle's default; set_num_threads and MLUOP_NUM_THREADS win over either.
    """
    try:
        state: State = _local.state
    except AttributeError:
        state = _local.state = State()
    wanted = _forced or (0 if state.environment else threads) or state.default
    if wanted != state.threads:
        state.set_threads(wanted)
    return state


def force_threads(threads: Optional[int]) -> None:
    global _forced
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"threads must be from 1 to {MOST_THREADS} or None, got {threads}")
    _forced = threads or 0


def on_release(callback: Callable[[], None]) -> None:
    """Has release_memory() call this as well: for layers above that keep memory of their own."""
    if callback not in _on_release:
        _on_release.append(callback)


def forget() -> None:
    """Drops this thread's state: destroyed by its owner, merely forgotten in a forked child."""
    _local.__dict__.pop("state", None)


def release_memory() -> None:
    """Drops this thread's workspace, descriptors and handle; then runs the callbacks."""
    forget()
    for callback in _on_release:
        callback()


os.register_at_fork(after_in_child=forget)
atexit.register(forget)
