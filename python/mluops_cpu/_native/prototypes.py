"""Result and argument types of every C function that is used; a test holds them against the
headers.

OPERATORS run without the GIL. SETTERS only read or write small structures: they keep it, as handing
it over costs more than they do.
"""

from __future__ import annotations

from ctypes import POINTER, c_bool, c_char_p, c_float, c_int, c_int64, c_size_t, c_void_p
from typing import Any

from .types import (
    CarafeDescriptor,
    Handle,
    Implementation,
    RoiAlignDescriptor,
    SparseDescriptor,
    TensorDescriptor,
)

Prototype = tuple[Any, tuple[Any, ...]]

_H, _T, _P = Handle, TensorDescriptor, c_void_p
_TENSOR = (_T, _P)  # a descriptor and its data
_INTS, _INT64S, _SIZE = POINTER(c_int), POINTER(c_int64), POINTER(c_size_t)
_WORKSPACE = (_P, c_size_t)

_MAX_POOL_MODE = _REDUCE_MODE = c_int

SETTERS: dict[str, Prototype] = {
    "mluOpCpuGetVersion": (None, (_INTS, _INTS, _INTS)),
    "mluOpGetLibVersion": (None, (_INTS, _INTS, _INTS)),
    "mluOpCpuGetLastError": (c_char_p, ()),
    "mluOpCpuSetThreads": (c_int, (_H, c_int)),
    "mluOpCpuGetThreads": (c_int, (_H, _INTS)),
    "mluOpCpuGetIsa": (c_int, (_H, POINTER(c_char_p))),
    "mluOpCpuGetOperatorCount": (c_int, (_SIZE,)),
    "mluOpCpuGetOperatorName": (c_int, (c_size_t, POINTER(c_char_p))),
    "mluOpCpuGetImplementationCount": (c_int, (c_char_p, _SIZE)),
    "mluOpCpuGetImplementation": (c_int, (_H, c_char_p, c_size_t, POINTER(Implementation))),
    "mluOpCreateTensorDescriptor": (c_int, (POINTER(_T),)),
    "mluOpSetTensorDescriptor_v2": (c_int, (_T, c_int, c_int, c_int, _INT64S)),
    "mluOpDestroyTensorDescriptor": (c_int, (_T,)),
    "mluOpCreateCarafeDescriptor": (c_int, (POINTER(CarafeDescriptor),)),
    "mluOpSetCarafeDescriptor": (c_int, (CarafeDescriptor, c_int, c_int, c_int, c_int)),
    "mluOpDestroyCarafeDescriptor": (c_int, (CarafeDescriptor,)),
    "mluOpCreateSparseConvolutionDescriptor": (c_int, (POINTER(SparseDescriptor),)),
    "mluOpSetSparseConvolutionDescriptor": (
        c_int,
        (SparseDescriptor, c_int, c_int, *(_INTS,) * 6, c_int, c_int, c_int),
    ),
    "mluOpGetSparseConvolutionNumActOut": (c_int, (SparseDescriptor, _INTS)),
    "mluOpDestroySparseConvolutionDescriptor": (c_int, (SparseDescriptor,)),
    "mluOpCreateRoiAlignForwardDescriptor": (c_int, (POINTER(RoiAlignDescriptor),)),
    "mluOpSetRoiAlignForwardDescriptor_v2": (
        c_int,
        (RoiAlignDescriptor, c_int, c_int, c_int, c_float, c_int, c_bool),
    ),
    "mluOpDestroyRoiAlignForwardDescriptor": (c_int, (RoiAlignDescriptor,)),
    "mluOpGetIndicePairsWorkspaceSize": (c_int, (_H, SparseDescriptor, _T, _T, _T, _T, _SIZE)),
}

_FILTER_QUERY = (_H, _T, _T, _T, _T, _INT64S, c_int64, c_int64, _SIZE)
_FILTER_RUN = (_H, *_TENSOR * 3, _INT64S, c_int64, c_int64, *_WORKSPACE, *_TENSOR)

# The queries look at indice_num only, K numbers: they are setters by weight.
SETTERS.update(
    {
        "mluOpGetIndiceConvolutionForwardWorkspaceSize": (
            c_int,
            (_H, _T, _T, _T, _T, _INT64S, c_int64, c_int64, c_int64, _SIZE),
        ),
        "mluOpGetIndiceConvolutionBackwardDataWorkspaceSize": (
            c_int,
            (_H, _T, _T, _T, _T, _INT64S, c_int64, _SIZE),
        ),
        "mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize": (c_int, _FILTER_QUERY),
        "mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize": (c_int, _FILTER_QUERY),
        "mluOpGetRoiAwarePool3dForwardWorkspaceSize": (c_int, (_H, _T, _T, _T, _SIZE)),
    }
)

