"""What holds for all rules: the shape of slug and page, a test, a profile, a source."""

import inspect
import re
from pathlib import Path

import mdtest
import pytest

from reviewer.config import list_profiles, load_profile
from reviewer.rules import SECTIONS, load

TESTS = Path(__file__).parent / "rules"
RULES = [pytest.param(rule, id=slug) for slug, rule in load().items()]


@pytest.mark.parametrize("rule", RULES)
class TestEveryRule:
    def test_slug_names_the_thing_or_the_pattern(self, rule):
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+){1,4}", rule.slug)
        assert rule.slug.split("-")[0] not in {"no", "disallow", "check", "ensure", "require", "avoid", "use", "must"}

    def test_page_says_what_and_why(self, rule):
        title, reason, *_ = rule.page.split("\n\n")
        assert title.endswith(".")
        assert "\n" not in title
        assert len(reason) > 80

    def test_page_has_a_bad_and_a_good_example(self, rule):
        assert {label for label, _ in mdtest.examples(rule.page)} == {"Bad", "Good"}

    def test_has_a_markdown_test_that_promises_a_flaw_and_a_clean_case(self, rule):
        file = TESTS / rule.section.folder / f"{rule.slug}.md"
        projects = [project for case in mdtest.cases(file.read_text("utf-8")) for project in case.projects]
        promises = [bool(mdtest.promised(project)) for project in projects]
        assert True in promises or (rule.judged and any(map(mdtest.asks, projects)))
        assert False in promises

    def test_has_a_markdown_test_that_promises_a_question_if_and_only_if_it_is_judged(self, rule):
        file = TESTS / rule.section.folder / f"{rule.slug}.md"
        projects = [project for case in mdtest.cases(file.read_text("utf-8")) for project in case.projects]
        asked = {slug for project in projects for _, _, slug in mdtest.asks(project)}
        assert (rule.slug in asked) == rule.judged

    def test_is_in_a_profile(self, rule):
        assert any(rule.slug in load_profile(name).rules for name in list_profiles())

    def test_severity_is_the_one_that_core_gives(self, rule):
        table = load_profile("core").rules.get(rule.slug, rule.severity.value)
        assert (table if isinstance(table, str) else table.get("severity", rule.severity.value)) == rule.severity.value

    def test_says_so_if_it_has_fixes(self, rule):
        source = inspect.getsource(inspect.getmodule(rule.check))
        assert ("fixes.model import" in source or ".rules.fixes import" in source or "fix_plan=" in source) == bool(
            rule.fixes
        )
        assert rule.fixes in ((), ("safe",), ("unsafe",), ("safe", "unsafe"))

    def test_cites_a_source(self, rule):
        assert rule.cites

    def test_says_why_it_may_not_apply(self, rule):
        assert re.match(r"no |nothing ", rule.absent)


def test_slugs_and_codes_are_stable():
    lines = [f"{rule.section.number} {slug} {' '.join(rule.codes)}".rstrip() for slug, rule in load().items()]
    assert lines == (Path(__file__).parent / "slugs.txt").read_text("utf-8").splitlines()


def test_sections_are_the_seventeen():
    assert [section.number for section in SECTIONS] == list(range(1, 18))


def test_profiles_name_only_rules_that_exist():
    for name in list_profiles():
        assert set(load_profile(name).rules) <= set(load())
