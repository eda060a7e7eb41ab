"""Code without its comments, for comparing two translations of a program."""

from __future__ import annotations

import re

QUOTED = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'"
# What to keep is the first group; what matches outside of it is a comment.
C = re.compile(rf"({QUOTED})|/\*.*?\*/|//[^\n]*", re.S)
PYTHON = re.compile(rf"(\"\"\".*?\"\"\"|'''.*?'''|{QUOTED})|\#[^\n]*", re.S)
SHELL = re.compile(rf"({QUOTED}|\\.)|(?<!\S)\#[^\n]*", re.S)
COMMENTS = {"c": C, "cpp": C, "python": PYTHON, "sh": SHELL, "cmake": SHELL}


def without_comments(info: str, code: str) -> list[str]:
    """The lines of a block without comments and blank lines; all of it in an unknown language."""
    language = info.split()[0] if info else ""
    pattern = COMMENTS.get(language)
    if pattern is None:
        return code.splitlines()
    kept = pattern.sub(lambda match: match[1] or "", code)
    return [line.rstrip() for line in kept.splitlines() if line.strip()]
