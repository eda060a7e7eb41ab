"""Automatic mixed precision. Only the public functions cast; operators and gradients never do.

float64 tensors are left alone, as torch's own autocast does.
"""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor

if hasattr(torch, "get_autocast_dtype"):  # 2.4

    def autocast_dtype() -> Optional[torch.dtype]:
        """Return the dtype of CPU autocast, None outside of it."""
        return torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else None

else:

    def autocast_dtype() -> Optional[torch.dtype]:
        """Return the dtype of CPU autocast, None outside of it."""
        return torch.get_autocast_cpu_dtype() if torch.is_autocast_cpu_enabled() else None


_REDUCED = (torch.float16, torch.bfloat16)
_CAST = (torch.float16, torch.bfloat16, torch.float32)


def reduced(tensor: Tensor, dtype: Optional[torch.dtype]) -> Tensor:
    """Cast to the autocast dtype (None: no autocast), as autocast does for convolutions."""
    if dtype is None or tensor.dtype == dtype or tensor.dtype not in _CAST:
        return tensor
    return tensor.to(dtype)


def computing_dtype(first: torch.dtype, *others: torch.dtype) -> torch.dtype:
    """Return the dtype in which tensors of these dtypes are computed together.

    It is the one they promote to; under autocast at least float32.
    """
    dtype = first
    for other in others:
        dtype = torch.promote_types(dtype, other)
    return torch.float32 if dtype in _REDUCED and autocast_dtype() is not None else dtype
