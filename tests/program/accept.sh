# mluop accept says no: mluop_slow, whose calls wait 3 ms, is not accepted, and its slow cases are named. While endless
# loops compete for the cores, speed is not judged.
set -eu
. tests/program/drive_mluop.sh
level=$("$MLUOP" list | sed -n 's/.*Instruction set: \(.*\)\.$/\1/p')
case $level in
amx | avx512_bf16 | avx512 | avx2) ;;
*)
  echo "no floors at $level"
  exit 77
  ;;
esac
selection="--op carafe_forward,rotated_feature_align_forward --case fpn_p4,p1_100x50x200 --dtype float"
good=$MLUOP
busy="accurate; speed not judged: the machine was busy"
report=$WORK/report

# slowly CODE ARGUMENT…: the slow build must exit with that code.
slowly() {
  MLUOP=$MLUOP_SLOW
  run "$@"
  MLUOP=$good
}

# Words are split on purpose.
# shellcheck disable=SC2086
{
  slowly 1 accept $selection --speed=always --out "$report"
  prints "$out" "FAILED carafe_forward fpn_p4 float: slow, efficiency 0." \
    "FAILED rotated_feature_align_forward p1_100x50x200 float: slow, efficiency 0." \
    "NOT ACCEPTED" "0 of 2 operators accepted" "verdict: not accepted"
  prints "$report/report.json" '"verdict": "slow"' '"accepted": false'

  # By default too, if nobody else uses the machine just now.
  code=0
  "$MLUOP_SLOW" accept $selection --out "$report" >"$out" 2>"$err" || code=$?
  if [ "$code" -eq 0 ]; then
    prints "$out" "$busy" "machine busy while cases were timed"
  else
    prints "$out" "FAILED carafe_forward fpn_p4 float: slow" "verdict: not accepted"
  fi

  slowly 0 accept $selection --speed=never --out "$report"
  prints "$out" "verdict: accurate; speed not judged: --speed=never"

  # One endless loop per core. The limit is measured beside the loops too and may be several times as long as on a quiet
  # machine, so that the calls have to be much slower.
  export WAIT_MS=50
  status=0
  scripts/busy 1 "$MLUOP_SLOW" accept $selection --out "$report" >"$out" 2>"$err" || status=$?
  [ "$status" -eq 0 ] || { cat "$out"; exit 1; }
  prints "$out" "verdict: $busy" "NOT JUDGED carafe_forward fpn_p4 float: slow" \
    "NOT JUDGED rotated_feature_align_forward p1_100x50x200" "machine busy while cases were timed"
  prints "$report/report.json" '"verdict": "not judged"' '"busy": true'
  scripts/busy 1 "$MLUOP_SLOW" accept $selection --speed=always --out "$report" >"$out" 2>"$err" || status=$?
  [ "$status" -eq 1 ] || { cat "$out"; exit 1; }
  prints "$out" "FAILED carafe_forward fpn_p4 float: slow" "the machine was busy)"

  # The real build is accurate, whatever the others do.
  status=0
  scripts/busy 1 "$good" accept $selection --out "$report" >"$out" 2>"$err" || status=$?
  [ "$status" -eq 0 ] || { cat "$out"; exit 1; }
}
