# Runs the code blocks of README.md, docs/porting.md and docs/faq.md, in both languages, and compares their output.
# The blocks of a page run in order, in a directory of the page:
#   c, cpp      a whole program; its first line names the file ("/* align.c: …"); compiled and run
#   python      a whole program, run with the package in python/ and the library of this build
#   sh tested   run by the shell; the installed library is found by pkg-config or in $NEUWARE_HOME, mluop is in the PATH
#   text        after one of these: its expected standard output
# shellcheck disable=SC2086  # flags are a list of words
set -eu
. tests/python.sh
root=$PWD
package=$root/python
rm -rf "$WORK" && mkdir -p "$WORK"

export LD_LIBRARY_PATH="$LIBDIR" NEUWARE_HOME="$PREFIX" PATH="$BUILD/cli:$PATH"
strict="-pedantic -Wall -Wextra -Werror"
pkg=$(pkg-config --cflags --libs mluops)
named() { sed -n '1s|^/[/*] *\([a-z_]*\.[a-z]*\):.*|\1|p' "$1"; }

# extract PAGE: writes block NUMBER as NUMBER.KIND into the current directory.
extract() {
  awk '
    /^```/ {
      if (inside) { close(file); inside = 0; next }
      inside = 1
      kind = substr($0, 4)
      gsub(/ /, "-", kind)
      file = sprintf("%02d.%s", ++number, kind == "" ? "plain" : kind)
      printf "" >file
      next
    }
    inside { print >file }' "$1"
}

# run_block FILE: writes the output of a block to the file output.
run_block() {
  case "$1" in
    *.c | *.cpp)
      source=$(named "$1")
      test -n "$source" || { echo "its first line does not name its file"; exit 1; }
      cp "$1" "$source"
      case "$1" in
        *.c) "$CC" -std=c11 $strict -o program "$source" $pkg ;;
        *.cpp) "$CXX" -std=c++17 $strict -o program "$source" $pkg ;;
      esac
      ./program >output
      ;;
    *.python) MLUOPS_CPU_LIBRARY="$LIBRARY" PYTHONPATH="$package" "$PYTHON" -W error "$1" >output ;;
    *.sh-tested) sh -eu "$1" >output ;;
  esac
}

# run_page PAGE LEAST: at least LEAST of its blocks must run. The last line that is printed names the block that failed.
run_page() {
  mkdir -p "$WORK/$1"
  cd "$WORK/$1"
  extract "$root/$1"
  ran=0 expects=no
  for block in [0-9]*; do
    case "$block" in
      *.python) if $with_torch; then kind=runs; else kind=other; fi ;;
      *.c | *.cpp | *.sh-tested) kind=runs ;;
      *.text) kind=output ;;
      *) kind=other ;;
    esac
    if [ $kind = runs ]; then
      echo "$1: block $block"
      run_block "$block"
      ran=$((ran + 1))
    elif [ $kind = output ] && [ $expects = yes ]; then
      diff -u "$block" output
    fi
    if [ $kind = runs ]; then expects=yes; else expects=no; fi
  done
  test "$ran" -ge "$2" || { echo "$1: only $ran blocks ran"; exit 1; }
  cd "$root"
}

if python_has numpy torch; then
  with_torch=true
else
  with_torch=false
  echo "blocks in Python do not run: no Python with torch (scripts/python-env makes one)"
fi
for language in md zh-CN.md; do
  run_page README.$language 2
  if [ -x "$BUILD/cli/mluop" ]; then # a build may leave it out
    run_page docs/porting.$language 7
    run_page docs/faq.$language 3
  fi
done
