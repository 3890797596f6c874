"""Verbs are told by whole words, in the places where names have them."""

import pytest
from effort import at_most

from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.purpose import does_something
from reviewer.rules.shared.words.verbs import find_shared_openings, find_verbs, is_verb, stem_verb


@pytest.mark.parametrize(
    ("form", "verb"),
    [
        ("creates", "create"),
        ("creating", "create"),
        ("getting", "get"),
        ("notifies", "notify"),
        ("fetches", "fetch"),
        ("cancelling", "cancel"),
        ("canceling", "cancel"),
        ("summarise", "summarize"),
        ("analysing", "analyze"),
        ("undoes", "undo"),
        ("unwatch", "unwatch"),
        ("settings", None),
        ("address", None),
        ("resource", None),
    ],
)
def test_forms_lead_to_their_verb(form, verb):
    assert stem_verb(form) == verb


def test_names_have_verbs_in_base_form():
    assert is_verb("summarise")
    assert not is_verb("creates")


@pytest.mark.parametrize(
    ("name", "verbs"),
    [
        ("getUser", ("get",)),
        ("user.profile.update", ("update",)),
        ("browser_click", ("click",)),
        ("search_and_replace", ("search", "replace")),
        ("safe_delete_symbol", ("delete",)),
        ("error_log", ()),
        ("settings-panel", ()),
        ("", ()),
    ],
)
def test_verbs_stand_at_their_places(name, verbs):
    assert find_verbs(name, find_shared_openings(["browser_click", "browser_type", name])) == verbs


@pytest.mark.parametrize("part", ["nouns", "changing"])
def test_lists_of_verbs_hold_verbs(part):
    assert {word for word in load_lexicon(part) if not is_verb(word)} == set()


def test_text_of_marks_is_looked_through_once():
    with at_most(2.0):  # each mark would look through all the rest: a minute
        assert not does_something(f"x{'. ' * 45_000}y")
    assert does_something("The note. -- (Zaps the note.")
