"""The operators on numpy arrays. No gradients are kept: backward functions are called by hand.

dtypes: float16, float32, float64; bfloat16 as an array whose dtype has that name (ml_dtypes), or as
uint16 bits with ``dtype='bfloat16'``. One dtype per call, the result has it. Indices may have any
integer dtype and are converted to int32. Inputs are whatever ``numpy.asarray`` or
``numpy.from_dlpack`` takes; they are copied only if they are not C-contiguous. `out` has the exact
shape and dtype, is C-contiguous and writable and shares no memory with an input (ValueError); it is
returned. For several results it is a tuple with None where one is to be allocated. Maps are
[N,H,W,C], or [N,C,H,W] with ``layout='NCHW'``, which costs copies.

>>> import numpy
>>> from mluops_cpu.numpy import get_indice_pairs, indice_conv_forward
>>> sites = numpy.array([[0, 1, 1, 1], [0, 1, 1, 2]])  # batch, z, y, x
>>> pairs = get_indice_pairs(sites, 1, (4, 4, 4), kernel_size=3, subm=True)
>>> filters = numpy.ones((3, 3, 3, 2, 1), "f4")
>>> x = numpy.ones((2, 2), "f4")
>>> indice_conv_forward(x, filters, pairs.indice_pairs, pairs.indice_num, 2)
array([[4.],
       [4.]], dtype=float32)
"""

from __future__ import annotations

from .align import rotated_feature_align_backward, rotated_feature_align_forward
from .carafe import carafe_backward, carafe_forward
from .conv import (
    indice_conv_backward_data,
    indice_conv_backward_filter,
    indice_conv_forward,
    indice_maxpool_backward,
    indice_maxpool_forward,
)
from .overlap import box_iou_rotated, boxes_overlap_bev, nms, nms3d, nms_rotated
from .pairs import IndicePairs, get_indice_pairs
from .roi_align import roi_align_backward, roi_align_forward
from .roiaware import (
    points_in_boxes_all,
    points_in_boxes_part,
    roiaware_pool3d_backward,
    roiaware_pool3d_forward,
)
from .voxel import (
    Scattered,
    Voxels,
    dynamic_scatter_backward,
    dynamic_scatter_forward,
    dynamic_voxelize,
    voxelization,
)

__all__ = [
    "IndicePairs",
    "Scattered",
    "Voxels",
    "box_iou_rotated",
    "boxes_overlap_bev",
    "carafe_backward",
    "carafe_forward",
    "dynamic_scatter_backward",
    "dynamic_scatter_forward",
    "dynamic_voxelize",
    "get_indice_pairs",
    "indice_conv_backward_data",
    "indice_conv_backward_filter",
    "indice_conv_forward",
    "indice_maxpool_backward",
    "indice_maxpool_forward",
    "nms",
    "nms3d",
    "nms_rotated",
    "points_in_boxes_all",
    "points_in_boxes_part",
    "roi_align_backward",
    "roi_align_forward",
    "roiaware_pool3d_backward",
    "roiaware_pool3d_forward",
    "rotated_feature_align_backward",
    "rotated_feature_align_forward",
    "voxelization",
]
