"""Small problems for the tests of the torch side, and how results are compared."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from mluops_cpu._torch import ops
from references import align, carafe, roiaware

DTYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16]
TORCH = tuple(int(part) for part in torch.__version__.split(".")[:2])
REGISTERED = ops.REGISTERED

# diff1 and diff2 against a double reference on the same rounded inputs.
TOLERANCES = {
    torch.float64: 1e-12,
    torch.float32: 1e-5,
    torch.float16: 3e-3,
    torch.bfloat16: 1e-2,
}


def assert_near(result: Tensor, expected: Tensor, dtype: torch.dtype) -> None:
    """Compare by diff1 = Σ|a-b| / Σ|b| and diff2 = √(Σ(a-b)² / Σb²)."""
    assert result.dtype == dtype
    assert result.shape == expected.shape
    error = (result.detach().double() - expected.detach()).abs()
    size = expected.detach().abs()
    tolerance = TOLERANCES[dtype]
    assert size.sum() > 0, "the reference is all zeros"
    diff1 = (error.sum() / size.sum()).item()
    diff2 = ((error**2).sum() / (size**2).sum()).sqrt().item()
    assert diff1 <= tolerance, f"diff1 {diff1}"
    assert diff2 <= tolerance, f"diff2 {diff2}"


def assert_same_bytes(a: Tensor, b: Tensor) -> None:
    """Compare bits: NaN equals NaN, 0 does not equal -0."""
    assert a.dtype == b.dtype
    assert a.shape == b.shape
    integers = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[a.element_size()]
    a, b = a.detach().contiguous(), b.detach().contiguous()
    assert torch.equal(a.view(integers), b.view(integers))


class Pairs(NamedTuple):
    """Pairs of a layer: rows on either side, P [K,2,L], n [K]."""

    kernel: tuple[int, ...]
    inputs: int
    outputs: int
    pairs: Tensor
    num: Tensor
    inverse: bool = False


PAIR_KINDS = [
    "subm",
    "strided",
    "transposed",
    "inverse",
    "2d",
    "dilated_subm",
    "duplicates",
    "subm_duplicates",
]


def sites(shape: tuple[int, ...], rows: int, duplicates: bool = False, seed: int = 0) -> Tensor:
    """Random rows (batch, coordinates) of two batch items."""
    generator = torch.Generator().manual_seed(seed)
    cells = 2
    for size in shape:
        cells *= size
    if duplicates:
        chosen = torch.randint(cells, (rows,), generator=generator)
    else:
        chosen = torch.randperm(cells, generator=generator)[:rows]
    columns = []
    for size in reversed(shape):
        columns.append(chosen % size)
        chosen = torch.div(chosen, size, rounding_mode="floor")
    return torch.stack([chosen, *reversed(columns)], 1).to(torch.int32)


def pairs(kind: str, rows: int = 14, seed: int = 0) -> Pairs:
    """Pairs of one of PAIR_KINDS."""
    duplicates = kind.endswith("duplicates")
    shape = (5, 5) if kind == "2d" else (2, 2, 2) if duplicates else (4, 3, 4)
    kernel = (3,) * len(shape)
    ones = (1,) * len(shape)
    rows = 40 if duplicates and rows else rows
    indices = sites(shape, rows, duplicates, seed)
    if "subm" in kind:
        dilation = (2,) * len(shape) if kind == "dilated_subm" else ones
        found, num = ops.subm_pairs(indices, 2, shape, kernel, dilation)
        return Pairs(kernel, rows, rows, found, num)
    stride = ones if duplicates else (2,) * len(shape)
    transpose = kind == "transposed"
    if transpose:
        out_shape = tuple((size - 1) * 2 + 1 for size in shape)
    else:
        out_shape = tuple((size - 1) // s + 1 for size, s in zip(shape, stride))
    arguments = (indices, 2, shape, out_shape, kernel, stride, ones, ones, transpose)
    out, found, num = ops.pairs(*arguments)
    if kind == "inverse":
        return Pairs(kernel, out.shape[0], rows, found, num, True)
    return Pairs(kernel, rows, out.shape[0], found, num)


def distinct(rows: int, channels: int, seed: int = 0) -> Tensor:
    """Values of either sign at least 0.02 apart and 0.01 from 0, for maxima."""
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(rows * channels, generator=generator).double()
    return ((order - rows * channels // 2) * 0.02 + 0.01).reshape(rows, channels)


def operator_calls(
    dtype: torch.dtype, channels_last: bool = False, empty: bool = False
) -> dict[str, tuple[Any, ...]]:
    """Arguments for every operator, by name; `empty`: no images, boxes or sites."""

    def to(*tensors: Tensor) -> tuple[Tensor, ...]:
        return tuple(tensor.to(dtype) for tensor in tensors)

    def maps(*tensors: Tensor) -> tuple[Tensor, ...]:
        layout = torch.channels_last if channels_last else torch.contiguous_format
        return tuple(tensor.contiguous(memory_format=layout) for tensor in to(*tensors))

    images = 0 if empty else 2
    sizes = (3, 2, 2)
    features, masks = maps(*carafe.problem(images, 4, 3, 5, *sizes))
    grad = torch.rand_like(maps(torch.empty(images, 4, 6, 10))[0])
    x, boxes = align.problem(images, 3, 4, 5)
    aligned = (*maps(x), *to(boxes), 0.125, 5)
    rois, pts, feature = to(*roiaware.problem(0 if empty else 3, 40, 2))
    pooled, argmax, pts_idx = ops.roiaware_pool3d(rois, pts, feature, (2, 3, 2), 6, 0)
    calls = {
        "carafe": (features, masks, *sizes),
        "carafe_backward": (grad, features, masks, *sizes),
        "carafe_backward_features": (grad, features, masks, *sizes),
        "carafe_backward_masks": (grad, features, masks, *sizes),
        "rotated_feature_align": aligned,
        "rotated_feature_align_backward": aligned,
        "roiaware_pool3d": (rois, pts, feature, (2, 3, 2), 6, 1),
        "roiaware_pool3d_backward": (pts_idx, argmax, pooled, 40, 0),
        "points_in_boxes": (pts[None], rois[None], True),
    }
    calls.update(_sparse_calls(dtype, 0 if empty else 14))
    calls.update(_points_calls(dtype, 0 if empty else 60))
    calls.update(_boxes_calls(dtype, 0 if empty else 12))
    calls.update(_roi_align_calls(features, 0 if empty else 6, channels_last))
    return calls


def _sparse_calls(dtype: torch.dtype, rows: int) -> dict[str, tuple[Any, ...]]:
    indices = sites((4, 3, 4), rows, seed=1)
    three, two, one = (3, 3, 3), (2, 2, 2), (1, 1, 1)
    strided = (indices, 2, (4, 3, 4), (2, 2, 2), three, two, one, one, False)
    out, found, num = ops.pairs(*strided)
    features = distinct(rows, 4).to(dtype)
    filters = torch.randn(*three, 4, 6).to(dtype)
    grad = torch.randn(out.shape[0], 6).to(dtype)
    pooled = ops.indice_maxpool(features, found, num, out.shape[0])
    return {
        "subm_pairs": (indices, 2, (4, 3, 4), three, one),
        "pairs": strided,
        "indice_conv": (features, filters, found, num, out.shape[0], False, False),
        "indice_conv_data": (grad, filters, found, num, rows, False, False),
        "indice_conv_filter": (features, grad, found, num, filters.shape, False, False),
        "indice_maxpool": (features, found, num, out.shape[0]),
        "indice_maxpool_backward": (features, pooled, torch.rand_like(pooled), found, num),
        "indice_avgpool": (features, found, num, out.shape[0]),
        "indice_avgpool_backward": (pooled, found, num, rows),
    }


#: Of voxelization in the tests: voxel_size and coors_range.
GRID = ([0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 2.0, 2.0, 2.0])


def cloud(rows: int, columns: int = 5, seed: int = 0) -> Tensor:
    """Points of which some are outside of GRID's range; exact in bfloat16."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-8, 40, (rows, columns), generator=generator).double() / 16


