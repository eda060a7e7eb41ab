"""Times operators against the usual alternatives on this machine and draws peers.svg.

    PYTHONPATH=python build/python/venv/bin/python docs/images/peers.py

Needs the program `mluop` (`make build`) and torch, and takes about two minutes on two quiet cores.
Prints the table that the README shows below the chart. Every result is compared with its peer's
before it is timed; both are timed in turns, best of several.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Callable, NamedTuple

import torch
import torch.nn.functional as F

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "python" / "bench"))

from centerpoint import encoder, plain_torch, scanned_scene, step  # noqa: E402
from mluops_cpu import ops  # noqa: E402
from timing import in_turns  # noqa: E402


class Row(NamedTuple):
    what: str
    shape: str
    peer: str
    ours_ms: float
    peer_ms: float


def in_mluop(mluop: Path, operator: str, case: str) -> tuple[float, float]:
    """Best times in ms of a float case and of its peer, a serial loop inside `mluop bench`."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows.json")
        command = [str(mluop), "bench", "--op", operator, "--case", case, "--threads", "2"]
        subprocess.run([*command, "--json", str(rows)], check=True, stdout=subprocess.DEVNULL)
        row = next(r for r in json.loads(rows.read_text()) if r["dtype"] != "half")
    return row["ms_best"], row["peer_ms"]


def in_torch(ours: Callable[[], object], peer: Callable[[], object], rounds: int) -> list[float]:
    """Best times in ms of both; the comparison before has warmed them up."""
    best = in_turns({"ours": ours, "peer": peer}, rounds)
    return [1e3 * best["ours"], 1e3 * best["peer"]]


def centerpoint(mluop: Path) -> Row:
    scene, net = scanned_scene(mluop), encoder()

    def peer() -> float:
        with plain_torch():
            return step(net, scene)

    step(net, scene)  # touches the memory that later steps use again
    torch.testing.assert_close(step(net, scene), peer(), rtol=1e-3, atol=0)
    times = in_torch(lambda: step(net, scene), peer, 2)
    name = "torch: index_select, mm, index_add"
    return Row("CenterPoint encoder, training step", f"{len(scene.indices)} voxels", name, *times)


def torch_carafe(x: torch.Tensor, mask: torch.Tensor, k: int, s: int) -> torch.Tensor:
    """CARAFE with one group: windows [N,C,k²,H,W] times masks [N,k²,H,s,W,s], summed over k²."""
    n, c, h, w = x.shape
    windows = F.unfold(x, k, padding=k // 2).view(n, c, k * k, h, w)
    masks = mask.view(n, k * k, h, s, w, s)
    out = torch.einsum("nckhw,nkhawb->nchawb", windows, masks)
    return out.reshape(n, c, s * h, s * w)


def training(
    f: Callable[[], torch.Tensor], gradient: torch.Tensor, *leaves: torch.Tensor
) -> Callable:
    """Forward and backward of `f`; returns the result and the gradients."""

    def run() -> tuple[torch.Tensor, ...]:
        out = f()
        return (out.detach(), *torch.autograd.grad(out, leaves, gradient))

    return run


def carafe() -> Row:
    n, c, h, w, k, s = 2, 256, 100, 152, 5, 2
    last = torch.channels_last
    x = torch.randn(n, c, h, w).contiguous(memory_format=last).requires_grad_()
    mask = torch.softmax(torch.randn(n, k * k, s * h, s * w), 1)
    ours_mask = mask.contiguous(memory_format=last).requires_grad_()
    peer_x = x.detach().contiguous().requires_grad_()
    peer_mask = mask.clone().requires_grad_()
    gradient = torch.randn(n, c, s * h, s * w)
    ours_gradient = gradient.contiguous(memory_format=last)
    ours = training(lambda: ops.carafe(x, ours_mask, k, 1, s), ours_gradient, x, ours_mask)
    peer = training(lambda: torch_carafe(peer_x, peer_mask, k, s), gradient, peer_x, peer_mask)
    for a, b in zip(ours(), peer()):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)
    times = in_torch(ours, peer, 5)
    return Row(
        "CARAFE, forward and backward", f"[{n},{h},{w},{c}], k 5", "torch: unfold, einsum", *times
    )


def sample_grid(boxes: torch.Tensor) -> torch.Tensor:
    """The five sample points of every box as grid_sample wants them, [N,5H,W,2]."""
    y, x, w, h, a = boxes.unbind(-1)
    height, width = y.shape[1:]
    cos, sin, u, v = a.cos(), a.sin(), w / 2, h / 2
    points = [(x, y)]
    for i, j in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        points.append((x + i * u * cos - j * v * sin, y + i * u * sin + j * v * cos))
    grid = [torch.stack([2 * p / (width - 1) - 1, 2 * q / (height - 1) - 1], -1) for p, q in points]
    return torch.cat(grid, 1)


