# mluop bench --sweep: problems, rows, pictures and exit codes.
set -eu
. tests/program/drive_mluop.sh
. tests/python.sh
op=rotated_feature_align_forward
rows=$WORK/rows.json

# The members of all rows, one row per line.
members() { grep -o "\"$1\": [^,]*" "$2"; }
shapes() { grep -o '"shape": "[^"]*"' "$1"; }

run 0 bench --sweep --op "$op" --n 3 --seed 5 --json "$rows" --picture "$WORK/picture.svg"
prints "$out" "$op" "eff p10" "gain min" "the least efficient" "bars " "problems slower than the plain loop"
[ "$(grep -c '^  {' "$rows")" -eq 3 ]
for key in op direction dtype threads impl seed number shape bound ms_best limit_ms loop_ms efficiency; do
  [ "$(grep -c "\"$key\": " "$rows")" -eq 3 ]
done
members number "$rows" | tr '\n' ' ' | grep -q '"number": 0 "number": 1 "number": 2 '
if [ -n "$PYTHON" ]; then
  "$PYTHON" - "$WORK/picture.svg" <<'END'
import sys
import xml.etree.ElementTree as xml

picture = xml.parse(sys.argv[1]).getroot()
assert picture.tag == "{http://www.w3.org/2000/svg}svg", picture.tag
marks = [mark for mark in picture.iter() if (mark.get("class") or "").startswith("mark")]
assert 1 <= len(marks) <= 3, len(marks)
assert all(mark[0].tag.endswith("title") and "efficiency" in mark[0].text for mark in marks)
END
fi

# The same seed gives the same problems, another one others; a choice of dtypes and threads leaves the sizes.
run 0 bench --sweep --op "$op" --n 3 --seed 5 --dtype half --threads 1 --json "$WORK/again.json"
[ "$(shapes "$rows")" = "$(shapes "$WORK/again.json")" ]
[ "$(grep -c '"dtype": "half"' "$WORK/again.json")" -eq 3 ]
[ "$(grep -c '"threads": 1' "$WORK/again.json")" -eq 3 ]
run 0 bench --sweep --op "$op" --n 3 --seed 6 --json "$WORK/again.json"
[ "$(shapes "$rows")" != "$(shapes "$WORK/again.json")" ]

# One problem alone, by number and by shape.
run 0 bench --sweep --op "$op" --seed 5 --only 1 --json "$WORK/again.json"
[ "$(shapes "$WORK/again.json")" = "$(shapes "$rows" | sed -n 2p)" ]
shape=$(shapes "$rows" | sed -n 2p | sed 's/"shape": "\(.*\)"/\1/')
prints "$out" "$shape"
run 0 bench --sweep --op "$op" --shape "$shape" --dtype float,half --threads 1 --json "$WORK/again.json"
[ "$(grep -c '^  {' "$WORK/again.json")" -eq 2 ]
[ "$(grep -c '"number": -1' "$WORK/again.json")" -eq 2 ]

# Without --require missed bars do not fail; problems under 20 µs meet none.
run 0 bench --sweep --op "$op" --shape h=1,w=1,c=1 --dtype float --threads 1
run 1 bench --sweep --op "$op" --shape h=1,w=1,c=1 --dtype float --threads 1 --require

run 0 accept --op "$op" --case p1_4x4x3 --sweep 2 --dtype float --out "$WORK/report"
grep -q 'id="sweep"' "$WORK/report/report.html"
grep -q '^## 4. Random problems' "$WORK/report/report.md"
[ "$(grep -c '"loop_ms": ' "$WORK/report/report.json")" -eq 2 ]

refuses "requires --sweep" bench --n 3
refuses "unknown size 'colour'" bench --sweep --op "$op" --shape colour=3
refuses "--shape needs one operator" bench --sweep --shape h=3
refuses "--case does not belong" bench --sweep --case nan
refuses "--impl, --isa and --compare do not belong" bench --sweep --impl all
refuses "cannot write '$WORK/no/such/picture.svg'" bench --sweep --op "$op" --n 1 --picture "$WORK/no/such/picture.svg"

if python_has jsonschema; then
  "$PYTHON" -W error tests/program/report_data.py docs/bench.schema.json "$rows"
fi
