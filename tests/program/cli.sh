# The program mluop: output of its commands, JSON rows, and errors for bad arguments.
set -eu
. tests/program/drive_mluop.sh
rows=$WORK/rows.json
op=rotated_feature_align_forward

run 0 --help
prints "$out" list info accept bench "Exit codes"
run 0 bench --help
prints "$out" --op --case --dtype --threads --impl --isa --json --compare

run 0 threads --help
prints "$out" --repeat --seconds scripts/busy
refuses "--repeat: " threads --repeat 0
run 0 threads --repeat 1 --seconds 0.02
prints "$out" "workers awake" "worst ratio" "carafe_forward fpn_p4" "after 50 ms of rest" "8 threads"

# scripts/busy: returns the exit code of the command, and the loops end with it, even if that is while they
# start. A loop has the command line of the script.
no_loop_is_left() {
  for wait in $(seq 1000); do
    grep -q "busy_loo[p]_$$" /proc/[0-9]*/cmdline 2>/dev/null || return 0
    sleep 0.02
  done
  echo "scripts/busy left a loop: $1"
  exit 1
}
status=0
scripts/busy 1 sh -c 'exit 7' || status=$?
[ "$status" -eq 7 ]
scripts/busy 1 sh -c 'grep -q "scripts/bus[y]" /proc/[0-9]*/cmdline 2>/dev/null'
for repeat in $(seq 20); do
  scripts/busy 4 true "busy_loop_$$"
  no_loop_is_left "run $repeat"
  scripts/busy 4 sh -c 'exec sleep 10' "busy_loop_$$" &
  sleep "0.00$repeat"
  kill -TERM $!
  wait $! && exit 1
  no_loop_is_left "TERM $repeat"
done
scripts/busy x true 2>"$err" && exit 1
prints "$err" "usage: scripts/busy"

run 0 list --cases
prints "$out" "$op" rotated_feature_align_backward float half double bfloat16 generic p5_50x50x600
prints "$out" "operator" "design" "accepts" "general" "everything" "Instruction set: "

run 0 info
prints "$out" "MLU-OPS 1.11.1" "instruction set" "threads" "general" "GFLOP/s" "copy GB/s"

run 0 bench --op "$op,rotated_feature_align_backward" --case p5_4x4x30 --threads 1,2 --json "$rows"
prints "$out" "limit ms" efficiency p5_4x4x30 half
[ "$(grep -c '^  {' "$rows")" -eq 8 ]  # 2 operators × 2 dtypes × 2 thread counts
for key in op case direction dtype threads isa impl ms ms_best limit_ms efficiency io_efficiency \
  compute_efficiency bound bytes flops workspace_bytes max_rss_bytes busy cpu_share steal \
  switches_per_second; do
  [ "$(grep -c "\"$key\": " "$rows")" -eq 8 ]
done
prints "$rows" '"direction": "forward"' '"direction": "backward"' '"threads": 2'

run 0 bench --op "$op" --case p5_4x4x30 --threads 2 --compare "$rows"
prints "$out" "to earlier"
[ "$(grep -cE '^  p5_4x4x30 .* [0-9]+\.[0-9]{2}$' "$out")" -eq 2 ]  # a ratio at the end of each row
# --compare and --json may name the same file, and a failed command does not change it.
run 0 bench --op "$op" --case p5_4x4x30 --threads 2 --json "$rows" --compare "$rows"
[ "$(grep -cE '^  p5_4x4x30 .* [0-9]+\.[0-9]{2}$' "$out")" -eq 2 ]
[ "$(grep -c '^  {' "$rows")" -eq 2 ]
refuses "cannot read '$WORK/none.json': No such file" bench --json "$rows" --compare "$WORK/none.json"
[ "$(grep -c '^  {' "$rows")" -eq 2 ]
echo '[{"op": 1}]' >"$WORK/other.json"
refuses "cannot compare with '$WORK/other.json': row 1 has no usable" bench --compare "$WORK/other.json"
echo '[' >"$WORK/cut.json"
refuses "cannot compare with '$WORK/cut.json': line 2, column 1: syntax error" bench --compare "$WORK/cut.json"
: >"$WORK/empty.json"
refuses "cannot compare with '$WORK/empty.json': line 1, column 1: syntax error" bench --compare "$WORK/empty.json"
refuses "cannot read '$WORK/none.json': No such file" bench --compare "$WORK/none.json"
refuses "cannot read '$WORK': Is a directory" bench --compare "$WORK"

run 0 bench --op "$op" --case p5_4x4x30 --dtype float --threads 1 --isa all
[ "$(grep -c "^  p5_4x4x30" "$out")" -ge 2 ]  # generic and at least one vector level
prints "$out" generic
run 0 bench --op "$op" --case p5_4x4x30 --dtype float --threads 1 --impl all
prints "$out" general

align=rotated_feature_align_forward,rotated_feature_align_backward
accurate --op "$align" --case p1_4x40x30,nan,height_1 --out "$WORK/report" --json "$rows"
prints "$out" "worst error" equal "146 of 146" " of 2 operators accepted" \
  "report: $WORK/report/report.html"
[ "$(grep -c '"problem": ""' "$rows")" -eq 24 ]  # 2 operators × 3 cases × 4 dtypes
[ "$(grep -c '"efficiency": ' "$rows")" -eq 2 ]  # the network case of each operator, in float
accurate --quick --op "$align" --case p1_4x40x30,nan --out "$WORK/report" --json "$rows"
[ "$(grep -c '"problem": ""' "$rows")" -eq 4 ]  # in float only
run 0 accept --speed=never --op "$align" --case p1_4x40x30,nan --out "$WORK/report"
prints "$out" "2 of 2 operators accepted" "verdict: accurate; speed not judged: --speed=never"

# The card has no double: under its limits the call fails, and so does the run.
MLUOP_LIMITS=mlu
export MLUOP_LIMITS
run 1 accept --op "$op" --case nan --dtype double,float --out "$WORK/report"
prints "$out" "NOT ACCEPTED" "FAILED $op nan double: MLUOP_STATUS_" "0 of 1 operators accepted" equal
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
refuses "cannot make '$rows/x': " accept --out "$rows/x"
refuses "cannot write '$WORK/no/such/rows.json': No such file" accept --out "$WORK/report" \
  --json "$WORK/no/such/rows.json"
refuses "argument" bench --nonsense
refuses "no command given"
MLUOP_ISA=mmx
export MLUOP_ISA
refuses "MLUOP_ISA" list
MLUOP_ISA=generic
run 0 list
prints "$out" "Instruction set: generic."
if [ "$(uname -m)" = x86_64 ]; then
  refuses "unknown instruction set 'avx2'; known: generic, all" bench --isa avx2
fi
