"""The window of a sparse layer: output shapes, and pairs by way of the pair cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional, Union

import torch

from .. import _calls
from .._errors import BadParamError
from .._torch import ops as _ops
from .._torch.pairs import Built, Geometry, PairCache

Sizes = Union[int, Sequence[int]]


class Window(NamedTuple):
    """Kernel size, stride, padding, dilation, output padding (one number per axis) and kind."""

    kernel: Sequence[int]
    stride: Sequence[int]
    padding: Sequence[int]
    dilation: Sequence[int]
    output_padding: Sequence[int]
    subm: bool = False
    transposed: bool = False


def per_axis(value: Sizes, ndim: int, name: str) -> Sequence[int]:
    """A list or tuple as it is, a scalar as a list of ndim."""
    if not isinstance(value, (list, tuple)):
        return [value] * ndim  # type: ignore[list-item]
    if len(value) != ndim:
        raise ValueError(f"{name} must have {ndim} numbers, got {len(value)}")
    return value


def require_stride_or_dilation_1(stride: Sequence[int], dilation: Sequence[int]) -> None:
    """AssertionError if on some axis neither is 1, as in mmcv."""
    for axis, (s, d) in enumerate(zip(stride, dilation)):
        if s != 1 and d != 1:
            raise AssertionError(f"stride or dilation must be 1, got {s} and {d} on axis {axis}")


def get_conv_output_size(
    input_size: Sequence[int],
    kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> list[int]:
    """Spatial shape of a convolution's output; a kernel of -1 covers the axis and gives 1.

    >>> from mluops_cpu.ops.sparse_ops import get_conv_output_size
    >>> get_conv_output_size([41, 1440], [3, 3], [2, 2], [0, 1], [1, 1])
    [20, 720]
    """
    return list(_calls.conv_output_shape(input_size, kernel_size, stride, padding, dilation))


def get_deconv_output_size(
    input_size: Sequence[int],
    kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    output_padding: Sequence[int],
) -> list[int]:
    """Spatial shape of a transposed convolution's output. As in mmcv, dilation does not enter.

    Raises ValueError for a kernel of -1.

    >>> from mluops_cpu.ops.sparse_ops import get_deconv_output_size
    >>> get_deconv_output_size([20], [3], [2], [1], [1], [1])
    [40]
    """
    given = (input_size, kernel_size, stride, padding, dilation, output_padding)
    return list(_calls.deconv_output_shape(*given))


def output_shape(window: Window, spatial_shape: Sequence[int]) -> Sequence[int]:
    """Spatial shape of a layer's output; BadParamError if an axis is below 1."""
    if window.subm:
        return spatial_shape
    sizes = [int(size) for size in spatial_shape]
    plain = (window.kernel, window.stride, window.padding, window.dilation)
    if window.transposed:
        shape = get_deconv_output_size(sizes, *plain, window.output_padding)
    else:
        shape = get_conv_output_size(sizes, *plain)
    for axis, size in enumerate(shape):
        if size < 1:
            raise BadParamError(
                f"output shape must be at least 1 on axis {axis}, got {size} from an input of"
                f" {sizes[axis]} with kernel_size {window.kernel[axis]}, stride"
                f" {window.stride[axis]}, padding {window.padding[axis]}, dilation"
                f" {window.dilation[axis]}"
            )
    return shape


def window_pairs(
    window: Window,
    indices: torch.Tensor,
    batch_size: int,
    spatial_shape: Sequence[int],
    out_shape: Sequence[int],
    cache: Optional[PairCache] = None,
) -> Built:
    """Output sites, pairs and counts of int32 sites; from the cache if it has them."""
    geometry = _geometry(window, batch_size, spatial_shape, out_shape)
    found = None if cache is None else cache.find(indices, geometry)
    if found is not None:
        return found
    if window.subm:
        built = Built(indices, *_ops.subm_pairs(indices, *geometry))
    else:
        built = Built(*_ops.pairs(indices, *geometry))
    if cache is not None:
        cache.add(indices, geometry, built)
    return built


def _geometry(
    window: Window, batch_size: int, spatial_shape: Sequence[int], out_shape: Sequence[int]
) -> Geometry:
    """Everything but the sites that decides the pairs, in the order of the operators' arguments."""
    space, kernel, dilation = _ints(spatial_shape), _ints(window.kernel), _ints(window.dilation)
    if window.subm:
        return int(batch_size), space, kernel, dilation
    stride, padding = _ints(window.stride), _ints(window.padding)
    out = _ints(out_shape)
    transposed = bool(window.transposed)
    return int(batch_size), space, out, kernel, stride, padding, dilation, transposed


def _ints(values: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(value) for value in values)
