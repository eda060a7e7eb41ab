"""The forward pass of a sparse convolution, for our layers and for mmcv's."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional

import torch

from .._errors import BadParamError
from .._torch import amp
from .._torch.pairs import cache_of
from ._sparse_window import Window, output_shape, window_pairs
from .sparse_functional import convolve
from .sparse_structure import as_int32, successor


def run_layer(layer: Any, input: Any, tensor_class: Callable[..., Any]) -> Any:
    """SparseConvolution.forward for any layer with its attributes and any tensor class."""
    window = Window(
        layer.kernel_size,
        layer.stride,
        layer.padding,
        layer.dilation,
        layer.output_padding,
        layer.subm,
        layer.transposed,
    )
    # An inverse layer has the shape of its entry.
    shape = None if layer.inverse else output_shape(window, input.spatial_shape)
    dtype = amp.autocast_dtype()
    features, weight = amp.reduced(input.features, dtype), amp.reduced(layer.weight, dtype)
    bias = None if layer.bias is None else amp.reduced(layer.bias, dtype)
    if layer.conv1x1:
        result = _product(features, weight.reshape(layer.in_channels, layer.out_channels), bias)
        indices = as_int32(input.indices)
        return successor(input, result, indices, input.spatial_shape, tensor_class)
    if layer.fused_bn and bias is None:
        raise AssertionError("fused_bn needs a bias")
    if layer.inverse:
        outids, pairs, num, shape = _inverse_pairs(layer, input)
    else:
        outids, pairs, num = _pairs(layer, window, input, shape)
    result = convolve(features, weight, pairs, num, outids.shape[0], layer.inverse)
    if bias is not None:
        result += bias
    return successor(input, result, outids, shape, tensor_class)  # type: ignore[arg-type]


def _product(
    features: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor]
) -> torch.Tensor:
    """features [L,Ci] @ weight [Ci,Co] + bias."""
    if features.dtype != weight.dtype:
        # As C says of the other kernels.
        raise BadParamError(
            f"features and weight must have one dtype, got {features.dtype} and {weight.dtype}"
        )
    if features.dtype != torch.float16:
        result = torch.mm(features, weight)
        return result if bias is None else result + bias
    # torch 1.13 has no product of halves on the CPU; in float32 the result is rounded once.
    with torch.autocast("cpu", enabled=False):
        result = torch.mm(features.float(), weight.float())
        return (result if bias is None else result + bias.float()).half()


def _pairs(layer: Any, window: Window, input: Any, shape: Any) -> tuple[Any, Any, Any]:
    """Output sites, pairs and counts: of the key, of the cache, or built."""
    data = input.find_indice_pair(layer.indice_key)
    if data is not None:
        outids, _, pairs, num, _ = data
        _check_entry(layer, input, pairs, pairs.shape[2])
        return outids, pairs, num
    indices, space = as_int32(input.indices), input.spatial_shape
    outids, pairs, num = window_pairs(
        window, indices, input.batch_size, space, shape, cache_of(input)
    )
    # mmcv keeps pairs under the key None as well, where any layer may overwrite them.
    if layer.indice_key is not None:
        input.indice_dict[layer.indice_key] = (outids, indices, pairs, num, space)
    return outids, pairs, num


def _inverse_pairs(layer: Any, input: Any) -> tuple[Any, Any, Any, Any]:
    """Input sites, pairs, counts and spatial shape of the coupled layer."""
    data = input.find_indice_pair(layer.indice_key)
    if data is None:
        raise AssertionError(f"an inverse layer needs pairs of its indice_key {layer.indice_key!r}")
    coupled, outids, pairs, num, shape = data
    if pairs.shape[0] != math.prod(layer.kernel_size):
        raise AssertionError(
            f"an inverse layer needs the kernel size of its coupled layer,"
            f" {pairs.shape[0]} offsets, got {list(layer.kernel_size)}"
        )
    _check_entry(layer, input, pairs, coupled.shape[0])
    return outids, pairs, num, shape


def _check_entry(layer: Any, input: Any, pairs: torch.Tensor, rows: int) -> None:
    """BadParamError unless pairs found under a key fit the kernel and the input's rows."""
    offsets = math.prod(layer.kernel_size)
    if pairs.shape[0] != offsets or rows != input.features.shape[0]:
        raise BadParamError(
            f"indice_key {layer.indice_key!r} holds pairs of {pairs.shape[0]} offsets and"
            f" {rows} rows, the layer has {offsets} offsets and {input.features.shape[0]} rows"
        )
