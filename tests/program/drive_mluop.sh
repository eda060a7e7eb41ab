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

# accurate ARGUMENT…: mluop accept must find nothing but slow cases, which depend on the machine, its load and MLUOP_ISA.
accurate() {
  code=0
  "$MLUOP" accept "$@" >"$out" 2>"$err" || code=$?
  grep '^FAILED' "$out" | grep -v ': slow, efficiency ' >"$WORK/wrong" || true
  if [ "$code" -gt 1 ] || [ -s "$WORK/wrong" ] || ! grep -q '^verdict: ' "$out" ||
    { [ "$code" -eq 1 ] && ! grep -q '^FAILED' "$out"; }; then
    echo "mluop accept $*: exit code $code"
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
