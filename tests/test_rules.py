"""Every rule's Markdown test, and the examples on every rule's page."""

import itertools
from pathlib import Path

import mdtest
import pytest

from reviewer.rules import load

FOLDER = Path(__file__).parent / "rules"
CASES = [
    pytest.param(
        path.stem.removesuffix("-rust").removesuffix("-typescript"),
        case,
        project,
        id=f"{path.stem}: {case.title} ({next(iter(project))})",
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


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Return an endless row of new folders: a `tmp_path` for each of 4,000 tests is searched for, linked and resolved."""
    within = tmp_path_factory.mktemp("rules")
    return (within / str(number) for number in itertools.count())


@pytest.mark.parametrize(("slug", "case", "project"), CASES)
def test_case(slug, case, project, folders):
    promised = mdtest.promised(project, slug)
    slugs = {slug, *(each for _, _, each in promised | mdtest.asks(project)), *case.rules}
    assert mdtest.seen(project, slugs, case.rules, next(folders)) == (promised, mdtest.asks(project))


@pytest.mark.parametrize(("slug", "label", "files"), EXAMPLES)
def test_example(slug, label, files, folders):
    promised = mdtest.promised(files, slug)
    assert bool(promised) == (label == "Bad")
    found, asked = mdtest.seen(files, {slug}, {}, next(folders))
    assert found <= promised <= found | asked
