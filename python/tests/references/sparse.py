"""Sparse convolution and pooling by dense convolutions and by loops, in the dtype of the arguments.

Dense grids hold the sum of duplicate rows: every duplicate contributes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import torch
from torch.nn import functional

_CONV = {1: functional.conv1d, 2: functional.conv2d, 3: functional.conv3d}
_TRANSPOSED = {
    1: functional.conv_transpose1d,
    2: functional.conv_transpose2d,
    3: functional.conv_transpose3d,
}


def random_sites(
    rows: int, shape: Sequence[int], batch: int, duplicates: bool = False
) -> torch.Tensor:
    """int32 [rows,ndim+1] at random cells in random order, distinct unless duplicates."""
    cells = batch * math.prod(shape)
    chosen = torch.randint(cells, (rows,)) if duplicates else torch.randperm(cells)[:rows]
    columns = []
    for size in reversed(shape):
        columns.append(chosen % size)
        chosen = chosen // size
    return torch.stack([chosen, *reversed(columns)], 1).int()


def grid_of(
    features: torch.Tensor, indices: torch.Tensor, shape: Sequence[int], batch: int
) -> torch.Tensor:
    """Dense [B,C,*shape], the sum of the rows of each cell."""
    dense = features.new_zeros((batch, *shape, features.shape[1]))
    dense = dense.index_put(tuple(indices.long().T), features, accumulate=True)
    return dense.movedim(-1, 1)


def at(dense: torch.Tensor, sites: torch.Tensor) -> torch.Tensor:
    """[rows,C] of a dense [B,C,*shape] at the sites."""
    return dense.movedim(1, -1)[tuple(sites.long().T)]


def conv(
    dense: torch.Tensor,
    weight: torch.Tensor,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> torch.Tensor:
    """Convolution of [B,Ci,*shape] with weight [k...,Ci,Co]."""
    ndim = dense.dim() - 2
    kernel = weight.permute(ndim + 1, ndim, *range(ndim))
    return _CONV[ndim](dense, kernel, None, tuple(stride), tuple(padding), tuple(dilation))


def transposed(
    dense: torch.Tensor,
    weight: torch.Tensor,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    shape: Sequence[int],
) -> torch.Tensor:
    """Transposed convolution of [B,Ci,*] with weight [k...,Ci,Co], cut to an output of `shape`."""
    ndim = dense.dim() - 2
    kernel = weight.permute(ndim, ndim + 1, *range(ndim))
    # Without padding, then cut by hand: torch limits output_padding.
    full = _TRANSPOSED[ndim](dense, kernel, None, tuple(stride), 0, 0, 1, tuple(dilation))
    for axis, (pad, size) in enumerate(zip(padding, shape)):
        have = full.shape[axis + 2]
        index = torch.arange(pad, pad + size).clamp(max=have)
        row = torch.zeros_like(full.narrow(axis + 2, 0, 1))
        full = torch.cat([full, row], axis + 2).index_select(axis + 2, index)
    return full


def last_of_each(indices: torch.Tensor) -> torch.Tensor:
    """bool [rows]: no later row has the same site."""
    later: set[tuple[int, ...]] = set()
    result = []
    for row in reversed(indices.tolist()):
        result.append(tuple(row) not in later)
        later.add(tuple(row))
    return torch.tensor(result[::-1], dtype=torch.bool)


def loops(
    features: torch.Tensor,
    indices: torch.Tensor,
    weight: torch.Tensor,
    outids: torch.Tensor,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> torch.Tensor:
    """Convolution of any number of axes, site by site: y[o] = sum of x[o*s - p + a*d] W[a]."""
    kernel = weight.shape[:-2]
    result = []
    for batch, *site in outids.tolist():
        total = features.new_zeros(weight.shape[-1])
        for offset in itertools.product(*(range(k) for k in kernel)):
            wanted = [
                o * s - p + a * d for o, s, p, a, d in zip(site, stride, padding, offset, dilation)
            ]
            rows = (indices == torch.tensor([batch, *wanted])).all(1)
            total = total + features[rows].sum(0) @ weight[offset]
        result.append(total)
    return torch.stack(result)


def errors(got: torch.Tensor, wanted: torch.Tensor) -> tuple[float, float]:
    """diff1 and diff2: the summed error relative to the summed values, absolute and squared."""
    exact = wanted.detach().double()
    difference = got.detach().double() - exact
    first = difference.abs().sum() / exact.abs().sum()
    second = (difference.square().sum() / exact.square().sum()).sqrt()
    return float(first), float(second)
