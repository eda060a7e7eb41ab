"""RoI-aware pooling of `mmcv._ext`."""

from __future__ import annotations

from torch import Tensor

from ..._torch import ops as _ops
from .outputs import write


def roiaware_pool3d_forward(
    rois: Tensor,
    pts: Tensor,
    pts_feature: Tensor,
    argmax: Tensor,
    pts_idx_of_voxels: Tensor,
    pooled_features: Tensor,
    pool_method: int,
) -> None:
    """rois [B,7], pts [M,3], pts_feature [M,C]; sizes are those of the outputs."""
    for name, out in (
        ("pooled_features", pooled_features),
        ("pts_idx_of_voxels", pts_idx_of_voxels),
    ):
        if out.dim() != 5:
            raise ValueError(f"{name} must have 5 dims, got shape {tuple(out.shape)}")
    sizes, most = list(pooled_features.shape[1:4]), pts_idx_of_voxels.shape[4]
    pooled, winners, listed = _ops.roiaware_pool3d(rois, pts, pts_feature, sizes, most, pool_method)
    write("pooled_features", pooled_features, pooled)
    write("argmax", argmax, winners)
    write("pts_idx_of_voxels", pts_idx_of_voxels, listed)


def roiaware_pool3d_backward(
    pts_idx_of_voxels: Tensor, argmax: Tensor, grad_out: Tensor, grad_in: Tensor, pool_method: int
) -> None:
    """grad_out [B,x,y,z,C] -> grad_in [M,C]."""
    result = _ops.roiaware_pool3d_backward(
        pts_idx_of_voxels, argmax, grad_out, grad_in.shape[0], pool_method
    )
    write("grad_in", grad_in, result)
