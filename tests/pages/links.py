"""links.py [ROOT]: every relative link of a page leads to a file, every anchor to a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import markdown


class Pages:
    """The anchors of pages, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._anchors: dict[Path, dict[str, int]] = {}

    def anchors(self, page: Path) -> dict[str, int]:
        if page not in self._anchors:
            text = page.read_text(encoding="utf-8")
            self._anchors[page] = markdown.anchors(markdown.sections(text))
        return self._anchors[page]

    def problem(self, page: Path, target: str) -> str:
        """What is wrong with a link on a page; nothing if it is fine or leads to another site."""
        if re.match(r"[a-z][a-z0-9+.-]*:|//", target):
            return ""
        name, _, anchor = (unquote(part) for part in target.partition("#"))
        file = (page.parent / name).resolve() if name else page
        if name.startswith("/") or not file.is_relative_to(self.root):
            return f"{target} leads out of the project"
        if not file.exists():
            return f"no such file: {name}"
        if not anchor:
            return "" if "#" not in target else f"{target} has an empty anchor"
        if file.suffix != ".md":
            return f"{target}: only headings of pages have anchors"
        if anchor not in self.anchors(file):
            return f"no heading for #{anchor} in {file.relative_to(self.root)}"
        return ""


def problems(root: Path) -> Iterator[str]:
    pages = Pages(root)
    paths = markdown.pages(pages.root)
    if not paths:
        yield f"{root}: no pages"
    for page in paths:
        for section in markdown.sections(page.read_text(encoding="utf-8")):
            for line, target in markdown.links(section):
                if problem := pages.problem(page, target):
                    yield f"{page.relative_to(pages.root)}:{line}: {problem}"


if __name__ == "__main__":
    markdown.exit_with(problems)
