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


def write_rows(name: str, out: Tensor, value: Tensor, rows: int) -> None:
    """Overwrites an output of `rows` rows: first those of the value, then zeros."""
    shape = (rows, *value.shape[1:])
    if out.shape != shape or out.dtype != value.dtype:
        raise ValueError(
            f"{name} must be {value.dtype} of shape {shape},"
            f" got {out.dtype} of shape {tuple(out.shape)}"
        )
    used = value.shape[0]
    out[:used] = value
    out[used:] = 0
