"""Each rule of what the sources ask has three spellings of its fault in each language that it applies to."""

import re
from collections import Counter
from pathlib import Path

import mdtest
import pytest
from test_sources import SLUG, quoted, rows

from reviewer.rules import load

ROOT = Path(__file__).parent.parent
LEAST = 3
SUFFIX = {"Python": "py", "Rust": "rs"}
RULES = sorted({each for _, cells in rows() for each in quoted(cells[1]) if SLUG.fullmatch(each) and each in load()})


def spellings() -> Counter[tuple[str, str]]:
    """Count the places where the Markdown tests expect a finding or a question of each rule, by the suffix of the file."""
    found: Counter[tuple[str, str]] = Counter()
    for path in (ROOT / "tests/rules").glob("*/*.md"):
        slug = path.stem.removesuffix("-rust")
        projects = [each for case in mdtest.cases(path.read_text("utf-8")) for each in case.projects]
        for project in projects:
            places = mdtest.promised(project, slug) | mdtest.asks(project)
            found.update((rule, name.rpartition(".")[2]) for name, _, rule in places)
    return found


def left_out() -> dict[tuple[str, str], str]:
    """Return the rules that are not expected so often in a language, each with the reason that the table's page gives."""
    text = (ROOT / "docs/sources.md").read_text("utf-8")
    part = text.partition("## In which languages\n")[2].partition("\n## ")[0]
    found = {}
    for item in re.split(r"^- ", part, flags=re.MULTILINE)[1:]:
        language, _, rest = " ".join(item.split()).partition(": ")
        named, _, reason = rest.rpartition("`: ")
        found.update({(slug, language): reason for slug in quoted(named + "`")})
    return found


FOUND, LEFT_OUT = spellings(), left_out()


@pytest.mark.parametrize("language", SUFFIX)
def test_each_rule_has_three_spellings(language):
    few = {each: FOUND[each, SUFFIX[language]] for each in RULES if FOUND[each, SUFFIX[language]] < LEAST}
    assert {each: few[each] for each in few if (each, language) not in LEFT_OUT} == {}


def test_what_is_left_out_has_a_reason_and_lacks_spellings():
    assert all(LEFT_OUT.values())
    assert {language for _, language in LEFT_OUT} <= set(SUFFIX)
    assert {slug for slug, _ in LEFT_OUT} <= set(RULES)
    assert [each for each in LEFT_OUT if FOUND[each[0], SUFFIX[each[1]]] >= LEAST] == []
