"""RoI-aware pooling, points in boxes, overlaps of boxes and suppression by them."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _calls
from .._native import FLOAT, INT32
from .tensors import Tensor, dot, like, numbers


def _cloud() -> tuple[Tensor, list[tuple[float, ...]], Tensor]:
    """Points off the faces of the boxes, and two boxes without heading."""
    flat = [value + 0.25 for value in numbers(3 * 40, 4)]
    points = [tuple(flat[3 * i : 3 * i + 3]) for i in range(40)]
    boxes = Tensor((2, 7), [0, 0, -2, 4, 6, 4, 0, 1, 1, 0, 8, 4, 2, 0])
    return Tensor((40, 3), flat), points, boxes


def _inside(point: tuple[float, ...], box: Sequence[float]) -> bool:
    x, y = (abs(value - centre) for value, centre in zip(point[:2], box))
    return x < box[3] / 2 and y < box[4] / 2 and abs(point[2] - box[2] - box[5] / 2) <= box[5] / 2


def points_in_boxes() -> bool:
    cloud, points, boxes = _cloud()
    solids = [boxes.list()[7 * i : 7 * i + 7] for i in range(2)]
    found, flags = Tensor((1, 40), dtype=INT32), Tensor((1, 40, 2), dtype=INT32)
    batched = (cloud.record[0], (1, 40, 3), FLOAT), (boxes.record[0], (1, 2, 7), FLOAT)
    _calls.points_in_boxes_part(0, *batched, found.record)
    _calls.points_in_boxes_all(0, *batched, flags.record)
    holds = [[_inside(point, solid) for solid in solids] for point in points]
    firsts = [float(row.index(True)) if any(row) else -1.0 for row in holds]
    return found.list() == firsts and flags.list() == [float(f) for row in holds for f in row]


def roiaware() -> bool:
    cloud, points, boxes = _cloud()
    features = Tensor((40, 1), numbers(40, 5))
    argmax, idx = Tensor((2, 1, 1, 1, 1), dtype=INT32), Tensor((2, 1, 1, 1, 41), dtype=INT32)
    pooled = Tensor((2, 1, 1, 1, 1))
    inputs = (boxes.record, cloud.record, features.record)
    _calls.roiaware_pool3d_forward(0, *inputs, argmax.record, idx.record, pooled.record, 0)
    for box in range(2):
        solid = boxes.list()[7 * box : 7 * box + 7]
        held = [i for i, point in enumerate(points) if _inside(point, solid)]
        best = max(held, key=lambda i: features[i])
        if (pooled[box], argmax[box]) != (features[best], best):
            return False
        if idx.list()[41 * box : 41 * box + len(held) + 1] != [float(len(held)), *map(float, held)]:
            return False
    grad, grad_in = like(pooled, 10), like(features)
    reads = (idx.record, argmax.record, grad.record)
    _calls.roiaware_pool3d_backward(0, *reads, grad_in.record, 0)
    return dot(pooled, grad) == dot(features, grad_in)


def overlaps() -> bool:
    """Boxes without rotation, of which the third covers the second and touches the first."""
    rows = [(0, 0, 4, 2), (6, 0, 4, 2), (5, 0, 6, 2), (0, 5, 2, 2)]  # centre, size
    scores = Tensor((4,), [1, 2, 3, 4])
    turned = Tensor((4, 5), [n for row in rows for n in (*row, 0)])
    solids = Tensor((4, 7), [n for x, y, w, h in rows for n in (x, y, 0, w, h, 2, 0)])
    sides = [(x - w / 2, y - h / 2, x + w / 2, y + h / 2) for x, y, w, h in rows]
    upright = Tensor((4, 4), [n for row in sides for n in row])
    iof, shared = Tensor((4, 4)), Tensor((4, 4))
    _calls.box_iou_rotated(0, turned.record, turned.record, iof.record, 1, False)
    _calls.boxes_overlap_bev(0, solids.record, solids.record, shared.record)
    kept = [Tensor((4,), dtype=INT32) for _ in range(3)]
    found = [
        _calls.nms(0, upright.record, scores.record, kept[0].record, 0.5, 0),
        _calls.nms_rotated(0, turned.record, scores.record, kept[1].record, 0.5),
        _calls.nms3d(0, solids.record, kept[2].record, 0.5, False),
    ]
    for i, a in enumerate(sides):
        for j, b in enumerate(sides):
            w, h = (max(min(a[k + 2], b[k + 2]) - max(a[k], b[k]), 0) for k in range(2))
            area = rows[i][2] * rows[i][3]
            if abs(iof[4 * i + j] - w * h / area) > 1e-5 or abs(shared[4 * i + j] - w * h) > 0.1:
                return False
    first = [[int(n) for n in each.list()[:count]] for each, count in zip(kept, found)]
    # By score 3, 2, then 1 is covered, 0; the last is in the order of the rows.
    return first == [[3, 2, 0], [3, 2, 0], [0, 1, 3]]
