# Doxygen renders the public headers without a warning, and no function, type or macro lacks a comment. Without
# Doxygen the test is skipped.
set -eu
command -v doxygen >/dev/null || { echo "no Doxygen (scripts/setup docs installs it)"; exit 77; }
rm -rf "$WORK" && mkdir -p "$WORK"

# The reference as `make docs` writes it.
{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $WORK"; } | doxygen -
for page in mlu__op_8h cnrt_8h cn__api_8h mlu__op__cpu_8h; do
  grep -q 'Function Documentation' "$WORK/html/$page.html" || { echo "$page has no functions"; exit 1; }
done
grep -q 'MLUOP_STATUS_NUMERICAL_OVERFLOW' "$WORK/html/mlu__op_8h.html"

# Without EXTRACT_ALL, what lacks a comment is a warning, and that an error.
strict() {
  cat docs/Doxyfile
  echo "EXTRACT_ALL = NO"
  echo "GENERATE_HTML = NO"
  echo "GENERATE_XML = YES"
  echo "OUTPUT_DIRECTORY = $WORK/strict"
}
mkdir -p "$WORK/strict"
strict | doxygen -

# It finds a function without one.
mkdir -p "$WORK/bad"
{ sed 's/@file mlu_op.h/@file bad.h/' include/mlu_op.h; echo "int mluOpWithoutComment(void);"; } >"$WORK/bad/bad.h"
if { strict; echo "INPUT = $WORK/bad"; } | doxygen - 2>"$WORK/complaint"; then
  echo "missed a function without a comment"
  exit 1
fi
grep -q 'mluOpWithoutComment' "$WORK/complaint" || { cat "$WORK/complaint"; exit 1; }
