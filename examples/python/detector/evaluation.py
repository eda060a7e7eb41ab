"""Average precision by the distance of centres, as in nuScenes."""

from __future__ import annotations

from collections.abc import Sequence

import torch

#: Metres between the centres of a box found and a true one that count as a hit.
DISTANCES = (0.2, 0.5, 1.0)


def average_precision(found: Sequence[torch.Tensor], true: Sequence[torch.Tensor]) -> float:
    """found: [n,6] of each scene, score first; true: [T,7] of each scene.

    Returns 0 to 1, the mean over DISTANCES.
    """
    return sum(_within(distance, found, true) for distance in DISTANCES) / len(DISTANCES)


def _within(distance: float, found: Sequence[torch.Tensor], true: Sequence[torch.Tensor]) -> float:
    """A box is right if its centre is that near to a true one that no box of a better score took.

    The result is the area under precision over recall, where precision is the best at this recall
    or beyond.
    """
    everything = [
        (float(box[0]), scene, box[1:3]) for scene, boxes in enumerate(found) for box in boxes
    ]
    everything.sort(key=lambda entry: -entry[0])
    taken = [torch.zeros(len(boxes), dtype=torch.bool) for boxes in true]
    right = torch.zeros(len(everything))
    for i, (_, scene, centre) in enumerate(everything):
        if len(true[scene]) == 0:
            continue
        away = (true[scene][:, :2] - centre).norm(dim=1)
        away[taken[scene]] = float("inf")
        best = int(away.argmin())
        if away[best] < distance:
            taken[scene][best] = True
            right[i] = 1
    cars = sum(len(boxes) for boxes in true)
    if cars == 0 or len(everything) == 0:
        return 0.0
    recall = right.cumsum(0) / cars
    precision = right.cumsum(0) / torch.arange(1, len(everything) + 1)
    precision = precision.flip(0).cummax(0).values.flip(0)
    steps = torch.diff(recall, prepend=torch.zeros(1))
    return float((steps * precision).sum())
