"""What was asked of a storage tells whether it would answer the same again."""

import contextlib
import os

import pytest

from reviewer.files.recording import QUESTIONS, RecordedStorage, has_same_answers
from reviewer.files.storage import UNREADABLE, Disk, Storage


@pytest.fixture
def box(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("a")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "link").symlink_to("docs")
    return tmp_path


def ask(storage):
    storage.list_folder("docs/")
    storage.read("docs/a.md", 100)
    storage.open_manifest("pyproject.toml")
    storage.find_text("docs/none.md", 100)
    storage.leads_out("link")
    storage.leads_nowhere("link")
    storage.is_folder("link")
    [*storage.iter_outer_ignores()]
    storage.list_submodules()
    for name in ("gone", "docs/a.md"):
        with contextlib.suppress(UNREADABLE):
            storage.read(name, 0)
    return storage.asked


def test_every_question_of_a_storage_is_recorded(box):
    assert len({question for question, *_ in ask(RecordedStorage(Disk(box)))}) == len(QUESTIONS)
    own = {name for name in vars(Storage) if not name.startswith("_")}
    assert {name for name in vars(RecordedStorage) if not name.startswith("_")} - {"asked"} == own


def add_to_folder(box):
    (box / "docs" / "b.md").write_text("")


def add_what_was_not_there(box):
    (box / "gone").write_text("")


def add_text(box):
    (box / "docs" / "none.md").write_text("")


def change_size(box):
    (box / "docs" / "a.md").write_text("ab")


def change_manifest(box):
    (box / "pyproject.toml").write_text("[project]\nname='a'\n")


def turn_link(box):
    (box / "link").unlink()
    (box / "link").symlink_to("nothing")


def ignore_above(box):
    (box / ".git" / "info").mkdir(parents=True)
    (box / ".git" / "info" / "exclude").write_text("*.log\n")


@pytest.mark.parametrize(
    "change",
    [
        *(add_to_folder, add_what_was_not_there, add_text, change_size, change_manifest, turn_link, ignore_above),
    ],
)
def test_another_answer_to_any_of_them_counts(box, change):
    asked = ask(RecordedStorage(Disk(box)))
    assert has_same_answers(Disk(box), asked)
    change(box)
    assert not has_same_answers(Disk(box), asked)


@pytest.mark.parametrize("place", ["/etc/passwd", "../other", "docs/../../other"])
def test_nothing_out_of_the_root_is_asked_for(box, place, monkeypatch):
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("it was opened"))
    assert not has_same_answers(Disk(box), [("read", place, 100, "")])
    assert not has_same_answers(Disk(box), [("run", "a", 100, "")])
