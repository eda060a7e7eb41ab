"""mmdet, mmdet3d and mmrotate on this package's operators, and the configurations they publish.

What the wheels need to be imported with mmcv-lite, Python 3.11 and torch 2.13, and why:

- `mluops_cpu.mmcv.install()` comes first: they take the operators of `mmcv.ops` by name.
- Only `<package>.models` is imported. `<package>.datasets`, `.evaluation` and `.visualization` want
  nuscenes-devkit, lyft_dataset_sdk, open3d and trimesh, for data sets and pictures; without them
  no model is missing.
- mmrotate 1.0.0rc1 imports `collections.Sequence`, which Python 3.10 removed; e2cnn, which only
  ReDet uses; and refuses mmdet above 3.1.0. The alias, the placeholder and the answer 3.1.0 last
  until it is imported.
"""

from __future__ import annotations

import collections
import collections.abc
import importlib
import logging
import sys
import types
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import mluops_cpu.mmcv

PACKAGES = ("mmdet", "mmdet3d", "mmrotate")


def require() -> None:
    """Skips where the packages are not installed (python/requirements-networks.txt)."""
    for name in ("mmcv", "mmengine", *PACKAGES):
        pytest.importorskip(name.replace("mmrotate", "numba"), reason=f"{name} is not installed")


@cache
def import_models() -> None:
    """Registers the models of all three packages; install() must be in force."""
    assert mluops_cpu.mmcv.is_installed()
    importlib.import_module("mmdet.models")
    importlib.import_module("mmdet3d.models")
    _import_mmrotate()


def _import_mmrotate() -> None:
    import mmdet

    version, mmdet.__version__ = mmdet.__version__, "3.1.0"
    collections.Sequence = collections.abc.Sequence  # type: ignore[attr-defined]
    names = ("e2cnn", "e2cnn.nn", "e2cnn.gspaces")
    sys.modules.update((name, _Placeholder(name)) for name in names)
    sys.modules["e2cnn"].nn = sys.modules["e2cnn.nn"]  # type: ignore[attr-defined]
    sys.modules["e2cnn"].gspaces = sys.modules["e2cnn.gspaces"]  # type: ignore[attr-defined]
    try:
        importlib.import_module("mmrotate.models")
    finally:
        mmdet.__version__ = version
        del collections.Sequence  # type: ignore[attr-defined]
        for name in names:
            del sys.modules[name]


class _Placeholder(types.ModuleType):
    """Any name of it is a class, which can be inherited from and instantiated."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda self, *args, **kwargs: None})


def published(package: str, path: str, changes: dict[str, Any]) -> Any:
    """The configuration of a model as the wheel has it, with other values at the paths given."""
    from mmengine.config import Config

    folder = Path(importlib.import_module(package).__file__ or "").parent / ".mim/configs"
    config = Config.fromfile(folder / path)
    config.merge_from_dict({f"model.{key}": value for key, value in changes.items()})
    return config.model


def build(package: str, config: Any) -> Any:
    """The model of a configuration, with random weights where it asks for a checkpoint."""
    from mmengine.logging import MMLogger
    from mmengine.registry import MODELS, DefaultScope

    if not DefaultScope.check_instance_created(package):
        DefaultScope.get_instance(package, scope_name=package)
    MMLogger.get_current_instance().setLevel(logging.WARNING)  # a line for each parameter
    with DefaultScope.overwrite_default_scope(package):
        model = MODELS.build({**config, "_scope_": package})
        model.init_weights()
    return model
