"""The operators on CPU tensors: tensors to records, outputs allocated, one call of `_calls` each.

Inputs may have any strides. Results are new tensors, never views: a Function must not return a
view, or users could not apply in-place operations to it.
"""

from .dense import (
    carafe,
    carafe_backward,
    carafe_backward_features,
    carafe_backward_masks,
    points_in_boxes,
    roiaware_pool3d,
    roiaware_pool3d_backward,
    rotated_feature_align,
    rotated_feature_align_backward,
)
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
    "carafe",
    "carafe_backward",
    "carafe_backward_features",
    "carafe_backward_masks",
    "indice_avgpool",
    "indice_avgpool_backward",
    "indice_conv",
    "indice_conv_data",
    "indice_conv_filter",
    "indice_maxpool",
    "indice_maxpool_backward",
    "pairs",
    "points_in_boxes",
    "roiaware_pool3d",
    "roiaware_pool3d_backward",
    "rotated_feature_align",
    "rotated_feature_align_backward",
    "subm_pairs",
]
