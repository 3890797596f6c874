"""Fixes that meet, that break, and that do not help: what is kept, what is undone, and what is said."""

import pytest

from reviewer.config import Configuration, Flags, FoundConfiguration
from reviewer.facts import Project
from reviewer.files.discovery import CannotReviewError
from reviewer.fixes import apply
from reviewer.fixes.model import FixPlan, Rewrite
from reviewer.languages import edits as editing
from reviewer.pipeline import ProjectReading
from reviewer.source import Edit, Source, Span
from tests.fixes.conftest import HIGH, LOW, outcome, swapped

SCHEMA = '{"type": "object", "properties": {"id": {"type": "str"}}, "required": ["id", "ghost", "id"]}'
PRINTING = swapped(
    HIGH,
    ("    return gone(id)", "    print(id)\n    print('gone')\n    return id"),
    ("mcp = F", "import sys\n\nmcp = F"),
)


def edit(start, end, text="", path="x.py"):
    return Edit(Span(path, 1, start + 1, 1, end + 1), start, end, text)


def test_edits_keep_all_other_bytes():
    data = "a = 'ä'\r\nb = 2\r\n".encode()
    assert editing.apply_edits(data, [edit(4, 8, "1"), edit(0, 0, "#\r\n")]) == b"#\r\na = 1\r\nb = 2\r\n"


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ((0, 4), (4, 8), False),
        ((0, 4), (3, 8), True),
        ((4, 4), (4, 4), True),
        ((4, 4), (0, 4), False),
        ((4, 4), (4, 8), True),
    ],
)
def test_which_edits_overlap(one, other, meet):
    assert editing.overlap(edit(*one), edit(*other)) is meet
    assert editing.overlap(edit(*other), edit(*one)) is meet


def test_edits_that_meet_wait_for_another_round(tmp_path):
    (tmp_path / "server.py").write_text(swapped(LOW, ("SCHEMA", SCHEMA)))
    done = outcome(tmp_path, "schema-not-valid", "required-not-defined", unsafe=True)
    clean = '{"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}'
    assert done.after.tree.sources["server.py"].data.decode() == swapped(LOW, ("SCHEMA", clean))
    assert len(done.passes) > 1
    assert len(done.made) == 3
    assert not done.undone


def test_the_input_stays_as_it_was(tmp_path):
    (tmp_path / "server.py").write_text(PRINTING)
    done = outcome(tmp_path, "prints-to-stdout")
    assert done.before.tree.sources["server.py"].data.decode() == PRINTING
    assert (tmp_path / "server.py").read_text() == PRINTING
    assert len(done.made) == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (")", "would not parse"),
        ("", "the finding would remain"),
        (", file=sys.stderr); print(", "another finding would appear"),
    ],
)
def test_a_fix_that_does_not_hold_is_undone_alone(tmp_path, monkeypatch, text, why):
    (tmp_path / "server.py").write_text(PRINTING)
    honest = editing.compute_edits

    def lying(fix_plan, sources):
        found = honest(fix_plan, sources)
        if fix_plan.rewrites[0].at.line != 11:
            return found
        return (found[0]._replace(text=text) if text else edit(0, 0, "\n", "server.py"),)

    monkeypatch.setattr(editing, "compute_edits", lying)
    done = outcome(tmp_path, "prints-to-stdout")
    assert [why in told for _, told in done.undone] == [True]
    assert "print('gone', file=sys.stderr)" in done.after.tree.sources["server.py"].data.decode()
    assert "print(id)\n" in done.after.tree.sources["server.py"].data.decode()


def test_a_file_that_does_not_parse_is_not_touched(tmp_path):
    (tmp_path / "server.py").write_text(PRINTING + "\ndef broken(:\n")
    done = outcome(tmp_path, "prints-to-stdout")
    assert not list(done.files)


def test_one_part_that_cannot_be_had_takes_the_whole_fix_away():
    source = Source("x.py", b"print(1)\nfoo(1)\n")
    at = Span("x.py", 1, 1, 1, 9), Span("x.py", 2, 1, 2, 7)
    one = FixPlan("x", (Rewrite("to stderr", at[1]),))
    assert editing.compute_edits(one, {"x.py": source}) is None
    assert (
        editing.compute_edits(
            FixPlan("x", (Rewrite("drop comment", at[0]), Rewrite("to stderr", at[0]))), {"x.py": source}
        )
        is None
    )
    assert editing.compute_edits(one, {}) is None


def test_what_is_suppressed_is_not_fixed(tmp_path):
    (tmp_path / "server.py").write_text(
        PRINTING.replace("print(id)", "print(id)  # mcp-review: ignore[prints-to-stdout] yes")
    )
    assert len(outcome(tmp_path, "prints-to-stdout").made) == 1


def test_what_has_no_file_is_not_fixed():
    with pytest.raises(CannotReviewError, match="only files can be fixed"):
        apply.apply_fixes(ProjectReading(Project(), FoundConfiguration(Configuration(), None)), Flags())


def test_a_run_takes_so_many_rounds_and_says_so(tmp_path, monkeypatch):
    (tmp_path / "server.py").write_text(PRINTING)
    monkeypatch.setattr(apply, "MOST_PASSES", 1)
    done = outcome(tmp_path, "prints-to-stdout")
    assert done.stopped
    assert len(done.made) == 2


def test_what_lies_too_deep_has_no_fix(tmp_path, monkeypatch):
    (tmp_path / "server.py").write_text(PRINTING)

    def deep(_fix_plan, _sources):
        raise RecursionError

    monkeypatch.setattr(editing, "compute_edits", deep)
    assert not outcome(tmp_path, "prints-to-stdout").made
