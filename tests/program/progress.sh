# Progress of long runs, on terminals and elsewhere, and their interruption.
set -eu
. tests/python.sh
[ -n "$PYTHON" ] || skip "no Python"
rm -rf "$WORK" && mkdir -p "$WORK"
"$PYTHON" -W error tests/program/progress.py "$MLUOP" "$WORK"
