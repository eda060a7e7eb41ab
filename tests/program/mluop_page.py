"""mluop_page.py MLUOP PAGE: what the page says that mluop prints is what it prints.

Examples are blocks that begin with "$ mluop …". Each command runs in the current directory, and its output must have the
lines of the block. Figures that depend on the machine only need to be figures; what does not is compared: headings,
names, counts, hashes. A line "  …" leaves out lines. What the machine cannot do is left out of commands and lines:
instruction sets, and two threads on one core.

Outputs are kept in outputs.json for later pages, so that each command runs once.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

# Lines that exist on some machines only, by the instruction sets that they name.
LEVELS = ("generic", "sse4", "avx2", "avx512", "avx512_bf16", "amx", "neon")
# The examples are those of two threads and of the defaults of all other variables but MLUOP_ISA.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name == "MLUOP_ISA" or not name.startswith("MLUOP_")}
ENVIRONMENT["MLUOP_NUM_THREADS"] = "2"
KEPT = Path("outputs.json")
# accept takes minutes: the same operators with a small case of each and without times. Counts of cases are those of the
# unit test AcceptPage.
SHORT = {"accept": ["accept", "--quick", "--speed=never", "--case"]}
# Small cases of the short run; an operator that has none of them takes part with its first edge case.
SMALL = ("nan", "one_site", "channels_7_max")
# The columns that a short run shares with the page.
COLUMNS = {"accept": ["operator", "failed", "bits", "bad calls refused"]}


def examples(page: str) -> list[tuple[list[str], list[str]]]:
    found = []
    for block in re.findall(r"```(?:text)?\n\$ mluop (.*?)```", page, re.DOTALL):
        command, *lines = block.rstrip().split("\n")
        found.append((command.split(), lines))
    return found


def output_of(program: str, arguments: list[str]) -> list[str]:
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    command = " ".join(arguments)
    if command not in kept:
        done = subprocess.run([program, *arguments], capture_output=True, text=True, env=ENVIRONMENT)
        assert done.returncode == 0, f"mluop {command}: {done.stdout}{done.stderr}"
        kept[command] = done.stdout.rstrip().split("\n")
        KEPT.write_text(json.dumps(kept))
    return kept[command]


def small_cases(program: str) -> str:
    """A case of each operator."""
    cases: dict[str, list[str]] = {}
    op = ""
    for line in output_of(program, ["list", "--cases"]):
        words = line.split()
        if words and not line.startswith(" "):
            op = words[0]
        elif len(words) > 1 and words[1] == "edge":
            cases.setdefault(op, []).append(words[0])
    return ",".join({next((name for name in SMALL if name in names), names[0]): None for names in cases.values()})


class Machine:
    """What the program can use of this machine."""

    def __init__(self, program: str) -> None:
        offered = output_of(program, ["__complete", "bench", "--isa", ""])
        self.levels = {line.split("\t")[0] for line in offered} & set(LEVELS)
        assert "generic" in self.levels, offered
        cores = next(line for line in output_of(program, ["info"]) if line.startswith("cores "))
        self.one_core = cores.split()[1] == "1"

    def command(self, arguments: list[str]) -> list[str] | None:
        """The command with the instruction sets of this machine, or None if it has none of them."""
        possible = list(arguments)
        if "--isa" in possible:
            at = possible.index("--isa") + 1
            possible[at] = ",".join(level for level in possible[at].split(",") if level in self.levels)
            return possible if possible[at] else None
        return possible

    def lacks(self, line: str) -> bool:
        """Whether this is a row of two threads, and there is one core."""
        return self.one_core and re.match(r" +(\w+ +\w+ +)?2 +", line) is not None


def shape_of(line: str) -> str:
    """The line without what depends on the machine: figures with a point, paths, the CPU, its level and bounds."""
    line = re.sub(r"\b\d+\.\d+(e[+-]\d+)?\b(?!\.)", "#", line)
    line = re.sub(r"^(cpu|cores|threads|instruction set|compiler) .*", r"\1", line)
    line = re.sub(r"Instruction set: \w+\.", "Instruction set: #.", line)
    line = re.sub(r"(threads?, )\w+:", r"\1#:", line)  # the heading of encoder
    line = re.sub(r"\((\w+)\)(?=  )", r"\1", line)  # a design in () does not run here
    line = re.sub(r"(?<=#  )(compute|memory)(?=  )", "#", line)  # what bounds a case of bench
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
            assert not real.strip(), f"mluop {command}: the page lacks\n{real}"
            break
        mine, its = columns_of(heading, line, wanted), columns_of(heading, real, wanted)
        assert mine == its, f"mluop {command}: the page has {mine}, the program {its}"
    end = shown.index("")
    legend = shown[end : shown.index("", end + 1)]
    assert "\n".join(legend) in "\n".join(printed), f"mluop {command} prints another legend than\n" + "\n".join(legend)


def check_lines(command: str, shown: list[str], printed: list[str], machine: Machine) -> None:
    here = levels_in(printed)
    real = [shape_of(line) for line in printed]
    at = 0
    for line in shown:
        shape = shape_of(line)
        if not shape or shape == "…" or levels_in([line]) - here or machine.lacks(line):
            continue
        assert shape in real[at:], f"mluop {command}: the page has\n{line}\nwhich is not in\n" + "\n".join(printed)
        at = real.index(shape, at) + 1


def main() -> None:
    program, page = sys.argv[1], Path(sys.argv[2]).read_text()
    machine = Machine(program)
    found = examples(page)
    assert {command[0] for command, _ in found} >= {"list", "info", "bench", "bits", "accept", "run"}
    for arguments, shown in found:
        short = SHORT.get(arguments[0])
        command = machine.command(arguments if short is None else [*short, small_cases(program)])
        if command is None:
            print(f"mluop {' '.join(arguments)}: not on this machine")
            continue
        if "--compare" in command:  # the earlier run of the example
            earlier = command[: command.index("--compare")]
            output_of(program, [*earlier, "--json", command[-1]])
        printed = output_of(program, command)
        if command[0] in COLUMNS:
            check_columns(command[0], shown, printed)
        else:
            check_lines(command[0], shown, printed, machine)
        print(f"mluop {' '.join(arguments)}: {len(shown)} lines")


main()
