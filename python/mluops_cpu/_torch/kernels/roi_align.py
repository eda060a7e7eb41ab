"""RoI align on CPU tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from torch import Tensor

from mluops_cpu import _calls

from ..layout import empty_nhwc, from_nhwc, is_channels_last, to_nhwc
from ..openmp import threads
from ..records import Record, check_map, floating, nhwc

_MAX = 0


def roi_align(
    input: Tensor,
    rois: Tensor,
    output_size: Sequence[int],
    spatial_scale: float,
    sampling_ratio: int,
    mode: int,
    aligned: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """[N,C,H,W], [K,5] → [K,C,PH,PW] in the format of `input`, and its argmax_y and argmax_x.

    mode is 0 for maxima, 1 for averages; these have no argmax, the two tensors are empty.
    """
    check_map("input", input)
    x, boxes = to_nhwc(input), rois.contiguous()
    height, width = output_size
    # A size below 1 is for C to refuse.
    shape = (*boxes.shape[:1], input.shape[1], max(height, 0), max(width, 0))
    out = empty_nhwc(shape, input.dtype)
    argmax = [empty_nhwc(shape, input.dtype) for _ in range(2)] if mode == _MAX else []
    y_record, x_record = _records(argmax)
    _calls.roi_align_forward(
        threads(),
        nhwc("input", x),
        floating("rois", boxes),
        nhwc("output", out),
        y_record,
        x_record,
        (height, width),
        spatial_scale,
        sampling_ratio,
        mode,
        aligned,
    )
    last = is_channels_last(input)
    if mode == _MAX:
        return from_nhwc(out, last), from_nhwc(argmax[0], last), from_nhwc(argmax[1], last)
    return from_nhwc(out, last), input.new_empty(0), input.new_empty(0)


def roi_align_backward(
    grad: Tensor,
    rois: Tensor,
    argmax_y: Tensor,
    argmax_x: Tensor,
    input_shape: Sequence[int],
    spatial_scale: float,
    sampling_ratio: int,
    mode: int,
    aligned: bool,
    channels_last: bool,
) -> Tensor:
    """Gradient of `input_shape` for the map, from `grad` [K,C,PH,PW]."""
    check_map("grad_output", grad)
    g, boxes = to_nhwc(grad), rois.contiguous()
    out = empty_nhwc(input_shape, grad.dtype)
    argmax = [to_nhwc(argmax_y), to_nhwc(argmax_x)] if mode == _MAX else []
    y_record, x_record = _records(argmax)
    _calls.roi_align_backward(
        threads(),
        nhwc("grad_output", g),
        floating("rois", boxes),
        y_record,
        x_record,
        nhwc("grad_input", out),
        spatial_scale,
        sampling_ratio,
        mode,
        aligned,
    )
    return from_nhwc(out, channels_last)


def _records(argmax: Sequence[Tensor]) -> tuple[Optional[Record], Optional[Record]]:
    if not argmax:
        return None, None
    y, x = argmax
    return nhwc("argmax_y", y), nhwc("argmax_x", x)
