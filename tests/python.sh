# Sourced by the tests of the Python package. PYTHON is that of the environment made by scripts/python-env, or
# the python3 on the PATH. A test with missing requirements is skipped (77).
# shellcheck shell=sh
PYTHON=${PYTHON_ENV:-}/bin/python
if [ ! -x "$PYTHON" ]; then PYTHON=$(command -v python3 || true); fi
# Use neither another library nor another package.
unset MLUOPS_CPU_LIBRARY PYTHONPATH

skip() {
  echo "skipped: $*"
  exit 77
}

# python_has MODULE…
python_has() {
  for module in "$@"; do
    [ -n "$PYTHON" ] && "$PYTHON" -c "import $module" 2>/dev/null || return 1
  done
}

# The version of the library, by its header; run in the source tree.
header_version() {
  awk '/define MLUOP_CPU_(MAJOR|MINOR|PATCHLEVEL) / { printf "%s%s", dot, $3; dot = "." }' include/mlu_op_cpu.h
}

# A call whose result is known, from the working directory of the caller.
python_calls_an_operator() {
  "$1" - <<'END'
import sys

import numpy
import mluops_cpu.numpy as ops

boxes = numpy.zeros((1, 2, 2, 5), numpy.float32)
boxes[..., :2] = 0.5
maps = numpy.arange(1, 5, dtype=numpy.float32).reshape(1, 2, 2, 1)
out = ops.rotated_feature_align_forward(maps, boxes, 1.0, 1)
assert out.ravel().tolist() == [3.5, 4.5, 5.5, 6.5], out
assert "torch" not in sys.modules
END
}
