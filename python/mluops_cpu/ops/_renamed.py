"""Arguments that mmcv renamed: the old names still work and warn, as there."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Callable, TypeVar

_Callable = TypeVar("_Callable", bound=Callable[..., Any])


def renamed(**names: str) -> Callable[[_Callable], _Callable]:
    """Take old keywords as well: renamed(old="new"). AssertionError if both are given, as mmcv."""

    def decorate(function: _Callable) -> _Callable:
        @functools.wraps(function)
        def taking_old(*args: Any, **kwargs: Any) -> Any:
            for old, new in names.items():
                if old in kwargs:
                    if new in kwargs:
                        raise AssertionError(f"{old} and {new} are one argument; give {new} alone")
                    text = f'"{old}" of {function.__qualname__} is deprecated, use "{new}"'
                    warnings.warn(text, DeprecationWarning, stacklevel=2)
                    kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return taking_old  # type: ignore[return-value]

    return decorate
