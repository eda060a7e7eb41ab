"""RoI-aware pooling: rois [B,7], pts [M,3], pts_feature [M,C].

Outputs: pooled and argmax [B,x,y,z,C], pts_idx [B,x,y,z,T].
"""

from __future__ import annotations

from .._native import LAYOUT_ARRAY, acquire, c, fail, int32
from .common import Record, arguments, fill

MAX, AVERAGE = 0, 1


def roiaware_pool3d_forward(
    threads: int,
    rois: Record,
    pts: Record,
    pts_feature: Record,
    argmax: Record,
    pts_idx: Record,
    pooled: Record,
    mode: int,
) -> None:
    """Writes argmax, pts_idx, pooled; mode 0 is max, 1 average. Sizes are those of the outputs."""
    if any(0 in record[1] and len(record[1]) == 2 for record in (rois, pts, pts_feature)):
        # C refuses empty tensors. Nothing is pooled then: no maximum has a point.
        fill(argmax, 255 if mode == MAX else 0)
        fill(pts_idx)
        fill(pooled)
        return
    sizes = (*pooled[1], 0, 0, 0, 0)[1:4]
    numbers = (
        int32(mode, "mode"),
        int32(rois[1][0], "rois"),
        int32(pts[1][0], "pts"),
        int32(pts_feature[1][-1], "channels"),
    )
    state = acquire(threads)
    find = state.descriptors
    status = c.mluOpGetRoiAwarePool3dForwardWorkspaceSize(
        state.handle,
        *(find[LAYOUT_ARRAY, record[2], record[1]] for record in (rois, pts, pts_feature)),
        state.size_ref,
    )
    if status:
        fail("mluOpGetRoiAwarePool3dForwardWorkspaceSize", status)
    size = state.size.value
    workspace = state.workspace(size)
    status = c.mluOpRoiAwarePool3dForward(
        state.handle,
        *numbers,
        *arguments(find, rois, pts, pts_feature),
        workspace.pointer if size else None,
        size,
        int32(pts_idx[1][-1], "max_pts_per_voxel"),
        *(int32(value, "out_size") for value in sizes),
        *arguments(find, argmax, pts_idx, pooled),
    )
    if status:
        fail("mluOpRoiAwarePool3dForward", status)


def roiaware_pool3d_backward(
    threads: int,
    pts_idx: Record,
    argmax: Record,
    grad_out: Record,
    grad_in: Record,
    mode: int,
) -> None:
    """Writes grad_in [M,C] from grad_out [B,x,y,z,C] and what the forward wrote."""
    if 0 in grad_in[1] or (0 in grad_out[1] and len(grad_out[1]) == 5):
        return fill(grad_in)
    sizes = (*grad_out[1], 0, 0, 0, 0)[:5]
    state = acquire(threads)
    status = c.mluOpRoiAwarePool3dBackward(
        state.handle,
        int32(mode, "mode"),
        *(int32(value, "grad_out") for value in sizes),
        int32(pts_idx[1][-1], "max_pts_per_voxel"),
        *arguments(state.descriptors, pts_idx, argmax, grad_out, grad_in),
    )
    if status:
        fail("mluOpRoiAwarePool3dBackward", status)
    return None
