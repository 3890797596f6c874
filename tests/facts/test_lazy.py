"""Facts that are found when somebody asks."""

from collections.abc import Iterator

import pytest

from reviewer.facts import Act, Acts, Lazy
from reviewer.facts.effects import ActKind
from reviewer.source import Span, Text


def test_an_error_of_what_finds_facts_is_not_taken_for_their_end():
    nothing: list[int] = []
    with pytest.raises(IndexError):
        list(Lazy(lambda: [nothing[0]]))


class TestActs:
    asked: list[frozenset[ActKind]]

    def acts(self) -> Acts:
        self.asked = []

        def find(kinds: frozenset[ActKind]) -> Iterator[Act]:
            self.asked.append(kinds)
            for line, kind in enumerate(sorted(kinds | {"blocks"})):
                yield Act(kind, Text("call()", Span("server.py", line, 0, line, 6)))

        return Acts(find)

    def test_only_the_kinds_that_are_asked_for_are_looked_for_and_once(self):
        acts = self.acts()
        assert [each.kind for each in acts.select_kinds("prints")] == ["prints"]
        assert acts.select_kinds("prints") is acts.select_kinds("prints")
        assert self.asked == [{"prints"}]

    def test_all_are_looked_for_where_no_kind_is_named(self):
        assert {"waits", "spawns", "panics"} < {each.kind for each in self.acts()}

    def test_code_of_which_nothing_is_known_does_nothing(self):
        assert list(Acts()) == []
        assert Acts().select_kinds("prints") == ()
