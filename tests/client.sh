# A program in the style of MLU-OPS' own runs with our headers and library, compiled as C and as C++.
# shellcheck disable=SC2086  # flags are a list of words
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
strict="-pedantic -Wall -Wextra -Werror -Iinclude"
"$CC" -std=c99 $strict -o "$WORK/client_c" tests/headers/client.c "$LIBRARY" -lm -Wl,-rpath,"$(dirname "$LIBRARY")"
"$CXX" -x c++ -std=c++11 $strict -o "$WORK/client_cpp" tests/headers/client.c -x none "$LIBRARY" \
  -Wl,-rpath,"$(dirname "$LIBRARY")"
"$WORK/client_c"
"$WORK/client_cpp"
