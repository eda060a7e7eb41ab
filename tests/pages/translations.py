"""translations.py [ROOT]: each page X.zh-CN.md says what X.md says.

Words cannot be compared, but what both languages write alike can. The headings have the same
levels in the same order, and each section has

- the same code blocks, except that comments may be translated,
- tables with as many rows, and as many list items,
- the same `code`, figures and links, in any order.

Links lead to the same heading of the same page, in the language of the page where there is one.
Each page links to the other at its top.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import markdown
from comments import without_comments
from markdown import Section

SUFFIX = ".zh-CN.md"
TOP = 4  # lines in which the link to the other language is


@dataclass
class Page:
    path: Path
    name: str  # relative to the root, for messages
    sections: list[Section]

    @staticmethod
    def read(path: Path, root: Path) -> Page:
        text = path.read_text(encoding="utf-8")
        return Page(path, str(path.relative_to(root)), markdown.sections(text))

    def place(self, number: int) -> str:
        section = self.sections[number]
        title = f"{'#' * section.level} {section.heading}".strip() or "above the headings"
        return f"{self.name}:{section.line}: {title}"


def english_of(path: Path) -> Path:
    return path.with_name(path.name.replace(SUFFIX, ".md"))


def translation_of(path: Path) -> Path:
    return english_of(path).with_suffix(SUFFIX)


def link_key(page: Path, target: str) -> str:
    """A link for comparison: the file in English, the heading by its number."""
    if re.match(r"[a-z]+:", target):
        return target
    name, _, anchor = (unquote(part) for part in target.partition("#"))
    file = (page.parent / name).resolve() if name else page
    number: object = ""
    if anchor and file.exists():
        text = file.read_text(encoding="utf-8")
        number = markdown.anchors(markdown.sections(text)).get(anchor, anchor)
    return f"{english_of(file)}#{number}"


def links(page: Page, section: Section) -> dict[str, str]:
    """The links of a section by their key, without that to the page in the other language."""
    other = {english_of(page.path).name, translation_of(page.path).name} - {page.path.name}
    found = markdown.links(section)
    return {
        link_key(page.path, target): target
        for line, target in found
        if not (line <= TOP and target in other)
    }


def figures(section: Section) -> set[str]:
    text = markdown.without_code_spans(section.heading + "\n" + section.prose)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return set(re.findall(r"\d+(?:\.\d+)*", text))


def shape(section: Section) -> dict[str, object]:
    """Numbers of things in a section."""
    rows = re.findall(r"^ *\|.*$", section.prose, re.M)
    items = re.findall(r"^ *(?:[-*+]|\d+\.) ", section.prose, re.M)
    return {
        "code blocks": len(section.blocks),
        "lines of tables": len(rows),
        "list items": len(items),
    }


def missing_words(mine: Section, theirs: Section) -> Iterator[str]:
    """Code and figures that one section has and the other does not."""
    names = set(markdown.code_spans(mine.heading + "\n" + mine.prose))
    names -= set(markdown.code_spans(theirs.heading + "\n" + theirs.prose))
    yield from (f"`{name}`" for name in sorted(names))
    yield from (f"the figure {figure}" for figure in sorted(figures(mine) - figures(theirs)))


def missing_links(one: Page, other: Page, number: int) -> Iterator[str]:
    mine, theirs = (links(page, page.sections[number]) for page in (one, other))
    yield from (f"a link like ({mine[key]})" for key in sorted(mine.keys() - theirs.keys()))


def block_differences(english: Page, chinese: Page, number: int) -> Iterator[str]:
    pairs = zip(english.sections[number].blocks, chinese.sections[number].blocks)
    for one, other in pairs:
        where = f"code block at line {other.line} ({english.name}:{one.line})"
        if one.info != other.info:
            yield f"{where} is `{other.info}`, not `{one.info}`"
            continue
        mine, theirs = (without_comments(block.info, block.code) for block in (one, other))
        for ours, line in zip(mine + [""] * len(theirs), theirs + [""] * len(mine)):
            if ours != line:
                yield f"{where} has {line.strip()!r} where English has {ours.strip()!r}"
                break


def text_differences(english: Page, chinese: Page, number: int) -> Iterator[str]:
    """Those within a section; links may depend on other sections."""
    mine, theirs = english.sections[number], chinese.sections[number]
    for what, count in shape(mine).items():
        if count != shape(theirs)[what]:
            yield f"{shape(theirs)[what]} {what}, English has {count}"
    yield from block_differences(english, chinese, number)
    yield from (f"lacks {what}, which English has" for what in missing_words(mine, theirs))
    yield from (f"has {what}, which English lacks" for what in missing_words(theirs, mine))


def link_differences(english: Page, chinese: Page, number: int) -> Iterator[str]:
    for what in missing_links(english, chinese, number):
        yield f"lacks {what}, which English has"
    for what in missing_links(chinese, english, number):
        yield f"has {what}, which English lacks"


def first_difference(english: Page, chinese: Page) -> int:
    """The first section that differs; if none does, the first that only one page has."""
    both = min(len(english.sections), len(chinese.sections))
    for number in range(both):
        if english.sections[number].level != chinese.sections[number].level:
            return number
        if any(text_differences(english, chinese, number)):
            return number
    return both


def heading_difference(english: Page, chinese: Page) -> str:
    """Where the outlines part, or nothing."""
    levels = [[section.level for section in page.sections] for page in (english, chinese)]
    if levels[0] == levels[1]:
        return ""
    number = first_difference(english, chinese)
    places = [
        page.place(number) if number < len(page.sections) else f"{page.name}: end of the page"
        for page in (chinese, english)
    ]
    counts = f"{len(levels[1]) - 1} headings, English has {len(levels[0]) - 1}"
    return f"{places[0]}: the pages part here ({counts}); English: {places[1]}"


def top_link_problem(page: Page, other: Path) -> str:
    links_of_page = (link for section in page.sections for link in markdown.links(section))
    if any(line <= TOP and target == other.name for line, target in links_of_page):
        return ""
    return f"{page.name}: no link to {other.name} in the first {TOP} lines"


def untranslated_links(chinese: Page) -> Iterator[str]:
    for number, section in enumerate(chinese.sections):
        for line, target in markdown.links(section):
            name = target.partition("#")[0]
            translation = translation_of(chinese.path.parent / name) if name else chinese.path
            known = name.endswith(SUFFIX) or not name.endswith(".md") or not translation.exists()
            if line > TOP and not known:
                yield f"{chinese.place(number)}: line {line}: link {translation.name}, not {name}"


def pair_problems(path: Path, root: Path) -> Iterator[str]:
    if not english_of(path).exists():
        yield f"{path.relative_to(root)}: there is no {english_of(path).name}"
        return
    english, chinese = Page.read(english_of(path), root), Page.read(path, root)
    for page, other in ((english, chinese), (chinese, english)):
        if problem := top_link_problem(page, other.path):
            yield problem
    yield from untranslated_links(chinese)
    if problem := heading_difference(english, chinese):
        yield problem
        return
    for number in range(len(english.sections)):
        for differences in (text_differences, link_differences):
            for difference in differences(english, chinese, number):
                yield f"{chinese.place(number)}: {difference}"


def problems(root: Path) -> Iterator[str]:
    root = root.resolve()
    paths = [path for path in markdown.pages(root) if path.name.endswith(SUFFIX)]
    if not paths:
        yield f"{root}: no page *{SUFFIX}"
    for path in paths:
        yield from pair_problems(path, root)


if __name__ == "__main__":
    markdown.exit_with(problems)
