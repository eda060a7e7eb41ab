"""Sparse max pooling layers: mmcv.ops.sparse_pool."""

from __future__ import annotations

from .._torch.pairs import cache_of
from ._sparse_window import (
    Sizes,
    Window,
    output_shape,
    per_axis,
    require_stride_or_dilation_1,
    window_pairs,
)
from .sparse_functional import indice_maxpool
from .sparse_modules import SparseModule
from .sparse_structure import SparseConvTensor, as_int32, successor

__all__ = ["SparseMaxPool", "SparseMaxPool2d", "SparseMaxPool3d"]


class SparseMaxPool(SparseModule):
    """Max pooling over the sites of each window: max(0, the sites' values), NaN never wins.

    As in mmcv the value is floored at 0, each input that equals the maximum takes the whole
    gradient, and a window floored at 0 gives none. subm: the sites stay; otherwise every window
    with a site gives one.

    Raises AssertionError for an input that is no SparseConvTensor and if neither stride nor
    dilation is 1 on an axis.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor
    >>> from mluops_cpu.ops.sparse_pool import SparseMaxPool
    >>> sites = torch.tensor([[0, 0, 0], [0, 0, 1], [0, 3, 3]])
    >>> x = SparseConvTensor(torch.tensor([[1.0], [2.0], [-1.0]]), sites, [4, 4], 1)
    >>> SparseMaxPool(2, kernel_size=2, stride=2)(x).dense()
    tensor([[[[2., 0.],
              [0., 0.]]]])
    """

    def __init__(
        self,
        ndim: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        subm: bool = False,
    ) -> None:
        super().__init__()
        self.ndim = ndim
        self.kernel_size = per_axis(kernel_size, ndim, "kernel_size")
        self.stride = per_axis(stride, ndim, "stride")
        self.padding = per_axis(padding, ndim, "padding")
        self.dilation = per_axis(dilation, ndim, "dilation")
        self.subm = subm

    def forward(self, input: SparseConvTensor) -> SparseConvTensor:
        """[L,C] at the input's sites -> [Y,C] at the windows' sites."""
        if not isinstance(input, SparseConvTensor):
            raise AssertionError(f"input must be a SparseConvTensor, got {type(input).__name__}")
        require_stride_or_dilation_1(self.stride, self.dilation)
        window = Window(
            self.kernel_size, self.stride, self.padding, self.dilation, [0] * self.ndim, self.subm
        )
        indices, space = as_int32(input.indices), input.spatial_shape
        shape = output_shape(window, space)
        outids, pairs, num = window_pairs(
            window, indices, input.batch_size, space, shape, cache_of(input)
        )
        features = indice_maxpool(input.features, pairs, num, outids.shape[0])
        return successor(input, features, outids, shape)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class SparseMaxPool2d(SparseMaxPool):
    """SparseMaxPool over 2 axes. The default stride is 1, as in mmcv.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor, SparseMaxPool2d
    >>> x = SparseConvTensor(torch.ones(1, 1), torch.tensor([[0, 1, 1]]), [4, 4], 1)
    >>> SparseMaxPool2d(2, stride=2)(x).indices.tolist()
    [[0, 0, 0]]
    """

    def __init__(
        self, kernel_size: Sizes, stride: Sizes = 1, padding: Sizes = 0, dilation: Sizes = 1
    ) -> None:
        super().__init__(2, kernel_size, stride, padding, dilation)


class SparseMaxPool3d(SparseMaxPool):
    """SparseMaxPool over 3 axes. The default stride is 1, as in mmcv.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor, SparseMaxPool3d
    >>> x = SparseConvTensor(torch.ones(1, 1), torch.tensor([[0, 1, 1, 3]]), [4, 4, 4], 1)
    >>> SparseMaxPool3d(2, stride=2)(x).indices.tolist()
    [[0, 0, 0, 1]]
    """

    def __init__(
        self, kernel_size: Sizes, stride: Sizes = 1, padding: Sizes = 0, dilation: Sizes = 1
    ) -> None:
        super().__init__(3, kernel_size, stride, padding, dilation)
