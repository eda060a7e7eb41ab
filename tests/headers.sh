# Every public header compiles on its own and without a warning, as every C and C++ since C89 and C++98; the values of
# all enumerators are those of the interface; deprecated functions give a warning only to programs that ask for it.
# With GCC, and with clang where it is installed.
# shellcheck disable=SC2086  # flags are a list of words
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
strict="-pedantic -Wall -Wextra -Wundef -Werror -fsyntax-only -Iinclude"

# compiles COMPILER LANGUAGE STANDARD FILE [FLAG]…
compiles() {
  compiler=$1 language=$2 standard=$3 file=$4
  shift 4
  "$compiler" -x "$language" -std="$standard" $strict "$@" "$file"
}

# accepts COMPILER LANGUAGE STANDARD…: headers and values in each of these standards.
accepts() {
  compiler=$1 language=$2
  shift 2
  for standard in "$@"; do
    for header in include/*.h; do
      echo "#include \"$(basename "$header")\"" >"$WORK/header"
      compiles "$compiler" "$language" "$standard" "$WORK/header"
    done
    for values in tests/headers/*_values.c; do
      compiles "$compiler" "$language" "$standard" "$values"
    done
  done
  echo "$compiler: $* are fine"
}

# warns COMPILER LANGUAGE STANDARD: about a deprecated function if asked to, and not otherwise.
warns() {
  echo '#include "mlu_op.h"
void* former(void) { return (void*)&mluOpRoiawarePool3dForward; }' >"$WORK/former"
  compiles "$1" "$2" "$3" "$WORK/former" -Wno-pedantic
  if compiles "$1" "$2" "$3" "$WORK/former" -Wno-pedantic -DMLUOP_CPU_WARN_DEPRECATED 2>"$WORK/warning"; then
    echo "$1: no warning about a deprecated function"
    exit 1
  fi
  grep -q 'use mluOpRoiAwarePool3dForward' "$WORK/warning" || { cat "$WORK/warning"; exit 1; }
}

set -- "$CC" "$CXX"
if command -v clang >/dev/null && command -v clang++ >/dev/null; then
  set -- "$@" clang clang++
fi
while [ $# -gt 0 ]; do
  accepts "$1" c c89 c99 c11 c17
  accepts "$2" c++ c++98 c++11 c++14 c++17 c++20
  warns "$1" c c11
  warns "$2" c++ c++17
  shift 2
done

# Every enumerator of the headers is among the values.
for header in include/*.h; do echo "#include \"$(basename "$header")\""; done >"$WORK/all.c"
"$CC" -E -P -Iinclude "$WORK/all.c" | grep -oE '\b(MLUOP_|cnrt|CNRT_|CN_)[A-Za-z0-9_]* =' | sed 's/ =//' |
  sort -u >"$WORK/enumerators"
sed -n 's/^IS(\([A-Za-z0-9_]*\),.*/\1/p' tests/headers/*_values.c | sort -u >"$WORK/values"
test -s "$WORK/enumerators" || { echo "no enumerator was found"; exit 1; }
missing=$(comm -23 "$WORK/enumerators" "$WORK/values")
test -z "$missing" || { echo "enumerators without a test of their value:"; echo "$missing"; exit 1; }
echo "$(wc -l <"$WORK/enumerators") enumerators have their values"
