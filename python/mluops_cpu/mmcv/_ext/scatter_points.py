"""Dynamic scatter of `mmcv._ext`."""

from __future__ import annotations

import torch
from torch import Tensor

from ..._torch import ops as _ops
from ...ops.scatter_points import mode_of
from ...ops.sparse_structure import as_int32
from .outputs import write


def dynamic_point_to_voxel_forward(feats: Tensor, coors: Tensor, reduce_type: str) -> list[Tensor]:
    """[N,C], [N,ndim] -> [M,C], [M,ndim], the voxel of each point int32 [N], counts int32 [M]."""
    if feats.shape[0] == 0:  # in mmcv, too, the inputs stand for results then
        none = torch.empty(0, dtype=torch.int32)
        return [feats.clone().detach(), coors.clone().detach(), none, none.clone()]
    mode = mode_of(reduce_type)
    reduced, sites, *tables = _ops.dynamic_scatter(feats.detach(), as_int32(coors), mode)
    return [reduced, sites.to(coors.dtype), *tables]


def dynamic_point_to_voxel_backward(
    grad_feats: Tensor,
    grad_reduced_feats: Tensor,
    feats: Tensor,
    reduced_feats: Tensor,
    coors_idx: Tensor,
    reduce_count: Tensor,
    reduce_type: str,
) -> None:
    """grad_reduced_feats [M,C] -> grad_feats [N,C]."""
    args = (grad_reduced_feats, feats.detach(), reduced_feats.detach(), coors_idx, reduce_count)
    write("grad_feats", grad_feats, _ops.dynamic_scatter_backward(*args, mode_of(reduce_type)))
