import re
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reviewer.languages
from reviewer.languages.needles import mentions, needles

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
    assert needles(re.compile(pattern)).held == WORDS[pattern]


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
    assert needles(re.compile(pattern)).begun == BEGINNINGS[pattern]


@pytest.mark.parametrize(("data", "answer"), [(b"xabc abc", True), (b"xabc", False), (b"abcd", False)])
def test_what_stands_before_a_beginning_counts(data, answer):
    assert mentions(data, re.compile(rb"\b(?:abc)\b")) == answer


def test_case_that_does_not_count():
    either = re.compile(rb"Limit|page_size", re.IGNORECASE)
    assert needles(either) == ({b"limit", b"page_size"}, {b"limit", b"page_size"}, True)
    assert mentions(b"const LIMIT: u8 = 1;", either)
    assert not mentions(b"const LIMI: u8 = 1;", either)


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


@pytest.mark.parametrize(
    "pattern", sorted(set(patterns()), key=lambda each: each.pattern), ids=lambda each: each.pattern
)
@given(st.data())
def test_the_words_change_no_answer(pattern, data):
    matching = data.draw(st.from_regex(pattern))
    for text in (matching, b"x" + matching, matching[1:], matching[:-1]):
        assert mentions(text, pattern) == (pattern.search(text) is not None)