def _points_calls(dtype: torch.dtype, rows: int) -> dict[str, tuple[Any, ...]]:
    points = cloud(rows).to(dtype)
    coors = ops.dynamic_voxelize(points, *GRID)
    feats = distinct(rows, 3).to(dtype)
    reduced, _, table, counts = ops.dynamic_scatter(feats, coors, 2)
    return {
        "voxelization": (points, *GRID, 3, 20),
        "dynamic_voxelize": (points, *GRID),
        "dynamic_scatter": (feats, coors, 1),
        "dynamic_scatter_backward": (torch.rand_like(reduced), feats, reduced, table, counts, 2),
    }


def turned_boxes(rows: int, seed: int = 0) -> Tensor:
    """Rotated boxes [N,5] that meet each other."""
    generator = torch.Generator().manual_seed(seed)
    numbers = torch.rand(rows, 5, dtype=torch.float64, generator=generator)
    return numbers * torch.tensor([6, 6, 3, 3, 6.0]) + torch.tensor([0, 0, 1, 1, -3.0])


def _boxes_calls(dtype: torch.dtype, rows: int) -> dict[str, tuple[Any, ...]]:
    turned, others = (turned_boxes(rows, seed).to(dtype) for seed in (0, 1))
    scores = distinct(rows, 1)[:, 0].to(dtype)
    solids, more = (boxes[:, [0, 1, 2, 2, 3, 3, 4]] for boxes in (turned, others))
    upright = torch.cat([turned[:, :2], turned[:, :2] + turned[:, 2:4]], 1)
    return {
        "box_iou_rotated": (turned, others, 0, False),
        "boxes_overlap_bev": (solids, more),
        "nms": (upright, scores, 0.4, 0),
        "nms_rotated": (turned, scores, 0.4),
        "nms3d": (solids, 0.4, False),
    }


def rois_of(rows: int, images: int, height: int, width: int, seed: int = 0) -> Tensor:
    """RoIs [K,5] of images four times the size of the map, exact in bfloat16; some leave it."""
    generator = torch.Generator().manual_seed(seed)
    image = torch.randint(max(images, 1), (rows, 1), generator=generator).double()
    places = torch.rand(rows, 4, dtype=torch.float64, generator=generator)
    corners = places * torch.tensor([width, height, width, height]) * 5 - 2
    corners[:, 2:] = corners[:, :2] + corners[:, 2:].abs() / 2 + 1
    return torch.cat([image, (corners * 4).round() / 4], 1)


def _roi_align_calls(
    features: Tensor, rows: int, channels_last: bool
) -> dict[str, tuple[Any, ...]]:
    images, _, height, width = features.shape
    rois = rois_of(rows, images, height, width).to(features.dtype)
    arguments = ((2, 3), 0.25, 2, 0, True)
    pooled, argmax_y, argmax_x = ops.roi_align(features, rois, *arguments)
    back = (torch.rand_like(pooled), rois, argmax_y, argmax_x, features.shape)
    return {
        "roi_align": (features, rois, *arguments),
        "roi_align_backward": (*back, *arguments[1:], channels_last),
    }


OPERATORS = [schema.split("(", 1)[0] for schema in ops.SCHEMAS]
