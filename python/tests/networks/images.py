"""Images of coloured rectangles on noise; the colour is the class."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

#: Blue, green, red of the classes that occur.
COLOURS = ((40, 60, 220), (60, 200, 60), (220, 90, 40), (40, 210, 220))


class Picture(NamedTuple):
    """image uint8 [3,H,W]; rectangles [T,5]: centre x, y, width, height, angle in radians."""

    image: np.ndarray
    rectangles: np.ndarray
    labels: np.ndarray

    def masks(self) -> np.ndarray:
        """uint8 [T,H,W]: the rectangles filled."""
        size = self.image.shape[1:]
        return np.stack([_filled(np.zeros(size, np.uint8), r, 1) for r in self.rectangles])


def picture(seed: int, size: int = 128, count: int = 4, turned: bool = False) -> Picture:
    """`count` rectangles in the cells of a grid, so that none is hidden."""
    random = np.random.default_rng(seed)
    cells = int(np.ceil(np.sqrt(count)))
    step = size / cells
    places = random.permutation([(x, y) for x in range(cells) for y in range(cells)])[:count]
    canvas = random.integers(90, 130, (size, size, 3), np.uint8)
    rectangles, labels = [], np.arange(count) % len(COLOURS)
    for place, label in zip(places, labels):
        centre = (place + 0.5 + random.uniform(-0.08, 0.08, 2)) * step
        extent = random.uniform(0.4, 0.62, 2) * step * (1, 0.75)
        angle = random.uniform(0.1, 1.4) if turned else 0.0
        rectangles.append([*centre, *extent, angle])
        _filled(canvas, np.array(rectangles[-1]), COLOURS[label])
    channels_first = np.ascontiguousarray(canvas.transpose(2, 0, 1))
    return Picture(channels_first, np.array(rectangles, np.float32), labels)


def _filled(canvas: np.ndarray, rectangle: np.ndarray, colour: object) -> np.ndarray:
    x, y, width, height, angle = (float(value) for value in rectangle)
    corners = cv2.boxPoints(((x, y), (width, height), float(np.degrees(angle))))
    cv2.fillPoly(canvas, [np.round(corners).astype(np.int32)], colour)
    return canvas
