"""Every function of mmcv's compiled module `mmcv._ext`: which are here, and what is behind each.

Neither torch nor the library is imported, so that `python -m mluops_cpu info` can print the table.
A new function needs its code in a module of `_ext` and its name in PROVIDED.
"""

from __future__ import annotations

from collections.abc import Iterator

#: module of mluops_cpu.mmcv._ext: what it provides
PROVIDED: dict[str, tuple[str, ...]] = {
    "information": ("get_compiler_version", "get_compiling_cuda_version"),
    "points_in_boxes": (
        "points_in_boxes_all_forward",
        "points_in_boxes_cpu_forward",
        "points_in_boxes_part_forward",
    ),
    "sparse": (
        "fused_indice_conv_forward",
        "get_indice_pairs_2d_backward",
        "get_indice_pairs_2d_forward",
        "get_indice_pairs_3d_backward",
        "get_indice_pairs_3d_forward",
        "get_indice_pairs_4d_forward",
        "indice_conv_backward",
        "indice_conv_forward",
        "indice_maxpool_backward",
        "indice_maxpool_forward",
    ),
    "carafe": (
        "carafe_backward",
        "carafe_forward",
        "carafe_naive_backward",
        "carafe_naive_forward",
    ),
    "rotated_feature_align": (
        "rotated_feature_align_backward",
        "rotated_feature_align_forward",
    ),
    "roiaware_pool3d": ("roiaware_pool3d_backward", "roiaware_pool3d_forward"),
    "voxelize": ("dynamic_voxelize_forward", "hard_voxelize_forward"),
    "scatter_points": ("dynamic_point_to_voxel_backward", "dynamic_point_to_voxel_forward"),
    "box_iou_rotated": ("box_iou_rotated",),
    "nms": ("nms", "nms_rotated"),
    "iou3d": (
        "iou3d_boxes_overlap_bev_forward",
        "iou3d_nms3d_forward",
        "iou3d_nms3d_normal_forward",
    ),
    "roi_align": ("roi_align_backward", "roi_align_forward"),
}

#: What computes a function that no C operator is behind.
IN_PYTHON = "Python"

