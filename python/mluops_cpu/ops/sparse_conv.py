"""Sparse convolution layers: mmcv.ops.sparse_conv.

A layer takes a SparseConvTensor with L sites and gives a new one with Y; SparseConvolution explains
the arguments and the errors.
"""

from __future__ import annotations

from typing import ClassVar, Optional

from ._sparse_layer import SparseConvolution
from ._sparse_window import Sizes

__all__ = [
    "SparseConv2d",
    "SparseConv3d",
    "SparseConv4d",
    "SparseConvTranspose2d",
    "SparseConvTranspose3d",
    "SparseConvolution",
    "SparseInverseConv2d",
    "SparseInverseConv3d",
    "SubMConv2d",
    "SubMConv3d",
    "SubMConv4d",
]


class _Layer(SparseConvolution):
    """Constructor of the layers below: their positional arguments, in mmcv's order."""

    _ndim: ClassVar[int]
    _subm: ClassVar[bool] = False
    _transposed: ClassVar[bool] = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        indice_key: Optional[str] = None,
    ) -> None:
        super().__init__(
            self._ndim,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            subm=self._subm,
            transposed=self._transposed,
            indice_key=indice_key,
        )


class _InverseLayer(SparseConvolution):
    """Constructor of the inverse layers."""

    _ndim: ClassVar[int]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        indice_key: Optional[str] = None,
        bias: bool = True,
    ) -> None:
        super().__init__(
            self._ndim,
            in_channels,
            out_channels,
            kernel_size,
            bias=bias,
            inverse=True,
            indice_key=indice_key,
        )


class SparseConv2d(_Layer):
    """Sparse convolution over 2 axes: a site for every window that holds one.

    features [L,in_channels] -> [Y,out_channels]; weight [*kernel_size,in_channels,out_channels].
    The other arguments are those of SparseConvolution.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConv2d, SparseConvTensor
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2]]), [8, 8], 1)
    >>> y = SparseConv2d(4, 8, 3, stride=2, padding=1)(x)
    >>> y.indices.tolist(), y.spatial_shape
    ([[0, 1, 1]], [4, 4])
    """

    _ndim = 2


class SparseConv3d(_Layer):
    """Sparse convolution over 3 axes: a site for every window that holds one.

    features [L,in_channels] -> [Y,out_channels]; weight [*kernel_size,in_channels,out_channels].
    The other arguments are those of SparseConvolution.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConv3d, SparseConvTensor
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2, 2]]), [8, 8, 8], 1)
    >>> y = SparseConv3d(4, 8, 3, stride=2, padding=1)(x)
    >>> y.indices.tolist(), y.spatial_shape
    ([[0, 1, 1, 1]], [4, 4, 4])
    """

    _ndim = 3


class SparseConv4d(_Layer):
    """Sparse convolution over 4 axes: a site for every window that holds one.

    features [L,in_channels] -> [Y,out_channels]; weight [*kernel_size,in_channels,out_channels].
    The other arguments are those of SparseConvolution.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor
    >>> from mluops_cpu.ops.sparse_conv import SparseConv4d
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2, 2, 2]]), [8, 8, 8, 8], 1)
    >>> y = SparseConv4d(4, 8, 3, stride=2, padding=1)(x)
    >>> y.indices.tolist(), y.spatial_shape
    ([[0, 1, 1, 1, 1]], [4, 4, 4, 4])
    """

    _ndim = 4


class SubMConv2d(_Layer):
    """Submanifold convolution over 2 axes: the sites stay.

    features [L,in_channels] -> [L,out_channels]; weight [*kernel_size,in_channels,out_channels].
    stride and padding are ignored; the other arguments are those of SparseConvolution.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor, SubMConv2d
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2]]), [8, 8], 1)
    >>> y = SubMConv2d(4, 8, 3, indice_key='subm1')(x)
    >>> y.indices.tolist(), y.spatial_shape
    ([[0, 2, 2]], [8, 8])
    """

    _ndim = 2
    _subm = True


