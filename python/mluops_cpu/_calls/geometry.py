"""The geometry of sparse convolutions in plain Python: output shapes and bounds."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from .common import elements


class Geometry(NamedTuple):
    """One layer on one space; all tuples have ndim entries, slowest axis first.

    With subm, stride is taken as 1, padding as (kernel // 2) * dilation and out_shape as
    spatial_shape.
    """

    batch_size: int
    spatial_shape: tuple[int, ...]
    out_shape: tuple[int, ...]
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    subm: bool = False
    transpose: bool = False


def conv_output_shape(
    spatial_shape: Sequence[int],
    kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> tuple[int, ...]:
    """(I + 2p - d(k-1) - 1) // s + 1 on each axis; a kernel of -1 spans the axis and gives 1.

    >>> conv_output_shape((41, 1600, 1408), (3, 3, 3), (2, 2, 2), (1, 1, 1), (1, 1, 1))
    (21, 800, 704)
    """
    return tuple(
        # A stride below 1 is for C to refuse, not for a division by zero.
        1 if k == -1 else (i + 2 * p - d * (k - 1) - 1) // max(s, 1) + 1
        for i, k, s, p, d in zip(spatial_shape, kernel_size, stride, padding, dilation)
    )


def deconv_output_shape(
    spatial_shape: Sequence[int],
    kernel_size: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    output_padding: Sequence[int],
) -> tuple[int, ...]:
    """(I - 1)s - 2p + k + output_padding; dilation does not enter, as in mmcv and spconv.

    >>> deconv_output_shape((5,), (3,), (2,), (1,), (1,), (1,))
    (10,)
    """
    if -1 in kernel_size:
        raise ValueError("kernel_size of a transposed convolution must be at least 1, got -1")
    return tuple(
        (i - 1) * s - 2 * p + k + extra
        for i, k, s, p, extra in zip(spatial_shape, kernel_size, stride, padding, output_padding)
    )


def out_rows_bound(rows: int, geometry: Geometry) -> int:
    """The most output sites that `rows` input rows can meet.

    An input meets, on each axis, the offsets of one residue class modulo s / gcd(s, d).

    >>> out_rows_bound(10, Geometry(1, (9,), (5,), (3,), (2,), (1,), (1,)))
    5
    """
    if geometry.subm:
        return rows
    met = rows
    for k, s, d in zip(geometry.kernel_size, geometry.stride, geometry.dilation):
        met *= k if geometry.transpose else -(-k * gcd(s, d) // max(s, 1))
    return max(0, min(met, max(geometry.batch_size, 0) * elements(geometry.out_shape)))
