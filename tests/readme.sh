# Runs the code blocks of README.md and compares their output. Blocks run in order, in one directory:
#   c, cpp      a whole program; its first line names the file ("/* align.c: …"); compiled and run
#   python      a whole program, run with the package in python/ and the library of this build
#   sh tested   run by the shell; the installed library is found by pkg-config, mluop is in the PATH
#   text        after one of these: its expected standard output
# shellcheck disable=SC2086  # flags are a list of words
set -eu
. tests/python.sh
package=$PWD/python
rm -rf "$WORK" && mkdir -p "$WORK"

# Writes block NUMBER as NUMBER.KIND.
awk -v dir="$WORK" '
  /^```/ {
    if (inside) { close(file); inside = 0; next }
    inside = 1
    kind = substr($0, 4)
    gsub(/ /, "-", kind)
    file = sprintf("%s/%02d.%s", dir, ++number, kind == "" ? "plain" : kind)
    printf "" >file
    next
  }
  inside { print >file }' README.md

cd "$WORK"
export LD_LIBRARY_PATH="$LIBDIR" PATH="$BUILD/cli:$PATH"
strict="-pedantic -Wall -Wextra -Werror"
pkg=$(pkg-config --cflags --libs mluops)
named() { sed -n '1s|^/[/*] *\([a-z_]*\.[a-z]*\):.*|\1|p' "$1"; }

ran=0
expects=no
for block in [0-9]*; do
  case "$block" in
    *.c | *.cpp)
      source=$(named "$block")
      test -n "$source" || { echo "the first line of $block does not name its file"; exit 1; }
      cp "$block" "$source"
      case "$block" in
        *.c) "$CC" -std=c11 $strict -o program "$source" $pkg ;;
        *.cpp) "$CXX" -std=c++17 $strict -o program "$source" $pkg ;;
      esac
      ./program >output
      ran=$((ran + 1)) expects=yes
      ;;
    *.python)
      if python_has numpy torch; then
        MLUOPS_CPU_LIBRARY="$LIBRARY" PYTHONPATH="$package" "$PYTHON" -W error "$block" >output
        ran=$((ran + 1)) expects=yes
      else
        echo "$block did not run: no Python with torch (scripts/python-env makes one)"
        expects=no
      fi
      ;;
    *.sh-tested)
      sh -eu "$block" >output
      ran=$((ran + 1)) expects=yes
      ;;
    *.text)
      if [ "$expects" = yes ]; then diff -u "$block" output; fi
      expects=no
      ;;
    *) expects=no ;;
  esac
done
echo "$ran blocks ran"
test "$ran" -ge 2
