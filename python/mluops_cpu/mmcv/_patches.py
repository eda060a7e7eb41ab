"""What install() replaces in mmcv: each replacement takes CPU tensors and leaves others alone."""

from __future__ import annotations

import functools
import sys
import types
import warnings
from typing import Any, Callable, Optional

import torch

from .. import ops as _public
from .._torch.autograd import Conv, MaxPool
from ..ops import sparse_ops, sparse_structure
from ..ops._sparse_run import run_layer
from ..ops.scatter_points import DynamicScatterFunction
from ..ops.sparse_modules import fuse, run
from ._ext import FUNCTIONS

#: Undoes one replacement.
Undo = Callable[[], None]


def _module(name: str) -> Any:
    """A module by its path: mmcv.ops binds functions over the submodules `carafe` and
    `rotated_feature_align`, so attributes would not do."""
    return sys.modules[name]


def first_tensor(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Optional[torch.Tensor]:
    """The first tensor among the arguments."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, torch.Tensor):
            return value
    return None


def _on_cpu(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    tensor = first_tensor(args, kwargs)
    return tensor is not None and tensor.device.type == "cpu"


def dispatched(original: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls ours if its first tensor is on the CPU, else the original."""

    @functools.wraps(original)
    def either(*args: Any, **kwargs: Any) -> Any:
        return (ours if _on_cpu(args, kwargs) else original)(*args, **kwargs)

    return either


def _assigned(owner: Any, name: str, value: Any) -> Undo:
    former = owner.__dict__[name]
    setattr(owner, name, value)
    return lambda: setattr(owner, name, former)


def over_compiled(ext: types.ModuleType) -> list[Undo]:
    """The functions of a compiled `_ext`. mmcv's modules hold the module, so this reaches them."""
    return [
        _assigned(ext, name, dispatched(getattr(ext, name), ours))
        for name, ours in FUNCTIONS.items()
        if hasattr(ext, name)
    ]


# ---- autograd.Functions

_FUNCTIONS = (
    ("mmcv.ops.carafe", "CARAFEFunction"),
    ("mmcv.ops.carafe", "CARAFENaiveFunction"),
    ("mmcv.ops.roiaware_pool3d", "RoIAwarePool3dFunction"),
    ("mmcv.ops.rotated_feature_align", "RotatedFeatureAlignFunction"),
    ("mmcv.ops.roi_align", "RoIAlignFunction"),
)


def functions() -> list[Undo]:
    """forward and backward on the classes: `carafe_naive = CARAFENaiveFunction.apply` follows."""
    undo: list[Undo] = []
    for path, name in _FUNCTIONS:
        ours = getattr(_module(path.replace("mmcv.", "mluops_cpu.", 1)), name)
        undo += _function(getattr(_module(path), name), ours.forward, ours.backward)
    scatter = _module("mmcv.ops.scatter_points")._DynamicScatter
    undo += _function(scatter, DynamicScatterFunction.forward, DynamicScatterFunction.backward)
    for name in ("SparseConvFunction", "SubMConvFunction"):
        undo += _sparse_function(name, inverse=False)
    undo += _sparse_function("SparseInverseConvFunction", inverse=True)
    theirs = _module("mmcv.ops.sparse_functional").SparseMaxPoolFunction
    return undo + _function(theirs, MaxPool.forward, MaxPool.backward)


def _sparse_function(name: str, inverse: bool) -> list[Undo]:
    def forward(ctx: Any, features: Any, filters: Any, pairs: Any, num: Any, rows: Any) -> Any:
        return Conv.forward(ctx, features, filters, pairs, num, int(rows), inverse, False)

    def backward(ctx: Any, grad: Any) -> Any:
        return Conv.backward(ctx, grad)[:5]  # theirs has neither `inverse` nor a layout

    return _function(getattr(_module("mmcv.ops.sparse_functional"), name), forward, backward)


def _function(theirs: Any, forward: Callable[..., Any], backward: Callable[..., Any]) -> list[Undo]:
    original_forward, original_backward = theirs.forward, theirs.backward

    @functools.wraps(original_forward)
    def either_forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        ctx.mluops_cpu = _on_cpu(args, kwargs)
        return (forward if ctx.mluops_cpu else original_forward)(ctx, *args, **kwargs)

    @functools.wraps(original_backward)
    def either_backward(ctx: Any, *grads: Any) -> Any:
        return (backward if ctx.mluops_cpu else original_backward)(ctx, *grads)

    return [
        _assigned(theirs, "forward", staticmethod(either_forward)),
        _assigned(theirs, "backward", staticmethod(either_backward)),
    ]


# ---- layers


def layers() -> list[Undo]:
    """Methods of mmcv's classes; the classes stay, and with them isinstance, registry, pickles."""
    conv = _module("mmcv.ops.sparse_conv").SparseConvolution
    modules = _module("mmcv.ops.sparse_modules")
    tensor = _module("mmcv.ops.sparse_structure").SparseConvTensor
    sequential, conv_forward = modules.SparseSequential, conv.forward
    sequential_forward, sequential_fused = sequential.forward, sequential.fused

    def layer_forward(self: Any, input: Any) -> Any:
        if isinstance(input, tensor) and input.features.device.type == "cpu":
            return run_layer(self, input, tensor)
        return conv_forward(self, input)

    def forward(self: Any, input: Any) -> Any:
        # What has no device (a list for an ordinary module) is the original's to handle.
        device = getattr(getattr(input, "features", input), "device", None)
        if device is not None and device.type == "cpu":
            sparse = modules.SparseModule
            return run(self._modules, input, tensor, sparse, self._sparity_dict)
        return sequential_forward(self, input)

    def fused(self: Any) -> Any:
        if all(parameter.device.type == "cpu" for parameter in self.parameters()):
            return sequential(*fuse(list(self._modules.values()), conv))
        return sequential_fused(self)

    return [
        _assigned(conv, "forward", functools.wraps(conv_forward)(layer_forward)),
        _assigned(sequential, "forward", functools.wraps(sequential_forward)(forward)),
        _assigned(sequential, "fused", functools.wraps(sequential_fused)(fused)),
    ]


# ---- functions

# carafe, rotated_feature_align and roi_align for autocast: our functions cast, Functions never do.
_FREE_FUNCTIONS: tuple[tuple[str, str, Any], ...] = (
    ("mmcv.ops.carafe", "carafe", _public),
    ("mmcv.ops.rotated_feature_align", "rotated_feature_align", _public),
    ("mmcv.ops.roi_align", "roi_align", _public),
    ("mmcv.ops.points_in_boxes", "points_in_boxes_part", _public),
    ("mmcv.ops.points_in_boxes", "points_in_boxes_all", _public),
    ("mmcv.ops.sparse_structure", "scatter_nd", sparse_structure),
    ("mmcv.ops.sparse_ops", "get_indice_pairs", sparse_ops),
    ("mmcv.ops.sparse_ops", "indice_conv", sparse_ops),
    ("mmcv.ops.sparse_ops", "fused_indice_conv", sparse_ops),
    ("mmcv.ops.sparse_ops", "indice_conv_backward", sparse_ops),
    ("mmcv.ops.sparse_ops", "indice_maxpool", sparse_ops),
    ("mmcv.ops.sparse_ops", "indice_maxpool_backward", sparse_ops),
)


def free_functions() -> list[Undo]:
    """Functions, rebound in every module of mmcv that imported them by name."""
    undo: list[Undo] = []
    missed: list[str] = []
    for path, name, ours in _FREE_FUNCTIONS:
        old = getattr(_module(path), name)
        new = dispatched(old, getattr(ours, name))
        for module_name, attribute, module in _holders(old):
            if module_name.split(".", 1)[0] == "mmcv":
                undo.append(_assigned(module, attribute, new))
            else:
                missed.append(f"{module_name}.{attribute}")
    if missed:
        warnings.warn(
            "imported before mluops_cpu.mmcv.install(), these keep mmcv's own functions: "
            + ", ".join(sorted(missed)),
            RuntimeWarning,
            stacklevel=4,
        )
    return undo


def _holders(old: Any) -> list[tuple[str, str, Any]]:
    """Modules whose globals hold an object: (name of the module, name there, module)."""
    return [
        (module_name, attribute, module)
        for module_name, module in list(sys.modules.items())
        if isinstance(module, types.ModuleType) and module_name != __name__
        for attribute, value in list(vars(module).items())
        if value is old
    ]


def all_of_mmcv() -> list[Undo]:
    """Every replacement in mmcv.ops, which is imported."""
    return [*functions(), *layers(), *free_functions()]
