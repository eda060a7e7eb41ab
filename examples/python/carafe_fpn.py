"""CARAFE up-sampling in a feature pyramid against bilinear up-sampling, eager and compiled.

    python carafe_fpn.py [--steps 60]

Two small pyramids learn to draw thin lines at full resolution from features at an eighth of it. The
one with CARAFE chooses for each pixel where to take its features from, and gets the lines sharper.
At the end the CARAFE pyramid runs through torch.compile, where torch has it.
"""

from __future__ import annotations

import argparse
import time

import torch
import torch.nn.functional as F
from torch import nn

from mluops_cpu.ops import CARAFEPack

CHANNELS = 32


class Bilinear(nn.Module):
    """Up-sampling by 2 that does not look at the content."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)


def up_sampler(kind: str) -> nn.Module:
    if kind == "bilinear":
        return Bilinear()
    return CARAFEPack(CHANNELS, scale_factor=2, up_kernel=5, up_group=1, compressed_channels=16)


class Pyramid(nn.Module):
    """Levels at 1/2, 1/4 and 1/8 of the resolution, merged from the coarsest up; the picture."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        sizes = (1, CHANNELS, CHANNELS, CHANNELS)
        self.down = nn.ModuleList(
            nn.Sequential(nn.Conv2d(a, b, 3, 2, 1), nn.BatchNorm2d(b), nn.ReLU())
            for a, b in zip(sizes, sizes[1:])
        )
        self.lateral = nn.ModuleList(nn.Conv2d(CHANNELS, CHANNELS, 1) for _ in range(2))
        self.up = nn.ModuleList(up_sampler(kind) for _ in range(3))
        self.out = nn.Conv2d(CHANNELS, 1, 3, padding=1)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        half = self.down[0](picture)
        quarter = self.down[1](half)
        x = self.up[0](self.down[2](quarter)) + self.lateral[0](quarter)
        x = self.up[1](x) + self.lateral[1](half)
        return self.out(self.up[2](x))


def pictures(count: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Noisy pictures [count,1,64,64] of thin lines, and the lines themselves."""
    y, x = torch.meshgrid(torch.arange(64.0), torch.arange(64.0), indexing="ij")
    lines = torch.zeros(count, 64, 64)
    for _ in range(4):
        angle, offset = torch.rand(2, count, 1, 1, generator=generator)
        distance = (x - 32) * (6.2832 * angle).cos() + (y - 32) * (6.2832 * angle).sin()
        lines = torch.maximum(lines, ((distance - 40 * (offset - 0.5)).abs() < 0.8).float())
    noisy = lines + 0.4 * torch.randn(count, 64, 64, generator=generator)
    return noisy[:, None], lines[:, None]


def train(kind: str, steps: int) -> tuple[nn.Module, float, float]:
    """A trained pyramid, its loss on new pictures, and milliseconds per step."""
    torch.manual_seed(0)
    net, generator = Pyramid(kind), torch.Generator().manual_seed(1)
    net = net.to(memory_format=torch.channels_last)  # the layout of the operator: nothing is copied
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)
    begin = time.perf_counter()
    for _ in range(steps):
        noisy, lines = pictures(8, generator)
        noisy = noisy.contiguous(memory_format=torch.channels_last)
        loss = F.binary_cross_entropy_with_logits(net(noisy), lines)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    milliseconds = 1e3 * (time.perf_counter() - begin) / steps
    net.eval()
    noisy, lines = pictures(32, torch.Generator().manual_seed(2))
    with torch.no_grad():
        return net, F.binary_cross_entropy_with_logits(net(noisy), lines).item(), milliseconds


def compiled(net: nn.Module) -> str:
    """Runs the pyramid through torch.compile without a graph break, and compares the results."""
    noisy, _ = pictures(4, torch.Generator().manual_seed(3))
    with torch.no_grad():
        fast = torch.compile(net, fullgraph=True)
        apart = (fast(noisy) - net(noisy)).abs().max().item()
    return f"torch.compile(fullgraph=True): largest difference to eager {apart:.1e}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60)
    given = parser.parse_args()
    losses, nets = {}, {}
    for kind in ("bilinear", "carafe"):
        nets[kind], losses[kind], milliseconds = train(kind, given.steps)
        print(f"{kind:8}: loss {losses[kind]:.4f} on new pictures, {milliseconds:.1f} ms a step")
    print(f"CARAFE has {losses['carafe'] / losses['bilinear']:.2f} of the loss of bilinear")
    if hasattr(torch.library, "register_fake"):
        print(compiled(nets["carafe"]))
    else:
        print(f"torch {torch.__version__} cannot compile these operators (2.4 can)")


if __name__ == "__main__":
    main()
