"""How the functions of `mmcv._ext` fill the tensors that are passed in."""

from __future__ import annotations

from torch import Tensor


def write(name: str, out: Tensor, value: Tensor) -> None:
    """Overwrites a whole output, at its own strides; ValueError for another shape or dtype."""
    if out.shape != value.shape or out.dtype != value.dtype:
        raise ValueError(
            f"{name} must be {value.dtype} of shape {tuple(value.shape)},"
            f" got {out.dtype} of shape {tuple(out.shape)}"
        )
    out.copy_(value)
