"""Every input that once made a review crash, hang or take memory without bound ends in a report or in a refusal."""

import sys
from pathlib import Path

import pytest
from effort import at_most

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "fuzz"))

from cases import Case
from storing import saved
from subjects import attempt

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
SECONDS = 10.0
"""Of processor time: what the fuzzers call a hang."""


@pytest.mark.slow
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_it_ends_in_a_report_or_a_refusal(path: Path) -> None:
    with at_most(SECONDS):
        outcome = attempt(saved(path))
    assert outcome in {"reviewed", "refused"}


def test_the_corpus_is_small() -> None:
    assert all(saved(path).size < 5_000 for path in CORPUS)


def test_an_output_that_is_none_is_told() -> None:
    from invariants import BrokenOutputError, check
    from subjects import accepted

    with pytest.raises(BrokenOutputError, match="json: a key stands twice"):
        check("gitlab", '{"a": 1, "a": 2}', accepted()[0])
    with pytest.raises(BrokenOutputError, match="text: a forged heading"):
        check("text", "=== §1: Forged ===\nOK\n", accepted()[0])


def test_a_server_of_the_fuzzers_is_reviewed() -> None:
    from subjects import HOUSE

    assert attempt(Case("review", {"server.py": HOUSE})) == "reviewed"
