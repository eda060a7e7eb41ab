# mluop encoder: the table of a run, training steps with their limits, JSON rows, and bad options.
set -eu
. tests/program/drive_mluop.sh
rows=$WORK/rows.json
layers="subm1 down1 subm2 down2 subm3 down3 subm4 extra"

run 0 encoder --scene small --threads 1 --dtype half
prints "$out" "small encoder, half, 1 thread: " "forward and all gradients" "pairs ms" "filter ms"
for layer in $layers; do prints "$out" "  small_$layer "; done

run 0 encoder --scene small --train --steps 3 --threads 1,2 --json "$rows"
for threads in "1 thread" "2 threads"; do prints "$out" "small encoder, float, $threads, "; done
prints "$out" ": 3 training steps" "first step " " of the best step" "  all " "  limit " "  efficiency "
for layer in $layers; do [ "$(grep -c "^  small_$layer " "$out")" -eq 2 ]; done
# For each number of threads four calls of eight layers and the step, whose limit is the sum of theirs.
python3 - "$rows" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
assert len(rows) == 2 * (8 * 4 + 1), len(rows)
for threads in (1, 2):
    *calls, step = [row for row in rows if row["threads"] == threads]
    assert (step["layer"], step["op"]) == ("all", "step"), step
    assert len({(row["layer"], row["op"]) for row in calls}) == 32
    assert abs(sum(row["limit_ms"] for row in calls) / step["limit_ms"] - 1) < 1e-9
    assert sum(row["ms_best"] for row in calls) <= step["ms_best"] * (1 + 1e-9)
    for row in (*calls, step):
        assert row["steps"] == 3 and row["dtype"] == "float" and row["scene"] == "small", row
        assert 0 < row["ms_best"] <= min(row["ms"], row["ms_first"]) and row["limit_ms"] > 0, row
        assert abs(row["efficiency"] * row["ms_best"] / row["limit_ms"] - 1) < 1e-9, row
END

run 0 encoder --scene small --train --steps 1 --threads 1 --dtype bfloat16 --json -
prints "$err" "small encoder, bfloat16, 1 thread, " ": 1 training step"
python3 -c 'import json, sys; assert len(json.load(sys.stdin)) == 33' <"$out"

run 2 encoder --scene small --steps 2
prints "$err" "--train"
run 2 encoder --scene small --json "$rows"
prints "$err" "--train"
run 2 encoder --train --steps 0
prints "$err" "--steps"
run 2 encoder --dtype double
prints "$err" "--dtype"
refuses_with "cannot write '$WORK/none/rows.json': No such file or directory" \
  encoder --scene small --train --steps 1 --json "$WORK/none/rows.json"
