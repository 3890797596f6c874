"""The table of what the sources ask names rules and tests that are there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewer.rules import SECTIONS, load

ROOT = Path(__file__).parent.parent
PARTS = (
    *("000, §1 to §4", "000, §5 to §9", "000, report, skill and agent"),
    *("001", "002", "003", "004"),
)
AUDIT = "What an audit found missing"
"""Its tables are of another kind; `tests/test_spellings.py` reads them."""
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


def rows() -> Iterator[tuple[str, list[str]]]:
    part = ""
    for line in (ROOT / "docs/sources.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            part = line.removeprefix("## ")
        elif part != AUDIT and line.startswith("|") and not line.startswith(("| requirement ", "| --- ")):
            yield part, [cell.strip() for cell in line.strip("|").split(" | ")]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_each_part_has_its_table():
    text = (ROOT / "docs/sources.md").read_text("utf-8")
    assert tuple(re.findall(r"^## (.+)\n\n\| requirement \| rule or feature \| test \|\n", text, re.MULTILINE)) == PARTS


@pytest.mark.parametrize(("part", "cells"), [pytest.param(*row, id=row[1][0][:60]) for row in rows()])
def test_what_a_row_names_is_there(part, cells):
    _, answer, tests = cells
    assert part in PARTS
    assert {each for each in quoted(answer) if SLUG.fullmatch(each)} <= set(load())
    if answer.startswith("not checked: "):
        return
    assert quoted(tests), "what fails without it?"
    for named in quoted(tests):
        path, _, heading = named.partition("#")
        lines = (ROOT / path).read_text("utf-8").splitlines()
        beginnings = (f"# {heading}",) if path.endswith(".md") else (f"def {heading}(", f"class {heading}")
        assert not heading or any(line.strip().startswith(beginnings) for line in lines), named


@pytest.mark.parametrize(("part", "cells"), [pytest.param(*row, id=row[1][0][:60]) for row in rows()])
def test_each_rule_of_a_row_is_expected_by_a_test_of_the_row(part, cells):
    _, answer, tests = cells
    told = "\n".join(map(under, quoted(tests)))
    expected = {
        slug for line in re.findall(r"(?:flaw|asks): ([^\n]+)", told) for slug in re.findall(r"[a-z0-9-]+", line)
    }
    assert {each for each in quoted(answer) if SLUG.fullmatch(each)} <= expected


def under(named: str) -> str:
    """Return the part of a test file that a row names: what stands under a heading, or the whole."""
    path, _, heading = named.partition("#")
    text = (ROOT / path).read_text("utf-8")
    return re.split(r"^# ", text.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0] if heading else text


def test_headings_are_the_sources_own_words():
    assert [each.title for each in SECTIONS[:14]] == [
        *("Pagination", "Field selection", "Smart truncation", "Output budget guard", "Tool registration", "Transport"),
        *("request_id in success envelope", "stdio panic isolation", "Tool description: 4-element template"),
        *("Schema validation (SCH)", "Naming conventions (NAM)", "Security constraints (SEC)"),
        *("LLM compatibility (LLM)", "Best practices (BP)"),
    ]
