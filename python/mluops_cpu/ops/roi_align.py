"""RoI align: bilinear samples of a map, pooled over the bins of each region of interest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union, cast

from torch import Tensor, nn

from .._torch import amp, ops
from .._torch.autograd import RoIAlign as _Align
from .._torch.autograd import wanted
from ._renamed import renamed

__all__ = ["RoIAlign", "RoIAlignFunction", "roi_align"]

_MODES = {"max": 0, "avg": 1}
_Size = Union[int, Iterable[int]]


def _checked(rois: Tensor, output_size: _Size, pool_mode: str) -> tuple[tuple[int, int], int]:
    """Return both sizes and the number of the mode."""
    if pool_mode not in _MODES:
        raise AssertionError(f"pool_mode must be 'max' or 'avg', got {pool_mode!r}")
    if rois.shape[1] != 5:
        raise AssertionError("RoI must be (idx, x1, y1, x2, y2)!")
    return _pair(output_size), _MODES[pool_mode]


def _pair(size: _Size) -> tuple[int, int]:
    if isinstance(size, Iterable):
        height, width = size
        return int(height), int(width)
    return int(size), int(size)


class RoIAlignFunction(_Align):
    """`apply` of the arguments of `roi_align`; casts nothing.

    >>> import torch
    >>> from mluops_cpu.ops.roi_align import RoIAlignFunction
    >>> x = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> RoIAlignFunction.apply(x, torch.tensor([[0.0, 0.0, 0.0, 2.0, 2.0]]), 1)
    tensor([[[[2.5000]]]])
    """

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any,
        input: Tensor,
        rois: Tensor,
        output_size: _Size,
        spatial_scale: float = 1.0,
        sampling_ratio: int = 0,
        pool_mode: str = "avg",
        aligned: bool = True,
    ) -> Tensor:
        sizes, mode = _checked(rois, output_size, pool_mode)
        sampling = (float(spatial_scale), int(sampling_ratio), mode, bool(aligned))
        return _Align.forward(ctx, input, rois, sizes, *sampling)


def roi_align(
    input: Tensor,
    rois: Tensor,
    output_size: _Size,
    spatial_scale: float = 1.0,
    sampling_ratio: int = 0,
    pool_mode: str = "avg",
    aligned: bool = True,
) -> Tensor:
    """Sample a map below the bins of each RoI, and take their averages or maxima.

    Args:
        input: map [N,C,H,W], contiguous or channels-last.
        rois: [K,5], (image, x1, y1, x2, y2) in image coordinates; no gradient. Inverted boxes are
            legal, as on a GPU.
        output_size: bins along y and x; one number for both.
        spatial_scale: size of the map over size of the image.
        sampling_ratio: samples of a bin along each axis; 0: as many as it has pixels.
        pool_mode: 'avg' or 'max'.
        aligned: shift by half a pixel, and do not enlarge small RoIs.

    Returns:
        [K,C,PH,PW] in the dtype and memory format of `input`. Unequal dtypes are promoted for the
        computation; under autocast it is done in float32.

    Raises:
        AssertionError: another pool_mode, rois without 5 columns.
        BadParamError: an image that is not there, a size below 1.

    >>> import torch
    >>> from mluops_cpu.ops import roi_align
    >>> x = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> roi_align(x, torch.tensor([[0.0, 0.0, 0.0, 2.0, 2.0]]), 2)
    tensor([[[[1., 2.],
              [3., 4.]]]])
    """
    sizes, mode = _checked(rois, output_size, pool_mode)
    sampling = (float(spatial_scale), int(sampling_ratio), mode, bool(aligned))
    dtype = input.dtype
    if rois.dtype != dtype or amp.autocast_dtype() is not None:
        computing = amp.computing_dtype(dtype, rois.dtype)
        return _align(input.to(computing), rois.to(computing), sizes, *sampling).to(dtype)
    return _align(input, rois, sizes, *sampling)


def _align(input: Tensor, rois: Tensor, *args: Any) -> Tensor:
    if wanted(input):
        return cast(Tensor, _Align.apply(input, rois.detach(), *args))
    return cast(Tensor, ops.roi_align(input, rois.detach(), *args)[0])


class RoIAlign(nn.Module):
    """RoI align; the arguments are those of `roi_align`.

    use_torchvision has torchvision's operator called instead, for averages.

    >>> import torch
    >>> from mluops_cpu.ops import RoIAlign
    >>> layer = RoIAlign(output_size=2, spatial_scale=0.5, sampling_ratio=2)
    >>> layer(torch.ones(1, 3, 4, 4), torch.tensor([[0.0, 0.0, 0.0, 8.0, 8.0]])).shape
    torch.Size([1, 3, 2, 2])
    """

    @renamed(out_size="output_size", sample_num="sampling_ratio")
    def __init__(
        self,
        output_size: _Size,
        spatial_scale: float = 1.0,
        sampling_ratio: int = 0,
        pool_mode: str = "avg",
        aligned: bool = True,
        use_torchvision: bool = False,
    ) -> None:
        super().__init__()
        self.output_size = _pair(output_size)
        self.spatial_scale = float(spatial_scale)
        self.sampling_ratio = int(sampling_ratio)
        self.pool_mode = pool_mode
        self.aligned = aligned
        self.use_torchvision = use_torchvision

    def forward(self, input: Tensor, rois: Tensor) -> Tensor:
        """[N,C,H,W], rois [K,5] -> [K,C,PH,PW]."""
        sampling = (self.output_size, self.spatial_scale, self.sampling_ratio)
        if self.use_torchvision:
            from torchvision.ops import roi_align as theirs

            return cast(Tensor, theirs(input, rois, *sampling, aligned=self.aligned))
        return roi_align(input, rois, *sampling, self.pool_mode, self.aligned)

    def extra_repr(self) -> str:
        return (
            f"output_size={self.output_size}, spatial_scale={self.spatial_scale}, "
            f"sampling_ratio={self.sampling_ratio}, pool_mode={self.pool_mode}, "
            f"aligned={self.aligned}, use_torchvision={self.use_torchvision}"
        )
