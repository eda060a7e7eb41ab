"""The class behind all sparse convolution layers.

L input rows, Y output rows, K kernel offsets. A layer takes a SparseConvTensor and gives a new one.
"""

from __future__ import annotations

import math
import warnings
from typing import Any, Optional

import torch
from torch import nn

from ._sparse_run import run_layer
from ._sparse_weights import adopt
from ._sparse_window import Sizes, per_axis, require_stride_or_dilation_1
from .sparse_modules import SparseModule
from .sparse_structure import SparseConvTensor


class SparseConvolution(SparseModule):
    """Sparse convolution over ndim axes; the subclasses fix ndim and kind.

    Parameters: weight [k...,in_channels,out_channels], bias [out_channels] or None. A seed gives
    mmcv's initial values. Checkpoints of spconv 2 ([out,k...,in]) load too; the layout is told by
    version metadata and shape, or given by the environment variable SPCONV_SAVED_WEIGHT_LAYOUT
    (RSCK, KRSC, RSKC).

    subm: output sites are the input sites; stride and padding are ignored, the kernel is centred,
    dilated too. transposed: output_padding enters the output shape, dilation does not. inverse:
    undoes the sites of the strided layer with the same indice_key. indice_key: layers with one key
    share pairs. fused_bn: the bias carries a folded BatchNorm1d; no other effect. A 1x1 kernel is a
    matrix product at the input's sites for every kind of layer, as in mmcv.

    Raises AssertionError if groups is not 1 and if on some axis neither stride nor dilation is 1.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor
    >>> from mluops_cpu.ops.sparse_conv import SparseConvolution
    >>> layer = SparseConvolution(3, 4, 8, kernel_size=3, stride=2, padding=1)
    >>> x = SparseConvTensor(torch.randn(1, 4), torch.tensor([[0, 4, 4, 4]]), [8, 8, 8], 1)
    >>> y = layer(x)
    >>> y.features.shape, y.spatial_shape, y.indices.tolist()
    (torch.Size([1, 8]), [4, 4, 4], [[0, 2, 2, 2]])
    """

    bias: Optional[nn.Parameter]

    def __init__(
        self,
        ndim: int,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes = 3,
        stride: Sizes = 1,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        subm: bool = False,
        output_padding: Sizes = 0,
        transposed: bool = False,
        inverse: bool = False,
        indice_key: Optional[str] = None,
        fused_bn: bool = False,
    ) -> None:
        super().__init__()
        if groups != 1:
            raise AssertionError(f"groups must be 1, got {groups}")
        self.ndim, self.in_channels, self.out_channels = ndim, in_channels, out_channels
        self.kernel_size = per_axis(kernel_size, ndim, "kernel_size")
        self.stride = per_axis(stride, ndim, "stride")
        self.padding = per_axis(padding, ndim, "padding")
        self.dilation = per_axis(dilation, ndim, "dilation")
        self.output_padding = per_axis(output_padding, ndim, "output_padding")
        require_stride_or_dilation_1(self.stride, self.dilation)
        self.conv1x1 = math.prod(self.kernel_size) == 1
        self.groups, self.subm, self.transposed, self.inverse = groups, subm, transposed, inverse
        self.indice_key, self.fused_bn = indice_key, fused_bn
        self._warn_of_1x1()
        self.weight = nn.Parameter(torch.empty(*self.kernel_size, in_channels, out_channels))
        offset = nn.Parameter(torch.empty(out_channels)) if bias else None
        self.register_parameter("bias", offset)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """mmcv's initial values.

        kaiming_uniform_ reads dim 1 as "in" and the rest as the field, so the bound of a weight
        [3,3,3,4,16] is 1/24 and not 1/sqrt(108); only the bias gets the right fan.
        """
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_channels * math.prod(self.kernel_size))
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input: SparseConvTensor) -> SparseConvTensor:
        """features [L,in_channels] -> [Y,out_channels], with the input's indice_dict and grid.

        Raises AssertionError for anything but a SparseConvTensor, and in an inverse layer without
        an entry for its key or with another kernel size than its coupled layer's; BadParamError for
        an output shape below 1, a site outside of batch or space, and a key whose pairs belong to
        other sites.
        """
        if not isinstance(input, SparseConvTensor):
            raise AssertionError(f"input must be a SparseConvTensor, got {type(input).__name__}")
        return run_layer(self, input, SparseConvTensor)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}"
        text += f", stride={self.stride}, padding={self.padding}, dilation={self.dilation}"
        return f"{text}, bias={self.bias is not None}, indice_key={self.indice_key!r}"

    def _warn_of_1x1(self) -> None:
        trivial = (
            all(s == 1 for s in self.stride)
            and not any(self.padding)
            and not any(self.output_padding)
        )
        if self.conv1x1 and not self.subm and not trivial:
            warnings.warn(
                "a 1x1 sparse convolution ignores stride and padding, as in mmcv: sites and spatial"
                " shape stay those of the input",
                UserWarning,
                stacklevel=4,
            )

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, *args: Any
    ) -> None:
        # Here and not in a pre-hook, and past SparseModule: mmdet3d replaces that method of
        # spconv's base class by one that rotates the weights; ours would be rotated twice.
        key = prefix + "weight"
        given = state_dict.get(key)
        # args[3]: the list of messages that all modules of one load share.
        adopt(state_dict, key, self, "RSCK", local_metadata.get("version"), args[3])
        try:
            nn.Module._load_from_state_dict(self, state_dict, prefix, local_metadata, *args)
        finally:
            if given is not None:
                state_dict[key] = given
