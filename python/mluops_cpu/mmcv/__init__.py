"""The operators of this package under mmcv's own names, for programs written against mmcv.ops.

>>> import mluops_cpu.mmcv
>>> mluops_cpu.mmcv.install()  # doctest: +SKIP

Call it once, before mmdet, mmdet3d or mmrotate are imported. Works with mmcv-lite, which has no
compiled operators, and with a compiled mmcv, whose functions keep everything that is not on the
CPU. Classes stay mmcv's: isinstance, the registry, pickles and checkpoints are untouched. Nothing
happens on import.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import sys
import threading
import types
import warnings
from typing import Any, Callable, Optional

__all__ = ["install", "is_installed", "uninstall"]

_NAME = "mmcv._ext"
_lock = threading.RLock()
_undo: Optional[list[Callable[[], None]]] = None
# One for the process: the modules of mmcv.ops hold it after uninstall(), too.
_stand_in: Optional[types.ModuleType] = None


def install() -> None:
    """Has mmcv.ops compute on the CPU by this package.

    Idempotent. Afterwards every name of mmcv.ops imports, with mmcv-lite too; an operator that is
    not here raises NotImplementedError, with its name and what it would take, when it is called.
    `python -m mluops_cpu info` lists them.

    Raises ImportError if mmcv, mmengine or torch is missing, or if a compiled `mmcv._ext` exists
    and does not import. Warns (RuntimeWarning) of versions of mmcv outside of 2.1 and 2.2, of
    modules that imported a function too early, and of an importable spconv, whose layers mmdet3d
    prefers to mmcv's.

    >>> import mluops_cpu.mmcv
    >>> mluops_cpu.mmcv.install()  # doctest: +SKIP
    """
    global _undo
    with _lock:
        if _undo is not None:
            return
        mmcv = importlib.import_module("mmcv")
        _warn_of_version(mmcv.__version__)
        _warn_of_spconv()
        from . import _patches

        undo: list[Callable[[], None]] = []
        try:
            if not _exists(_NAME):
                undo.append(_provide(mmcv))
            else:
                undo += _patches.over_compiled(importlib.import_module(_NAME))
            importlib.import_module("mmcv.ops")
            undo += _patches.all_of_mmcv()
        except BaseException:
            _revert(undo)
            raise
        _undo = undo


def uninstall() -> None:
    """Puts back what install() replaced; without an install() it does nothing.

    With mmcv-lite the modules of mmcv.ops stay imported, and their calls of `mmcv._ext` still come
    here: there is nothing else they could call.

    >>> import mluops_cpu.mmcv
    >>> mluops_cpu.mmcv.uninstall()
    >>> mluops_cpu.mmcv.is_installed()
    False
    """
    global _undo
    with _lock:
        undo, _undo = _undo, None
        _revert(undo or [])


def is_installed() -> bool:
    """Whether install() is in force.

    >>> import mluops_cpu.mmcv
    >>> mluops_cpu.mmcv.is_installed()
    False
    """
    return _undo is not None


def _revert(undo: list[Callable[[], None]]) -> None:
    for step in reversed(undo):
        step()


def _warn_of_version(version: str) -> None:
    numbers = version.split(".")
    if tuple(int(number) for number in numbers[:2]) not in ((2, 1), (2, 2)):
        warnings.warn(
            f"mluops_cpu.mmcv is made for mmcv 2.1 and 2.2, found {version}",
            RuntimeWarning,
            stacklevel=3,
        )


def _exists(module: str) -> bool:
    """Whether a module can be imported."""
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # it is in sys.modules, without a spec
        return True


def _warn_of_spconv() -> None:
    ours = getattr(sys.modules.get("spconv"), "__mluops_cpu__", False)
    if not ours and _exists("spconv"):
        warnings.warn(
            "spconv is installed: mmdet3d registers its layers over mmcv's, and they do not come"
            " here",
            RuntimeWarning,
            stacklevel=3,
        )


def _provide(mmcv: types.ModuleType) -> Callable[[], None]:
    """Puts a module with our functions where mmcv-lite has no `mmcv._ext`."""
    global _stand_in
    if _stand_in is None:
        _stand_in = _make_stand_in()
    sys.modules[_NAME] = _stand_in
    mmcv._ext = _stand_in  # type: ignore[attr-defined]

    def remove() -> None:
        sys.modules.pop(_NAME, None)
        if hasattr(mmcv, "_ext"):
            del mmcv._ext

    return remove


def _make_stand_in() -> types.ModuleType:
    from . import _ext

    module = types.ModuleType(
        _NAME, "CPU operators of mluops_cpu in place of mmcv's compiled ones."
    )
    # Without a loader: mmcv's check_ops_exist() asks for one, and there are no compiled operators.
    module.__spec__ = importlib.machinery.ModuleSpec(_NAME, None)
    vars(module).update(_ext.ALL)
    vars(module)["__getattr__"] = _other
    return module


def _other(name: str) -> Callable[..., Any]:
    """PEP 562: a function for every other name, so that `hasattr` checks of other versions pass."""
    from . import _ext

    if name.startswith("__"):
        raise AttributeError(name)
    return _ext.missing(name)
