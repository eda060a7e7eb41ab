"""The operators on CPU tensors: tensors to records, outputs allocated, one call of `_calls` each.

Inputs may have any strides. Results are new tensors, never views: a Function must not return a
view, or users could not apply in-place operations to it.
"""

from .boxes import (
    box_iou_rotated,
    boxes_overlap_bev,
    nms,
    nms3d,
    nms_rotated,
    points_in_boxes,
)
from .dense import (
    carafe,
    carafe_backward,
    carafe_backward_features,
    carafe_backward_masks,
    roiaware_pool3d,
    roiaware_pool3d_backward,
    rotated_feature_align,
    rotated_feature_align_backward,
)
from .points import (
    dynamic_scatter,
    dynamic_scatter_backward,
    dynamic_voxelize,
    voxelization,
)
from .roi_align import roi_align, roi_align_backward
from .sparse import (
    indice_avgpool,
    indice_avgpool_backward,
    indice_conv,
    indice_conv_data,
    indice_conv_filter,
    indice_maxpool,
    indice_maxpool_backward,
    pairs,
    subm_pairs,
)

__all__ = [
    "box_iou_rotated",
    "boxes_overlap_bev",
    "carafe",
    "carafe_backward",
    "carafe_backward_features",
    "carafe_backward_masks",
    "dynamic_scatter",
    "dynamic_scatter_backward",
    "dynamic_voxelize",
    "indice_avgpool",
    "indice_avgpool_backward",
    "indice_conv",
    "indice_conv_data",
    "indice_conv_filter",
    "indice_maxpool",
    "indice_maxpool_backward",
    "nms",
    "nms3d",
    "nms_rotated",
    "pairs",
    "points_in_boxes",
    "roi_align",
    "roi_align_backward",
    "roiaware_pool3d",
    "roiaware_pool3d_backward",
    "rotated_feature_align",
    "rotated_feature_align_backward",
    "subm_pairs",
    "voxelization",
]
