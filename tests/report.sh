# mluop accept writes three files that fit their schema and say the same.
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

# One line per operator, then the verdict and the path.
[ "$(grep -cE '^  (rotated|roiaware).* accepted$' "$WORK/out")" -eq 2 ] || fail "$(cat "$WORK/out")"
grep -q "^2 of 2 operators accepted$" "$WORK/out" || fail "no verdict: $(cat "$WORK/out")"
grep -q "^report: .*/report/report.html$" "$WORK/out" || fail "no path: $(cat "$WORK/out")"

for file in html md json; do
  [ -s "$folder/report.$file" ] || fail "report.$file is missing"
done
cmp "$folder/report.json" "$WORK/copy.json"
"$SCHEMA_CHECK" docs/report.schema.json "$folder/report.json"

# Every number of a timing, and every error, is the same text everywhere.
grep -oE '"(ms|ms_best|limit_ms|io_efficiency|compute_efficiency)": [0-9.e+-]+' "$folder/report.json" |
  sed 's/.*: //' | sort -u >"$WORK/times"
grep -oE '"error": [0-9.e+-]+' "$folder/report.json" | sed 's/.*: //' | sort -u >"$WORK/errors"
[ "$(wc -l <"$WORK/times")" -ge 4 ] && [ "$(wc -l <"$WORK/errors")" -ge 4 ] || fail "too few numbers"
while read -r number; do
  grep -qF ">$number<" "$folder/report.html" || fail "report.html lacks $number"
  grep -qF "| $number |" "$folder/report.md" || fail "report.md lacks $number"
done <"$WORK/times"
while read -r number; do
  case $number in -*) continue ;; esac  # diff4 without enough deviations
  grep -qF ">$number<" "$folder/report.html" || fail "report.html lacks $number"
done <"$WORK/errors"

# The page needs nothing else.
if grep -nE '<script|<link|<img|<iframe|@import|url\(|src=|https?:' "$folder/report.html"; then
  fail "report.html refers to something outside"
fi
for heading in "Features tested" "Parameter checks" "Function" "Performance" "Summary"; do
  grep -q "^##.*$heading" "$folder/report.md" || fail "report.md lacks $heading"
done

# Rows of the bench fit theirs.
"$MLUOP" bench --op rotated_feature_align_forward --case p1_4x4x3 --threads 1 --json "$WORK/rows.json" >"$WORK/out"
"$SCHEMA_CHECK" docs/bench.schema.json "$WORK/rows.json"
