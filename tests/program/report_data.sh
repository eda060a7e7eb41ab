# The JSON that accept and bench write fits its schema, and report.json has the numbers of the other two forms.
# The files are those of report.sh.
set -eu
. tests/python.sh
python_has jsonschema || skip "no Python with jsonschema"
made=$(dirname "$WORK")/report
"$PYTHON" -W error tests/program/report_data.py docs/report.schema.json "$made/report/report.json"
"$PYTHON" -W error tests/program/report_data.py docs/bench.schema.json "$made/rows.json"
