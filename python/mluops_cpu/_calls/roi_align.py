"""RoI align: input [N,H,W,C], rois [K,5] (image, x1, y1, x2, y2), output [K,PH,PW,C].

mode is 0 for the maximum, 1 for the average; only a maximum has an argmax.
"""

from __future__ import annotations

from typing import Any, Optional

from .._native import LAYOUT_ARRAY, LAYOUT_NHWC, acquire, c, fail, int32
from .common import Record, fill

MAX, AVERAGE = 0, 1


def roi_align_forward(
    threads: int,
    input: Record,
    rois: Record,
    output: Record,
    argmax_y: Optional[Record],
    argmax_x: Optional[Record],
    output_size: tuple[int, int],
    spatial_scale: float,
    sampling_ratio: int,
    mode: int,
    aligned: bool,
) -> None:
    """Writes output [K,PH,PW,C] and, for a maximum, where it was: argmax_y and argmax_x."""
    state = acquire(threads)
    key = (*output_size, sampling_ratio, spatial_scale, mode, aligned)
    sampling = state.roi_aligns[key]
    if 0 in output[1]:  # no RoIs: torch and numpy have no address for C
        return
    find = state.descriptors
    status = c.mluOpRoiAlignForward_v2(
        state.handle,
        sampling,
        find[LAYOUT_NHWC, input[2], input[1]],
        input[0],
        find[LAYOUT_ARRAY, rois[2], rois[1]],
        rois[0],
        *_maps(find, output, argmax_x, argmax_y),
    )
    if status:
        fail("mluOpRoiAlignForward_v2", status)


def roi_align_backward(
    threads: int,
    grad_output: Record,
    rois: Record,
    argmax_y: Optional[Record],
    argmax_x: Optional[Record],
    grad_input: Record,
    spatial_scale: float,
    sampling_ratio: int,
    mode: int,
    aligned: bool,
) -> None:
    """Writes grad_input [N,H,W,C] from grad_output [K,PH,PW,C] and the forward's argmax."""
    if 0 in grad_output[1] or 0 in grad_input[1]:
        return fill(grad_input)
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpRoiAlignBackward_v2(
        state.handle,
        find[LAYOUT_NHWC, grad_output[2], grad_output[1]],
        grad_output[0],
        find[LAYOUT_ARRAY, rois[2], rois[1]],
        rois[0],
        *_maps(find, argmax_x, argmax_y),
        spatial_scale,
        int32(sampling_ratio, "sampling_ratio"),
        aligned,
        mode,
        find[LAYOUT_NHWC, grad_input[2], grad_input[1]],
        grad_input[0],
    )
    if status:
        fail("mluOpRoiAlignBackward_v2", status)
    return None


def _maps(find: Any, *records: Optional[Record]) -> list[Any]:
    """Descriptor and address of each map, null where there is none."""
    found: list[Any] = []
    for record in records:
        found += (
            (None, None) if record is None else (find[LAYOUT_NHWC, record[2], record[1]], record[0])
        )
    return found
