# The examples, a C and C++ project, find the installed library by find_package and run, with both library targets.
set -eu
rm -rf "$WORK"
"$CMAKE" -S examples -B "$WORK" -G Ninja -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DMLUOPS_EXAMPLES_STATIC=ON >/dev/null
grep -F "mluops_DIR:PATH=$LIBDIR/cmake/mluops" "$WORK/CMakeCache.txt"
"$CMAKE" --build "$WORK"
for example in client gradient carafe sparse_conv; do
  "$WORK/$example"
  "$WORK/${example}_static"
  if "$READELF" --dynamic "$WORK/${example}_static" | grep -F libmluops; then
    echo "${example}_static needs the shared library"
    exit 1
  fi
done

# refused PREFIX ARGUMENTS TEXT: find_package(mluops ARGUMENTS) fails and says TEXT
refused() {
  mkdir -p "$WORK/wrong"
  cat >"$WORK/wrong/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(wrong NONE)
find_package(mluops $2)
if(NOT mluops_FOUND)
  message(FATAL_ERROR "not found")
endif()
END
  rm -rf "$WORK/wrong/build"
  if "$CMAKE" -S "$WORK/wrong" -B "$WORK/wrong/build" -G Ninja -DCMAKE_PREFIX_PATH="$1" >"$WORK/wrong/log" 2>&1; then
    echo "find_package(mluops $2) succeeded"
    exit 1
  fi
  # CMake breaks lines.
  tr -s ' \n' ' ' <"$WORK/wrong/log" | grep -qF "$3" || { cat "$WORK/wrong/log"; exit 1; }
}

# A later version than the installed one, or another major version.
refused "$PREFIX" "0.99 REQUIRED" 'requested version "0.99"'
refused "$PREFIX" "1.0 REQUIRED" 'requested version "1.0"'

# Components: one that does not exist, and the static library where only the shared one is installed.
refused "$PREFIX" "REQUIRED COMPONENTS statics" "mluops has no component 'statics', only 'static'."
DESTDIR='' "$CMAKE" --install "$BUILD" --prefix "$WORK/shared" >/dev/null
libdir=$WORK/shared/${LIBDIR#"$PREFIX"/}
rm -f "$libdir/libmluops.a" "$libdir"/cmake/mluops/mluops-static-*  # installed if MLUOPS_STATIC is on
absent="The component 'static', libmluops.a, is not installed in $WORK/shared: configure mluops with -DMLUOPS_STATIC=ON"
refused "$WORK/shared" "COMPONENTS static" "$absent"
refused "$WORK/shared" "REQUIRED COMPONENTS static" "$absent"
