"""What is collected: doctests of modules whose optional packages are installed, and the tests."""

from __future__ import annotations

import importlib.util

collect_ignore_glob = ["bench/*"]

# Doctest imports every module it collects.
if importlib.util.find_spec("torch") is None:
    collect_ignore_glob += ["mluops_cpu/_torch/*", "mluops_cpu/ops/*", "mluops_cpu/mmcv*"]
elif importlib.util.find_spec("mmcv") is None:
    collect_ignore_glob += ["mluops_cpu/mmcv*"]
