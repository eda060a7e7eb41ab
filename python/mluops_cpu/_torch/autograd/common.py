"""What the Functions share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

import torch
from torch import Tensor
from torch.autograd import forward_ad

from ..layout import is_channels_last, memory_format
from ..tracing import compiling

if TYPE_CHECKING:

    class Function(torch.autograd.Function):
        """torch leaves `apply` untyped."""

        @classmethod
        def apply(cls, *args: Any) -> Any: ...

else:
    Function = torch.autograd.Function


def recording() -> bool:
    """Tell whether a backward must be differentiable itself (create_graph=True in eager mode)."""
    return torch.is_grad_enabled() and not compiling()


def wanted(*tensors: Tensor) -> bool:
    """Tell whether a forward with these differentiable tensors needs its Function.

    Calling the operator instead saves 4 µs. Forward-mode differentiation goes to the Function too,
    which refuses it: the operator would drop the tangents.
    """
    if torch.is_grad_enabled():
        for tensor in tensors:
            if tensor.requires_grad:
                return True
    return forward_ad._current_level >= 0


def in_format(
    channels_last: Optional[bool], function: Callable[..., Tensor], source: Tensor, *args: Any
) -> Tensor:
    """Return function(source, *args), whose format follows `source`, in the requested format.

    Converts on whichever side costs one transpose; None requests none.
    """
    if channels_last is None:
        return function(source, *args)
    if channels_last:
        return function(source.contiguous(memory_format=torch.channels_last), *args)
    return function(source, *args).contiguous()


def formatted(grad: Tensor, channels_last: bool) -> Tensor:
    """Return a gradient in the format of the tensor it belongs to."""
    if is_channels_last(grad) == channels_last:
        return grad
    return grad.contiguous(memory_format=memory_format(channels_last))
