"""What the checks of pages read from Markdown: sections, code, links, anchors as on GitHub."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, NoReturn

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*([^`]*)$")
HEADING = re.compile(r"(#{1,6})\s+(.*?)(?:\s+#+)?\s*$")
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
TARGET = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)")
EXPLICIT_ANCHOR = re.compile(r"<a\s[^>]*\b(?:id|name)=\"([^\"]+)\"")


@dataclass
class Block:
    """A fenced code block; `info` is what follows the opening fence."""

    info: str
    line: int
    code: str = ""


@dataclass
class Section:
    """A heading and what follows it. The first section of a page has no heading, and level 0."""

    level: int
    heading: str
    line: int
    prose: str = ""  # without code blocks, whose lines are empty here
    blocks: list[Block] = field(default_factory=list)


def sections(text: str) -> list[Section]:
    found = [Section(0, "", 1)]
    closing = ""  # the fence of the block we are in
    for number, line in enumerate(text.splitlines(), 1):
        section = found[-1]
        fence = FENCE.match(line)
        if closing:
            if fence and fence[1].startswith(closing) and not fence[2].strip():
                closing = ""
            else:
                section.blocks[-1].code += line + "\n"
            section.prose += "\n"
        elif fence:
            closing = fence[1]
            section.blocks.append(Block(fence[2].strip(), number))
            section.prose += "\n"
        elif heading := HEADING.match(line):
            found.append(Section(len(heading[1]), heading[2], number, prose="\n"))
        else:
            section.prose += line + "\n"
    return found


def without_code_spans(prose: str) -> str:
    """The same text, as long, with blanks for code."""
    return CODE_SPAN.sub(lambda span: re.sub(r"[^\n]", " ", span[0]), prose)


def code_spans(prose: str) -> list[str]:
    return [re.sub(r"\s+", " ", span[2]).strip() for span in CODE_SPAN.finditer(prose)]


def links(section: Section) -> Iterator[tuple[int, str]]:
    """Line and target of each link and image; a heading may hold some, too."""
    for line, text in ((section.line, section.heading + "\n"), (section.line, section.prose)):
        plain = without_code_spans(text)
        for link in TARGET.finditer(plain):
            yield line + plain.count("\n", 0, link.start()), link[1]


def slug(heading: str) -> str:
    """The anchor of a heading: its text in lower case, without punctuation, blanks as hyphens."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    letters = ("L", "M", "Nd", "Pc")  # letters, their marks, digits, underscores
    kept = (c for c in text if c in " -" or unicodedata.category(c).startswith(letters))
    return "".join(kept).replace(" ", "-")


def anchors(page: list[Section]) -> dict[str, int]:
    """Every anchor of a page, with the number of its section; repeated headings get -1, -2, …"""
    found: dict[str, int] = {}
    for number, section in enumerate(page):
        for name in EXPLICIT_ANCHOR.findall(without_code_spans(section.prose)):
            found.setdefault(name, number)
        if section.level == 0:
            continue
        base = name = slug(section.heading)
        repeated = 0
        while name in found:
            repeated += 1
            name = f"{base}-{repeated}"
        found[name] = number
    return found


def pages(root: Path) -> list[Path]:
    """Every page below a folder, except in hidden folders and in what a build makes."""
    made = ("build", "dist", "install", "report", "mluop-report")
    found = []
    for path in sorted(root.rglob("*.md")):
        folders = path.relative_to(root).parts[:-1]
        hidden = any(folder.startswith(".") for folder in folders)
        if not hidden and not (folders and folders[0] in made):
            found.append(path)
    return found


def exit_with(check: Callable[[Path], Iterator[str]]) -> NoReturn:
    """Prints what a check finds below the folder of the command line, or the current one."""
    problems = list(check(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
