"""Large outputs: reuse, bounds, threads, fork, and everything users do to tensors."""

from __future__ import annotations

import gc
import io
import multiprocessing
import pickle
import threading
import warnings
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

import mluops_cpu
from mluops_cpu._torch import memory
from mluops_cpu.ops.carafe import carafe
from mluops_cpu.ops.rotated_feature_align import rotated_feature_align

SHAPE = (2, 64, 256, 192)  # 25 MB of float32
BYTES = 2 * 64 * 256 * 192 * 4


@pytest.fixture(autouse=True)
def _pool() -> Iterator[None]:
    gc.collect()
    memory.release()
    assert memory.pool().bytes_in_use() == 0
    yield
    gc.collect()
    memory.release()


def large(channels_last: bool = False) -> Tensor:
    new = memory.empty_channels_last if channels_last else memory.empty
    return new(SHAPE, torch.float32)


def test_small_tensors_do_not_come_from_the_pool() -> None:
    tensor = memory.empty((3, 4), torch.float32)
    assert tensor.shape == (3, 4)
    assert memory.pool().bytes_in_use() == 0


@pytest.mark.parametrize("channels_last", [False, True])
def test_large_tensors_are_ordinary(channels_last: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tensor = large(channels_last)
    like = torch.empty(
        SHAPE, memory_format=torch.channels_last if channels_last else torch.contiguous_format
    )
    assert tensor.shape == like.shape
    assert tensor.stride() == like.stride()
    assert tensor.dtype == like.dtype
    assert not tensor._is_view()
    assert tensor.data_ptr() % 64 == 0
    assert BYTES <= memory.pool().bytes_in_use() <= BYTES * 9 // 8


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64, torch.int32])
def test_dtypes(dtype: torch.dtype) -> None:
    tensor = memory.empty((8 << 20, 2), dtype)
    tensor.fill_(3)
    assert tensor.dtype == dtype
    assert bool((tensor == 3).all())


def test_a_block_is_used_again() -> None:
    first = large()
    address = first.data_ptr()
    del first
    second = large()
    assert second.data_ptr() == address
    third = large()
    assert third.data_ptr() != address


def test_a_slightly_smaller_tensor_fits() -> None:
    address = large().data_ptr()
    assert memory.empty((2, 64, 256, 180), torch.float32).data_ptr() == address


def test_a_much_smaller_tensor_gets_its_own() -> None:
    large_address = memory.empty((4, *SHAPE), torch.float32).data_ptr()
    small = memory.empty(SHAPE, torch.float32)
    assert small.data_ptr() != large_address


def test_views_keep_the_block() -> None:
    tensor = large().fill_(1)
    view = tensor[1, 3:5]
    del tensor
    other = large().fill_(2)
    assert bool((view == 1).all())
    assert other.data_ptr() != view.data_ptr()


def test_the_bound() -> None:
    """Never more than 1.5 times what was in use at once, whatever sizes come and go."""
    peak = 0
    for step in range(40):
        held = [
            memory.empty((1 + (step * 7 + i * 3) % 9, 5 << 20), torch.float32) for i in range(3)
        ]
        peak = max(peak, memory.pool().bytes_in_use())
        del held
        mapped = memory.pool().bytes_in_use() + memory.pool().bytes_free()
        assert mapped <= peak * 3 // 2


def test_release() -> None:
    kept = large().fill_(5)
    del [large()][:]
    assert memory.pool().bytes_free() > 0
    mluops_cpu.release_memory()
    assert memory.pool().bytes_free() == 0
    assert memory.pool().bytes_in_use() > 0
    assert bool((kept == 5).all())


def test_what_users_do() -> None:
    tensor = large()
    tensor.copy_(torch.arange(SHAPE[-1]).expand(SHAPE))
    expected = tensor.clone()
    stream = io.BytesIO()
    torch.save(tensor, stream)
    stream.seek(0)
    assert torch.equal(torch.load(stream), expected)
    assert torch.equal(pickle.loads(pickle.dumps(tensor)), expected)
    tensor.requires_grad_()
    (tensor * 2).sum().backward()
    assert tensor.grad is not None
    tensor = tensor.detach()
    tensor.add_(1).sub_(1)
    assert torch.equal(tensor, expected)
    tensor.resize_(2, 3)
    assert tensor.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_share_memory() -> None:
    tensor = large().fill_(7)
    tensor.share_memory_()
    assert tensor.is_shared()
    assert bool((tensor == 7).all())
    assert memory.pool().bytes_in_use() == 0, "torch moved it to memory of its own"


def test_threads() -> None:
    """Blocks die in other threads than the one that made them, while all of them allocate."""
    errors: list[BaseException] = []
    handed: list[Tensor] = []

    def work(number: int) -> None:
        try:
            for _ in range(30):
                tensor = memory.empty((5 << 20,), torch.float32)
                tensor[::4096] = number
                handed.append(tensor)
                assert bool((tensor[::4096] == number).all()), "a block had two owners"
                del tensor
                handed.pop(0)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    handed.clear()
    assert memory.pool().bytes_in_use() == 0


def _in_child(tensor: Tensor, queue: multiprocessing.Queue[bool]) -> None:
    fresh = memory.empty(SHAPE, torch.float32).fill_(4)
    right = bool((tensor == 3).all()) and bool((fresh == 4).all())
    tensor.fill_(9)
    del tensor, fresh
    queue.put(right and memory.pool().bytes_in_use() == 0)


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_fork() -> None:
    """Even while another thread holds the lock; the parent's tensors stay as they are."""
    tensor = large().fill_(3)
    del [large()][:]
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    # One thread: torch's own workers would not survive the fork.
    torch.set_num_threads(1)
    with memory.pool()._lock:
        child = context.Process(target=_in_child, args=(tensor, queue))
        child.start()
    assert queue.get(timeout=60)
    child.join()
    assert bool((tensor == 3).all())


def test_operators_use_it() -> None:
    features = torch.randn(SHAPE).contiguous(memory_format=torch.channels_last).requires_grad_()
    boxes = torch.rand(SHAPE[0], *SHAPE[2:], 5) * 100
    out = rotated_feature_align(features, boxes)
    assert memory.pool().bytes_in_use() > 0
    assert out.is_contiguous(memory_format=torch.channels_last)
    small = rotated_feature_align(features[:1, :, :64, :64], boxes[:1, :64, :64])
    assert small.shape == (1, 64, 64, 64)
    out.relu_().sum().backward()
    assert features.grad is not None


@pytest.mark.parametrize("channels_last", [False, True], ids=["contiguous", "channels_last"])
def test_large_values_are_right(channels_last: bool) -> None:
    """Reused blocks hold old numbers: every element must be written."""
    layout = torch.channels_last if channels_last else torch.contiguous_format
    features = torch.randn(1, 64, 160, 160).contiguous(memory_format=layout)
    masks = torch.rand(1, 1, 320, 320)
    for _ in range(2):
        out = carafe(features, masks, 1, 1, 2)
        assert memory.pool().bytes_in_use() > 0
        expected = features.repeat_interleave(2, 2).repeat_interleave(2, 3) * masks
        torch.testing.assert_close(out, expected, rtol=1e-6, atol=1e-6)
        out.fill_(float("nan"))
        del out
