"""The table of what the sources ask names rules and tests that are there."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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


def named_but_missing(part: str, cells: list[str]) -> list[str]:
    """Return what a row names and is not there: its part, a rule, any test, a test."""
    _, answer, tests = cells
    missing = [] if part in PARTS else [part]
    missing += [each for each in quoted(answer) if SLUG.fullmatch(each) and each not in load()]
    if answer.startswith("not checked: "):
        return missing
    if not quoted(tests):
        return [*missing, "what fails without it?"]
    for named in quoted(tests):
        path, _, heading = named.partition("#")
        lines = lines_of(path)
        beginnings = (f"# {heading}",) if path.endswith(".md") else (f"def {heading}(", f"class {heading}")
        if heading and not any(line.startswith(beginnings) for line in lines):
            missing.append(named)
    return missing


def test_what_a_row_names_is_there():
    missing = [(cells[0], named_but_missing(part, cells)) for part, cells in rows()]
    assert [(row, names) for row, names in missing if names] == []


def expected_by_no_test(answer: str, tests: str) -> set[str]:
    """Return the rules of a row that no test of the row expects a finding or a question of."""
    told = "\n".join(map(under, quoted(tests)))
    expected = {
        slug for line in re.findall(r"(?:flaw|asks): ([^\n]+)", told) for slug in re.findall(r"[a-z0-9-]+", line)
    }
    return {each for each in quoted(answer) if SLUG.fullmatch(each)} - expected


def test_each_rule_of_a_row_is_expected_by_a_test_of_the_row():
    unexpected = [(cells[0], expected_by_no_test(*cells[1:])) for _, cells in rows()]
    assert [(row, slugs) for row, slugs in unexpected if slugs] == []


@cache
def text_of(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


@cache
def lines_of(path: str) -> list[str]:
    return [line.strip() for line in text_of(path).splitlines()]


def under(named: str) -> str:
    """Return the part of a test file that a row names: what stands under a heading, or the whole."""
    path, _, heading = named.partition("#")
    text = text_of(path)
    return re.split(r"^# ", text.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0] if heading else text


def test_headings_are_the_sources_own_words():
    assert [each.title for each in SECTIONS[:14]] == [
        *("Pagination", "Field selection", "Smart truncation", "Output budget guard", "Tool registration", "Transport"),
        *("request_id in success envelope", "stdio panic isolation", "Tool description: 4-element template"),
        *("Schema validation (SCH)", "Naming conventions (NAM)", "Security constraints (SEC)"),
        *("LLM compatibility (LLM)", "Best practices (BP)"),
    ]
