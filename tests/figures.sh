# The figures on the pages of the operators are those of the stored runs, and a stale one is noticed.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
python3 scripts/figures --check

# A copy with one floor and one time changed.
mkdir -p "$WORK/docs" "$WORK/src" "$WORK/scripts"
cp -r docs/figures "$WORK/docs" && cp -r src/ops "$WORK/src" && cp scripts/figures "$WORK/scripts"
python3 "$WORK/scripts/figures" --check
page=$WORK/src/ops/carafe/README.md
changed() {
  sed "$1" "$page" >"$WORK/page" && ! cmp -s "$page" "$WORK/page" || { echo "nothing to change: $1"; exit 1; }
  cp "$page" "$WORK/kept" && cp "$WORK/page" "$page"
  if python3 "$WORK/scripts/figures" --check >"$WORK/out"; then echo "missed: $1"; exit 1; fi
  grep -q "^+++ docs/figures" "$WORK/out" || { cat "$WORK/out"; exit 1; }
  python3 "$WORK/scripts/figures"
  cmp "$page" "$WORK/kept" # filled in again
}
changed '/^| `grouped` | carafe_backward |/s/| 0[.][0-9]*/| 0.99/'
changed '/^| `fpn_p3` | float |/s/[0-9][.][0-9]*/7.77/'
