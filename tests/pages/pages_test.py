"""The checks of pages find what is wrong, and accept what is right."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import links
import markdown
import translations
from comments import without_comments

ENGLISH = """# Title

English · [中文](page.zh-CN.md)

It has 2 parts; see [below](#a-part).

## A part

Set `NAME` to 1.

```sh tested
run --all "#1"   # everything
```

| name | meaning |
|---|---|
| `NAME` | a name |

## Another

- [a file](file.txt)
- [its first part](#a-part)
"""
CHINESE = """# 标题

[English](page.md) · 中文

共 2 部分，见[下文](#一部分)。

## 一部分

把 `NAME` 设为 1。

```sh tested
run --all "#1" # 全部
```

| 名称 | 含义 |
|---|---|
| `NAME` | 名称 |

## 另一部分

- [文件](file.txt)
- [第一部分](#一部分)
"""


class Pages(unittest.TestCase):
    """A project with a page in two languages."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("file.txt", "")
        self.write("page.md", ENGLISH)
        self.write("page.zh-CN.md", CHINESE)

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.root / name).read_text(encoding="utf-8")
        self.assertIn(old, text)
        self.write(name, text.replace(old, new))


class Links(Pages):
    def expect(self, *problems: str) -> None:
        self.assertEqual(list(links.problems(self.root)), list(problems))

    def test_good_pages(self) -> None:
        encoded = "%E4%B8%80%E9%83%A8%E5%88%86"
        self.write("docs/page.md", f"[up](../page.md#a-part) [zh](../page.zh-CN.md#{encoded})\n")
        self.write("build/made.md", "[nowhere](nowhere.md)\n")
        self.change("page.md", "It has", "[s](https://example.org/x.md#y), ![image](file.txt) has")
        self.expect()

    def test_missing_file(self) -> None:
        self.change("page.md", "(file.txt)", "(no.txt)")
        self.expect("page.md:21: no such file: no.txt")

    def test_missing_heading(self) -> None:
        self.change("page.zh-CN.md", "## 一部分", "## 一个部分")
        self.expect(
            "page.zh-CN.md:5: no heading for #一部分 in page.zh-CN.md",
            "page.zh-CN.md:22: no heading for #一部分 in page.zh-CN.md",
        )

    def test_heading_of_another_page(self) -> None:
        self.write("docs/other.md", "a\n[b](../page.md#another) [c](../page.md#none)\n")
        self.expect("docs/other.md:2: no heading for #none in page.md")

    def test_what_is_not_a_link(self) -> None:
        self.change("page.md", "Set `NAME`", "Set `[x](no.md)` and `` `[y](no.md) ``")
        self.change("page.md", "run --all", "[z](no.md)")
        self.expect()

    def test_link_over_lines(self) -> None:
        self.change("page.md", "[a file](file.txt)", "[a\n  file](no.txt)")
        self.expect("page.md:22: no such file: no.txt")

    def test_outside_and_anchors_of_sources(self) -> None:
        self.change("page.md", "(file.txt)", "(../x.md) [s](file.txt#L1) [e](page.md#)")
        self.expect(
            "page.md:21: ../x.md leads out of the project",
            "page.md:21: file.txt#L1: only headings of pages have anchors",
            "page.md:21: page.md# has an empty anchor",
        )

    def test_no_pages(self) -> None:
        for path in self.root.glob("*.md"):
            path.unlink()
        self.expect(f"{self.root}: no pages")


class Anchors(unittest.TestCase):
    def test_rules_of_github(self) -> None:
        for heading, anchor in (
            ("Fork, exit, unloading", "fork-exit-unloading"),
            ("`mluops_cpu.ops` and [links](x.md)", "mluops_cpuops-and-links"),
            ("What's new? 0.1.0 (unreleased)", "whats-new-010-unreleased"),
            ("a - b", "a---b"),
            ("在 CPU 上，快吗？", "在-cpu-上快吗"),
        ):
            self.assertEqual(markdown.slug(heading), anchor)

    def test_repeated_headings(self) -> None:
        page = markdown.sections('# A\n## B\n### A\n## a\n<a id="own"></a>\n')
        self.assertEqual(markdown.anchors(page), {"a": 1, "b": 2, "a-1": 3, "a-2": 4, "own": 4})

    def test_headings_in_code_do_not_count(self) -> None:
        text = "# A\n```sh\n# no heading\n```\n````md\n```\n# neither\n```\n````\n"
        page = markdown.sections(text)
        self.assertEqual(list(markdown.anchors(page)), ["a"])


class Translations(Pages):
    def expect(self, *problems: str) -> None:
        self.assertEqual(list(translations.problems(self.root)), list(problems))

    def test_good_pages(self) -> None:
        self.expect()

    def test_missing_heading(self) -> None:
        self.change(
            "page.zh-CN.md", "## 另一部分\n\n- [文件](file.txt)\n- [第一部分](#一部分)\n", ""
        )
        self.expect(
            "page.zh-CN.md: end of the page: the pages part here (2 headings, English has 3);"
            " English: page.md:19: ## Another"
        )

    def test_heading_missing_in_the_middle(self) -> None:
        self.change("page.md", "## A part", "## New\n\nSet `MORE`.\n\n## A part")
        self.expect(
            "page.zh-CN.md:7: ## 一部分: the pages part here (3 headings, English has 4);"
            " English: page.md:7: ## New"
        )

    def test_level(self) -> None:
        self.change("page.zh-CN.md", "## 另一部分", "### 另一部分")
        self.expect(
            "page.zh-CN.md:19: ### 另一部分: the pages part here (3 headings, English has 3);"
            " English: page.md:19: ## Another"
        )

    def test_code(self) -> None:
        self.change("page.md", "run --all", "run --some")
        self.expect(
            "page.zh-CN.md:7: ## 一部分: code block at line 11 (page.md:11)"
            " has 'run --all \"#1\"' where English has 'run --some \"#1\"'"
        )

    def test_kind_and_number_of_blocks(self) -> None:
        self.change("page.md", "```sh tested", "```sh")
        self.expect(
            "page.zh-CN.md:7: ## 一部分: code block at line 11 (page.md:11)"
            " is `sh tested`, not `sh`"
        )
        self.change("page.md", "## Another", "```sh\nmore\n```\n\n## Another")
        self.assertIn(
            "page.zh-CN.md:7: ## 一部分: 1 code blocks, English has 2",
            translations.problems(self.root),
        )

    def test_rows_items_names_and_figures(self) -> None:
        self.change("page.md", "| a name |\n", "| a name |\n| `OTHER` | 3 |\n")
        self.change("page.md", "- [a file]", "- more\n- [a file]")
        self.expect(
            "page.zh-CN.md:7: ## 一部分: 3 lines of tables, English has 4",
            "page.zh-CN.md:7: ## 一部分: lacks `OTHER`, which English has",
            "page.zh-CN.md:7: ## 一部分: lacks the figure 3, which English has",
            "page.zh-CN.md:19: ## 另一部分: 2 list items, English has 3",
        )

    def test_links(self) -> None:
        self.change("page.zh-CN.md", "- [第一部分](#一部分)", "- [第一部分](#另一部分)")
        self.expect(
            "page.zh-CN.md:19: ## 另一部分: lacks a link like (#a-part), which English has",
            "page.zh-CN.md:19: ## 另一部分: has a link like (#另一部分), which English lacks",
        )

    def test_link_to_english_page(self) -> None:
        self.change("page.md", "(file.txt)", "(page.md#another)")
        self.change("page.zh-CN.md", "(file.txt)", "(page.md#another)")
        self.expect("page.zh-CN.md:19: ## 另一部分: line 21: link page.zh-CN.md, not page.md")

    def test_link_to_the_other_language(self) -> None:
        self.change("page.md", "[中文](page.zh-CN.md)", "")
        self.expect("page.md: no link to page.zh-CN.md in the first 4 lines")

    def test_page_without_english(self) -> None:
        self.write("new.zh-CN.md", "# 新\n")
        self.expect("new.zh-CN.md: there is no new.md")

    def test_no_pages(self) -> None:
        (self.root / "page.zh-CN.md").unlink()
        self.expect(f"{self.root}: no page *.zh-CN.md")


class Comments(unittest.TestCase):
    def expect(self, info: str, code: str, *lines: str) -> None:
        self.assertEqual(without_comments(info, code), list(lines))

    def test_c(self) -> None:
        code = '/* a\n b */\nint x; // c\nputs("/* no */ // no"); /* d */ f(\'"\');\n'
        self.expect("c", code, "int x;", 'puts("/* no */ // no");  f(\'"\');')

    def test_python(self) -> None:
        self.expect("python", 'x = "#1"  # a\n# b\ny = """#\n"""\n', 'x = "#1"', 'y = """#', '"""')

    def test_shell(self) -> None:
        code = "echo $# a#b '# c' # d\n# e\nf \\# g\n"
        self.expect("sh tested", code, "echo $# a#b '# c'", "f \\# g")

    def test_other_languages_have_no_comments(self) -> None:
        self.expect("text", "a # b\n\n// c\n", "a # b", "", "// c")


if __name__ == "__main__":
    unittest.main()
