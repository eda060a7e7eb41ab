"""One function per C operator on records; knows neither numpy nor torch.

The first parameter of each call is the number of threads its front asks for, 0 for the handle's
default. Outputs are records of uninitialised memory of the exact shape. Empty problems never reach
C, which leaves outputs untouched or refuses them: they are filled with zeros here (argmax and box
indices with -1).
"""

from __future__ import annotations

from .align import rotated_feature_align_backward, rotated_feature_align_forward
from .boxes import points_in_boxes_all, points_in_boxes_part
from .carafe import carafe_backward, carafe_forward
from .common import Record
from .conv import (
    filter_sizes,
    indice_conv_backward_data,
    indice_conv_backward_filter,
    indice_conv_forward,
)
from .geometry import Geometry, conv_output_shape, deconv_output_shape, out_rows_bound
from .overlap import box_iou_rotated, boxes_overlap_bev, nms, nms3d, nms_rotated
from .pairs import get_indice_pairs
from .pool import (
    indice_avgpool_backward,
    indice_avgpool_forward,
    indice_maxpool_backward,
    indice_maxpool_forward,
)
from .roi_align import roi_align_backward, roi_align_forward
from .roiaware import roiaware_pool3d_backward, roiaware_pool3d_forward
from .scatter import dynamic_scatter_backward, dynamic_scatter_forward
from .voxel import dynamic_voxelize, voxelization

__all__ = [
    "Geometry",
    "Record",
    "box_iou_rotated",
    "boxes_overlap_bev",
    "carafe_backward",
    "carafe_forward",
    "conv_output_shape",
    "deconv_output_shape",
    "dynamic_scatter_backward",
    "dynamic_scatter_forward",
    "dynamic_voxelize",
    "filter_sizes",
    "get_indice_pairs",
    "indice_avgpool_backward",
    "indice_avgpool_forward",
    "indice_conv_backward_data",
    "indice_conv_backward_filter",
    "indice_conv_forward",
    "indice_maxpool_backward",
    "indice_maxpool_forward",
    "nms",
    "nms3d",
    "nms_rotated",
    "out_rows_bound",
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
