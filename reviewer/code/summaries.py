"""What functions do with what they are given, kept for all who call them with the like."""

import sys
from collections.abc import Callable, Hashable
from dataclasses import field

from reviewer.code.events import Trace
from reviewer.code.ir import Code, Variable
from reviewer.code.state import Facts
from reviewer.code.values import Key, Term, Value
from reviewer.records import dataclass

CONSTANTS = 3
"""With how many different constants one function calls another before they no longer count. A helper that is told a mode
has as many modes; one that is told a path or a text has as many as callers."""
NAMES = 64
"""With how many where it is a short function that is told a name and reads the argument of that name: servers have as many."""
SHORT = 800
"""Bytes of a short function. Helpers that read one argument have up to half of that in the servers that were read."""
ENDLESS = sys.maxsize
"""How many calls inside its own a summary holds for that leaves out none."""
VARIANTS = 6
"""With how many different values it is called before only what they come from counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """What a function does. `written` are the objects that it changed; `facts`, `heap` and `variables` hold where it returns."""

    trace: Trace
    facts: Facts
    heap: "dict[Term, dict[Key, Value]]"
    written: "dict[Term, dict[Key, Value]]"
    raised: tuple[Value | None, ...]
    variables: "dict[Variable, Value]"


WAYS = 8
"""How many summaries are kept of one function with the same values, each with other callers that it may call again. Functions
that all call each other have as many as there are ways through them: 36 of them were run 2,200 times."""


@dataclass(slots=True, eq=False)
class Summaries:
    """The summaries of some runs. One that left something out because of its callers holds only under the like."""

    asking: set[Code] = field(default_factory=set)
    """The functions that ask whether an event loop runs, or call one that does: what they do depends on who calls them."""
    kept: set[Term] = field(default_factory=set)
    """What the project has one of and keeps something in while a call is answered, for all functions that the call comes to."""
    _known: dict[Hashable, list[tuple[Summary, int, frozenset[Code]]]] = field(default_factory=dict)
    _refused: list[set[Code | None]] = field(default_factory=list)
    """What was not entered, for each function that is being run: recursion, or None for one too deep."""

    def find(self, key: Hashable, around: tuple[Code, ...], left: int) -> Summary | None:
        """Return the known summary of a function in which as many nested calls as are `left` may be followed.

        Of several the first is taken: it records that it left out a recursive call on another path.
        """
        known = self._known.get(key, ())
        for summary, reach, refused in known:
            if left <= reach and (refused.issubset(around) or len(known) >= WAYS):
                self._pass_on(refused.intersection(around), is_cut=reach < ENDLESS)
                return summary
        return None

    def keep(self, key: Hashable, left: int, make: Callable[[], Summary], is_whole: Callable[[], bool]) -> Summary:
        """Make a summary and keep it, with what it holds under; not if the run ended before it was whole."""
        self._refused.append(set())
        summary = make()
        refused = self._refused.pop()
        code = summary.trace.code
        is_cut = None in refused
        others = frozenset(each for each in refused if each is not None and each is not code)
        if is_whole():
            self._known.setdefault(key, []).append((summary, left if is_cut else ENDLESS, others))
        self._pass_on(others, is_cut=is_cut)
        return summary

    def ask_loop(self, way: tuple[Code, ...]) -> None:
        """Note that the last of some functions that lead to one another asks whether an event loop runs."""
        for each in reversed(way):
            self.asking.add(each)
            if each.is_async:
                return  # where it is run, one does

    def note_refusal(self, code: Code | None) -> None:
        """Note that a function was not entered: one that is being run, or None if too many calls led there."""
        if self._refused:
            self._refused[-1].add(code)

    def _pass_on(self, refused: frozenset[Code], *, is_cut: bool) -> None:
        if self._refused:
            self._refused[-1] |= refused
            if is_cut:
                self._refused[-1].add(None)


def choose_detail(
    code: Code, count: int, *, of_arguments: bool = False, of_closure: bool = False, of_tool: str = ""
) -> int:
    """Return how closely to tell apart what a function is given: 2 with constants, 1 with flags alone, 0 by labels alone.

    `count` is with how many different values its caller has called it already. The caller alone decides, so that what is
    found of a function is the same whatever else was looked at before.

    `of_tool` is the name of the tool that is called, if it is given that: a short function looks up what answers it, and one
    that says the name has an arm for it.

    `of_arguments` tells that it is given all arguments of a call in one object, `of_closure` that it is given a function that
    reads variables around it: by labels alone nobody would know what that reads of them. Helpers that run the work of each
    tool (`run_blocking(move |db| ..)`) are handed as many as there are tools.
    """
    is_short = code.at.end - code.at.start < SHORT
    if of_tool and (is_short or _contains_text(code, of_tool)):
        return 2
    most = NAMES if of_arguments and is_short else CONSTANTS
    return 2 if count < most else 1 if count < VARIANTS or of_closure else 0


def _contains_text(code: Code, name: str) -> bool:
    """Return whether a text is written in some code."""
    written = code.source.data[code.at.start : code.at.end]
    return any(f"{quote}{name}{quote}".encode() in written for quote in "\"'")
