# mluop bits: the same hashes in two runs, and what --compare says of other ones.
set -eu
. tests/program/drive_mluop.sh
op=rotated_feature_align_forward
base=$WORK/base.txt other=$WORK/other.txt

run 0 bits --op "$op" --case nan,p5_4x4x30
cp "$out" "$base"
if grep -vqE "^$op (nan|p5_4x4x30) (float|half|double|bfloat16) [a-z0-9_]+( [a-z0-9_]+)? [0-9a-f]{16}$" "$base"; then
  echo "unexpected lines in:"
  cat "$base"
  exit 1
fi
count=$(wc -l <"$base")
# 2 cases × 4 dtypes at every level: the library's choice, which is one of the designs
levels=$(cut -d' ' -f4 "$base" | sort -u)
for level in generic $levels; do
  [ "$(grep -cE " $level [0-9a-f]+$" "$base")" -eq 8 ]
  grep -E " $level [0-9a-f]+$" "$base" | while read -r _ name dtype _ hash; do
    grep -qE "^$op $name $dtype $level [a-z0-9_]+ $hash$" "$base"
  done
done
[ "$(sort -u "$base" | wc -l)" -eq "$count" ]

run 0 bits --op "$op" --case nan,p5_4x4x30 --compare "$base"
[ "$(cat "$out")" = "$count equal, 0 changed, 0 missing, 0 new" ]
# Part of what the file has: the rest of it is not missing.
run 0 bits --op "$op" --case nan --dtype half --compare "$base"
prints "$out" " equal, 0 changed, 0 missing, 0 new"

sed '1s/[0-9a-f]\{16\}$/0123456789abcdef/' "$base" >"$other"
run 1 bits --op "$op" --case nan,p5_4x4x30 --compare "$other"
prints "$out" "changed $(sed 's/ [0-9a-f]*$//;q' "$base") " ", was 0123456789abcdef" \
  "$((count - 1)) equal, 1 changed, 0 missing, 0 new"

sed 1d "$base" >"$other"  # a line that was not there before fails nothing
run 0 bits --op "$op" --case nan,p5_4x4x30 --compare "$other"
prints "$out" "new     $(head -n 1 "$base")" "$((count - 1)) equal, 0 changed, 0 missing, 1 new"

{ cat "$base" && echo "$op nan half vax 0123456789abcdef"; } >"$other"
run 1 bits --op "$op" --case nan,p5_4x4x30 --compare "$other"
prints "$out" "missing $op nan half vax 0123456789abcdef" "$count equal, 0 changed, 1 missing, 0 new"
run 0 bits --op "$op" --case p5_4x4x30 --compare "$other"  # not of a case that was left out

# A call that fails is not hashed, and the run has failed: the card has no double.
MLUOP_LIMITS=mlu
export MLUOP_LIMITS
run 1 bits --op "$op" --case nan --dtype double
prints "$err" "FAILED $op nan double generic: MLUOP_STATUS_"
[ ! -s "$out" ]
unset MLUOP_LIMITS

refuses_with "cannot read '$WORK/none.txt': No such file or directory" bits --op "$op" --compare "$WORK/none.txt"
refuses_with "cannot read '$WORK': Is a directory" bits --op "$op" --compare "$WORK"
: >"$WORK/empty.txt"
refuses_with "cannot read '$WORK/empty.txt': it is empty" bits --op "$op" --compare "$WORK/empty.txt"
echo nonsense >"$WORK/nonsense.txt"
refuses_with "cannot compare with '$WORK/nonsense.txt': 'nonsense' is no line of mluop bits" \
  bits --op "$op" --compare "$WORK/nonsense.txt"
