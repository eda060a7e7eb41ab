"""Memory for outputs, with large blocks kept and reused.

glibc returns blocks above 32 MB to the system when they are freed, and trims smaller ones from the
top of its heap. The next output of that size is then faulted in again, page by page, inside the
operator that writes it: filling 54 MB took 43 ms fresh and 3 ms kept. Outputs of at least
`LARGE` bytes therefore come from a pool of mappings, with huge pages where the system offers them.

A mapping is handed to torch by `torch.frombuffer`, so the tensor behaves like any other (in-place
operations, pickling, `share_memory_`); only `resize_` to a larger size is refused. It comes back to
the pool when its storage dies, in whatever thread that happens.

The pool maps at most 1.5 times what was in use at once at the peak; beyond that the mappings unused
for longest go back to the system. `release` empties it and forgets the peak.
"""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from typing import Optional

import torch
from torch import Tensor

from mluops_cpu import _native

LARGE = 16 << 20

_CPU = torch.device("cpu")
_ITEM_SIZES = {
    torch.float16: 2,
    torch.bfloat16: 2,
    torch.float32: 4,
    torch.float64: 8,
    torch.int32: 4,
    torch.int64: 8,
}


class Pool:
    """Mappings of memory, in use or free. Thread-safe; a forked child starts a new one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Filled by finalizers, which may run inside the locked sections below (garbage collection)
        # and so must not lock themselves: appending is atomic.
        self._returned: deque[mmap.mmap] = deque()
        self._free: list[mmap.mmap] = []  # least recently used first
        self._used = 0
        self._peak = 0
        self._abandoned = False

    def take(self, size: int) -> memoryview:
        """Return at least `size` bytes of uninitialised memory.

        The memory comes back to the pool when the view dies.
        """
        size = _rounded(size)
        with self._lock:
            self._collect()
            block = self._fit(size)
            if block is None:
                self._shrink(max(self._peak, self._used + size) * 3 // 2 - self._used - size)
                block = self._map(size)
            self._used += len(block)
            self._peak = max(self._peak, self._used)
        view = memoryview(block)
        # Not at exit: the process gives its memory back anyway.
        weakref.finalize(view, self._give_back, block).atexit = False
        return view

    def release(self) -> None:
        """Unmap what is not in use."""
        with self._lock:
            self._collect()
            self._free.clear()
            self._peak = self._used

    def abandon(self) -> None:
        """Keep nothing that comes back from now on. Takes no lock."""
        self._abandoned = True

    def bytes_in_use(self) -> int:
        """Return the size of the mappings that tensors hold."""
        with self._lock:
            self._collect()
            return self._used

    def bytes_free(self) -> int:
        """Return the size of the mappings kept for reuse."""
        with self._lock:
            self._collect()
            return sum(map(len, self._free))

    def _give_back(self, block: mmap.mmap) -> None:
        if not self._abandoned:
            self._returned.append(block)

    def _collect(self) -> None:
        while self._returned:
            block = self._returned.popleft()
            self._used -= len(block)
            self._free.append(block)

    def _fit(self, size: int) -> Optional[mmap.mmap]:
        """Take the smallest free block that is large enough and at most half too large."""
        best = -1
        for i, block in enumerate(self._free):
            if size <= len(block) <= size + size // 2 and (
                best < 0 or len(block) <= len(self._free[best])
            ):
                best = i
        return self._free.pop(best) if best >= 0 else None

    def _shrink(self, limit: int) -> None:
        """Drop free blocks, least recently used first, until at most `limit` bytes are free."""
        free = sum(map(len, self._free))
        drop = 0
        while drop < len(self._free) and free > limit:
            free -= len(self._free[drop])
            drop += 1
        del self._free[:drop]

    def _map(self, size: int) -> mmap.mmap:
        try:
            return _mapped(size)
        except OSError:  # out of address space or over the limit: give all we have back
            self._free.clear()
            try:
                return _mapped(size)
            except OSError as error:
                raise MemoryError(f"cannot map {size} bytes for an output: {error}") from error


def _rounded(size: int) -> int:
    """Round up to one of eight sizes per power of two, so that slightly different sizes share."""
    step = 1 << max(size.bit_length() - 4, 12)
    return -(-size // step) * step


def _mapped(size: int) -> mmap.mmap:
    block = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # a kernel without huge pages: ordinary ones serve
            block.madvise(mmap.MADV_HUGEPAGE)
    return block


_pool = Pool()


def pool() -> Pool:
    """Return the pool of this process."""
    return _pool


def release() -> None:
    """Give the blocks that no tensor uses back to the system."""
    _pool.release()


def _after_fork_in_child() -> None:
    """Start anew: another thread may have held the lock, and free blocks would be copied on write.

    Tensors inherited from the parent keep their memory; it is unmapped when they die.
    """
    global _pool
    _pool.abandon()
    _pool = Pool()


os.register_at_fork(after_in_child=_after_fork_in_child)
_native.on_release(release)


def empty(shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """Return an uninitialised contiguous tensor on the CPU."""
    if _bytes(shape, dtype) < LARGE:
        return torch.empty(shape, dtype=dtype, device=_CPU)
    return _pooled(shape, dtype).as_strided_(shape, _strides(shape))


def empty_channels_last(shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """Return an uninitialised [N,C,H,W] tensor whose memory is [N,H,W,C]."""
    if _bytes(shape, dtype) < LARGE:
        return torch.empty(shape, dtype=dtype, device=_CPU, memory_format=torch.channels_last)
    _, c, h, w = shape
    return _pooled(shape, dtype).as_strided_(shape, (h * w * c, 1, w * c, c))


def empty_like(tensor: Tensor) -> Tensor:
    """Return an uninitialised map with the strides of a contiguous or channels-last one."""
    if tensor.numel() * tensor.element_size() < LARGE:
        return torch.empty_like(tensor)
    return _pooled(tensor.shape, tensor.dtype).as_strided_(tensor.shape, tensor.stride())


def copy(tensor: Tensor, channels_last: bool) -> Tensor:
    """Return a copy of a map [N,C,H,W] in the requested format."""
    if tensor.numel() * tensor.element_size() < LARGE:
        # Half the time of empty and copy_.
        return tensor.clone(
            memory_format=torch.channels_last if channels_last else torch.contiguous_format
        )
    new = empty_channels_last if channels_last else empty
    return new(tensor.shape, tensor.dtype).copy_(tensor)


def _bytes(shape: Sequence[int], dtype: torch.dtype) -> int:
    return math.prod(shape) * _ITEM_SIZES.get(dtype, 8)  # others are refused later


def _pooled(shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """Return a flat tensor over memory of the pool.

    Its shape is then set in place: the result of a Function must not be a view, or users could not
    apply in-place operations to it.
    """
    return torch.frombuffer(_pool.take(_bytes(shape, dtype)), dtype=dtype, count=math.prod(shape))


def _strides(shape: Sequence[int]) -> list[int]:
    strides = [1] * len(shape)
    for i in range(len(shape) - 1, 0, -1):
        strides[i - 1] = strides[i] * shape[i]
    return strides
