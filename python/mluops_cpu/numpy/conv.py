"""Sparse convolution and pooling over pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional

from .. import _calls
from ._arrays import Array, counts, floats, integers, output, size
from .pairs import get_indice_pairs  # noqa: F401 (the examples use it)


def _krsc(filter_layout: str) -> bool:
    if filter_layout not in ("RSCK", "KRSC"):
        raise ValueError(f"filter_layout must be 'RSCK' or 'KRSC', got {filter_layout!r}")
    return filter_layout == "KRSC"


def indice_conv_forward(
    features: Any,
    filters: Any,
    indice_pairs: Any,
    indice_num: Any,
    num_act_out: int,
    *,
    inverse: bool = False,
    filter_layout: str = "RSCK",
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """Sparse convolution: [L,Ci], filters [k...,Ci,Co] -> [num_act_out,Co].

    indice_pairs [K,2,L], indice_num [K] and num_act_out = len(out_indices) are get_indice_pairs'.
    filter_layout 'KRSC' takes filters [Co,k...,Ci]. inverse exchanges the two sides of the pairs.
    dtype and out: see mluops_cpu.numpy. BadParamError: other shapes, a pair that names a row that
    does not exist.

    >>> import numpy
    >>> pairs = get_indice_pairs([[0, 0], [0, 1], [0, 4]], 1, [5], kernel_size=3, subm=True)
    >>> filters = numpy.ones((3, 1, 1))
    >>> features = numpy.array([[1.0], [2.0], [4.0]])
    >>> indice_conv_forward(features, filters, pairs.indice_pairs, pairs.indice_num, 3).ravel()
    array([3., 3., 4.])
    """
    krsc = _krsc(filter_layout)
    source, read = floats(features, "features", dtype, out)
    weights, read_filters = floats(filters, "filters", dtype, out)
    pairs, read_pairs = integers(indice_pairs, "indice_pairs", out)
    _, _, outputs = _calls.filter_sizes(weights.shape, krsc)
    shape = (size(num_act_out, "num_act_out"), outputs)
    result, written = output(out, shape, source.dtype, read[2])
    _calls.indice_conv_forward(
        0, read, read_filters, read_pairs, counts(indice_num, out), written, bool(inverse), krsc
    )
    del pairs, weights, source  # referenced until the call has returned
    return result


def indice_conv_backward_data(
    grad_output: Any,
    filters: Any,
    indice_pairs: Any,
    indice_num: Any,
    num_act_in: int,
    *,
    inverse: bool = False,
    filter_layout: str = "RSCK",
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """The gradient of the features: [Y,Co], filters [k...,Ci,Co] -> [num_act_in,Ci].

    num_act_in is L, the rows of the features; the other arguments are those of indice_conv_forward.

    >>> import numpy
    >>> pairs = get_indice_pairs([[0, 0], [0, 1], [0, 4]], 1, [5], kernel_size=3, subm=True)
    >>> grad, filters = numpy.ones((3, 1)), numpy.ones((3, 1, 1))
    >>> indice_conv_backward_data(grad, filters, pairs.indice_pairs, pairs.indice_num, 3).ravel()
    array([2., 2., 1.])
    """
    krsc = _krsc(filter_layout)
    source, read = floats(grad_output, "grad_output", dtype, out)
    weights, read_filters = floats(filters, "filters", dtype, out)
    pairs, read_pairs = integers(indice_pairs, "indice_pairs", out)
    _, inputs, _ = _calls.filter_sizes(weights.shape, krsc)
    shape = (size(num_act_in, "num_act_in"), inputs)
    result, written = output(out, shape, source.dtype, read[2])
    _calls.indice_conv_backward_data(
        0, read, read_filters, read_pairs, counts(indice_num, out), written, bool(inverse), krsc
    )
    del pairs, weights, source
    return result


def indice_conv_backward_filter(
    features: Any,
    grad_output: Any,
    indice_pairs: Any,
    indice_num: Any,
    kernel_size: Iterable[int],
    *,
    inverse: bool = False,
    filter_layout: str = "RSCK",
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """The gradient of the filters: [L,Ci], [Y,Co] -> [k...,Ci,Co], or [Co,k...,Ci] for 'KRSC'.

    kernel_size gives k...; the other arguments are those of indice_conv_forward.

    >>> import numpy
    >>> pairs = get_indice_pairs([[0, 0], [0, 1], [0, 4]], 1, [5], kernel_size=3, subm=True)
    >>> x, grad = numpy.array([[1.0], [2.0], [4.0]]), numpy.ones((3, 1))
    >>> indice_conv_backward_filter(x, grad, pairs.indice_pairs, pairs.indice_num, [3]).ravel()
    array([1., 7., 2.])
    """
    krsc = _krsc(filter_layout)
    source, read = floats(features, "features", dtype, out)
    grad, read_grad = floats(grad_output, "grad_output", dtype, out)
    pairs, read_pairs = integers(indice_pairs, "indice_pairs", out)
    entries = kernel_size if isinstance(kernel_size, Iterable) else (kernel_size,)
    kernel = tuple(size(entry, "kernel_size") for entry in entries)
    inputs, outputs = source.shape[-1:], grad.shape[-1:]
    shape = (*outputs, *kernel, *inputs) if krsc else (*kernel, *inputs, *outputs)
    result, written = output(out, shape, source.dtype, read[2])
    _calls.indice_conv_backward_filter(
        0, read, read_grad, read_pairs, counts(indice_num, out), written, bool(inverse), krsc
    )
    del pairs, grad
    return result


def indice_maxpool_forward(
    features: Any,
    indice_pairs: Any,
    indice_num: Any,
    num_act_out: int,
    *,
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """Sparse max pooling: [L,C] -> [num_act_out,C], max(0, the window's values); NaN never wins.

    >>> import numpy
    >>> pairs = get_indice_pairs([[0, 0], [0, 1], [0, 4]], 1, [6], kernel_size=2, stride=2)
    >>> x = numpy.array([[1.0], [2.0], [-4.0]])
    >>> indice_maxpool_forward(x, pairs.indice_pairs, pairs.indice_num, 2).ravel()
    array([2., 0.])
    """
    source, read = floats(features, "features", dtype, out)
    pairs, read_pairs = integers(indice_pairs, "indice_pairs", out)
    shape = (size(num_act_out, "num_act_out"), *source.shape[-1:])
    result, written = output(out, shape, source.dtype, read[2])
    _calls.indice_maxpool_forward(0, read, read_pairs, counts(indice_num, out), written)
    del pairs, source
    return result


def indice_maxpool_backward(
    features: Any,
    pooled: Any,
    grad_out: Any,
    indice_pairs: Any,
    indice_num: Any,
    *,
    dtype: Optional[str] = None,
    out: Optional[Array] = None,
) -> Array:
    """The gradient of max pooling: features [L,C], pooled and grad_out [Y,C] -> [L,C].

    grad_out goes to every pair whose input equals the output.

    >>> import numpy
    >>> pairs = get_indice_pairs([[0, 0], [0, 1], [0, 4]], 1, [6], kernel_size=2, stride=2)
    >>> x, pooled = numpy.array([[1.0], [2.0], [-4.0]]), numpy.array([[2.0], [0.0]])
    >>> grad = numpy.array([[5.0], [7.0]])
    >>> indice_maxpool_backward(x, pooled, grad, pairs.indice_pairs, pairs.indice_num).ravel()
    array([0., 5., 0.])
    """
    source, read = floats(features, "features", dtype, out)
    most, read_most = floats(pooled, "pooled", dtype, out)
    grad, read_grad = floats(grad_out, "grad_out", dtype, out)
    pairs, read_pairs = integers(indice_pairs, "indice_pairs", out)
    result, written = output(out, source.shape, source.dtype, read[2])
    _calls.indice_maxpool_backward(
        0, read, read_most, read_grad, read_pairs, counts(indice_num, out), written
    )
    del pairs, grad, most
    return result
