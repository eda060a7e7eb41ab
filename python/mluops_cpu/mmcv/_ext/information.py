"""What mmcv.utils.collect_env asks for. A compiled mmcv keeps its own, as no tensor is given."""

from __future__ import annotations

import platform


def get_compiler_version() -> str:
    """What mmcv reports as its compiler."""
    return f"none (mluops_cpu, Python {platform.python_version()})"


def get_compiling_cuda_version() -> str:
    """What mmcv reports as its CUDA version."""
    return "not available"
