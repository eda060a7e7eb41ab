"""RoI align of `mmcv._ext`."""

from __future__ import annotations

from torch import Tensor

from ..._torch import amp
from ..._torch import ops as _ops
from ..._torch.layout import is_channels_last
from .outputs import write

_MAX = 0


def roi_align_forward(
    input: Tensor,
    rois: Tensor,
    output: Tensor,
    argmax_y: Tensor,
    argmax_x: Tensor,
    aligned_height: int,
    aligned_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    pool_mode: int,
    aligned: bool,
) -> None:
    """[N,C,H,W], rois [K,5] -> output [K,C,PH,PW]; its argmax for a maximum (pool_mode 0) only."""
    dtype = amp.computing_dtype(input.dtype, rois.dtype)
    args = (input.detach().to(dtype), rois.detach().to(dtype), (aligned_height, aligned_width))
    sampling = (float(spatial_scale), int(sampling_ratio), pool_mode, bool(aligned))
    found = _ops.roi_align(*args, *sampling)
    outputs = {"output": output}
    if pool_mode == _MAX:
        outputs.update(argmax_y=argmax_y, argmax_x=argmax_x)
    for (name, out), value in zip(outputs.items(), found):
        write(name, out, value.to(input.dtype))


def roi_align_backward(
    grad_output: Tensor,
    rois: Tensor,
    argmax_y: Tensor,
    argmax_x: Tensor,
    grad_input: Tensor,
    aligned_height: int,
    aligned_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    pool_mode: int,
    aligned: bool,
) -> None:
    """grad_output [K,C,PH,PW] -> grad_input [N,C,H,W], overwritten (mmcv adds to zeros)."""
    dtype = amp.computing_dtype(grad_output.dtype, rois.dtype)
    tensors = [each.detach().to(dtype) for each in (grad_output, rois, argmax_y, argmax_x)]
    sampling = (float(spatial_scale), int(sampling_ratio), pool_mode, bool(aligned))
    shape, last = grad_input.shape, is_channels_last(grad_input)
    found = _ops.roi_align_backward(*tensors, shape, *sampling, last)
    write("grad_input", grad_input, found.to(grad_output.dtype))
