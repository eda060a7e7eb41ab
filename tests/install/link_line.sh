# The link line of MLU-OPS programs, -lmluops -lcnrt -lcndrv, works with the installed library, by hand, by
# pkg-config and by CMake, shared and static; and none of it takes the place of an SDK unnoticed.
# shellcheck disable=SC2046,SC2086  # flags are a list of words
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
export LD_LIBRARY_PATH="$LIBDIR"
folder=tests/install/link_line
names="-lmluops -lcnrt -lcndrv"
c="$CC -std=c11 -Wall -Wextra -Werror examples/client.c -o $WORK/client"
cpp="$CXX -std=c++11 -Wall -Wextra -Werror -pthread $folder/sample.cpp -o $WORK/sample"
here="-I$PREFIX/include -L$LIBDIR"

# needs FILE PATTERN: whether FILE needs a shared library like PATTERN
needs() { "$READELF" --dynamic "$1" | grep -F 'Shared library:' | grep -q "$2"; }
# both KIND FLAG…: builds and runs the C and the C++ program
both() {
  kind=$1
  shift
  $c "$@"
  $cpp "$@"
  for program in client sample; do
    "$WORK/$program" >"$WORK/output" || { cat "$WORK/output"; echo "$program failed with: $*"; exit 1; }
    if needs "$WORK/$program" cnrt || needs "$WORK/$program" cndrv; then
      echo "$program needs a library that is not installed"
      exit 1
    fi
    case "$kind" in
      shared) needs "$WORK/$program" "\[$SONAME\]" || { echo "$program does not need $SONAME: $*"; exit 1; } ;;
      static) if needs "$WORK/$program" mluops; then echo "$program is not static: $*"; exit 1; fi ;;
    esac
  done
  echo "$kind: $*"
}

both shared $here $names
both shared $here -lcnrt -lcndrv -lmluops
both shared $here -Wl,--as-needed $names
both shared $(pkg-config --cflags --libs mluops) -lcnrt -lcndrv
pkg_static=$(pkg-config --static --cflags --libs mluops)
both static $pkg_static -lcnrt -lcndrv
flags() { pkg-config --static "$1" mluops; }  # in the order of pkg-config 0.29: others, -L, -l
both static $(flags --cflags) $(flags --libs-only-other) $(flags --libs-only-L) $(flags --libs-only-l) -lcnrt -lcndrv
case "$pkg_static" in
  *-lhwy*) ;;  # assertions call Highway, of which Debian has only the shared library
  *)
    both static $here "$LIBDIR/libmluops.a" -lcnrt -lcndrv -lstdc++ -lm
    both static -static $pkg_static -lcnrt -lcndrv
    ;;
esac
for linker in gold lld mold; do  # GNU ld is the default
  if command -v "ld.$linker" >/dev/null; then both shared -fuse-ld=$linker $here $names; fi
done

"$CMAKE" -S $folder -B "$WORK/build" -G Ninja -DCMAKE_PREFIX_PATH="$PREFIX" -DNEUWARE_HOME="$PREFIX" \
  -DLIBDIR="$LIBDIR" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" >/dev/null
"$CMAKE" --build "$WORK/build" >/dev/null
for program in by_directory by_target by_static_target; do "$WORK/build/$program"; done
if needs "$WORK/build/by_static_target" mluops; then echo "by_static_target is not static"; exit 1; fi

# An SDK, here one function, keeps its place. In front of ours it is what -lcnrt finds; behind ours, a program
# that wants only the runtime does not link.
sdk=$WORK/sdk
mkdir -p "$sdk/lib64"
echo 'int cnrtGetDevice(int* device) { return *device = 42; }' >"$WORK/sdk.c"
echo 'int cnrtGetDevice(int*); int main(void) { int d; return cnrtGetDevice(&d) == 42 ? 0 : 1; }' >"$WORK/only.c"
"$CC" -shared -fPIC -o "$sdk/lib64/libcnrt.so" "$WORK/sdk.c"
"$CC" -o "$WORK/only" "$WORK/only.c" -L"$sdk/lib64" -L"$LIBDIR" -lcnrt
LD_LIBRARY_PATH="$sdk/lib64" "$WORK/only"
if "$CC" -o "$WORK/only" "$WORK/only.c" -L"$LIBDIR" -L"$sdk/lib64" -lcnrt 2>"$WORK/log"; then
  echo "libcnrt.a took the place of an SDK's runtime"
  exit 1
fi
grep -q 'undefined reference.*cnrtGetDevice' "$WORK/log" || { cat "$WORK/log"; exit 1; }

# Installing over it is refused, and changes nothing.
if DESTDIR='' "$CMAKE" --install "$BUILD" --prefix "$sdk" >"$WORK/log" 2>&1; then
  echo "installed over an SDK"
  exit 1
fi
# CMake breaks lines.
tr -s ' \n' ' ' <"$WORK/log" | grep -qF "$sdk/lib64/libcnrt.so belongs to an SDK" || { cat "$WORK/log"; exit 1; }
test "$(find "$sdk" -type f)" = "$sdk/lib64/libcnrt.so"
