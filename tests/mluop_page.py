"""mluop_page.py MLUOP PAGE: what the page says that mluop prints is what it prints.

Examples are blocks that begin with "$ mluop …". Each command runs in the current directory, and its output must have the
lines of the block. Figures that depend on the machine only need to be figures; what does not is compared: headings,
names, counts, hashes. A line "  …" leaves out lines.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

# Lines that exist on some machines only, by the instruction sets that they name.
LEVELS = ("generic", "sse4", "avx2", "avx512", "avx512_bf16", "amx", "neon")
# accept takes minutes: the same operators with small cases and without times. Counts of cases are those of the unit test
# AcceptPage.
SHORT = {"accept": ["accept", "--quick", "--speed=never", "--case", "edge"]}
# The columns that a short run shares with the page.
COLUMNS = {"accept": ["operator", "failed", "bits", "bad calls refused"]}


def examples(page: str) -> list[tuple[list[str], list[str]]]:
    found = []
    for block in re.findall(r"```(?:text)?\n\$ mluop (.*?)```", page, re.DOTALL):
        command, *lines = block.rstrip().split("\n")
        found.append((command.split(), lines))
    return found


def output_of(program: str, arguments: list[str]) -> list[str]:
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, f"mluop {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout.rstrip().split("\n")


def shape_of(line: str) -> str:
    """The line without what depends on the machine: figures with a point, paths, the CPU and its level."""
    line = re.sub(r"\b\d+\.\d+(e[+-]\d+)?\b(?!\.)", "#", line)
    line = re.sub(r"^(cpu|cores|threads|instruction set|compiler) .*", r"\1", line)
    line = re.sub(r"Instruction set: \w+\.", "Instruction set: #.", line)
    line = re.sub(r"\(?\b(amx|avx512)\b\)?(?=  )", r"\1", line)  # () does not run here
    line = re.sub(r"^(report: |machine ).*", r"\1", line)
    return re.sub(r" +", " ", line).strip()


def levels_in(lines: list[str]) -> set[str]:
    return {word for line in lines for word in line.split() if word in LEVELS}


def columns_of(heading: str, line: str, wanted: list[str]) -> list[str]:
    """The cells of some columns, which are two spaces apart."""
    names, cells = re.split(r" {2,}", heading.strip()), re.split(r" {2,}", line.strip())
    return [cells[names.index(name)] for name in wanted]


def check_columns(command: str, shown: list[str], printed: list[str]) -> None:
    wanted = COLUMNS[command]
    heading = shown[0]
    assert heading.split() == printed[0].split(), f"the page has\n{heading}\nmluop {command} prints\n{printed[0]}"
    for line, real in zip(shown[1:], printed[1:]):
        if not line.strip():
            break
        mine, its = columns_of(heading, line, wanted), columns_of(heading, real, wanted)
        assert mine == its, f"mluop {command}: the page has {mine}, the program {its}"
    end = shown.index("")
    legend = shown[end : shown.index("", end + 1)]
    assert "\n".join(legend) in "\n".join(printed), f"mluop {command} prints another legend than\n" + "\n".join(legend)


def check_lines(command: str, shown: list[str], printed: list[str]) -> None:
    here = levels_in(printed)
    real = [shape_of(line) for line in printed]
    at = 0
    for line in shown:
        shape = shape_of(line)
        if not shape or shape == "…" or levels_in([line]) - here:
            continue
        assert shape in real[at:], f"mluop {command}: the page has\n{line}\nwhich is not in\n" + "\n".join(printed)
        at = real.index(shape, at) + 1


def main() -> None:
    program, page = sys.argv[1], Path(sys.argv[2]).read_text()
    found = examples(page)
    assert {command[0] for command, _ in found} >= {"list", "info", "bench", "bits", "accept", "run"}
    for command, shown in found:
        if "--compare" in command:  # the earlier run of the example
            earlier = command[: command.index("--compare")]
            output_of(program, [*earlier, "--json", command[-1]])
        printed = output_of(program, SHORT.get(command[0], command))
        (check_columns if command[0] in COLUMNS else check_lines)(command[0], shown, printed)
        print(f"mluop {' '.join(command)}: {len(shown)} lines")


main()
