"""Layouts of convolution weights in checkpoints, told apart and brought into a layer's own.

RSCK = [k...,in,out] (mmcv, spconv 1), KRSC = [out,k...,in] (spconv 2), RSKC = [k...,out,in].
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from typing import Any, Optional

import torch

_LOG = logging.getLogger("mluops_cpu")
_loads = threading.local()

# In this order shapes are compared once a layer's own layout does not fit.
LAYOUTS = ("RSCK", "KRSC", "RSKC")


def shape_in(layout: str, kernel: Sequence[int], channels_in: int, channels_out: int) -> list[int]:
    """Shape of a layer's weight in a layout."""
    axes = {"R": list(kernel), "S": [], "C": [channels_in], "K": [channels_out]}
    return [size for letter in layout for size in axes[letter]]


def incoming_layout(
    shape: Sequence[int],
    own: str,
    kernel: Sequence[int],
    channels_in: int,
    channels_out: int,
    version: Optional[int],
) -> str:
    """Layout of a checkpoint's weight; if nothing fits the own, so that torch reports the shape.

    First that applies: the environment's SPCONV_SAVED_WEIGHT_LAYOUT, read at each load; metadata of
    version 2, which mmdet3d gives to spconv 2; the first layout with this shape, beginning with the
    own.
    """
    forced = os.environ.get("SPCONV_SAVED_WEIGHT_LAYOUT", "")
    if forced:
        if forced not in LAYOUTS:
            names = ", ".join(LAYOUTS)
            raise ValueError(f"SPCONV_SAVED_WEIGHT_LAYOUT must be one of {names}, got {forced!r}")
        return forced
    if version == 2:
        return "KRSC"
    for layout in (own, *LAYOUTS):
        if list(shape) == shape_in(layout, kernel, channels_in, channels_out):
            return layout
    return own


def convert(weight: torch.Tensor, layout: str, own: str) -> torch.Tensor:
    """A weight [any layout] in the own layout, contiguous."""
    if layout == own:
        return weight
    ndim = weight.dim() - 2
    position = _positions(layout, ndim)
    order = [position[letter] for letter in sorted(position, key=_positions(own, ndim).__getitem__)]
    return weight.detach().permute(order).contiguous()


def adopt(
    state_dict: Any, key: str, layer: Any, own: str, version: Optional[int], load: object
) -> None:
    """Replaces state_dict[key] by the weight in the layer's own layout, and logs a foreign one.

    `load` is an object that all modules of one load_state_dict share: the message appears once for
    it.
    """
    weight = state_dict.get(key)
    if not isinstance(weight, torch.Tensor) or weight.dim() != layer.ndim + 2:
        return
    kernel, channels = list(layer.kernel_size), (layer.in_channels, layer.out_channels)
    layout = incoming_layout(weight.shape, own, kernel, *channels, version)
    if layout == own:
        return
    if layer.conv1x1 and {layout, own} == {"RSCK", "KRSC"}:
        # spconv 2 multiplies by weight.view(in, out) whatever the axes are called: memory order is
        # what a trained 1x1 layer means.
        if weight.numel() == layer.in_channels * layer.out_channels:
            state_dict[key] = weight.detach().reshape(shape_in(own, kernel, *channels))
    else:
        state_dict[key] = convert(weight, layout, own)
    _log_once(layout, own, load)


def _positions(layout: str, ndim: int) -> dict[str, int]:
    """First axis of a weight for each letter; kernel axes count as letters "0".."ndim-1"."""
    letters: list[str] = []
    for letter in layout.replace("S", ""):
        letters += [str(axis) for axis in range(ndim)] if letter == "R" else [letter]
    return {letter: axis for axis, letter in enumerate(letters)}


def _log_once(layout: str, own: str, load: object) -> None:
    # The object is kept, so that its identity is not given to the next load.
    if getattr(_loads, "load", None) is not load:
        _loads.load, _loads.layouts = load, set()
    if layout not in _loads.layouts:
        _loads.layouts.add(layout)
        _LOG.info("loading sparse convolution weights of layout %s into %s", layout, own)
