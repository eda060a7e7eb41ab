# A C++ project finds the installed library by find_package and runs, with both library targets.
set -eu
rm -rf "$WORK"
"$CMAKE" -S examples -B "$WORK" -G Ninja -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DMLUOPS_EXAMPLES_STATIC=ON >/dev/null
grep -F "mluops_DIR:PATH=$LIBDIR/cmake/mluops" "$WORK/CMakeCache.txt"
"$CMAKE" --build "$WORK"
"$WORK/client"
"$WORK/gradient"
"$WORK/gradient_static"

# A later version than the installed one, or another major version, is rejected.
mkdir -p "$WORK/wrong"
for version in 0.99 1.0; do
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(wrong NONE)\nfind_package(mluops %s REQUIRED)\n' \
    "$version" >"$WORK/wrong/CMakeLists.txt"
  if "$CMAKE" -S "$WORK/wrong" -B "$WORK/wrong/build" -G Ninja -DCMAKE_PREFIX_PATH="$PREFIX" \
    >"$WORK/wrong/log" 2>&1; then
    echo "version $version was accepted"
    exit 1
  fi
  grep -qF "requested version \"$version\"" "$WORK/wrong/log" || { cat "$WORK/wrong/log"; exit 1; }
done