OPERATORS: dict[str, Prototype] = {
    "mluOpCreate": (c_int, (POINTER(_H),)),
    "mluOpDestroy": (c_int, (_H,)),
    "mluOpCarafeForward": (c_int, (_H, CarafeDescriptor, *_TENSOR * 3)),
    "mluOpCarafeBackward": (c_int, (_H, CarafeDescriptor, *_TENSOR * 5)),
    "mluOpRotatedFeatureAlignForward": (c_int, (_H, *_TENSOR * 2, c_float, c_int, *_TENSOR)),
    "mluOpRotatedFeatureAlignBackward": (c_int, (_H, *_TENSOR * 2, c_float, c_int, *_TENSOR)),
    "mluOpRoiAwarePool3dForward": (
        c_int,
        (_H, *(c_int,) * 4, *_TENSOR * 3, *_WORKSPACE, *(c_int,) * 4, *_TENSOR * 3),
    ),
    "mluOpRoiAwarePool3dBackward": (c_int, (_H, *(c_int,) * 7, *_TENSOR * 4)),
    "mluOpCpuPointsInBoxesPart": (c_int, (_H, *_TENSOR * 3)),
    "mluOpCpuPointsInBoxesAll": (c_int, (_H, *_TENSOR * 2, c_int, *_TENSOR)),
    "mluOpGetIndicePairs": (c_int, (_H, SparseDescriptor, *_TENSOR, *_WORKSPACE, *_TENSOR * 3)),
    "mluOpIndiceConvolutionForward": (
        c_int,
        (_H, *_TENSOR * 3, _INT64S, c_int64, c_int64, c_int64, *_WORKSPACE, *_TENSOR),
    ),
    "mluOpIndiceConvolutionBackwardData": (c_int, _FILTER_RUN),
    "mluOpIndiceConvolutionBackwardFilter": (c_int, _FILTER_RUN),
    "mluOpCpuIndiceConvolutionBackwardFilter": (c_int, _FILTER_RUN),
    "mluOpCpuIndiceMaxPoolForward": (
        c_int,
        (_H, *_TENSOR * 2, _INT64S, c_int64, _MAX_POOL_MODE, *_TENSOR),
    ),
    "mluOpCpuIndiceMaxPoolBackward": (
        c_int,
        (_H, *_TENSOR * 4, _INT64S, _MAX_POOL_MODE, *_TENSOR),
    ),
    "mluOpCpuIndiceAvgPoolForward": (c_int, (_H, *_TENSOR * 2, _INT64S, c_int64, *_TENSOR)),
    "mluOpCpuIndiceAvgPoolBackward": (c_int, (_H, *_TENSOR * 2, _INT64S, *_TENSOR)),
    "mluOpVoxelization": (
        c_int,
        (_H, *_TENSOR * 3, *(c_int,) * 3, c_bool, *_WORKSPACE, *_TENSOR * 4),
    ),
    "mluOpCpuDynamicVoxelize": (c_int, (_H, *_TENSOR * 3, c_int, *_TENSOR)),
    "mluOpDynamicPointToVoxelForward": (
        c_int,
        (_H, _REDUCE_MODE, *_TENSOR * 2, *_WORKSPACE, *_TENSOR * 5),
    ),
    "mluOpDynamicPointToVoxelBackward": (
        c_int,
        (_H, _REDUCE_MODE, *_TENSOR * 6, *_WORKSPACE, *_TENSOR),
    ),
    "mluOpBoxIouRotated": (c_int, (_H, c_int, c_bool, *_TENSOR * 3)),
    "mluOpNmsRotated": (c_int, (_H, c_float, *_TENSOR * 2, *_WORKSPACE, *_TENSOR, _INTS)),
    "mluOpCpuNms": (c_int, (_H, c_float, c_int, *_TENSOR * 3, _P)),
    "mluOpCpuNms3d": (c_int, (_H, c_float, c_int, *_TENSOR * 2, _P)),
    "mluOpCpuBoxesOverlapBev": (c_int, (_H, *_TENSOR * 3)),
    "mluOpRoiAlignForward_v2": (c_int, (_H, RoiAlignDescriptor, *_TENSOR * 5)),
    "mluOpRoiAlignBackward_v2": (
        c_int,
        (_H, *_TENSOR * 4, c_float, c_int, c_bool, c_int, *_TENSOR),
    ),
}
