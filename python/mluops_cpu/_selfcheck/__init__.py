"""Small problems of every family through C, against plain loops; for `python -m mluops_cpu info`.

Backward functions are held against their forward: <f(x), g> = <x, f'(g)>. Numbers are small
integers and boxes hit pixels exactly, so results are compared exactly.
"""

from __future__ import annotations

from typing import Callable

from .boxes import overlaps, points_in_boxes, roiaware
from .maps import align, carafe, roi_align
from .sparse import sparse
from .voxels import scatter, voxels

CHECKS: dict[str, Callable[[], bool]] = {
    "carafe": carafe,
    "rotated_feature_align": align,
    "roiaware_pool3d": roiaware,
    "points_in_boxes": points_in_boxes,
    "sparse convolution and pooling": sparse,
    "voxelization": voxels,
    "dynamic scatter": scatter,
    "overlaps and suppression": overlaps,
    "roi_align": roi_align,
}
