# `pip wheel .` makes one self-contained wheel, which works in empty environments without torch, one for each Python on
# the PATH; `pip install .` does the same in one step. The source distribution is complete.
set -eu
. tests/python.sh
python_has pip scikit_build_core || skip "no pip with scikit-build-core (scripts/python-env installs both)"
rm -rf "$WORK" && mkdir -p "$WORK"
source=$PWD
version=$(header_version)
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONSTRAINT="$source/python/requirements-test.txt"
"$PYTHON" -m pip --quiet --retries 0 download --no-deps --dest "$WORK/index" scikit-build-core ||
  skip "pip reaches no index"

# Same compiler and warnings as the build of the tests, so that ccache has the objects. A separate directory: changing
# the compiler in build/wheel would rebuild everything each time.
settings="--config-settings=cmake.define.MLUOPS_WERROR=ON --config-settings=build-dir=$BUILD/wheel"
# shellcheck disable=SC2086  # two words
"$PYTHON" -m pip wheel . --no-deps --wheel-dir "$WORK" $settings
wheel=$WORK/mluops_cpu-$version-py3-none-linux_$(uname -m).whl
test -e "$wheel" || { ls "$WORK"; exit 1; }

mkdir "$WORK/wheel"
"$PYTHON" -m zipfile -e "$wheel" "$WORK/wheel"
(cd "$WORK/wheel" && find . -type f | LC_ALL=C sort) >"$WORK/contents"
info=./mluops_cpu-$version.dist-info
if grep -Ev -e "^\./mluops_cpu/.*\.py$" -e "^\./mluops_cpu/(py\.typed|_lib/libmluops\.so\.0)$" -e "^$info/" "$WORK/contents"; then
  echo "the files above do not belong into a wheel"
  exit 1
fi
(cd python && find ./mluops_cpu -name '*.py' -o -name py.typed) | LC_ALL=C sort |
  comm -23 - "$WORK/contents" >"$WORK/missing"
test ! -s "$WORK/missing" || { echo "missing in the wheel:"; cat "$WORK/missing"; exit 1; }
grep -Fx "Tag: py3-none-linux_$(uname -m)" "$WORK/wheel/$info/WHEEL"
for line in "Version: $version" "Requires-Python: >=3.9" "Requires-Dist: numpy>=1.22" "Provides-Extra: torch"; do
  grep -Fx "$line" "$WORK/wheel/$info/METADATA"
done

library=$WORK/wheel/mluops_cpu/_lib/libmluops.so.0
needed=$("$READELF" --wide --dynamic "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for name in $needed; do
  case $name in
    libstdc++.so.* | libm.so.* | libgcc_s.so.* | libc.so.* | ld-linux*) ;;
    *) echo "the library needs $name"; exit 1 ;;
  esac
done
"$READELF" --wide --dynamic "$library" | grep -E 'RPATH|RUNPATH' && { echo "has a search path"; exit 1; }
"$READELF" --wide --sections "$library" | grep -F .symtab && { echo "is not stripped"; exit 1; }

# try PYTHON NAME ARGUMENT…: an empty environment after `pip install ARGUMENT…`
try() {
  python=$1 env=$WORK/env-$2
  shift 2
  "$python" -m venv "$env"
  "$env/bin/python" -m pip --quiet install "$@"
  (
    cd /
    python_calls_an_operator "$env/bin/python"
    "$env/bin/python" -m mluops_cpu info
    "$env/bin/python" -c "import mluops_cpu; assert mluops_cpu.library_path().startswith('$env'), mluops_cpu.library_path()"
  )
  "$env/bin/python" -m pip check
}
try "$PYTHON" tests "$wheel"
# shellcheck disable=SC2086
try "$PYTHON" source "$source" $settings
for minor in 9 10 11 12 13 14; do
  if "python3.$minor" -c 'import venv, ensurepip' 2>/dev/null; then try "python3.$minor" "3.$minor" "$wheel"; fi
done

# The source distribution contains everything that a build needs, and no build results.
"$PYTHON" -c 'import sys, scikit_build_core.build as b; b.build_sdist(sys.argv[1])' "$WORK"
mkdir "$WORK/sdist"
tar -xzf "$WORK/mluops_cpu-$version.tar.gz" -C "$WORK/sdist" --strip-components 1
for unwanted in build dist python/mluops_cpu/_lib; do
  test ! -e "$WORK/sdist/$unwanted" || { echo "the source distribution has $unwanted"; exit 1; }
done
find src include cmake cli tests python/mluops_cpu python/tests -type f ! -name '*.pyc' ! -path '*cache*' ! -path '*/_lib/*' |
  while read -r file; do
    test -e "$WORK/sdist/$file" || { echo "the source distribution lacks $file"; exit 1; }
  done
"$CMAKE" -G Ninja -S "$WORK/sdist" -B "$WORK/sdist/build" -DMLUOPS_TOOLS=OFF -DBUILD_TESTING=OFF -DSKBUILD=ON >/dev/null
