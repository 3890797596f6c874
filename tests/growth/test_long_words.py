"""Words and texts of 100 KB take no time that grows with their square where patterns are looked for in them."""

import pytest
from effort import at_most

from reviewer.report.model import MOVING
from reviewer.report.relocation import relocate_places
from reviewer.rules.pagination.cursor_not_opaque import TELLS
from reviewer.rules.shared.words import promises

SECONDS = 4.0
"""Far more than any of them takes on a busy machine, far less than the tens of seconds that each took."""


@pytest.mark.parametrize("word", ["a", "a.", ".py", "a.py:", "1"])
def test_places_in_a_message(word: str) -> None:
    text = word * (100_000 // len(word))
    with at_most(SECONDS):
        assert relocate_places(text, ["server.py"], "sub/") == text
        assert relocate_places(f"{text} server.py:12", ["server.py"], "sub/").endswith(" sub/server.py:12")
        MOVING.sub("", text)


@pytest.mark.parametrize("text", ["a ", "the cursor ", "base64 of ", "\n "])
def test_what_a_description_tells_of_cursors(text: str) -> None:
    with at_most(SECONDS):
        assert TELLS.search(text * (100_000 // len(text))) is None


def test_the_numbers_that_a_description_lists() -> None:
    with at_most(SECONDS):
        assert promises._DEFAULT.search("1," * 50_000) is None
