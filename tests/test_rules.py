"""Every rule's Markdown test, and the examples on every rule's page."""

from pathlib import Path

import mdtest
import pytest

from reviewer.rules import load

FOLDER = Path(__file__).parent / "rules"
CASES = [
    pytest.param(
        path.stem.removesuffix("-rust"), case, project, id=f"{path.stem}: {case.title} ({next(iter(project))})"
    )
    for path in sorted(FOLDER.glob("*/*.md"))
    for case in mdtest.cases(path.read_text("utf-8"))
    for project in case.projects
]
EXAMPLES = [
    pytest.param(slug, label, files, id=f"{slug}: {label}")
    for slug, rule in load().items()
    for label, files in mdtest.examples(rule.page)
]


@pytest.mark.parametrize(("slug", "case", "project"), CASES)
def test_case(slug, case, project, tmp_path):
    promised = mdtest.promised(project, slug)
    slugs = {slug, *(each for _, _, each in promised | mdtest.asks(project)), *case.rules}
    assert mdtest.seen(project, slugs, case.rules, tmp_path) == (promised, mdtest.asks(project))


@pytest.mark.parametrize(("slug", "label", "files"), EXAMPLES)
def test_example(slug, label, files, tmp_path):
    promised = mdtest.promised(files, slug)
    assert bool(promised) == (label == "Bad")
    found, asked = mdtest.seen(files, {slug}, {}, tmp_path)
    assert found <= promised <= found | asked
