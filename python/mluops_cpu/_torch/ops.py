"""The operators as callables: registered with torch where it can trace them, else plain functions.

From torch 2.1 each name below is `torch.ops.mluops_cpu.<name>.default`, with a kernel for the CPU
and a fake for tensors without data, so that torch.compile, fake tensors and the profiler know it.
They are registered with a Library directly: `custom_op` wraps every call in several Python frames.
They have no gradients of their own, those are in `autograd`. No operator returns one of its inputs
or a view of one.
"""

from __future__ import annotations

from typing import Any, Callable

import torch

from . import fakes, kernels

NAMESPACE = "mluops_cpu"

_GRAD = "Tensor grad_output, Tensor features, Tensor masks"
_SIZES = "int kernel_size, int group_size, int scale_factor"
_PAIRS = "Tensor P, Tensor n"
_GRID = "float[] voxel_size, float[] coors_range"
_SAMPLING = "float spatial_scale, int sampling_ratio, int mode, bool aligned"

SCHEMAS = (
    f"carafe(Tensor features, Tensor masks, {_SIZES}) -> Tensor",
    f"carafe_backward({_GRAD}, {_SIZES}) -> (Tensor, Tensor)",
    f"carafe_backward_features({_GRAD}, {_SIZES}) -> Tensor",
    f"carafe_backward_masks({_GRAD}, {_SIZES}) -> Tensor",
    "rotated_feature_align(Tensor features, Tensor best_rbboxes, float spatial_scale, int points)"
    " -> Tensor",
    "rotated_feature_align_backward(Tensor grad_output, Tensor best_rbboxes, float spatial_scale,"
    " int points) -> Tensor",
    "roiaware_pool3d(Tensor rois, Tensor pts, Tensor pts_feature, int[3] out_size,"
    " int max_pts_per_voxel, int mode) -> (Tensor, Tensor, Tensor)",
    "roiaware_pool3d_backward(Tensor pts_idx, Tensor argmax, Tensor grad_out, SymInt num_pts,"
    " int mode) -> Tensor",
    "points_in_boxes(Tensor points, Tensor boxes, bool all) -> Tensor",
    "subm_pairs(Tensor indices, int batch_size, int[] shape, int[] ksize, int[] dilation)"
    " -> (Tensor, Tensor)",
    "pairs(Tensor indices, int batch_size, int[] shape, int[] out_shape, int[] ksize, int[] stride,"
    " int[] padding, int[] dilation, bool transpose) -> (Tensor, Tensor, Tensor)",
    f"indice_conv(Tensor features, Tensor filters, {_PAIRS}, SymInt rows, bool inverse, bool krsc)"
    " -> Tensor",
    f"indice_conv_data(Tensor grad, Tensor filters, {_PAIRS}, SymInt rows, bool inverse, bool krsc)"
    " -> Tensor",
    f"indice_conv_filter(Tensor features, Tensor grad, {_PAIRS}, int[] shape, bool inverse,"
    " bool krsc) -> Tensor",
    f"indice_maxpool(Tensor features, {_PAIRS}, SymInt rows) -> Tensor",
    f"indice_maxpool_backward(Tensor features, Tensor pooled, Tensor grad, {_PAIRS}) -> Tensor",
    f"indice_avgpool(Tensor features, {_PAIRS}, SymInt rows) -> Tensor",
    f"indice_avgpool_backward(Tensor grad, {_PAIRS}, SymInt rows) -> Tensor",
    f"voxelization(Tensor points, {_GRID}, int max_points, int max_voxels)"
    " -> (Tensor, Tensor, Tensor)",
    f"dynamic_voxelize(Tensor points, {_GRID}) -> Tensor",
    "dynamic_scatter(Tensor feats, Tensor coors, int mode) -> (Tensor, Tensor, Tensor, Tensor)",
    "dynamic_scatter_backward(Tensor grad, Tensor feats, Tensor voxel_feats, Tensor point2voxel,"
    " Tensor counts, int mode) -> Tensor",
    "box_iou_rotated(Tensor bboxes1, Tensor bboxes2, int mode, bool aligned) -> Tensor",
    "boxes_overlap_bev(Tensor boxes_a, Tensor boxes_b) -> Tensor",
    "nms(Tensor boxes, Tensor scores, float iou_threshold, int offset) -> Tensor",
    "nms_rotated(Tensor boxes, Tensor scores, float iou_threshold) -> Tensor",
    "nms3d(Tensor boxes, float iou_threshold, bool ignore_heading) -> Tensor",
    f"roi_align(Tensor input, Tensor rois, int[2] output_size, {_SAMPLING})"
    " -> (Tensor, Tensor, Tensor)",
    "roi_align_backward(Tensor grad, Tensor rois, Tensor argmax_y, Tensor argmax_x,"
    f" SymInt[] input_shape, {_SAMPLING}, bool channels_last) -> Tensor",
)

