"""The rubrics: one for each judged rule, none without a rule, no text changed under its old version."""

import re

import pytest

from reviewer.judge.question_requests import MARKER
from reviewer.judge.rubrics import FRAME, list_rubrics, load_rubric, read_lock, update_lock
from reviewer.rules import load

JUDGED = sorted(slug for slug, rule in load().items() if rule.judged)
UNSURE = sorted({rule.unsure for rule in load().values() if rule.unsure})


def test_every_judged_rule_has_a_rubric_and_every_rubric_a_rule() -> None:
    assert list_rubrics() == sorted({*JUDGED, *UNSURE, MARKER})


def test_the_lock_holds_every_text_by_its_version() -> None:
    assert update_lock(read_lock()) == read_lock(), "run: python evals/judge/run.py lock"


def test_a_text_that_is_changed_needs_a_new_version() -> None:
    of_another_text = re.sub(r"^(marker \d+) \w+$", r"\1 0000000000000000", read_lock(), flags=re.MULTILINE)
    with pytest.raises(ValueError, match=r"marker\.md was changed: make it version 2"):
        update_lock(of_another_text)


def test_versions_that_were_are_kept() -> None:
    assert "marker 0 0000000000000000\n" in update_lock(read_lock() + "marker 0 0000000000000000\n")


@pytest.mark.parametrize("name", JUDGED)
class TestEveryRubric:
    def test_says_when_it_is_met(self, name: str) -> None:
        assert re.search(r"^(?:.*[.:] )?Met if ", load_rubric(name).text, re.MULTILINE)

    def test_is_short(self, name: str) -> None:
        assert 40 <= len(load_rubric(name).text.split()) <= 260

    def test_owes_no_quote_for_what_is_not_there(self, name: str) -> None:
        owing = load_rubric(name).quoting
        assert owing <= {"met", "not_met"}
        assert ("not_met" in owing) == (name in CONTRADICTING)

    def test_has_words_for_each_of_its_questions(self, name: str) -> None:
        made = load_rubric(name)
        assert [number for number, _ in made.failing] == list(range(1, made.questions + 1))
        assert {number for number, _ in made.free} <= set(range(1, made.questions + 1))


@pytest.mark.parametrize("name", UNSURE)
def test_a_verdict_on_what_no_analysis_could_tell_owes_evidence_and_may_say_that_too_little_was_shown(
    name: str,
) -> None:
    assert (load_rubric(name).evident, load_rubric(name).more) == ({"met", "not_met"}, True)


CONTRADICTING = {"description-contradicts-schema", "description-contradicts-code", "selection-manipulated"}
"""Rules whose flaw is something that is there; the flaws of the others are absences."""


def test_the_frame_names_every_verdict() -> None:
    assert all(f"`{verdict}`" in load_rubric(FRAME).text for verdict in ("met", "not_met", "not_applicable"))


def test_what_goes_without_saying_is_not_said() -> None:
    told = load_rubric("limitations-not-told").describe_failing
    assert told((1, 2, 3)) == ("says no limit",)
    assert told((2, 3)) == (
        "says nothing that concerns the use of this tool",
        "says no limit without which a call would be in vain",
    )
