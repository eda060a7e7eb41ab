"""The published networks, what is reduced of each, and a batch of the form that each expects.

Reduced are channels and the area around the scanner or the size of the image, and with them what
follows from these (maps, anchors, numbers of proposals), so that a step takes less than a second.
Voxel sizes, layers, heads, classes, losses, assigners and post-processing are the published ones.
`score_thr` is lower, so that networks trained for a few steps have boxes to select from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Callable

import images
import lidar
import openmmlab
import torch

Reduction = dict[str, Any]
#: Inputs and samples of a step, as mmengine's data preprocessors take them.
Batch = dict[str, Any]


@dataclass(frozen=True)
class Network:
    """A published model (`config` of `package`), what replaces parts of it, and its data."""

    package: str
    config: str
    reduction: Reduction
    batch: Callable[[int], Batch]
    #: For a network without pretrained weights; the published schedules would need thousands of steps.
    rate: float = 2e-3
    #: Applied to the network in its published size, too.
    always: Reduction = field(default_factory=dict)

    def build(self, reduced: bool = True) -> Any:
        """The model with weights from torch's random state."""
        changes = {**self.always, **(self.reduction if reduced else {})}
        config = openmmlab.published(self.package, self.config, changes)
        return openmmlab.build(self.package, config)


# ---- LiDAR


def scans(
    area: Sequence[float], sizes: Sequence[Sequence[float]], each: int
) -> Callable[[int], Batch]:
    """Makes a batch of one scan from a seed."""

    def batch(seed: int) -> Batch:
        from mmdet3d.structures import Det3DDataSample, LiDARInstance3DBoxes
        from mmengine.structures import InstanceData

        scan = lidar.scan(seed, area, sizes, each)
        points, boxes = torch.from_numpy(scan.points), torch.from_numpy(scan.boxes)
        if sizes is lidar.NUSCENES:  # the time of the sweep, and velocities
            points = torch.nn.functional.pad(points, (0, 1))
            boxes = torch.cat([boxes, 2 * boxes[:, 6:].cos(), 2 * boxes[:, 6:].sin()], 1)
        sample = Det3DDataSample(metainfo=dict(box_type_3d=LiDARInstance3DBoxes))
        sample.gt_instances_3d = InstanceData(
            bboxes_3d=LiDARInstance3DBoxes(boxes, box_dim=boxes.shape[1]),
            labels_3d=torch.from_numpy(scan.labels),
        )
        return dict(inputs=dict(points=[points]), data_samples=[sample])

    return batch


KITTI_AREA = (0.0, -9.6, 19.2, 9.6)
KITTI_RANGE = [0.0, -9.6, -3.0, 19.2, 9.6, 1.0]
KITTI_ANCHORS = [[0.0, -9.6, z, 19.2, 9.6, z] for z in (-0.6, -0.6, -1.78)]
NUSCENES_AREA = (-12.8, -12.8, 12.8, 12.8)
NUSCENES_RANGE = [-12.8, -12.8, -5.0, 12.8, 12.8, 3.0]


def narrow(head: str, channels: Sequence[int], strides: int, anchors: Any) -> Reduction:
    """SECOND's backbone with `channels`, its FPN and the head that follows, in the small area."""
    of_neck = [32] * strides
    return {
        "backbone.out_channels": list(channels),
        "neck.in_channels": list(channels),
        "neck.out_channels": of_neck,
        f"{head}.in_channels": sum(of_neck),
        f"{head}.feat_channels": sum(of_neck),
        f"{head}.anchor_generator.ranges": anchors,
        "data_preprocessor.voxel_layer.point_cloud_range": KITTI_RANGE,
    }


