"""CARAFE by unfolding, in double."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def carafe(features: Tensor, masks: Tensor, k: int, groups: int, scale: int) -> Tensor:
    """[N,C,H,W], [N,k²G,sH,sW] → [N,C,sH,sW]; differentiable."""
    n, c, h, w = features.shape
    windows = functional.unfold(features, k, padding=k // 2)
    windows = windows.view(n, groups, c // groups, k * k, h, w)
    windows = windows.repeat_interleave(scale, 4).repeat_interleave(scale, 5)
    weights = masks.view(n, groups, 1, k * k, h * scale, w * scale)
    return (windows * weights).sum(3).reshape(n, c, h * scale, w * scale)


def problem(
    n: int, c: int, h: int, w: int, k: int, groups: int, scale: int, seed: int = 0
) -> tuple[Tensor, Tensor]:
    """Random features and masks in double."""
    generator = torch.Generator().manual_seed(seed)
    features = torch.randn(n, c, h, w, dtype=torch.float64, generator=generator)
    shape = (n, k * k * groups, h * scale, w * scale)
    return features, torch.rand(shape, dtype=torch.float64, generator=generator) / (k * k)
