# The program mluop: what its commands print, the rows it writes, and how it refuses bad arguments.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
out=$WORK/out err=$WORK/err rows=$WORK/rows.json
op=rotated_feature_align_forward

# run CODE ARGUMENT…: mluop must end with that exit code.
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
  file=$1
  shift
  for text in "$@"; do
    if ! grep -qF -e "$text" "$file"; then
      echo "'$text' is missing in:"
      cat "$file"
      exit 1
    fi
  done
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

run 0 --help
prints "$out" list info accept bench "Exit codes"
run 0 bench --help
prints "$out" --op --case --dtype --threads --impl --json

run 0 list --cases
prints "$out" "$op" rotated_feature_align_backward float half double bfloat16 generic p5_50x50x600
[ "$(grep -c "^  rotated_.*[a-z0-9]\*" "$out")" -ge 2 ]  # a star at the implementation in use

run 0 info
prints "$out" "MLU-OPS 1.11.1" "instruction set" "threads" "GFLOP/s" "copy GB/s"

run 0 bench --op "$op,rotated_feature_align_backward" --case p5_4x4x30 --threads 1,2 --json "$rows"
prints "$out" "limit ms" efficiency p5_4x4x30 half
[ "$(grep -c '^  {' "$rows")" -eq 8 ]  # 2 operators × 2 dtypes × 2 thread counts
for key in op case direction dtype threads impl ms ms_best limit_ms efficiency bound bytes flops \
  workspace_bytes; do
  [ "$(grep -c "\"$key\": " "$rows")" -eq 8 ]
done
prints "$rows" '"direction": "forward"' '"direction": "backward"' '"threads": 2'

run 0 bench --op "$op" --case p5_4x4x30 --dtype float --threads 1 --impl all
[ "$(grep -c "^  p5_4x4x30" "$out")" -ge 2 ]  # generic and at least one vector level
prints "$out" generic

align=rotated_feature_align_forward,rotated_feature_align_backward
run 0 accept --op "$align" --case p1_4x40x30,nan,height_1 --json "$rows"
prints "$out" diff1 dynamic equal accepted "24 cases accepted, 0 failed"
[ "$(grep -c '"accepted": true' "$rows")" -eq 24 ]  # 2 operators × 3 cases × 4 dtypes
run 0 accept --quick --op "$align" --case p1_4x40x30,nan
prints "$out" "10 cases accepted, 0 failed"  # the edge case in float only

# The card has no double: in that mode the call fails, and so does the run.
MLUOP_LIMITS=mlu
export MLUOP_LIMITS
run 1 accept --op "$op" --case nan --dtype double,float
prints "$out" "FAILED $op nan double: MLUOP_STATUS_" "1 cases accepted, 1 failed"
run 1 bench --op "$op" --case p5_4x4x30 --dtype double
prints "$err" "FAILED $op p5_4x4x30 double"
unset MLUOP_LIMITS

refuses "unknown command 'frobnicate'; known: list, info, accept, bench" frobnicate
refuses "unknown operator 'nonsense'; known: all, get_indice_pairs" bench --op nonsense
refuses "unknown case 'nonsense'; known: all, network, edge, centerpoint_subm1" accept --case nonsense
refuses "unknown dtype 'int4'; known: all, int32, float" bench --dtype int4
refuses "unknown implementation 'mmx'; known: all" bench --op "$op" --impl mmx
refuses "1 to 1024" bench --threads 0
refuses "many" bench --threads many
refuses "cannot write '$WORK/no/such/rows.json': No such file" bench --json "$WORK/no/such/rows.json"
refuses "argument" bench --nonsense
refuses "no command given"
MLUOP_ISA=mmx
export MLUOP_ISA
refuses "MLUOP_ISA" list
MLUOP_ISA=generic
run 0 list
prints "$out" "generic*"
if [ "$(uname -m)" = x86_64 ]; then
  refuses "implementation 'avx2' does not run here; available: generic" bench --impl avx2
fi
