"""CARAFE, content-aware reassembly of features: up-sampling with a kernel for each output pixel."""

from __future__ import annotations

from typing import Any, cast

from torch import Tensor, nn
from torch.nn import functional

from .._torch import amp, ops
from .._torch.autograd import Carafe, wanted

__all__ = [
    "CARAFE",
    "CARAFEFunction",
    "CARAFENaive",
    "CARAFENaiveFunction",
    "CARAFEPack",
    "carafe",
    "carafe_naive",
]


def _check(features: Tensor, masks: Tensor, k: int, g: int, s: int) -> None:
    if s < 1:
        raise AssertionError(f"scale_factor must be at least 1, got {s}")
    if masks.size(1) != k * k * g:
        raise AssertionError(
            f"masks must have kernel_size² * group_size = {k * k * g} channels, got {masks.size(1)}"
        )
    for axis, name in ((-1, "width"), (-2, "height")):
        if masks.size(axis) != features.size(axis) * s:
            raise AssertionError(
                f"{name} of masks must be scale_factor * {features.size(axis)} ="
                f" {features.size(axis) * s}, got {masks.size(axis)}"
            )
    if g < 1 or features.size(1) % g != 0:
        raise AssertionError(
            f"channels of features must be a multiple of group_size {g}, got {features.size(1)}"
        )
    if k < 1 or k % 2 == 0:
        raise AssertionError(f"kernel_size must be odd and at least 1, got {k}")


class CARAFEFunction(Carafe):
    """`apply(features, masks, kernel_size, group_size, scale_factor)`; casts nothing.

    Arguments, result and errors are those of `carafe`.

    >>> import torch
    >>> from mluops_cpu.ops.carafe import CARAFEFunction
    >>> CARAFEFunction.apply(torch.ones(1, 4, 5, 6), torch.ones(1, 18, 10, 12), 3, 2, 2).shape
    torch.Size([1, 4, 10, 12])
    """

    @staticmethod
    def forward(
        ctx: Any,
        features: Tensor,
        masks: Tensor,
        kernel_size: int,
        group_size: int,
        scale_factor: int,
    ) -> Tensor:
        _check(features, masks, kernel_size, group_size, scale_factor)
        return Carafe.forward(ctx, features, masks, kernel_size, group_size, scale_factor)


class CARAFENaiveFunction(CARAFEFunction):
    """The same computation under mmcv's second name.

    >>> import torch
    >>> from mluops_cpu.ops.carafe import CARAFENaiveFunction
    >>> CARAFENaiveFunction.apply(torch.ones(1, 4, 5, 6), torch.ones(1, 18, 10, 12), 3, 2, 2).shape
    torch.Size([1, 4, 10, 12])
    """


def carafe(
    features: Tensor, masks: Tensor, kernel_size: int, group_size: int, scale_factor: int
) -> Tensor:
    """Up-sample a map: each output pixel is a weighted sum over the k×k inputs around its source.

    Args:
        features: [N,C,H,W], contiguous or channels-last.
        masks: weights [N,k²G,sH,sW]; channel (g·k + row)·k + column belongs to group g.
        kernel_size: k, odd.
        group_size: G, the number of groups of channels; divides C.
        scale_factor: s.

    Returns:
        [N,C,sH,sW] in the memory format of `features`; under autocast in its dtype.

    Raises:
        AssertionError: sizes that do not fit together.
        BadParamError: features and masks differ in dtype.

    >>> import torch
    >>> from mluops_cpu.ops import carafe
    >>> features = torch.arange(4.0).reshape(1, 1, 2, 2)
    >>> carafe(features, torch.ones(1, 1, 4, 4), 1, 1, 2)[0, 0]
    tensor([[0., 0., 1., 1.],
            [0., 0., 1., 1.],
            [2., 2., 3., 3.],
            [2., 2., 3., 3.]])
    """
    _check(features, masks, kernel_size, group_size, scale_factor)
    dtype = amp.autocast_dtype()
    if dtype is not None:
        features, masks = amp.reduced(features, dtype), amp.reduced(masks, dtype)
    function = Carafe.apply if wanted(features, masks) else ops.carafe
    return cast(Tensor, function(features, masks, kernel_size, group_size, scale_factor))


carafe_naive = carafe


