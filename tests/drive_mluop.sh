# Sourced by scripts that run mluop: a clean $WORK, and assertions.
rm -rf "$WORK" && mkdir -p "$WORK"
out=$WORK/out err=$WORK/err

# run CODE ARGUMENT…: mluop must exit with that code.
run() {
  expected=$1
  shift
  code=0
  "$MLUOP" "$@" >"$out" 2>"$err" || code=$?
  if [ "$code" -ne "$expected" ]; then
    echo "mluop $*: exit code $code instead of $expected"
    cat "$out" "$err"
    exit 1
  fi
}

# prints FILE TEXT…: the file contains every text.
prints() {
  printed=$1
  shift
  for text in "$@"; do
    if ! grep -qF -e "$text" "$printed"; then
      echo "'$text' is missing in:"
      cat "$printed"
      exit 1
    fi
  done
}

# refuses_with LINE ARGUMENT…: exit code 2, nothing on stdout and exactly this line on stderr.
refuses_with() {
  line=$1
  shift
  run 2 "$@"
  if [ -s "$out" ] || [ "$(cat "$err")" != "mluop: $line" ]; then
    echo "mluop $*: expected 'mluop: $line', got:"
    cat "$out" "$err"
    exit 1
  fi
}

# refuses TEXT ARGUMENT…: exit code 2, nothing on stdout, one line on stderr that contains the text.
refuses() {
  text=$1
  shift
  run 2 "$@"
  prints "$err" "mluop: " "$text"
  if [ -s "$out" ] || [ "$(wc -l <"$err")" -ne 1 ]; then
    echo "mluop $*: more than one line"
    cat "$out" "$err"
    exit 1
  fi
}
