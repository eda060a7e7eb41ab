"""The operators of mmcv.ops that this package has, for torch tensors on the CPU.

The names, arguments and modules are mmcv's. `carafe`, `rotated_feature_align`, `box_iou_rotated`,
`nms` and `roi_align` are the functions, as in mmcv; the modules of those names are in sys.modules.
"""

from __future__ import annotations

from .box_iou_rotated import box_iou_rotated
from .carafe import CARAFE, CARAFENaive, CARAFEPack, carafe, carafe_naive
from .iou3d import boxes_iou3d, boxes_overlap_bev, nms3d, nms3d_normal
from .nms import batched_nms, nms, nms_rotated
from .points_in_boxes import points_in_boxes_all, points_in_boxes_cpu, points_in_boxes_part
from .roi_align import RoIAlign, roi_align
from .roiaware_pool3d import RoIAwarePool3d
from .rotated_feature_align import rotated_feature_align
from .scatter_points import DynamicScatter, dynamic_scatter
from .sparse_conv import (
    SparseConv2d,
    SparseConv3d,
    SparseConvTranspose2d,
    SparseConvTranspose3d,
    SparseInverseConv2d,
    SparseInverseConv3d,
    SubMConv2d,
    SubMConv3d,
)
from .sparse_modules import SparseModule, SparseSequential
from .sparse_pool import SparseMaxPool2d, SparseMaxPool3d
from .sparse_structure import SparseConvTensor, scatter_nd
from .voxelize import Voxelization, voxelization

__all__ = [
    "CARAFE",
    "CARAFENaive",
    "CARAFEPack",
    "DynamicScatter",
    "RoIAlign",
    "RoIAwarePool3d",
    "SparseConv2d",
    "SparseConv3d",
    "SparseConvTensor",
    "SparseConvTranspose2d",
    "SparseConvTranspose3d",
    "SparseInverseConv2d",
    "SparseInverseConv3d",
    "SparseMaxPool2d",
    "SparseMaxPool3d",
    "SparseModule",
    "SparseSequential",
    "SubMConv2d",
    "SubMConv3d",
    "Voxelization",
    "batched_nms",
    "box_iou_rotated",
    "boxes_iou3d",
    "boxes_overlap_bev",
    "carafe",
    "carafe_naive",
    "dynamic_scatter",
    "nms",
    "nms3d",
    "nms3d_normal",
    "nms_rotated",
    "points_in_boxes_all",
    "points_in_boxes_cpu",
    "points_in_boxes_part",
    "roi_align",
    "rotated_feature_align",
    "scatter_nd",
    "voxelization",
]
