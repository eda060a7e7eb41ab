"""Functions of mmcv's compiled module `mmcv._ext`, with its parameter names, for CPU tensors.

Outputs that are passed in are overwritten whole, whatever they held, at their own strides. Inputs
may have any strides. Nothing here is differentiable: mmcv's Functions call it inside theirs.
"""

from __future__ import annotations

import importlib
from typing import Any, Callable

import torch

from .._names import OPERATORS, needs, provided

#: Functions that are here, by name.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: torch.no_grad()(getattr(importlib.import_module(f"{__name__}.{module}"), name))
    for module, name in provided()
}


def missing(name: str) -> Callable[..., Any]:
    """A function that raises NotImplementedError with its name and what it would take."""

    def function(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            f"{name} of mmcv is not implemented by mluops_cpu: it needs {needs(name)}"
        )

    function.__name__ = function.__qualname__ = name
    return function


#: Every name that mmcv.ops wants of `_ext`: a function that is here, or one that raises.
ALL: dict[str, Callable[..., Any]] = {
    name: FUNCTIONS.get(name) or missing(name) for name in OPERATORS
}