SPARSE = {
    "middle_encoder.sparse_shape": [41, 384, 384],
    "middle_encoder.base_channels": 8,
    "middle_encoder.output_channels": 32,
    "middle_encoder.encoder_channels": ((8,), (16, 16, 16), (32, 32, 32), (32, 32, 32)),
    "backbone.in_channels": 64,
}
SECOND = {**narrow("bbox_head", [32, 64], 2, KITTI_ANCHORS), **SPARSE, "test_cfg.score_thr": 0.0}
PILLARS = {
    **narrow("bbox_head", [32, 32, 64], 3, KITTI_ANCHORS),
    "voxel_encoder.feat_channels": [32],
    "voxel_encoder.point_cloud_range": KITTI_RANGE,
    "middle_encoder.in_channels": 32,
    "middle_encoder.output_shape": [120, 120],
    "backbone.in_channels": 32,
    "test_cfg.score_thr": 0.0,
}
PARTA2 = {
    **narrow("rpn_head", [32, 64], 2, KITTI_ANCHORS),
    **SPARSE,
    "middle_encoder.decoder_channels": ((32, 32, 32), (32, 32, 16), (16, 16, 8), (8, 8, 8)),
    "roi_head.semantic_head.in_channels": 8,
    "roi_head.bbox_head.seg_in_channels": 8,
    "roi_head.bbox_head.seg_conv_channels": [16, 16],
    "roi_head.bbox_head.part_conv_channels": [16, 16],
    "roi_head.bbox_head.merge_conv_channels": [32, 32],
    "roi_head.bbox_head.down_conv_channels": [32, 32],
    "roi_head.bbox_head.shared_fc_channels": [32, 64],
    "roi_head.bbox_head.cls_channels": [32],
    "roi_head.bbox_head.reg_channels": [32],
    "train_cfg.rpn_proposal.nms_pre": 2000,
    "train_cfg.rpn_proposal.nms_post": 128,
    "train_cfg.rpn_proposal.max_num": 128,
    "train_cfg.rcnn.sampler.num": 32,
    # After so few steps no proposal would count as positive, and the regression learn nothing.
    "train_cfg.rcnn.sampler.add_gt_as_proposals": True,
    "test_cfg.rpn.nms_post": 50,
    "test_cfg.rpn.max_num": 50,
    "test_cfg.rcnn.score_thr": 0.0,
}
CENTERPOINT = {
    "data_preprocessor.voxel_layer.point_cloud_range": NUSCENES_RANGE,
    "pts_middle_encoder.sparse_shape": [41, 256, 256],
    "pts_middle_encoder.base_channels": 8,
    "pts_middle_encoder.output_channels": 32,
    "pts_middle_encoder.encoder_channels": ((8, 8, 16), (16, 16, 32), (32, 32, 32), (32, 32)),
    "pts_backbone.in_channels": 64,
    "pts_backbone.out_channels": [32, 64],
    "pts_neck.in_channels": [32, 64],
    "pts_neck.out_channels": [32, 32],
    "pts_bbox_head.in_channels": 64,
    "pts_bbox_head.share_conv_channel": 32,
    "pts_bbox_head.bbox_coder.pc_range": NUSCENES_RANGE[:2],
    "train_cfg.pts.grid_size": [256, 256, 40],
    "train_cfg.pts.point_cloud_range": NUSCENES_RANGE,
    "test_cfg.pts.pc_range": NUSCENES_RANGE[:2],
    "pts_bbox_head.bbox_coder.score_threshold": 0.01,
    "test_cfg.pts.score_threshold": 0.01,
}


# ---- images


def pictures(size: int = 128, turned: bool = False, masks: bool = False) -> Callable[[int], Batch]:
    """Makes a batch of two images from a seed."""

    def batch(seed: int) -> Batch:
        made = [images.picture(2 * seed + i, size, turned=turned) for i in range(2)]
        return dict(
            inputs=[torch.from_numpy(picture.image) for picture in made],
            data_samples=[_annotated(picture, turned, masks) for picture in made],
        )

    return batch


def _annotated(picture: images.Picture, turned: bool, masks: bool) -> Any:
    from mmdet.structures import DetDataSample
    from mmdet.structures.bbox import HorizontalBoxes
    from mmdet.structures.mask import BitmapMasks
    from mmengine.structures import InstanceData

    size = picture.image.shape[1:]
    sample = DetDataSample(
        metainfo=dict(img_shape=size, ori_shape=size, scale_factor=(1.0, 1.0), img_id=0)
    )
    boxes = torch.from_numpy(picture.rectangles)
    if turned:
        from mmrotate.structures.bbox import RotatedBoxes

        marked: Any = RotatedBoxes(boxes)
    else:
        half = boxes[:, 2:4] / 2
        marked = HorizontalBoxes(torch.cat([boxes[:, :2] - half, boxes[:, :2] + half], 1))
    sample.gt_instances = InstanceData(bboxes=marked, labels=torch.from_numpy(picture.labels))
    if masks:
        sample.gt_instances.masks = BitmapMasks(picture.masks(), *size)
    return sample


