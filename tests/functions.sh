# docs/functions.md says which functions of MLU-OPS mlu_op.h declares, and mlu_op.h declares no others.
set -eu
scripts/functions --check

# In a copy of what the script reads: it finds a stale page, a foreign function and a function without a family.
rm -rf "$WORK" && mkdir -p "$WORK/docs" "$WORK/src"
cp docs/functions.md docs/mlu-ops-*-functions.txt "$WORK/docs"
cp -R scripts include "$WORK"
cp -R src/ops "$WORK/src"
# expect TEXT: the check fails and says TEXT
expect() {
  if "$WORK/scripts/functions" --check 2>"$WORK/log"; then
    echo "passed, expected: $1"
    exit 1
  fi
  grep -qF "$1" "$WORK/log" || { cat "$WORK/log"; exit 1; }
}
"$WORK/scripts/functions" --check
header=$WORK/include/mlu_op.h

cp "$header" "$WORK/whole.h"
sed 's/mluOpCarafeForward(/mluOpSqrt(/' "$WORK/whole.h" >"$header"
expect "docs/functions.md is stale"
"$WORK/scripts/functions"
grep -qF '| `mluOpSqrt` | yes |' "$WORK/docs/functions.md"
grep -qF '| `mluOpCarafeForward` | no |' "$WORK/docs/functions.md"
# A comment, a string or a macro declares nothing.
{
  cat "$WORK/whole.h"
  echo '/* mluOpOne(x) */'
  echo '#define TWO(x) \'
  echo '  mluOpTwo(x)'
  echo 'extern const char three["mluOpThree(x)"[0]];'
} >"$header"
cp docs/functions.md "$WORK/docs"
"$WORK/scripts/functions" --check
echo 'mluOpStatus_t MLUOP_WIN_API mluOpFour (void);' >>"$header"
expect "mlu_op.h declares what MLU-OPS 1.11.1 does not: mluOpFour."
cp "$WORK/whole.h" "$header"
echo mluOpFour >>"$WORK"/docs/mlu-ops-1.11.1-functions.txt
expect "mluOpFour belongs to no family"
