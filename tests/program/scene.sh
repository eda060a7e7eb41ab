# mluop scene: NumPy files of the documented format, equal for equal seeds, and one-line errors.
set -eu
. tests/program/drive_mluop.sh
scenes=$WORK/scenes

run 0 scene --count 2 --sweeps 1 --seed 3 --out "$scenes"
prints "$out" "2 scenes with " " cars in $scenes"
# magic, version 1.0, a header that ends with a newline at a multiple of 64, then rows of 16 or 28 bytes
for file in "$scenes"/000[01]_points.npy "$scenes"/000[01]_boxes.npy; do
  [ "$(od -An -tx1 -N8 "$file" | tr -d ' ')" = 934e554d50590100 ]
  case $file in *points*) columns=4 ;; *) columns=7 ;; esac
  header=$(dd if="$file" bs=1 skip=10 count=118 2>/dev/null)
  rows=$(echo "$header" | sed -n "s/.*'shape': (\([0-9]*\), $columns), }.*/\1/p")
  [ "$(wc -c <"$file")" -eq $((128 + rows * columns * 4)) ]
  [ "$rows" -gt 10 ]
done
run 0 scene --count 1 --seed 3 --out "$WORK/again"
cmp "$scenes/0000_points.npy" "$WORK/again/0000_points.npy"
run 0 scene --seed 4 --out "$WORK/other"
if cmp -s "$scenes/0000_points.npy" "$WORK/other/0000_points.npy"; then
  echo "the seed does not matter"
  exit 1
fi
run 2 scene --count 0
run 2 scene --out "$scenes/0000_points.npy"
prints "$err" "cannot create '$scenes/0000_points.npy'"
