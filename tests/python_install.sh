# `cmake --install --component python` installs the package to MLUOPS_PYTHON_DIR or the directory of the interpreter,
# with metadata for pip; a plain install does not. The package uses the library of the system.
set -eu
. tests/python.sh
python_has numpy || skip "no Python with numpy"
rm -rf "$WORK" && mkdir -p "$WORK"
version=$(header_version)
info=mluops_cpu-$version.dist-info
test -z "$(find "$PREFIX" -name 'mluops_cpu*')" || { echo "a plain install has the package"; exit 1; }

# configure OPTION…: nothing has to be built for this component
configure() {
  "$CMAKE" -G Ninja -S . -B "$WORK/build" -DMLUOPS_TOOLS=OFF -DBUILD_TESTING=OFF "$@" >/dev/null
}
install() { "$CMAKE" --install "$WORK/build" --component python --prefix "$WORK/prefix" >/dev/null; }

configure -DMLUOPS_PYTHON="$PYTHON"
DESTDIR="$WORK/root" install
test -e "$WORK/root$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/$info/METADATA"

configure -DMLUOPS_PYTHON_DIR=lib/python
install
test ! -e "$WORK/prefix/lib/python/mluops_cpu/_lib"
export PYTHONPATH="$WORK/prefix/lib/python" LD_LIBRARY_PATH="$LIBDIR"
(
  cd /
  python_calls_an_operator "$PYTHON"
  "$PYTHON" - "$version" "$PYTHONPATH" <<'END'
import importlib.metadata, sys

import mluops_cpu

assert mluops_cpu.__file__.startswith(sys.argv[2]), mluops_cpu.__file__
assert importlib.metadata.version("mluops-cpu") == mluops_cpu.__version__ == sys.argv[1]
for file in importlib.metadata.files("mluops-cpu"):
    assert file.locate().exists(), file
END
)
# CMake's copy of the metadata equals pyproject.toml.
metadata=$WORK/prefix/lib/python/$info/METADATA
value() { sed -n "s/^$1 = \(.*\)/\1/p" pyproject.toml | tr -d '[]"'; }
for line in "Name: $(value name)" "Summary: $(value description)" "Requires-Python: $(value requires-python)" \
  "Requires-Dist: $(value dependencies)" "Requires-Dist: $(value torch); extra == 'torch'" "License: $(value license)"; do
  grep -Fx "$line" "$metadata"
done

if python_has pip && "$PYTHON" -m venv "$WORK/env"; then
  configure -DMLUOPS_PYTHON_DIR= -DMLUOPS_PYTHON="$WORK/env/bin/python"
  install
  unset PYTHONPATH
  "$WORK/env/bin/python" -m pip --disable-pip-version-check list | grep -E "mluops-cpu +$version"
  "$WORK/env/bin/python" -m pip --quiet uninstall --yes mluops-cpu
  test -z "$(find "$WORK/env" -path '*mluops_cpu*' -type f)" || { echo "pip uninstall left files"; exit 1; }
fi