RESNET = {
    "backbone.base_channels": 16,
    "backbone.frozen_stages": -1,
    "backbone.norm_eval": False,
    "neck.in_channels": [64, 128, 256, 512],
    "neck.out_channels": 32,
}
FASTER_RCNN = {
    **RESNET,
    "neck.upsample_cfg.compressed_channels": 16,
    "rpn_head.in_channels": 32,
    "rpn_head.feat_channels": 32,
    "rpn_head.anchor_generator.scales": [4],
    "roi_head.bbox_roi_extractor.out_channels": 32,
    "roi_head.bbox_head.in_channels": 32,
    "roi_head.bbox_head.fc_out_channels": 64,
    "train_cfg.rpn_proposal.nms_pre": 500,
    "train_cfg.rpn_proposal.max_per_img": 200,
    "train_cfg.rcnn.sampler.num": 64,
    "test_cfg.rpn.nms_pre": 500,
    "test_cfg.rpn.max_per_img": 200,
    "test_cfg.rcnn.score_thr": 0.0,
}
MASK_RCNN = {
    **FASTER_RCNN,
    "roi_head.mask_roi_extractor.out_channels": 32,
    "roi_head.mask_head.in_channels": 32,
    "roi_head.mask_head.conv_out_channels": 32,
    "roi_head.mask_head.upsample_cfg.compressed_channels": 16,
}
R3DET_HEAD = ("bbox_head_init", "bbox_head_refine.0")
R3DET = {
    **RESNET,
    **{f"{head}.in_channels": 32 for head in R3DET_HEAD},
    **{f"{head}.feat_channels": 32 for head in R3DET_HEAD},
    "bbox_head_refine.0.frm_cfg.feat_channels": 32,
    "test_cfg.score_thr": 0.0,
}
S2ANET = {
    **RESNET,
    **{f"{head}.in_channels": 32 for head in R3DET_HEAD},
    **{f"{head}.feat_channels": 32 for head in R3DET_HEAD},
    "bbox_head_refine.0.frm_cfg.feat_channels": 32,
    "backbone.init_cfg": None,
}
#: No weights are downloaded.
UNTRAINED = {"backbone.init_cfg": None}

NETWORKS = {
    "CenterPoint": Network(
        "mmdet3d",
        "centerpoint/centerpoint_voxel01_second_secfpn_8xb4-cyclic-20e_nus-3d.py",
        CENTERPOINT,
        scans(NUSCENES_AREA, lidar.NUSCENES, 1),
    ),
    "SECOND": Network(
        "mmdet3d", "second/second_hv_secfpn_8xb6-80e_kitti-3d-3class.py", SECOND, scans(KITTI_AREA, lidar.KITTI, 2)
    ),
    "PointPillars": Network(
        "mmdet3d",
        "pointpillars/pointpillars_hv_secfpn_8xb6-160e_kitti-3d-3class.py",
        PILLARS,
        scans(KITTI_AREA, lidar.KITTI, 2),
    ),
    "PointPillars, dynamic": Network(
        "mmdet3d",
        "dynamic_voxelization/pointpillars_dv_secfpn_8xb6-160e_kitti-3d-car.py",
        {**PILLARS, "bbox_head.anchor_generator.ranges": KITTI_ANCHORS[2:]},
        scans(KITTI_AREA, lidar.KITTI[2:], 6),
    ),
    "SECOND, dynamic": Network(
        "mmdet3d",
        "dynamic_voxelization/second_dv_secfpn_8xb2-cosine-80e_kitti-3d-3class.py",
        {**SECOND, "voxel_encoder.point_cloud_range": KITTI_RANGE},
        scans(KITTI_AREA, lidar.KITTI, 2),
    ),
    "PartA2": Network(
        "mmdet3d",
        "parta2/parta2_hv_secfpn_8xb2-cyclic-80e_kitti-3d-3class.py",
        PARTA2,
        scans(KITTI_AREA, lidar.KITTI, 2),
    ),
    "Faster R-CNN, FPN_CARAFE": Network(
        "mmdet",
        "carafe/faster-rcnn_r50_fpn-carafe_1x_coco.py",
        FASTER_RCNN,
        pictures(),
        always=UNTRAINED,
    ),
    "Mask R-CNN, FPN_CARAFE": Network(
        "mmdet",
        "carafe/mask-rcnn_r50_fpn-carafe_1x_coco.py",
        MASK_RCNN,
        pictures(masks=True),
        always=UNTRAINED,
    ),
    "R3Det": Network(
        "mmrotate",
        "r3det/r3det-oc_r50_fpn_1x_dota.py",
        R3DET,
        pictures(turned=True),
        rate=5e-4,
        always=UNTRAINED,
    ),
}
