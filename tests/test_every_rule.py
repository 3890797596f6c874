"""What holds for all rules: the shape of slug and page, a test, a profile, a source."""

import inspect
import re
from pathlib import Path

import mdtest
import pytest

from reviewer.config import list_profiles, load_profile
from reviewer.rules import SECTIONS, Rule, load

TESTS = Path(__file__).parent / "rules"
ORDERS = {"no", "disallow", "check", "ensure", "require", "avoid", "use", "must"}
KINDS = ((), ("safe",), ("unsafe",), ("safe", "unsafe"))
RULES = [pytest.param(rule, id=slug) for slug, rule in load().items()]


def slug_names_the_thing_or_the_pattern(rule: Rule) -> bool:
    return bool(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+){1,4}", rule.slug)) and rule.slug.split("-")[0] not in ORDERS


def page_says_what_and_why(rule: Rule) -> bool:
    title, reason, *_ = rule.page.split("\n\n")
    return title.endswith(".") and "\n" not in title and len(reason) > 80


def page_has_a_bad_and_a_good_example(rule: Rule) -> bool:
    return {label for label, _ in mdtest.examples(rule.page)} == {"Bad", "Good"}


def projects(rule: Rule) -> list[dict[str, str]]:
    file = TESTS / rule.section.folder / f"{rule.slug}.md"
    return [project for case in mdtest.cases(file.read_text("utf-8")) for project in case.projects]


def has_a_markdown_test_that_promises_a_finding(rule: Rule) -> bool:
    return any(map(mdtest.promised, projects(rule))) or (rule.judged and any(map(mdtest.asks, projects(rule))))


def has_a_markdown_test_with_a_clean_case(rule: Rule) -> bool:
    return not all(map(mdtest.promised, projects(rule)))


def has_a_markdown_test_that_promises_a_question_if_and_only_if_it_is_judged(rule: Rule) -> bool:
    return any(slug == rule.slug for each in projects(rule) for _, _, slug in mdtest.asks(each)) == rule.judged


def is_in_a_profile(rule: Rule) -> bool:
    return any(rule.slug in load_profile(name).rules for name in list_profiles())


def severity_is_the_one_that_core_gives(rule: Rule) -> bool:
    table = load_profile("core").rules.get(rule.slug, rule.severity.value)
    return (table if isinstance(table, str) else table.get("severity", rule.severity.value)) == rule.severity.value


def says_so_if_it_has_fixes(rule: Rule) -> bool:
    source = inspect.getsource(inspect.getmodule(rule.check))
    fixes = "fixes.model import" in source or ".rules.shared.fixes import" in source or "fix_plan=" in source
    return fixes == bool(rule.fixes) and rule.fixes in KINDS


def cites_a_source(rule: Rule) -> bool:
    return bool(rule.cites)


def says_why_it_may_not_apply(rule: Rule) -> bool:
    return bool(re.match(r"no |nothing ", rule.absent))


CLAIMS = (
    slug_names_the_thing_or_the_pattern,
    page_says_what_and_why,
    page_has_a_bad_and_a_good_example,
    has_a_markdown_test_that_promises_a_finding,
    has_a_markdown_test_with_a_clean_case,
    has_a_markdown_test_that_promises_a_question_if_and_only_if_it_is_judged,
    is_in_a_profile,
    severity_is_the_one_that_core_gives,
    says_so_if_it_has_fixes,
    cites_a_source,
    says_why_it_may_not_apply,
)


@pytest.mark.parametrize("rule", RULES)
def test_rule(rule: Rule) -> None:
    assert [claim.__name__ for claim in CLAIMS if not claim(rule)] == []


def test_slugs_and_codes_are_stable():
    lines = [f"{rule.section.number} {slug} {' '.join(rule.codes)}".rstrip() for slug, rule in load().items()]
    assert lines == (Path(__file__).parent / "slugs.txt").read_text("utf-8").splitlines()


def test_sections_are_the_seventeen():
    assert [section.number for section in SECTIONS] == list(range(1, 18))


def test_profiles_name_only_rules_that_exist():
    for name in list_profiles():
        assert set(load_profile(name).rules) <= set(load())
