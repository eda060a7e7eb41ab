"""Whether torch.compile is tracing."""

from __future__ import annotations

from typing import Callable

import torch

if hasattr(torch, "compiler") and hasattr(torch.compiler, "is_compiling"):
    compiling: Callable[[], bool] = torch.compiler.is_compiling
else:  # before 2.1, where the operators cannot be traced anyway

    def compiling() -> bool:
        """Return False: this torch has nothing to ask."""
        return False
