"""Pictures of a training: its curves, and a scene from above with boxes found and true."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib import pyplot as plt

from .scenes import LOWER, UPPER, Scene

_TRUE, _FOUND = "#1a7f37", "#cf222e"


def curves(losses: list[float], precisions: list[float], path: Path) -> None:
    """Loss of every epoch and average precision after it."""
    figure, left = plt.subplots(figsize=(6, 3.5), layout="constrained")
    epochs = np.arange(1, len(losses) + 1)
    left.plot(epochs, losses, color="#0969da", label="loss")
    left.set(xlabel="epoch", ylabel="loss per car", ylim=(0, None))
    right = left.twinx()
    right.plot(epochs, precisions, color="#bc4c00", label="average precision")
    right.set(ylabel="average precision", ylim=(0, 1))
    figure.legend(loc="center right", frameon=False, bbox_to_anchor=(0.88, 0.5))
    figure.savefig(path, dpi=120)
    plt.close(figure)


def birds_eye(scene: Scene, found: np.ndarray, path: Path, score: float = 0.3) -> None:
    """The scan from above; true boxes green, boxes found with at least this score red."""
    figure, axes = plt.subplots(figsize=(6, 6), layout="constrained")
    axes.scatter(
        *scene.points[:, :2].T, s=0.3, c=scene.points[:, 2], cmap="Greys_r", vmin=-3, vmax=3
    )
    for x, y, _, length, width, _, heading in scene.boxes:
        _outline(axes, x, y, length, width, heading, _TRUE, 2.2)
    for chance, x, y, length, width, heading in found[found[:, 0] >= score]:
        _outline(axes, x, y, length, width, heading, _FOUND, 1.1)
        axes.annotate(
            f"{chance:.2f}", (x, y), (4, 4), textcoords="offset points", size=6, color=_FOUND
        )
    axes.plot([], [], color=_TRUE, label="true")
    axes.plot([], [], color=_FOUND, label=f"found, score {score} or more")
    axes.legend(loc="upper right", fontsize=8)
    axes.set(xlim=(LOWER[0], UPPER[0]), ylim=(LOWER[1], UPPER[1]), aspect="equal")
    axes.set(xlabel="x, metres", ylabel="y, metres")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _outline(
    axes: plt.Axes,
    x: float,
    y: float,
    length: float,
    width: float,
    heading: float,
    color: str,
    line: float,
) -> None:
    corners = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 1]]) * [length / 2, width / 2]
    turn = np.array([[np.cos(heading), np.sin(heading)], [-np.sin(heading), np.cos(heading)]])
    axes.plot(*(corners @ turn + [x, y]).T, color=color, linewidth=line)
