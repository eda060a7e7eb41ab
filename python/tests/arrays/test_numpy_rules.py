"""Inputs and `out`: dtypes, byte order, DLPack, integer ranges, contiguity, shared memory."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import mluops_cpu.numpy as front
from mluops_cpu import BadParamError

SITES = numpy.array([[0, 0], [0, 1], [0, 4]])


def maps(rng: Any, dtype: str = "float32") -> tuple[Any, Any]:
    """x [1,4,4,8] and boxes [1,4,4,5]."""
    x = rng.normal(size=(1, 4, 4, 8)).astype(dtype)
    return x, rng.uniform(0, 30, (1, 4, 4, 5)).astype(dtype)


class Capsule:
    """An array that only speaks DLPack, from a device of choice."""

    def __init__(self, array: Any, device: int = 1) -> None:
        self.array, self.device = array, device

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.device, 0)


def test_inputs_of_many_kinds(rng: Any) -> None:
    x, boxes = maps(rng, "float64")
    want = front.rotated_feature_align_forward(x, boxes)
    kinds = {
        "list": x.tolist(),
        "strided": numpy.repeat(x, 2, axis=3)[..., ::2],
        "fortran": numpy.asfortranarray(x),
        "dlpack": Capsule(x),
        "memoryview": memoryview(x),
        "subclass": x.view(numpy.ma.MaskedArray),
    }
    for name, given in kinds.items():
        assert numpy.array_equal(front.rotated_feature_align_forward(given, boxes), want), name
    x.flags.writeable = False
    assert numpy.array_equal(front.rotated_feature_align_forward(x, boxes), want)


def test_other_devices() -> None:
    array = Capsule(numpy.ones((1, 4, 4, 8)), device=2)
    with pytest.raises(
        NotImplementedError, match=r"^input is not on the CPU: DLPack device type 2$"
    ):
        front.rotated_feature_align_forward(array, numpy.ones((1, 4, 4, 5)))


def test_wrong_dtypes(rng: Any) -> None:
    x, boxes = maps(rng)
    for dtype in ("int32", "uint16", "complex64", "bool", "longdouble", ">f4", ">f8"):
        with pytest.raises(TypeError, match=r"^input "):
            front.rotated_feature_align_forward(x.astype(dtype), boxes)
    with pytest.raises(TypeError, match=r"foreign byte order \(>f4\)"):
        front.rotated_feature_align_forward(x.astype(">f4"), boxes)
    with pytest.raises(TypeError, match=r"need dtype='bfloat16'$"):
        front.rotated_feature_align_forward(x.astype("uint16"), boxes)
    with pytest.raises(TypeError, match=r"^bboxes must be uint16 bits or bfloat16"):
        front.rotated_feature_align_forward(x.astype("uint16"), boxes, dtype="bfloat16")
    with pytest.raises(ValueError, match=r"^dtype must be None or 'bfloat16', got 'half'$"):
        front.rotated_feature_align_forward(x, boxes, dtype="half")


def test_one_dtype_per_call(rng: Any) -> None:
    x, boxes = maps(rng)
    with pytest.raises(BadParamError, match=r"dtype"):
        front.rotated_feature_align_forward(x, boxes.astype("float64"))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int64", "uint64", "uint32"])
def test_indices_of_any_integer_type(dtype: str) -> None:
    want = front.get_indice_pairs(SITES.astype("int32"), 1, [5], subm=True)
    got = front.get_indice_pairs(SITES.astype(dtype), 1, [5], subm=True)
    assert all(numpy.array_equal(a, b) for a, b in zip(got[:3], want[:3]))
    assert got.out_indices.dtype == numpy.int32
    x, filters = numpy.ones((3, 2)), numpy.ones((3, 2, 2))
    tables = (got.indice_pairs.astype("int64"), got.indice_num.astype(dtype))
    y = front.indice_conv_forward(x, filters, *tables, 3)
    assert numpy.array_equal(y, front.indice_conv_forward(x, filters, *want[1:3], 3))


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 2**40])
def test_indices_out_of_range(value: int) -> None:
    sites = SITES.astype("int64")
    sites[1, 1] = value
    with pytest.raises(ValueError, match=rf"^indices must fit in int32, got {value}$"):
        front.get_indice_pairs(sites, 1, [5])


def test_indices_of_other_types() -> None:
    for dtype in ("float32", "bool", ">i4"):
        with pytest.raises(TypeError, match=r"^indices "):
            front.get_indice_pairs(SITES.astype(dtype), 1, [5])


def test_numbers(rng: Any) -> None:
    x, boxes = maps(rng)
    with pytest.raises(TypeError, match=r"^points must be an integer, got float$"):
        front.rotated_feature_align_forward(x, boxes, points=1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^points must fit in 32 bits, got 4294967297$"):
        front.rotated_feature_align_forward(x, boxes, points=2**32 + 1)
    with pytest.raises(ValueError, match=r"^kernel_size must fit in 32 bits, got 4294967299$"):
        front.carafe_forward(x, x, 2**32 + 3, 1, 1)
    with pytest.raises(ValueError, match=r"^stride must have 2 entries, got 3$"):
        front.get_indice_pairs([[0, 0, 0]], 1, (4, 4), stride=(1, 1, 1))
    with pytest.raises(ValueError, match=r"^num_act_out must be at least 0, got -1$"):
        front.indice_conv_forward(x[0, 0], numpy.ones((1, 8, 8), "f4"), [[[0], [0]]], [1], -1)
    assert numpy.array_equal(
        front.rotated_feature_align_forward(x, boxes, numpy.float64(0.125), numpy.int64(5)),
        front.rotated_feature_align_forward(x, boxes, 0.125, 5),
    )


def test_words(rng: Any) -> None:
    x, boxes = maps(rng)
    with pytest.raises(ValueError, match=r"^layout must be 'NHWC' or 'NCHW', got 'nchw'$"):
        front.rotated_feature_align_forward(x, boxes, layout="nchw")
    with pytest.raises(ValueError, match=r"^mode must be 'max' or 'avg', got 'mean'$"):
        front.roiaware_pool3d_forward(boxes, x, x, 1, mode="mean")
    with pytest.raises(ValueError, match=r"^filter_layout must be 'RSCK' or 'KRSC', got 'RSKC'$"):
        front.indice_conv_forward(x, x, x, x, 1, filter_layout="RSKC")
    with pytest.raises(NotImplementedError, match=r"^pairs exist for 1 to 4 axes, got 5$"):
        front.get_indice_pairs(numpy.zeros((1, 6), int), 1, (2,) * 5)


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_out_is_exact(rng: Any, layout: str) -> None:
    x, boxes = maps(rng)
    x = rng.normal(size=(1, 8, 4, 4)).astype("float32") if layout == "NCHW" else x
    read_only = numpy.empty_like(x)
    read_only.flags.writeable = False
    wrong = {
        "shape": numpy.empty((1, 4, 4, 9), "float32"),
        "dtype": numpy.empty(x.shape, "float64"),
        "byte order": numpy.empty(x.shape, ">f4"),
        "strides": numpy.empty((*x.shape[:-1], 2 * x.shape[-1]), "float32")[..., ::2],
        "fortran": numpy.empty(x.shape, "float32", order="F"),
        "read-only": read_only,
    }
    for out in wrong.values():
        with pytest.raises(ValueError, match=r"^out must "):
            front.rotated_feature_align_forward(x, boxes, layout=layout, out=out)
    with pytest.raises(TypeError, match=r"^out must be a numpy array, got list$"):
        front.rotated_feature_align_forward(x, boxes, layout=layout, out=[])  # type: ignore[arg-type]
    for out in (None, (None,), numpy.empty(3)):
        with pytest.raises(ValueError, match=r"^out must be a tuple of 2$"):
            front.carafe_backward(x, x, x, 1, 1, 1, layout=layout, out=out)  # type: ignore[arg-type]


def test_out_shares_no_memory(rng: Any) -> None:
    x, boxes = maps(rng)
    with pytest.raises(ValueError, match=r"output"):
        front.rotated_feature_align_forward(x, boxes, out=x)
    both = numpy.zeros(2 * x.size, "float32")
    first, second = both[: x.size].reshape(x.shape), both[8 : x.size + 8].reshape(x.shape)
    with pytest.raises(BadParamError, match=r"output"):
        front.rotated_feature_align_forward(first, boxes, out=second)
    block = numpy.zeros((2, 4, 4, 8), "float32")
    with pytest.raises(ValueError, match=r"^out shares memory with input$"):
        front.rotated_feature_align_forward(block[:1].transpose(0, 2, 1, 3), boxes, out=block[:1])
    square = numpy.zeros((1, 4, 4, 4), "float32")
    with pytest.raises(ValueError, match=r"^out shares memory with input$"):
        front.rotated_feature_align_forward(square, boxes, layout="NCHW", out=square)
    numbers = numpy.zeros(2, "int32")
    numbers[0] = 1
    with pytest.raises(ValueError, match=r"^out shares memory with indice_num$"):
        front.indice_maxpool_forward(
            numpy.ones((1, 1), "float32"), [[[0], [0]]], numbers[:1], 1,
            out=numbers[:1].view("float32").reshape(1, 1),
        )  # fmt: skip
    # A neighbour in the same block is no overlap.
    front.rotated_feature_align_forward(block[:1].transpose(0, 2, 1, 3), boxes, out=block[1:])


def test_several_outs_share_no_memory(rng: Any) -> None:
    x, mask = rng.normal(size=(2, 2, 2, 3)), rng.normal(size=(1, 2, 2, 1))
    grad = numpy.ones((1, 2, 2, 3))
    spread, out = x[:1].transpose(0, 2, 1, 3), (None, x.reshape(-1)[:4].reshape(1, 2, 2, 1))
    with pytest.raises(ValueError, match=r"^out shares memory with input$"):
        front.carafe_backward(spread, mask, grad, 1, 1, 1, out=out)
    with pytest.raises(BadParamError, match="grad_mask"):
        front.carafe_backward(x[:1], mask, grad, 1, 1, 1, out=out)


def test_scalars_are_no_tensors() -> None:
    with pytest.raises(BadParamError, match="dimNb must be"):
        front.rotated_feature_align_forward(numpy.float32(1), numpy.float32(1))
    with pytest.raises(ValueError, match=r"^filters must have 3 dims or more, got shape \(\)$"):
        front.indice_conv_forward(numpy.float32(1), numpy.float32(1), numpy.int32(1), [1], 1)


def test_torch_tensors(rng: Any) -> None:
    torch = pytest.importorskip("torch")
    x, boxes = maps(rng)
    try:
        given = torch.tensor(x.tolist(), dtype=torch.float32)
        given.numpy()
    except RuntimeError:
        pytest.skip("this torch was built for another numpy")
    want = front.rotated_feature_align_forward(x, boxes)
    assert numpy.array_equal(front.rotated_feature_align_forward(given, boxes), want)


def test_refused_calls_write_nothing(rng: Any) -> None:
    x, boxes = maps(rng)
    out = numpy.full_like(x, 7)
    with pytest.raises(BadParamError):
        front.rotated_feature_align_forward(x, boxes, points=3, out=out)
    assert (out == 7).all()
