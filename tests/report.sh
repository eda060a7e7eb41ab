# mluop accept writes three files. report_data.sh checks the JSON among them, and the rows of the bench.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
folder=$WORK/report
"$MLUOP" accept --op rotated_feature_align_forward,roiaware_pool3d_backward \
  --case p5_4x4x30,nan,height_1,channels_7_max --out "$folder" --json "$WORK/copy.json" >"$WORK/out" || {
  cat "$WORK/out"
  exit 1
}

fail() {
  echo "$*"
  exit 1
}

# One line per operator, then the verdict and the path. Speed may not have been judged.
[ "$(grep -cE '^  (rotated|roiaware).* (accepted|accurate)(;.*)?$' "$WORK/out")" -eq 2 ] || fail "$(cat "$WORK/out")"
grep -q "^2 of 2 operators accepted$" "$WORK/out" || fail "no verdict: $(cat "$WORK/out")"
grep -q "^report: .*/report/report.html$" "$WORK/out" || fail "no path: $(cat "$WORK/out")"

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
"$MLUOP" bench --op rotated_feature_align_forward --case p1_4x4x3 --threads 1 --json "$WORK/rows.json" >"$WORK/out"
[ -s "$WORK/rows.json" ] || fail "no rows"
