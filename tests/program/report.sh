# mluop accept writes three files. report_data.sh checks the JSON among them, and the rows of the bench.
set -eu
. tests/program/drive_mluop.sh
folder=$WORK/report
accurate --op rotated_feature_align_forward,roiaware_pool3d_backward \
  --case p5_4x4x30,nan,height_1,channels_7_max --out "$folder" --json "$WORK/copy.json"

fail() {
  echo "$*"
  exit 1
}

# One line per operator, then the verdict and the path. Cases may be slow, or their speed not judged.
[ "$(grep -cE '^  (rotated|roiaware).* (accepted|ACCEPTED|accurate)(;.*)?$' "$out")" -eq 2 ] || fail "$(cat "$out")"
grep -q "^[012] of 2 operators accepted$" "$out" || fail "no verdict: $(cat "$out")"
grep -q "^report: .*/report/report.html$" "$out" || fail "no path: $(cat "$out")"

for file in html md json; do
  [ -s "$folder/report.$file" ] || fail "report.$file is missing"
done
cmp "$folder/report.json" "$WORK/copy.json"

# The page is self-contained.
if grep -nE '<script|<link|<img|<iframe|@import|url\(|src=|https?:' "$folder/report.html"; then
  fail "report.html refers to something outside"
fi
for heading in "Features tested" "Parameter checks" "Function" "Performance" "Summary"; do
  grep -q "^##.*$heading" "$folder/report.md" || fail "report.md lacks $heading"
done

# Rows of bench; report_data.sh checks what is in them.
"$MLUOP" bench --op rotated_feature_align_forward --case p1_4x4x3 --threads 1 --json "$WORK/rows.json" >"$out"
[ -s "$WORK/rows.json" ] || fail "no rows"
