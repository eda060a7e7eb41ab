# A project that contains this one, by add_subdirectory and by FetchContent, links mluops::mluops and
# mluops::static, and gets no tests, tools, install rules or compile options of ours.
set -eu
rm -rf "$WORK"
build=$WORK/build
fail() {
  echo "$*"
  exit 1
}

for via in subdirectory fetchcontent; do
  "$CMAKE" -S tests/install/subproject -B "$build" -G Ninja -DVIA=$via -DMLUOPS_SOURCE="$PWD" \
    -DMLUOPS_ONE_LEVEL=sse4 -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" >/dev/null
  "$CMAKE" --build "$build" >"$WORK/log" 2>&1 || { tail -n 40 "$WORK/log"; fail "$via: not built"; }
  "$CMAKE" --build "$build" --target client_static >/dev/null
  "$build/client"
  "$build/client_static"
  if "$READELF" --dynamic "$build/client_static" | grep -F libmluops; then
    fail "$via: client_static needs the shared library"
  fi

  "$CMAKE" --build "$build" --target help >"$WORK/targets"
  if grep -E '(^|/)(mluop|mluops_testkit|mluops_installed|[a-z_]*_test):' "$WORK/targets"; then
    fail "$via: these targets are not for a parent project"
  fi
  (cd "$build" && "$CTEST" --no-tests=error >"$WORK/tests") || { cat "$WORK/tests"; fail "$via: the test failed"; }
  grep -qF '100% tests passed, 0 tests failed out of 1' "$WORK/tests" || { cat "$WORK/tests"; fail "$via: other tests"; }
  DESTDIR='' "$CMAKE" --install "$build" --prefix "$WORK/prefix" >/dev/null
  installed=$(cd "$WORK/prefix" && find . -type f)
  test "$installed" = ./bin/client || fail "$via: installed $installed"
  rm -rf "$WORK/prefix"

  # compiled FILE: the command that compiles it
  compiled() { ninja -C "$build" -t commands client client_static | grep -e "-c [^ ]*$1"; }
  compiled registry.cpp | grep -q -e ' -O2 ' || fail "$via: without a build type, the library is not optimised"
  if compiled client.c | grep -e -ffp-contract -e HWY_ -e -Wshadow; then
    fail "$via: options of the library reach its users"
  fi
  echo "$via: ok"
done
