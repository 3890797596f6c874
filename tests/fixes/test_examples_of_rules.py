"""The fixes of what the pages and the tests of rules show: each is of a kind that its rule declares, and holds."""

from pathlib import Path

import mdtest
import pytest

from reviewer.files.discovery import CannotReviewError
from reviewer.rules import load
from tests.fixes.conftest import outcome

RULES = Path(__file__).parent.parent / "rules"
CASES = [
    pytest.param(slug, project, id=f"{slug}: {case.title} ({next(iter(project))})")
    for slug, rule in load().items()
    if rule.fixes
    for case in mdtest.cases((RULES / rule.section.folder / f"{slug}.md").read_text("utf-8"))
    for project in case.projects
    if mdtest.promised(project, slug)
]


@pytest.mark.parametrize(("slug", "project"), CASES)
def test_every_fix_is_of_a_kind_that_is_declared(slug, project, tmp_path):
    for name, text in project.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("\n".join(mdtest.PROMISE.sub("", line) for line in text.split("\n")), "utf-8")
    only = next(iter(project))
    try:
        done = outcome(tmp_path / only if only.endswith((".json", ".yaml")) else tmp_path, slug, unsafe=True)
    except CannotReviewError:
        return  # a case that holds no server
    assert {fix.applicability for _, fix in done.made} <= set(load()[slug].fixes)
    assert not [why for _, why in done.undone if why != "another finding would appear"]