# register_fake: 2.4. impl_abstract: 2.1 to 2.3, which do not know the tags; graphs may break there.
_register_fake: Any = getattr(torch.library, "register_fake", None)
_abstract: Any = _register_fake or getattr(torch.library, "impl_abstract", None)

REGISTERED = _abstract is not None


def _tags() -> dict[str, Any]:
    """Strides matter to the kernels' formats, so inductor must pass what it traced."""
    if _register_fake is None:
        return {}
    return {"tags": (torch.Tag.pt2_compliant_tag, torch.Tag.needs_fixed_stride_order)}


# Any: Library is not typed. Kept: the registrations end with it.
_Library: Any = torch.library.Library
_library = _Library(NAMESPACE, "DEF") if REGISTERED else None


def _operator(name: str, schema: str) -> Callable[..., Any]:
    kernel: Callable[..., Any] = getattr(kernels, name)
    if _library is None:
        return kernel
    _library.define(schema, **_tags())
    _library.impl(name, kernel, "CPU")
    _abstract(f"{NAMESPACE}::{name}", getattr(fakes, name), lib=_library)
    overload: Callable[..., Any] = getattr(torch.ops.mluops_cpu, name).default
    return overload


_operators = {
    name: _operator(name, schema) for schema in SCHEMAS for name in (schema.split("(", 1)[0],)
}

carafe = _operators["carafe"]
carafe_backward = _operators["carafe_backward"]
carafe_backward_features = _operators["carafe_backward_features"]
carafe_backward_masks = _operators["carafe_backward_masks"]
rotated_feature_align = _operators["rotated_feature_align"]
rotated_feature_align_backward = _operators["rotated_feature_align_backward"]
roiaware_pool3d = _operators["roiaware_pool3d"]
roiaware_pool3d_backward = _operators["roiaware_pool3d_backward"]
points_in_boxes = _operators["points_in_boxes"]
subm_pairs = _operators["subm_pairs"]
pairs = _operators["pairs"]
indice_conv = _operators["indice_conv"]
indice_conv_data = _operators["indice_conv_data"]
indice_conv_filter = _operators["indice_conv_filter"]
indice_maxpool = _operators["indice_maxpool"]
indice_maxpool_backward = _operators["indice_maxpool_backward"]
indice_avgpool = _operators["indice_avgpool"]
indice_avgpool_backward = _operators["indice_avgpool_backward"]
voxelization = _operators["voxelization"]
dynamic_voxelize = _operators["dynamic_voxelize"]
dynamic_scatter = _operators["dynamic_scatter"]
dynamic_scatter_backward = _operators["dynamic_scatter_backward"]
box_iou_rotated = _operators["box_iou_rotated"]
boxes_overlap_bev = _operators["boxes_overlap_bev"]
nms = _operators["nms"]
nms_rotated = _operators["nms_rotated"]
nms3d = _operators["nms3d"]
roi_align = _operators["roi_align"]
roi_align_backward = _operators["roi_align_backward"]
