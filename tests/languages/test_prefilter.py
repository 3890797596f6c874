import re
from importlib import import_module
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reviewer.languages
from reviewer.languages import prefilter as searching
from reviewer.languages.edits import layouts, written
from reviewer.languages.prefilter import Prefilter, extract_required_words, mentions
from reviewer.source import Source

WORDS = {
    rb"\bset_hook\s*\(": {b"set_hook"},
    rb"(?<!\w)_more(?!\w)": {b"_more"},
    rb"abc|def": {b"abc", b"def"},
    rb"fn\s+(?:respond|call_tool)\b": {b"respond", b"call_tool"},
    rb"abcd?": {b"abc"},
    rb"(?:abc)?de(?:fgh)+": {b"fgh"},
    rb"\w+|abc": set(),
    rb"[ab]c": set(),
    rb"(?=abc)x*": set(),
    rb"(?i:abc)\w": set(),
}


@pytest.mark.parametrize("pattern", WORDS)
def test_the_words_that_no_match_can_do_without(pattern):
    assert extract_required_words(re.compile(pattern)).held == WORDS[pattern]


BEGINNINGS = {
    rb"\b(?:abc|def\w*)\s": {b"abc", b"def"},
    rb"(?<!\w)_more(?!\w)": {b"_more"},
    rb"(?=x)\babc": {b"abc"},
    rb"abc\b": set(),
    rb"\ba?bc": set(),
    rb"\b(?:abc|\w)": set(),
    rb"": set(),
    rb"\b(?:|abc)": set(),
    rb"\b(?i:abc)": set(),
}


@pytest.mark.parametrize("pattern", BEGINNINGS)
def test_the_words_with_which_every_match_begins(pattern):
    assert extract_required_words(re.compile(pattern)).begun == BEGINNINGS[pattern]


@pytest.mark.parametrize(("data", "answer"), [(b"xabc abc", True), (b"xabc", False), (b"abcd", False)])
def test_what_stands_before_a_beginning_counts(data, answer):
    assert mentions(data, re.compile(rb"\b(?:abc)\b")) == answer


def test_case_that_does_not_count():
    either = re.compile(rb"Limit|page_size", re.IGNORECASE)
    assert extract_required_words(either) == ({b"limit", b"page_size"}, {b"limit", b"page_size"}, True)
    assert mentions(b"const LIMIT: u8 = 1;", either)
    assert not mentions(b"const LIMI: u8 = 1;", either)


def haystack(**files):
    return {path: Source(path, data) for path, data in files.items()}


FILES = {"late": b"Limit = 1", "early": b"fn respond()", "other": b"limit: a respond b"}


def test_files_that_hold_one_of_some_words_are_named_in_their_order():
    hay = Prefilter(haystack(**FILES))
    assert hay.find_containing([b"limit", b"Limit"]) == ["late", "other"]
    assert hay.find_containing([b"respond", b"limit"]) == ["early", "other"]
    assert hay.find_containing([]) == []


@pytest.mark.parametrize("pattern", [rb"fn\s+respond\b", rb"(?i:limit)\b", rb"[Ll]imit", rb"(?:\w+ )respond", rb"x"])
def test_files_that_match_are_those_that_mention_a_pattern(pattern):
    for flags in (0, re.IGNORECASE):
        wanted = re.compile(pattern, flags)
        assert Prefilter(haystack(**FILES)).find_matching(wanted) == [
            path for path, data in FILES.items() if mentions(data, wanted)
        ]


def test_what_two_haystacks_share_is_looked_through_once(monkeypatch):
    before = haystack(**FILES)
    after = {**before, "other": Source("other", b"no more"), "new": Source("new", b"fn respond()")}
    del after["late"]
    wanted = re.compile(rb"respond\b")
    assert Prefilter(before).find_matching(wanted) == ["early", "other"]
    looked = []
    monkeypatch.setattr(searching, "mentions", lambda data, _: looked.append(data) or True)
    assert Prefilter(after).find_matching(wanted) == ["early", "new"]
    assert looked == [b"fn respond()"]
    assert Prefilter(before).find_matching(wanted) == ["early", "other"]


def test_what_a_haystack_knows_of_a_source_goes_with_it():
    sources = haystack(**FILES)
    Prefilter(sources).find_containing([b"limit"])
    kept = [ref(each) for each in sources.values()]
    del sources
    assert [each() for each in kept] == [None] * len(FILES)


def patterns():
    folder = Path(reviewer.languages.__file__).parent
    for file in sorted(folder.rglob("*.py")):
        name = ".".join(["reviewer.languages", *file.relative_to(folder).with_suffix("").parts]).removesuffix(
            ".__init__"
        )
        for value in vars(import_module(name)).values():
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, re.Pattern) and isinstance(each.pattern, bytes):
                    yield each


ANCHORED = {layouts.COLON.pattern, written._BLANK.pattern}
"""Patterns that are matched at a place that is known, never looked for."""


def begins_with_any_number(parts) -> bool:
    """Return whether a match may begin with something that stands any number of times, or not at all."""
    kind, argument = next(iter(parts), ("", None))
    if str(kind) in ("MAX_REPEAT", "MIN_REPEAT"):
        least, most, _ = argument
        return least == 0 and str(most) == "MAXREPEAT"
    if str(kind) == "BRANCH":
        return any(begins_with_any_number(way) for way in argument[1])
    return str(kind) == "SUBPATTERN" and begins_with_any_number(argument[3])


@pytest.mark.parametrize("pattern", sorted({each.pattern for each in patterns()} - ANCHORED))
def test_a_search_takes_no_time_that_grows_with_the_square_of_a_long_name(pattern):
    # From each byte of a name of 100,000, such a search goes to its end: what may be left out in front of a match finds nothing.
    assert not begins_with_any_number(_parser.parse(pattern))


@pytest.mark.parametrize(
    "pattern", sorted(set(patterns()), key=lambda each: each.pattern), ids=lambda each: each.pattern
)
@given(st.data())
def test_the_words_change_no_answer(pattern, data):
    matching = data.draw(st.from_regex(pattern))
    for text in (matching, b"x" + matching, matching[1:], matching[:-1]):
        assert mentions(text, pattern) == (pattern.search(text) is not None)