def rotated_align() -> Row:
    n, h, w, c = 2, 50, 50, 600
    last = torch.channels_last
    x = torch.randn(n, c, h, w).contiguous(memory_format=last).requires_grad_()
    boxes = 2 + 6 * torch.rand(n, h, w, 5)
    boxes[..., 0] = torch.rand(n, h, w) * (h - 13) + 6  # all points inside the map
    boxes[..., 1] = torch.rand(n, h, w) * (w - 13) + 6
    grid, gradient = sample_grid(boxes), torch.randn(n, c, h, w)
    ours_gradient = gradient.contiguous(memory_format=last)
    peer_x = x.detach().contiguous().requires_grad_()

    def peer_forward() -> torch.Tensor:
        sampled = F.grid_sample(peer_x, grid, align_corners=True)
        return peer_x + sampled.view(n, c, 5, h, w).sum(2)

    ours = training(lambda: ops.rotated_feature_align(x, boxes, 1.0, 5), ours_gradient, x)
    peer = training(peer_forward, gradient, peer_x)
    for a, b in zip(ours(), peer()):
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)
    times = in_torch(ours, peer, 10)
    name = "torch: grid_sample"
    return Row(
        "Rotated feature align, forward and backward", f"[{n},{h},{w},{c}], 5 points", name, *times
    )


def measure(mluop: Path) -> Iterator[Row]:
    torch.manual_seed(0)
    torch.set_num_threads(2)
    yield centerpoint(mluop)
    times = in_mluop(mluop, "get_indice_pairs", "centerpoint_subm1")
    yield Row("Index pairs, submanifold 3³", "248636 voxels", "hash map, 1 thread", *times)
    yield carafe()
    yield rotated_align()
    times = in_mluop(mluop, "indice_maxpool_forward", "centerpoint_down3")
    yield Row(
        "Sparse max pooling, 3³ stride 2", "149091 voxels × 64", "mmcv's loop, 1 thread", *times
    )
    times = in_mluop(mluop, "points_in_boxes_part", "pillar")
    yield Row("Points in boxes", "274000 points, 75 boxes", "mmcv's loop, 1 thread", *times)


def shown(ms: float) -> str:
    """Two or three digits and a unit."""
    if ms >= 1000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.0f} ms" if ms >= 20 else f"{ms:.1f} ms" if ms >= 1 else f"{ms:.2f} ms"


STYLE = """
  text { font: 13px sans-serif; fill: #1f2328 }
  .small { font-size: 11px; fill: #59636e }
  .ours { fill: #0969da } .peer { fill: #8c959f } line { stroke: #d1d9e0 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .small { fill: #9198a1 }
    .ours { fill: #4493f8 } .peer { fill: #656c76 } line { stroke: #3d444d }
  }"""


def svg(rows: list[Row]) -> str:
    """Two bars per row on a logarithmic scale from 0.1 ms to 100 s."""
    left, width, top, pitch = 320, 420, 46, 48
    height = top + pitch * len(rows) + 24

    def at(ms: float) -> float:
        return left + width * (math.log10(ms) + 1) / 6

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" role="img">',
        "<title>Time of mluops-cpu and of the usual alternatives, two cores, log scale</title>",
        f"<style>{STYLE}\n</style>",
        '<rect class="ours" x="320" y="10" width="12" height="12"/>'
        '<text x="338" y="21">mluops-cpu</text>',
        '<rect class="peer" x="440" y="10" width="12" height="12"/>'
        '<text x="458" y="21">the alternative named at the left; log scale</text>',
    ]
    for power, label in enumerate(("0.1 ms", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s")):
        x = left + width * power / 6
        parts.append(f'<line x1="{x:.0f}" y1="{top - 8}" x2="{x:.0f}" y2="{height - 22}"/>')
        parts.append(
            f'<text class="small" x="{x:.0f}" y="{height - 8}" text-anchor="middle">{label}</text>'
        )
    for i, row in enumerate(rows):
        y = top + pitch * i
        parts.append(f'<text x="{left - 12}" y="{y + 13}" text-anchor="end">{row.what}</text>')
        note = f"{row.shape}; {row.peer}"
        parts.append(
            f'<text class="small" x="{left - 12}" y="{y + 29}" text-anchor="end">{note}</text>'
        )
        for kind, ms, down in (("ours", row.ours_ms, 0), ("peer", row.peer_ms, 18)):
            bar = at(ms) - left
            label = shown(ms) + (f"  ({row.peer_ms / row.ours_ms:.0f}×)" if kind == "peer" else "")
            parts.append(
                f'<rect class="{kind}" x="{left}" y="{y + down}" width="{bar:.0f}" height="16"/>'
            )
            parts.append(f'<text x="{at(ms) + 6:.0f}" y="{y + down + 13}">{label}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mluop", type=Path, default=Path("build/release/cli/mluop"))
    parser.add_argument("--out", type=Path, default=HERE / "peers.svg")
    arguments = parser.parse_args()
    rows = list(measure(arguments.mluop))
    print("| what | shape | alternative | its time | mluops-cpu | ratio |")
    print("|---|---|---|---|---|---|")
    for r in rows:
        times = f"{shown(r.peer_ms)} | {shown(r.ours_ms)} | {r.peer_ms / r.ours_ms:.0f}×"
        print(f"| {r.what} | {r.shape} | {r.peer} | {times} |")
    arguments.out.write_text(svg(rows))


if __name__ == "__main__":
    main()