#: All 112 names that mmcv 2.0 to 2.2 wants of `_ext`, and the C operators behind each: those of
#: MLU-OPS, or of this library (mluOpCpu...). Empty: MLU-OPS has none, and neither has this library.
OPERATORS: dict[str, tuple[str, ...]] = {
    "active_rotated_filter_backward": (),
    "active_rotated_filter_forward": ("mluOpActiveRotatedFilterForward",),
    "assign_score_withk_backward": (),
    "assign_score_withk_forward": (),
    "ball_query_forward": ("mluOpBallQuery",),
    "bbox_overlaps": ("mluOpBboxOverlaps",),
    "bezier_align_backward": (),
    "bezier_align_forward": (),
    "bias_act": (),
    "border_align_backward": ("mluOpBorderAlignBackward",),
    "border_align_forward": ("mluOpBorderAlignForward",),
    "box_iou_quadri": (),
    "box_iou_rotated": ("mluOpBoxIouRotated",),
    "carafe_backward": ("mluOpCarafeBackward",),
    "carafe_forward": ("mluOpCarafeForward",),
    "carafe_naive_backward": ("mluOpCarafeBackward",),
    "carafe_naive_forward": ("mluOpCarafeForward",),
    "chamfer_distance_backward": (),
    "chamfer_distance_forward": (),
    "contour_expand": (),
    "convex_giou": (),
    "convex_iou": (),
    "correlation_backward": (),
    "correlation_forward": (),
    "deform_conv_backward_input": ("mluOpDCNBackwardData",),
    "deform_conv_backward_parameters": ("mluOpDCNBackwardWeight",),
    "deform_conv_forward": ("mluOpDCNForward",),
    "deform_roi_pool_backward": ("mluOpDeformRoiPoolBackward",),
    "deform_roi_pool_forward": ("mluOpDeformRoiPoolForward",),
    "diff_iou_rotated_sort_vertices_forward": ("mluOpDiffIouRotatedSortVerticesForward",),
    "dynamic_point_to_voxel_backward": ("mluOpDynamicPointToVoxelBackward",),
    "dynamic_point_to_voxel_forward": ("mluOpDynamicPointToVoxelForward",),
    "dynamic_voxelize_forward": ("mluOpCpuDynamicVoxelize",),
    "filtered_lrelu": (),
    "filtered_lrelu_act_": (),
    "furthest_point_sampling_forward": (),
    "furthest_point_sampling_with_dist_forward": (),
    "fused_bias_leakyrelu": (),
    "fused_indice_conv_forward": ("mluOpIndiceConvolutionForward",),
    "gather_points_backward": (),
    "gather_points_forward": (),
    "get_compiler_version": (IN_PYTHON,),
    "get_compiling_cuda_version": (IN_PYTHON,),
    "get_indice_pairs_2d_backward": ("mluOpGetIndicePairs",),
    "get_indice_pairs_2d_forward": ("mluOpGetIndicePairs",),
    "get_indice_pairs_3d_backward": ("mluOpGetIndicePairs",),
    "get_indice_pairs_3d_forward": ("mluOpGetIndicePairs",),
    "get_indice_pairs_4d_forward": (IN_PYTHON,),
    "group_points_backward": (),
    "group_points_forward": (),
    "hard_voxelize_forward": ("mluOpVoxelization",),
    "indice_conv_backward": (
        "mluOpIndiceConvolutionBackwardData",
        "mluOpIndiceConvolutionBackwardFilter",
    ),
    "indice_conv_forward": ("mluOpIndiceConvolutionForward",),
    "indice_maxpool_backward": ("mluOpCpuIndiceMaxPoolBackward",),
    "indice_maxpool_forward": ("mluOpCpuIndiceMaxPoolForward",),
    "iou3d_boxes_overlap_bev_forward": ("mluOpCpuBoxesOverlapBev",),
    "iou3d_nms3d_forward": ("mluOpCpuNms3d",),
    "iou3d_nms3d_normal_forward": ("mluOpCpuNms3d",),
    "knn_forward": (),
    "masked_col2im_forward": ("mluOpMaskedCol2imForward",),
    "masked_im2col_forward": ("mluOpMaskedIm2colForward",),
    "min_area_polygons": (),
    "modulated_deform_conv_backward": ("mluOpDCNBackwardData", "mluOpDCNBackwardWeight"),
    "modulated_deform_conv_forward": ("mluOpDCNForward",),
    "ms_deform_attn_backward": ("mluOpMsDeformAttnBackward",),
    "ms_deform_attn_forward": ("mluOpMsDeformAttnForward",),
    "nms": ("mluOpCpuNms",),
    "nms_match": (),
    "nms_quadri": (),
    "nms_rotated": ("mluOpNmsRotated",),
    "pixel_group": (),
    "points_in_boxes_all_forward": ("mluOpCpuPointsInBoxesAll",),
    "points_in_boxes_cpu_forward": ("mluOpCpuPointsInBoxesAll",),
    "points_in_boxes_part_forward": ("mluOpCpuPointsInBoxesPart",),
    "points_in_polygons_forward": (),
    "prroi_pool_backward": (),
    "prroi_pool_coor_backward": (),
    "prroi_pool_forward": (),
    "psamask_backward": ("mluOpPsamaskBackward",),
    "psamask_forward": ("mluOpPsamaskForward",),
    "riroi_align_rotated_backward": (),
    "riroi_align_rotated_forward": (),
    "roi_align_backward": ("mluOpRoiAlignBackward_v2",),
    "roi_align_forward": ("mluOpRoiAlignForward_v2",),
    "roi_align_rotated_backward": ("mluOpRoiAlignRotatedBackward",),
    "roi_align_rotated_forward": ("mluOpRoiAlignRotatedForward",),
    "roi_pool_backward": ("mluOpRoiPoolingBackward",),
    "roi_pool_forward": ("mluOpRoiPoolingForward",),
    "roiaware_pool3d_backward": ("mluOpRoiAwarePool3dBackward",),
    "roiaware_pool3d_forward": ("mluOpRoiAwarePool3dForward",),
    "roipoint_pool3d_forward": ("mluOpRoiPointPool3d",),
    "rotated_feature_align_backward": ("mluOpRotatedFeatureAlignBackward",),
    "rotated_feature_align_forward": ("mluOpRotatedFeatureAlignForward",),
    "sigmoid_focal_loss_backward": ("mluOpFocalLossSigmoidBackward",),
    "sigmoid_focal_loss_forward": ("mluOpFocalLossSigmoidForward",),
    "softmax_focal_loss_backward": (),
    "softmax_focal_loss_forward": (),
    "softnms": (),
    "stack_ball_query_forward": (),
    "stack_group_points_backward": (),
    "stack_group_points_forward": (),
    "sync_bn_backward_data": ("mluOpSyncBatchNormBackwardElemtV2",),
    "sync_bn_backward_param": ("mluOpSyncBatchNormBackwardReduce_v2",),
    "sync_bn_forward_mean": ("mluOpSyncBatchNormStats_v2",),
    "sync_bn_forward_output": ("mluOpSyncBatchNormElemt",),
    "sync_bn_forward_var": ("mluOpSyncBatchNormStats_v2",),
    "three_interpolate_backward": ("mluOpThreeInterpolateBackward",),
    "three_interpolate_forward": ("mluOpThreeInterpolateForward",),
    "three_nn_forward": ("mluOpThreeNNForward",),
    "tin_shift_backward": ("mluOpTinShiftBackward",),
    "tin_shift_forward": ("mluOpTinShiftForward",),
    "upfirdn2d": (),
}


def provided() -> Iterator[tuple[str, str]]:
    """Module and name of every function that is here.

    >>> ("carafe", "carafe_forward") in provided()
    True
    """
    for module, names in PROVIDED.items():
        for name in names:
            yield module, name


def needs(name: str) -> str:
    """What a function that is not here would take.

    >>> needs("deform_conv_forward")
    'mluOpDCNForward of MLU-OPS'
    >>> needs("knn_forward")
    'an operator that MLU-OPS does not have'
    """
    operators = OPERATORS.get(name, ())
    if not operators:
        return "an operator that MLU-OPS does not have"
    whose = "this library" if operators[0].startswith("mluOpCpu") else "MLU-OPS"
    return f"{' and '.join(operators)} of {whose}"


def table() -> Iterator[tuple[str, str]]:
    """(name, "here: ..." or "needs ...") for every name, by name.

    >>> dict(table())["carafe_forward"]
    'here: mluOpCarafeForward'
    """
    here = {name for _, name in provided()}
    for name, operators in OPERATORS.items():
        is_here = name in here
        yield name, f"here: {' and '.join(operators)}" if is_here else f"needs {needs(name)}"
