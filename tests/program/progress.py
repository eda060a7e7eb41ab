"""What users see of a run that takes long: progress.py MLUOP WORK

A bar on a terminal, however narrow; a line per operator elsewhere; the rows of an interrupted bench.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

from terminal import Screen, Session

mluop, work = sys.argv[1], Path(sys.argv[2])
align = "rotated_feature_align_forward"
bench = [mluop, "bench", "--op", align, "--threads", "1", "--dtype", "float"]
# Long enough to be interrupted after some rows, on fast machines too: some 90 rows.
many_rows = [*bench, "--case", "all"]
# Long enough to be interrupted in its first row: the reference alone takes seconds.
long_bench = [mluop, "bench", "--op", "carafe_forward", "--case", "map512", "--threads", "1", "--dtype", "float"]


def check(condition: object, *shown: object) -> None:
    if not condition:
        raise SystemExit("\n".join(["not as it should be:", *map(str, shown)]))


def seen(command: list[str], columns: int) -> Screen:
    session = Session(command, columns)
    check(session.finish() == 0, session.output)
    screen = Screen(columns)
    screen.feed(session.output)
    return screen


def test_bar_leaves_nothing() -> None:
    """The bar is on one line and gone at the end, below the tables as well as without them."""
    bars = re.compile(r"\d+/\d+ ")
    for columns in (40, 20, 7, 80, 120):
        for arguments in (
            [*bench, "--case", "p5_4x4x30,p1_4x4x3,nan"],
            [mluop, "run", "tests/cases/good/carafe_forward", "tests/cases/good/get_indice_pairs"],
            [mluop, "accept", "--quick", "--op", align, "--case", "nan,height_1", "--out", str(work / "report")],
            [mluop, "bits", "--op", align, "--case", "nan", "--dtype", "float"],
        ):
            quiet = Session(["sh", "-c", 'exec "$@" >/dev/null', "sh", *arguments], columns)
            check(quiet.finish() == 0, quiet.output)
            screen = Screen(columns)
            screen.feed(quiet.output)
            check("".join(screen.lines).strip() == "", arguments, columns, screen.lines)
            check(screen.wrapped == 0, arguments, columns, repr(quiet.output))
            check(columns < 10 or bars.search(quiet.output), "there was no bar", repr(quiet.output))
            lines = [line for line in seen(arguments, columns).lines if bars.match(line) or "[=" in line]
            check(not lines, arguments, columns, lines)


def test_estimate() -> None:
    """A run of some seconds says how long it will still take."""
    session = Session(many_rows, 100)
    session.wait_for("left ")
    check(re.search(r"\[=* *\] \d+/\d+ about \d+:\d\d left rotated", session.output), repr(session.output))
    session.send("\x03")
    check(session.finish() == 130, session.output)


def test_plain_terminal() -> None:
    """A terminal without control sequences has lines."""
    session = Session([*bench, "--case", "nan"], 80, {"TERM": "dumb"})
    check(session.finish() == 0, session.output)
    check(re.search(rf"\[\d+:\d\d\] 1/1 {align}", session.output) and "\x1b" not in session.output, repr(session.output))


def test_lines() -> None:
    """Off a terminal each operator has a line as soon as its turn comes."""
    both = f"{align},roiaware_pool3d_forward"
    report = ["--out", str(work / "report")]
    for arguments, lines in (
        (
            ["accept", "--quick", "--op", both, "--case", "nan,height_1,channels_7_max", *report],
            ["checking", "checking", "timing", "timing"],
        ),
        (["bench", "--op", both, "--case", "nan,channels_7_max", "--threads", "1"], ["", ""]),
        (["run", f"tests/cases/good/{align}", "tests/cases/good/carafe_forward"], ["", ""]),
    ):
        ran = subprocess.run([mluop, *arguments], capture_output=True, text=True, check=True)
        shown = ran.stderr.splitlines()
        check(len(shown) == len(lines), arguments, ran.stderr)
        operators = set()
        for line, phase in zip(shown, lines):
            # An estimate follows on slow machines only.
            words = r"\[\d+:\d\d\] \d+/\d+ " + (phase + " " if phase else "") + r"([a-z0-9_]+)(, about .* left)?$"
            match = re.match(words, line)
            check(match, arguments, line)
            operators.add(match and match[1])
        check(len(operators) == 2, ran.stderr)
    with subprocess.Popen(long_bench, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        check(process.stderr and re.match(r"\[\d+:\d\d\] 1/1 carafe_forward$", process.stderr.readline()))
        check(process.poll() is None, "the line came only at the end")
        process.kill()


def test_interrupt_keeps_rows() -> None:
    """Ctrl-C after some rows: their table, their file, exit code 130."""
    rows = work / "rows.json"
    session = Session([*many_rows, "--json", str(rows)], 200)
    session.wait_for("3/")
    session.send("\x03")
    check(session.finish() == 130, session.output)
    screen = Screen(200)
    screen.feed(session.output)
    text = "\n".join(screen.lines)
    found = re.search(r"mluop: interrupted; rows measured: (\d+)", text)
    check(found and int(found[1]) >= 2, text)
    measured = json.loads(rows.read_text())
    check(found and len(measured) == int(found[1]), measured)
    for row in measured:
        check(re.search(rf"^  {row['case']} +float ", text, re.MULTILINE), row, text)
    check("ms: median" in text, "no legend", text)


def test_interrupt_without_rows() -> None:
    """An earlier file stays as it is; a termination ends the run in the same way."""
    rows = work / "earlier.json"
    rows.write_text("earlier")
    for number in (signal.SIGINT, signal.SIGTERM):
        command = [*long_bench, "--json", str(rows)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            check(process.stderr and process.stderr.readline().endswith("carafe_forward\n"))
            process.send_signal(number)
            output, errors = process.communicate(timeout=120)
        check(process.returncode == 128 + number, process.returncode)
        check((output, errors) == ("", "mluop: interrupted; rows measured: 0\n"), output, errors)
        check(rows.read_text() == "earlier")


def test_ignored_interrupt() -> None:
    """As below nohup: the run goes on."""

    def ignore() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    command = [*bench, "--case", "p5_4x4x30,p1_4x4x3"]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=ignore
    ) as process:
        check(process.stderr and process.stderr.readline())
        process.send_signal(signal.SIGINT)
        check(process.wait(120) == 0, process.returncode)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print(f"{name}: ok", flush=True)
