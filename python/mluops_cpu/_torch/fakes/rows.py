"""Sizes that depend on the data."""

from __future__ import annotations

from typing import Any, Optional

import torch


def unknown_rows(most: Optional[int] = None) -> Any:
    """Return a number of rows that only the operator's run will tell, at most `most`."""
    return torch.library.get_ctx().new_dynamic_size(min=0, max=most)