class CARAFE(nn.Module):
    """`carafe` as a module without state.

    >>> import torch
    >>> from mluops_cpu.ops import CARAFE
    >>> up = CARAFE(kernel_size=3, group_size=2, scale_factor=2)
    >>> up(torch.ones(1, 4, 5, 6), torch.ones(1, 18, 10, 12)).shape
    torch.Size([1, 4, 10, 12])
    """

    def __init__(self, kernel_size: int, group_size: int, scale_factor: int) -> None:
        super().__init__()
        for name, value in (
            ("kernel_size", kernel_size),
            ("group_size", group_size),
            ("scale_factor", scale_factor),
        ):
            if not isinstance(value, int):
                raise AssertionError(f"{name} must be an int, got {value!r}")
        self.kernel_size = kernel_size
        self.group_size = group_size
        self.scale_factor = scale_factor

    def forward(self, features: Tensor, masks: Tensor) -> Tensor:
        """[N,C,H,W], [N,k²G,sH,sW] → [N,C,sH,sW]."""
        return carafe(features, masks, self.kernel_size, self.group_size, self.scale_factor)


class CARAFENaive(CARAFE):
    """The same module under mmcv's second name.

    >>> import torch
    >>> from mluops_cpu.ops import CARAFENaive
    >>> CARAFENaive(1, 1, 2)(torch.ones(1, 1, 1, 1), torch.ones(1, 1, 2, 2)).shape
    torch.Size([1, 1, 2, 2])
    """


class CARAFEPack(nn.Module):
    """The whole up-sampler: channel compressor, content encoder, normalised masks, CARAFE.

    Parameters and buffers are those of mmcv's class, and a seed gives the same weights.

    Args:
        channels: C of the input.
        scale_factor: s.
        up_kernel: kernel size of CARAFE.
        up_group: groups of CARAFE.
        encoder_kernel: kernel size of the content encoder.
        encoder_dilation: its dilation.
        compressed_channels: channels between compressor and encoder.

    >>> import torch
    >>> from mluops_cpu.ops import CARAFEPack
    >>> up = CARAFEPack(channels=16, scale_factor=2)
    >>> up(torch.ones(1, 16, 8, 8)).shape
    torch.Size([1, 16, 16, 16])
    """

    def __init__(
        self,
        channels: int,
        scale_factor: int,
        up_kernel: int = 5,
        up_group: int = 1,
        encoder_kernel: int = 3,
        encoder_dilation: int = 1,
        compressed_channels: int = 64,
    ) -> None:
        super().__init__()
        self.channels = channels
        self.scale_factor = scale_factor
        self.up_kernel = up_kernel
        self.up_group = up_group
        self.encoder_kernel = encoder_kernel
        self.encoder_dilation = encoder_dilation
        self.compressed_channels = compressed_channels
        self.channel_compressor = nn.Conv2d(channels, compressed_channels, 1)
        self.content_encoder = nn.Conv2d(
            compressed_channels,
            up_kernel * up_kernel * up_group * scale_factor * scale_factor,
            encoder_kernel,
            padding=int((encoder_kernel - 1) * encoder_dilation / 2),
            dilation=encoder_dilation,
        )
        self.init_weights()

    def init_weights(self) -> None:
        """Draw the weights anew, in the order of mmcv."""
        for conv in (self.channel_compressor, self.content_encoder):
            nn.init.xavier_uniform_(conv.weight)
            if conv.bias is not None:
                nn.init.constant_(conv.bias, 0)
        nn.init.normal_(self.content_encoder.weight, 0, 0.001)
        if self.content_encoder.bias is not None:
            nn.init.constant_(self.content_encoder.bias, 0)

    def kernel_normalizer(self, mask: Tensor) -> Tensor:
        """Rearrange [N,k²G·s²,H,W] to [N,k²G,sH,sW] and normalise each kernel by softmax."""
        mask = functional.pixel_shuffle(mask, self.scale_factor)
        n, channels, h, w = mask.size()
        kernels = mask.view(n, channels // self.up_kernel**2, self.up_kernel**2, h, w)
        kernels = functional.softmax(kernels, dim=2, dtype=mask.dtype)
        return kernels.view(n, channels, h, w).contiguous()

    def feature_reassemble(self, x: Tensor, mask: Tensor) -> Tensor:
        """Apply CARAFE to x [N,C,H,W] with normalised masks."""
        return carafe(x, mask, self.up_kernel, self.up_group, self.scale_factor)

    def forward(self, x: Tensor) -> Tensor:
        """[N,C,H,W] → [N,C,sH,sW]."""
        mask = self.content_encoder(self.channel_compressor(x))
        return self.feature_reassemble(x, self.kernel_normalizer(mask))
