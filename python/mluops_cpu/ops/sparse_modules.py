"""Containers of sparse layers: mmcv.ops.sparse_modules."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, Callable, Optional

import torch
from torch import nn

from .._torch.tracing import compiling
from .sparse_structure import SparseConvTensor

__all__ = [
    "RemoveGrid",
    "SparseModule",
    "SparseSequential",
    "ToDense",
    "is_sparse_conv",
    "is_spconv_module",
]


class SparseModule(nn.Module):
    """Base of modules that take a SparseConvTensor in a SparseSequential.

    >>> from mluops_cpu.ops import SparseModule, SubMConv3d
    >>> isinstance(SubMConv3d(4, 8, 3), SparseModule)
    True
    """


def is_spconv_module(module: nn.Module) -> bool:
    """Whether the module takes a SparseConvTensor.

    >>> from torch import nn
    >>> from mluops_cpu.ops.sparse_modules import ToDense, is_spconv_module
    >>> is_spconv_module(ToDense()), is_spconv_module(nn.ReLU())
    (True, False)
    """
    return isinstance(module, SparseModule)


def is_sparse_conv(module: nn.Module) -> bool:
    """Whether the module is a sparse convolution.

    >>> from mluops_cpu.ops import SparseMaxPool3d, SubMConv3d
    >>> from mluops_cpu.ops.sparse_modules import is_sparse_conv
    >>> is_sparse_conv(SubMConv3d(4, 8, 3)), is_sparse_conv(SparseMaxPool3d(2))
    (True, False)
    """
    from .sparse_conv import SparseConvolution

    return isinstance(module, SparseConvolution)


class SparseSequential(SparseModule):
    """Modules in a row, given by position, as one OrderedDict, or by keyword.

    Sparse modules take and give a SparseConvTensor. Other modules are applied to its `features`,
    which are assigned in place; with 0 rows too (mmcv skips them then, and their parameters get no
    gradient, which breaks DistributedDataParallel). What is no SparseConvTensor passes through
    other modules as in nn.Sequential.

    Raises ValueError for a name given twice, AssertionError if a sparse module is to take anything
    but a SparseConvTensor.

    >>> import torch
    >>> from torch import nn
    >>> from mluops_cpu.ops import SparseConvTensor, SparseSequential, SubMConv2d
    >>> net = SparseSequential(SubMConv2d(1, 4, 3), nn.BatchNorm1d(4), nn.ReLU())
    >>> sites = torch.tensor([[0, 0, 1], [0, 2, 2]])
    >>> net(SparseConvTensor(torch.randn(2, 1), sites, [4, 4], 1)).features.shape
    torch.Size([2, 4])
    """

    def __init__(self, *args: Any, **kwargs: nn.Module) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            named: Iterable[tuple[str, nn.Module]] = args[0].items()
        else:
            named = ((str(position), module) for position, module in enumerate(args))
        for name, module in [*named, *kwargs.items()]:
            if name in self._modules:
                raise ValueError(f"name {name!r} exists")
            self.add_module(name, module)
        self._sparity_dict: dict[str, float] = {}

    def __getitem__(self, idx: int) -> nn.Module:
        if not -len(self) <= idx < len(self):
            raise IndexError(f"index {idx} is out of range")
        return list(self._modules.values())[idx]  # type: ignore[return-value]

    def __len__(self) -> int:
        return len(self._modules)

    @property
    def sparity_dict(self) -> dict[str, float]:
        """Sparity of the last input of each sparse module, by name; not recorded when compiled."""
        return self._sparity_dict

    def add(self, module: nn.Module, name: Optional[str] = None) -> None:
        """Appends a module; KeyError if no name is given and its number is taken."""
        if name is None:
            name = str(len(self._modules))
            if name in self._modules:
                raise KeyError(f"name {name!r} exists")
        self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        """Applies the modules in order."""
        return run(self._modules, input, SparseConvTensor, SparseModule, self._sparity_dict)

    def fused(self) -> SparseSequential:
        """A copy for inference in which each convolution takes in the BatchNorm1d that follows it.

        Weight W·γ/√(var+eps), bias (b−mean)·γ/√(var+eps)+β. (mmcv adds eps outside of the root and
        drops the convolution's own bias.) Modules that are not fused are shared with the original.
        """
        from .sparse_conv import SparseConvolution

        modules = [module for module in self._modules.values() if module is not None]
        return SparseSequential(*fuse(modules, SparseConvolution))


class ToDense(SparseModule):
    """SparseConvTensor -> dense tensor [B,C,*spatial_shape].

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor
    >>> from mluops_cpu.ops.sparse_modules import ToDense
    >>> x = SparseConvTensor(torch.ones(1, 2), torch.tensor([[0, 0, 1]]), [2, 2], 1)
    >>> ToDense()(x).shape
    torch.Size([1, 2, 2, 2])
    """

    def forward(self, x: SparseConvTensor) -> torch.Tensor:
        """Dense tensor of x."""
        return x.dense()


class RemoveGrid(SparseModule):
    """Sets `grid` to None and gives the same tensor back.

    >>> import torch
    >>> from mluops_cpu.ops import SparseConvTensor
    >>> from mluops_cpu.ops.sparse_modules import RemoveGrid
    >>> sites = torch.tensor([[0, 0, 1]])
    >>> x = SparseConvTensor(torch.ones(1, 2), sites, [2, 2], 1, grid=torch.zeros(4))
    >>> RemoveGrid()(x) is x, x.grid
    (True, None)
    """

    def forward(self, x: SparseConvTensor) -> SparseConvTensor:
        """The same tensor without a grid."""
        x.grid = None
        return x


def run(
    modules: Mapping[str, Optional[nn.Module]],
    input: Any,
    tensor_class: Any,
    sparse_class: Any,
    sparity: dict[str, float],
) -> Any:
    """SparseSequential.forward for any pair of tensor and module classes."""
    # A record of L/cells in a module would make torch.compile guard on every value of L.
    record = not compiling()
    for name, module in modules.items():
        if module is None:
            continue
        if isinstance(module, sparse_class):
            if not isinstance(input, tensor_class):
                raise AssertionError(
                    f"{type(module).__name__} takes a SparseConvTensor, got {type(input).__name__}"
                )
            if record:
                sparity[name] = input.sparity
            input = module(input)
        elif isinstance(input, tensor_class):
            input.features = module(input.features)
        else:
            input = module(input)
    return input


def fuse(modules: list[nn.Module], conv_class: Callable[..., Any]) -> list[nn.Module]:
    """The modules with each pair of convolution and BatchNorm1d replaced by one convolution."""
    result: list[nn.Module] = []
    for module in modules:
        previous = result[-1] if result else None
        if _can_fuse(previous, module, conv_class):
            result[-1] = _fold(previous, module, conv_class)
        else:
            result.append(module)
    return result


def _can_fuse(conv: Any, norm: nn.Module, conv_class: Any) -> bool:
    # A second norm after a fused pair stays what it is; so does one without statistics.
    return (
        isinstance(conv, conv_class)
        and not conv.fused_bn
        and isinstance(norm, nn.BatchNorm1d)
        and norm.running_mean is not None
    )


def _fold(conv: Any, norm: Any, conv_class: Callable[..., Any]) -> Any:
    """Convolution equal to conv followed by norm in evaluation."""
    fused = conv_class(
        ndim=conv.ndim,
        in_channels=conv.in_channels,
        out_channels=conv.out_channels,
        kernel_size=conv.kernel_size,
        stride=conv.stride,
        padding=conv.padding,
        dilation=conv.dilation,
        groups=conv.groups,
        bias=True,
        subm=conv.subm,
        output_padding=conv.output_padding,
        transposed=conv.transposed,
        inverse=conv.inverse,
        indice_key=conv.indice_key,
        fused_bn=True,
    )
    fused.to(conv.weight)
    fused.train(conv.training)
    with torch.no_grad():
        scale = torch.rsqrt(norm.running_var + norm.eps)
        if norm.weight is not None:
            scale = scale * norm.weight
        bias = -norm.running_mean if conv.bias is None else conv.bias - norm.running_mean
        fused.weight.copy_(conv.weight * scale)
        fused.bias.copy_(bias * scale + (0 if norm.bias is None else norm.bias))
    return fused
