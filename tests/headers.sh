# Every public header compiles on its own, as C11 and as C++17, without a warning.
# shellcheck disable=SC2086  # flags are a list of words
set -eu
warnings="-pedantic -Wall -Wextra -Werror -fsyntax-only -Iinclude"
for header in include/*.h; do
  line="#include \"$(basename "$header")\""
  echo "$line" | "$CC" -x c -std=c11 -Wstrict-prototypes $warnings -
  echo "$line" | "$CXX" -x c++ -std=c++17 $warnings -
  echo "$header: ok"
done
