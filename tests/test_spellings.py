"""What the sources ask has three spellings of its fault in each language: each rule, and each requirement of the audit."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import mdtest
import pytest
from test_sources import AUDIT, SLUG, quoted, rows

from reviewer.rules import load

ROOT = Path(__file__).parent.parent
LEAST = 3
SUFFIX = {"Python": "py", "Rust": "rs"}
AUDITED = SUFFIX | {"JSON": "json"}
NOT_YET = "Not yet"
RULES = sorted({each for _, cells in rows() for each in quoted(cells[1]) if SLUG.fullmatch(each) and each in load()})


@cache
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


@cache
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


@pytest.mark.parametrize("language", SUFFIX)
def test_each_rule_has_three_spellings(language):
    few = {each: spellings()[each, SUFFIX[language]] for each in RULES if spellings()[each, SUFFIX[language]] < LEAST}
    assert {each: few[each] for each in few if (each, language) not in left_out()} == {}


def test_what_is_left_out_has_a_reason_and_lacks_spellings():
    assert all(left_out().values())
    assert {language for _, language in left_out()} <= set(SUFFIX)
    assert {slug for slug, _ in left_out()} <= set(RULES)
    assert [each for each in left_out() if spellings()[each[0], SUFFIX[each[1]]] >= LEAST] == []


def audit() -> dict[str, str]:
    """Return what stands under each heading of the audit's section of the page."""
    text = (ROOT / "docs/sources.md").read_text("utf-8").partition(f"## {AUDIT}\n")[2]
    section = re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]
    return {
        part.partition("\n")[0]: part.partition("\n")[2] for part in re.split(r"^### ", section, flags=re.MULTILINE)[1:]
    }


def audited() -> Iterator[tuple[str, list[str], str]]:
    """Yield each cell of the audit's tables: as what the list of the section calls it, its rules, and the cases that it names."""
    for source, part in audit().items():
        table = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("|")]
        for requirement, named, *cells in table[2:]:
            for title, cell in zip(table[0][2:], cells, strict=True):
                language = title.removesuffix(" tests")
                yield f"{source}, {language}: {requirement}", quoted(named), cell


def not_yet() -> list[str]:
    return re.findall(r"^- (.+)$", audit()[NOT_YET], re.MULTILINE)


def places(cell: str, rules: list[str], suffix: str) -> int:
    """Count the places that the cases of a cell mark for one of some rules in one language."""
    found = 0
    for named in quoted(cell):
        path, _, heading = named.partition("#")
        chosen = [each for each in mdtest.cases((ROOT / path).read_text("utf-8")) if heading in {"", each.title}]
        assert chosen, f"{named} is not there"
        slug = Path(path).stem.removesuffix("-rust")
        for project in (each for case in chosen for each in case.projects):
            marked = mdtest.promised(project, slug) | mdtest.asks(project)
            found += sum(rule in rules and name.endswith(f".{suffix}") for name, _, rule in marked)
    return found


@pytest.mark.parametrize(("called", "rules", "cell"), [pytest.param(*each, id=each[0][:60]) for each in audited()])
def test_what_an_audit_found_missing_has_three_spellings_or_says_that_it_has_not(called, rules, cell):
    assert set(rules) <= set(load())
    if cell.startswith("-: "):
        assert called not in not_yet()
        return
    language = called.partition(", ")[2].partition(":")[0]
    assert (places(cell, rules, AUDITED[language]) < LEAST) == (called in not_yet())


def test_the_list_of_the_audit_names_what_its_tables_have():
    assert set(not_yet()) <= {called for called, _, _ in audited()}
    assert len(set(not_yet())) == len(not_yet())
