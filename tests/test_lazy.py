"""Facts that are found when somebody asks."""

import pytest

from reviewer.facts import Lazy


def test_an_error_of_what_finds_facts_is_not_taken_for_their_end():
    nothing: list[int] = []
    with pytest.raises(IndexError):
        list(Lazy(lambda: [nothing[0]]))
