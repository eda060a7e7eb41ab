# Records unmodified programs (the first C program of the README and the example in the style of the card)
# and replays the files.
# shellcheck disable=SC2046  # flags are a list of words
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
awk '/^```/ { inside = $0 == "```c" && !found; found = found || inside; next } inside' README.md \
  >"$WORK/align.c"
cp examples/client.c "$WORK"
cd "$WORK"
export LD_LIBRARY_PATH="$LIBDIR"
for program in align client; do
  "$CC" -std=c11 -o "$program" "$program.c" $(pkg-config --cflags --libs mluops)
done

# files COUNT: the directory has that many cases.
files() {
  found=$(find gen_case -name '*.prototxt' 2>/dev/null | wc -l)
  if [ "$found" -ne "$1" ]; then
    echo "$found case files instead of $1"
    exit 1
  fi
}

# Off, and off by default.
./align >plain
MLUOP_GEN_CASE=0 ./align | cmp - plain
files 0

# The failing call leaves no file, the other one does; results are the same.
MLUOP_GEN_CASE=2 ./align | cmp - plain
files 1
MLUOP_GEN_CASE=1 ./client
files 2
"$MLUOP" run gen_case | grep -F "2 cases passed, 0 failed"

# Recorded results equal those of the replay, bit for bit.
rm -r gen_case
MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DUMP_DATA=2 MLUOP_GEN_CASE_DUMP_DATA_OUTPUT=2 ./align >/dev/null
files 1
# 3.5, 4.5, 5.5 and 6.5: what the program prints.
grep -F 'value_h: ["40600000", "40900000", "40b00000", "40d00000"]' gen_case/*/*.prototxt
sed 's/baseline_device: CPU/baseline_device: GPU/; s/error_threshold: .*/error_threshold: 0/' \
  gen_case/*/*.prototxt >stored.prototxt
"$MLUOP" run stored.prototxt | grep -F "1 cases passed, 0 failed"

# One directory per process; selected operators; output to the screen.
MLUOP_GEN_CASE=1 MLUOP_GEN_CASE_DIR="$WORK/of_{pid}_{deviceid}" ./align >/dev/null
ls "$WORK"/of_[0-9]*_0/gen_case/rotated_feature_align_forward/*.prototxt
rm -r gen_case
MLUOP_GEN_CASE=1 MLUOP_GEN_CASE_OP_NAME="-rotated_feature_align_forward" ./align >/dev/null
files 0
MLUOP_GEN_CASE=3 ./align | grep -F 'op_name: "rotated_feature_align_forward"'
files 0

# A directory that cannot be created is a warning, not an error.
MLUOP_GEN_CASE=1 MLUOP_GEN_CASE_DIR="$WORK/align.c" MLUOP_LOG_LEVEL=warning ./align 2>warning | cmp - plain
grep -F "[mluops] warning: a call of rotated_feature_align_forward is not recorded: cannot create" warning

# mluop itself is never recorded.
MLUOP_GEN_CASE=1 "$MLUOP" run stored.prototxt >/dev/null
MLUOP_GEN_CASE=1 "$MLUOP" accept --op rotated_feature_align_forward --case nan --dtype float >/dev/null
files 0
