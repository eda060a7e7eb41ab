"""The overlap of boxes by clipping polygons in double, and greedy suppression over any overlap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy

Point = tuple[float, float]


def corners(x: float, y: float, w: float, h: float, angle: float) -> list[Point]:
    """The corners of a rotated box, in one sense of rotation."""
    c, s = math.cos(angle), math.sin(angle)
    sides = ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))
    return [(x + u * c - v * s, y + u * s + v * c) for u, v in sides]


def _left(a: Point, b: Point, p: Point) -> float:
    """Above 0 if p is on the left of the line from a to b."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def clip(polygon: Sequence[Point], window: Sequence[Point]) -> list[Point]:
    """The part of a polygon inside of a convex one (Sutherland and Hodgman)."""
    kept = list(polygon)
    for a, b in zip(window, [*window[1:], window[0]]):
        given, kept = kept, []
        for p, q in zip(given, [*given[1:], *given[:1]]):
            of_p, of_q = _left(a, b, p), _left(a, b, q)
            if of_p >= 0:
                kept.append(p)
            if of_p * of_q < 0:
                part = of_p / (of_p - of_q)
                kept.append((p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])))
    return kept


def area(polygon: Sequence[Point]) -> float:
    turned = zip(polygon, [*polygon[1:], *polygon[:1]])
    return abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in turned)) / 2


def intersection(a: Any, b: Any) -> float:
    """Of two boxes (x, y, w, h, angle)."""
    return area(clip(corners(*map(float, a)), corners(*map(float, b))))


def rotated(first: Any, second: Any, mode: str = "iou", aligned: bool = False) -> Any:
    """[N,M], or [N] of equal rows."""
    result = numpy.zeros((len(first), len(second)))
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            shared, of_a, of_b = intersection(a, b), a[2] * a[3], b[2] * b[3]
            result[i, j] = shared / (of_a if mode == "iof" else of_a + of_b - shared)
    return numpy.diagonal(result) if aligned else result


def from_above(boxes: Any, headings: bool = True) -> Any:
    """(x, y, x_size, y_size, heading) of 3-D boxes."""
    flat = boxes[:, [0, 1, 3, 4, 6]].astype(numpy.float64)
    flat[:, 4] *= headings
    return flat


def overlap_bev(first: Any, second: Any) -> Any:
    """The area that 3-D boxes share, seen from above."""
    a, b = from_above(first), from_above(second)
    return numpy.array([[intersection(p, q) for q in b] for p in a])


def upright(boxes: Any, offset: int, real: Any = numpy.float32) -> Any:
    """IoU of boxes (x1, y1, x2, y2), each operation rounded to `real`."""
    boxes, extra = boxes.astype(real), real(offset)
    x1, y1, x2, y2 = boxes.T
    areas = (x2 - x1 + extra) * (y2 - y1 + extra)
    w = numpy.minimum(x2[:, None], x2) - numpy.maximum(x1[:, None], x1) + extra
    h = numpy.minimum(y2[:, None], y2) - numpy.maximum(y1[:, None], y1) + extra
    shared = numpy.maximum(w, 0) * numpy.maximum(h, 0)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return shared / (areas[:, None] + areas - shared)


def suppress(overlap: Any, order: Any, threshold: float) -> list[int]:
    """The boxes that no kept box before them covers by more than the threshold."""
    kept: list[int] = []
    for box in order:
        if not any(overlap[other, box] > threshold for other in kept):
            kept.append(int(box))
    return kept


def falling(scores: Any) -> list[int]:
    """Places by falling score: NaN first, of equal ones the first."""
    return sorted(range(len(scores)), key=lambda i: (scores[i] == scores[i], -scores[i], i))


def gap(overlap: Any, near: float) -> float:
    """A threshold near `near` that no overlap comes close to."""
    values = numpy.unique(overlap[(overlap > near - 0.1) & (overlap < near + 0.1)])
    edges = numpy.concatenate([[near - 0.1], values, [near + 0.1]])
    widest = int(numpy.argmax(numpy.diff(edges)))
    assert numpy.diff(edges)[widest] > 2e-3, "the overlaps leave no room"
    return float(edges[widest] + edges[widest + 1]) / 2
