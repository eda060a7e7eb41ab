"""The C library: finding it, its prototypes, and what each thread keeps of it.

Importing this package loads the library. It needs the standard library alone; no handle is created
before the first call, so a bad MLUOP_* variable surfaces there.
"""

from __future__ import annotations

from .library import api_version, c, path, version
from .state import (
    State,
    Workspace,
    acquire,
    fail,
    force_threads,
    forget,
    int32,
    on_release,
    release_memory,
)
from .timing import timer
from .types import (
    BFLOAT16,
    DOUBLE,
    FLOAT,
    HALF,
    INT32,
    INT64,
    LAYOUT_ARRAY,
    LAYOUT_NDHWC,
    LAYOUT_NHWC,
    SIZES,
)

__all__ = [
    "BFLOAT16",
    "DOUBLE",
    "FLOAT",
    "HALF",
    "INT32",
    "INT64",
    "LAYOUT_ARRAY",
    "LAYOUT_NDHWC",
    "LAYOUT_NHWC",
    "SIZES",
    "State",
    "Workspace",
    "acquire",
    "api_version",
    "c",
    "fail",
    "force_threads",
    "forget",
    "int32",
    "on_release",
    "path",
    "release_memory",
    "timer",
    "version",
]
