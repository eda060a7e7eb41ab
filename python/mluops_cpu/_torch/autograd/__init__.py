"""Gradients of any order: every Function's backward is made of Functions.

Only needed gradients are computed. Boxes, rois, points and indices have no gradient. While
torch.compile traces, a backward calls the operators themselves: it has no second order.
"""

from .align import Align, AlignGrad
from .carafe import Carafe, CarafeGrad
from .common import wanted
from .conv import Conv, ConvData, ConvFilter
from .pool import AvgPool, AvgPoolGrad, MaxPool, MaxPoolGrad
from .roi_align import RoIAlign, RoIAlignGrad
from .roiaware import RoIPool, RoIPoolGrad
from .scatter import Scatter, ScatterGrad

__all__ = [
    "Align",
    "AlignGrad",
    "AvgPool",
    "AvgPoolGrad",
    "Carafe",
    "CarafeGrad",
    "Conv",
    "ConvData",
    "ConvFilter",
    "MaxPool",
    "MaxPoolGrad",
    "RoIAlign",
    "RoIAlignGrad",
    "RoIPool",
    "RoIPoolGrad",
    "Scatter",
    "ScatterGrad",
    "wanted",
]
