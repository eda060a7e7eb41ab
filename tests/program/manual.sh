# The manual page: made from the help of the program, without warnings of the formatters.
set -eu
. tests/program/drive_mluop.sh
page=$WORK/mluop.1
run 0 help --man
cp "$out" "$page"
cmp "$page" "$BUILD/cli/mluop.1" || { echo "the page of the build is not that of the program"; exit 1; }

# Structure: the sections in order, each command once, and every option of each under it.
sections=$(sed -n 's/^\.SH //p' "$page" | tr '\n' ',')
[ "$sections" = "NAME,SYNOPSIS,DESCRIPTION,OPTIONS,COMMANDS,EXAMPLES,EXIT STATUS,ENVIRONMENT," ] || {
  echo "sections: $sections"
  exit 1
}
commands=$("$MLUOP" __complete "" | cut -f1)
[ "$(sed -n 's/^\.SS //p' "$page")" = "$commands" ]
for command in $commands; do
  awk -v command="$command" '/^\.S[SH] / { inside = $0 == ".SS " command } inside' "$page" | sed 's/\\-/-/g' >"$WORK/section"
  for option in $("$MLUOP" __complete "$command" -- | cut -f1 | grep -vx -e --help); do
    prints "$WORK/section" "\\fB$option\\fR"
  done
done
# No line may be an unknown request, or end in a blank.
if grep -nE "^[.']" "$page" | grep -vE '^[0-9]+:\.(TH|SH|SS|TP|PP|nf|fi)( |$)'; then
  echo "unknown requests"
  exit 1
fi

if command -v groff >/dev/null; then
  groff -man -Tutf8 -ww -z "$page" 2>"$err"
  [ ! -s "$err" ] || { cat "$err"; exit 1; }
fi
if command -v man >/dev/null; then
  MANWIDTH=100 LC_ALL=C.UTF-8 man --warnings -l "$page" >"$out" 2>"$err"
  [ ! -s "$err" ] || { cat "$err"; exit 1; }
  prints "$out" "mluop - lists, tests and times" "mluop bench [options]" "--impl DESIGN,..." "mluop run FILE|DIR..." \
    "k         5      side of the window, odd" "could not be carried out"
fi
