# A C11 program finds the installed library by pkg-config and runs, linked dynamically and statically.
# shellcheck disable=SC2046,SC2086  # flags are a list of words
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
strict="-std=c11 -pedantic -Wall -Wextra -Werror"

"$CC" $strict -o "$WORK/shared" examples/client.c $(pkg-config --cflags --libs mluops)
"$READELF" --dynamic "$WORK/shared" | grep -F "Shared library: [$SONAME]"
LD_LIBRARY_PATH="$LIBDIR" "$WORK/shared"

"$CC" $strict -o "$WORK/static" examples/client.c $(pkg-config --static --cflags --libs mluops)
if "$READELF" --dynamic "$WORK/static" | grep -F "Shared library: [$SONAME]"; then
  echo "the statically linked program needs the shared library"
  exit 1
fi
"$WORK/static"