class SubMConv3d(_Layer):
    """Submanifold convolution over 3 axes: the sites stay.

    features [L,in_channels] -> [L,out_channels]; weight [*kernel_size,in_channels,out_channels].
    stride and padding are ignored; the other arguments are those of SparseConvolution.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor, SubMConv3d
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2, 2]]), [8, 8, 8], 1)
    >>> y = SubMConv3d(4, 8, 3, indice_key='subm1')(x)
    >>> y.indices.tolist(), y.spatial_shape
    ([[0, 2, 2, 2]], [8, 8, 8])
    """

    _ndim = 3
    _subm = True


class SubMConv4d(_Layer):
    """Submanifold convolution over 4 axes: the sites stay.

    features [L,in_channels] -> [L,out_channels]; weight [*kernel_size,in_channels,out_channels].
    stride and padding are ignored; the other arguments are those of SparseConvolution.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor
    >>> from mluops_cpu.ops.sparse_conv import SubMConv4d
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2, 2, 2]]), [8, 8, 8, 8], 1)
    >>> y = SubMConv4d(4, 8, 3, indice_key='subm1')(x)
    >>> y.indices.tolist(), y.spatial_shape
    ([[0, 2, 2, 2, 2]], [8, 8, 8, 8])
    """

    _ndim = 4
    _subm = True


class SparseConvTranspose2d(_Layer):
    """Transposed sparse convolution over 2 axes.

    features [L,in_channels] -> [Y,out_channels], a site wherever an input site reaches; weight
    [*kernel_size,in_channels,out_channels]. The other arguments are those of SparseConvolution.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor, SparseConvTranspose2d
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2]]), [4, 4], 1)
    >>> y = SparseConvTranspose2d(4, 8, 2, stride=2)(x)
    >>> y.indices.shape, y.spatial_shape
    (torch.Size([4, 3]), [8, 8])
    """

    _ndim = 2
    _transposed = True


class SparseConvTranspose3d(_Layer):
    """Transposed sparse convolution over 3 axes.

    features [L,in_channels] -> [Y,out_channels], a site wherever an input site reaches; weight
    [*kernel_size,in_channels,out_channels]. The other arguments are those of SparseConvolution.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor, SparseConvTranspose3d
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2, 2]]), [4, 4, 4], 1)
    >>> y = SparseConvTranspose3d(4, 8, 2, stride=2)(x)
    >>> y.indices.shape, y.spatial_shape
    (torch.Size([8, 4]), [8, 8, 8])
    """

    _ndim = 3
    _transposed = True


class SparseInverseConv2d(_InverseLayer):
    """Back to the sites before the SparseConv2d with the same key and kernel size.

    features [Y,in_channels] -> [L,out_channels] at the L sites that the other layer started from;
    weight [*kernel_size,in_channels,out_channels].

    >>> import torch
    >>> from mluops_cpu.ops import SparseConv2d, SparseConvTensor, SparseInverseConv2d
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2]]), [8, 8], 1)
    >>> y = SparseConv2d(4, 8, 2, stride=2, indice_key='down')(x)
    >>> z = SparseInverseConv2d(8, 4, 2, indice_key='down')(y)
    >>> z.indices.tolist(), z.spatial_shape
    ([[0, 2, 2]], [8, 8])
    """

    _ndim = 2


class SparseInverseConv3d(_InverseLayer):
    """Back to the sites before the SparseConv3d with the same key and kernel size.

    features [Y,in_channels] -> [L,out_channels] at the L sites that the other layer started from;
    weight [*kernel_size,in_channels,out_channels].

    >>> import torch
    >>> from mluops_cpu.ops import SparseConv3d, SparseConvTensor, SparseInverseConv3d
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 2, 2, 2]]), [8, 8, 8], 1)
    >>> y = SparseConv3d(4, 8, 2, stride=2, indice_key='down')(x)
    >>> z = SparseInverseConv3d(8, 4, 2, indice_key='down')(y)
    >>> z.indices.tolist(), z.spatial_shape
    ([[0, 2, 2, 2]], [8, 8, 8])
    """

    _ndim = 3
