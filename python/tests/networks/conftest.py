"""Helpers without their packages are not searched for examples; the tests say what is missing."""

from __future__ import annotations

import importlib.util

collect_ignore_glob = [] if importlib.util.find_spec("cv2") else ["[!t]*.py"]
