"""Our own servers without a fault: what is reviewed in them is right, so an error or a warning there is a false alarm."""

from pathlib import Path

import pytest

import reviewer

ROOT = Path(__file__).parent.parent
LOUD = {reviewer.Severity.ERROR, reviewer.Severity.WARNING}
CLEAN = sorted(each for each in (ROOT / "evals/checklist/clean").iterdir() if each.is_dir() and each.name[0] != ".")


@pytest.mark.parametrize(
    "path", [*CLEAN, ROOT / "examples/bookmarks-rust", ROOT / "examples/recipes-typescript"], ids=lambda each: each.name
)
def test_a_clean_server_is_not_accused(path):
    report = reviewer.review(path)
    loud = [each for each in report.findings if each.severity in LOUD and each.status != "suppressed"]
    assert [(each.rule.slug, each.span.path, each.span.line, each.message) for each in loud] == []
