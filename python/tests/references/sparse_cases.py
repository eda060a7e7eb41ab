"""Named sparse convolution layers, each with the dense convolution that it has to equal."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import torch

from mluops_cpu.ops import SparseConvTensor
from mluops_cpu.ops.sparse_conv import SparseConvolution
from references import sparse


def window(**arguments: Any) -> dict[str, Any]:
    """Arguments of a layer."""
    return arguments


class Case(NamedTuple):
    """A layer, its sites and its space."""

    name: str
    shape: tuple[int, ...]
    rows: int
    arguments: dict[str, Any]
    batch: int = 2
    duplicates: bool = False
    # Arguments of the strided layer whose sites an inverse layer goes back to.
    coupled: Optional[dict[str, Any]] = None

    def __str__(self) -> str:
        return self.name

    def layer(self, channels: tuple[int, int] = (3, 5), **more: Any) -> SparseConvolution:
        """The layer with random weights and a bias."""
        return SparseConvolution(len(self.shape), *channels, **{**self.arguments, **more})

    def tensor(self, dtype: torch.dtype, channels: int = 3) -> SparseConvTensor:
        """Its input. For an inverse layer: the output of the coupled one, with new features."""
        sites = sparse.random_sites(self.rows, self.shape, self.batch, self.duplicates)
        features = torch.randn(self.rows, channels, dtype=torch.float64).to(dtype)
        tensor = SparseConvTensor(features, sites, list(self.shape), self.batch)
        if self.coupled:
            down = SparseConvolution(
                len(self.shape), channels, channels, indice_key="d", **self.coupled
            )
            tensor = down.to(dtype)(tensor)
            tensor.features = torch.randn(tensor.features.shape, dtype=torch.float64).to(dtype)
        return tensor


CASES = [
    Case("subm", (6, 7, 8), 60, window(kernel_size=3, subm=True)),
    Case(
        "subm_padding_is_ignored",
        (6, 7, 8),
        60,
        window(kernel_size=3, padding=2, stride=2, subm=True),
    ),
    Case("subm_5x1x3", (6, 7, 8), 60, window(kernel_size=[5, 1, 3], subm=True)),
    Case("subm_dilated", (9, 8, 7), 120, window(kernel_size=3, dilation=[2, 1, 3], subm=True)),
    Case("subm_2d", (9, 10), 40, window(kernel_size=3, subm=True)),
    Case("subm_1d", (30,), 20, window(kernel_size=3, subm=True)),
    Case("strided", (7, 8, 9), 50, window(kernel_size=3, stride=2, padding=1)),
    Case(
        "strided_mixed",
        (7, 8, 9),
        50,
        window(kernel_size=[3, 1, 2], stride=[2, 1, 3], padding=[0, 0, 1]),
    ),
    Case("plain_dilated", (9, 8, 9), 50, window(kernel_size=3, dilation=2, padding=[1, 0, 2])),
    Case("strided_2d", (9, 10), 30, window(kernel_size=3, stride=2, padding=1)),
    Case("strided_1d", (30,), 12, window(kernel_size=3, stride=2, padding=1)),
    Case("transposed", (4, 5, 3), 25, window(kernel_size=3, stride=2, padding=1, transposed=True)),
    Case(
        "transposed_output_padding",
        (4, 5, 3),
        25,
        window(kernel_size=2, stride=3, output_padding=[1, 0, 2], transposed=True),
    ),
    Case("transposed_2d", (5, 6), 14, window(kernel_size=3, stride=2, padding=1, transposed=True)),
    Case(
        "inverse",
        (7, 8, 9),
        50,
        window(kernel_size=3, inverse=True, indice_key="d"),
        coupled=window(kernel_size=3, stride=2, padding=1),
    ),
    Case(
        "inverse_2d",
        (9, 10),
        30,
        window(kernel_size=2, inverse=True, indice_key="d"),
        coupled=window(kernel_size=2, stride=2),
    ),
    Case(
        "strided_duplicates",
        (5, 4, 6),
        90,
        window(kernel_size=3, stride=2, padding=1),
        duplicates=True,
    ),
    Case("subm_duplicates", (5, 4, 6), 90, window(kernel_size=3, subm=True), duplicates=True),
    Case(
        "subm_more_rows_than_cells",
        (2, 2, 2),
        40,
        window(kernel_size=3, subm=True),
        duplicates=True,
    ),
    Case(
        "strided_more_rows_than_cells",
        (3, 3, 3),
        99,
        window(kernel_size=3, stride=2),
        duplicates=True,
    ),
    Case("one_row", (7, 8, 9), 1, window(kernel_size=3, stride=2, padding=1)),
]


def named(*names: str) -> list[Case]:
    """The cases of these names, in this order."""
    return [case for name in names for case in CASES if case.name == name]


def dense_result(
    case: Case,
    tensor: SparseConvTensor,
    features: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    outids: torch.Tensor,
    out_shape: list[int],
) -> torch.Tensor:
    """What the layer has to give for these features at its output sites, by a dense convolution."""
    ndim = len(case.shape)
    settings = case.coupled or case.arguments

    def axes(name: str, default: int) -> list[int]:
        value = settings.get(name, default)
        return [value] * ndim if isinstance(value, int) else list(value)

    kernel, dilation = axes("kernel_size", 3), axes("dilation", 1)
    stride, padding = axes("stride", 1), axes("padding", 0)
    grid = sparse.grid_of(features, tensor.indices, tensor.spatial_shape, case.batch)
    if case.arguments.get("subm"):
        stride, padding = [1] * ndim, [k // 2 * d for k, d in zip(kernel, dilation)]
    if case.arguments.get("transposed") or case.coupled:
        dense = sparse.transposed(grid, weight, stride, padding, dilation, out_shape)
    else:
        dense = sparse.conv(grid, weight, stride, padding, dilation)
    result = sparse.at(dense, outids)
    if case.arguments.get("subm"):
        # The last of equal rows stands for the site.
        result = result * sparse.last_of_each(tensor.indices).to(result.dtype)[:, None]
    return result + bias
