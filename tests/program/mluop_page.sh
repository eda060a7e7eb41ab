# The examples in docs/mluop.md are what mluop prints; only figures of the machine may differ.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
ln -s "$PWD/tests" "$WORK/tests" # an example runs case files from there
page=$PWD/docs/mluop.md check=$PWD/tests/program/mluop_page.py
cd "$WORK"
python3 "$check" "$MLUOP" "$page"

# A heading, a name, a count and a hash that differ are noticed.
missed() {
  sed "$1" "$page" >page.md
  ! cmp -s page.md "$page" || { echo "nothing to change: $1"; exit 1; }
  if python3 "$check" "$MLUOP" page.md >/dev/null 2>&1; then echo "missed: $1"; exit 1; fi
}
missed 's/  limit ms  efficiency/  limit us  efficiency/'
missed 's/^  carafe_forward  \(.*\)float half double/  carafe_forward  \1float half/'
missed 's/^card limits /card bounds /'
missed '/^carafe_backward grouped float generic/s/[0-9a-f]$/x/'
missed 's/^  roiaware_pool3d_backward \(.*\) 281 of 281/  roiaware_pool3d_backward \1 280 of 281/'
