"""What a tool's arm of a match takes out of the input, with what the functions around it take for every tool."""

from collections.abc import Sequence
from functools import cached_property

from tree_sitter import Node

from reviewer.facts import Flag, Intake, Lazy
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.intake import inputs_of, intakes_of
from reviewer.languages.rust.behaviour.intake.frames import Frame, name_of, parameters_of
from reviewer.languages.rust.behaviour.intake.reading import Reader
from reviewer.languages.rust.behaviour.intake.steps import is_envelope
from reviewer.languages.rust.behaviour.scopes import function_around
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, calls
from reviewer.languages.rust.items import Items, in_test

LEVELS = 2
"""How many calls may lie between where the arguments are taken out of a call and the match."""

MOST = 3
"""Functions that call the one with the match. Of more nothing is said."""


class ArmIntakes:
    """What one arm takes, read when it is first asked for; `hidden` is the code that runs for other tools."""

    def __init__(self, items: Items, arm: Node, path: str, hidden: tuple[Node, ...]) -> None:
        self._items, self._arm, self._path, self._hidden = items, arm, path, hidden

    @property
    def listed(self) -> Sequence[Intake]:
        """The arguments that it takes."""
        return Lazy(lambda: self._read[0])

    @property
    def followed(self) -> Flag:
        """Whether it takes no others."""
        return Flag(lambda: self._read[1])

    @cached_property
    def _read(self) -> tuple[tuple[Intake, ...], bool]:
        function = function_around(self._arm)
        if function is None:
            return (), False
        reader = Reader(self._items)
        if self._around(reader, function, self._path, None, None) is None:
            return (), False
        return intakes_of(self._items, reader), reader.followed

    def _around(
        self, reader: Reader, function: Node, path: str, inner: Frame | None, call: Node | None
    ) -> Frame | None:
        """Read a function, and where it is handed the arguments, those that call it; None where that is not sure.

        `inner` is the function that it calls by `call`, which must be handed the arguments themselves, and no part of them.
        """
        opened = _is_opened(function)
        whole = opened or any(is_envelope(node) for node in below(function))
        objects = frozenset({"arguments"} if opened else ()) if whole else inputs_of(function)
        frame = Frame(function, path, objects, above=inner, hidden=self._hidden)
        reader.envelope = whole
        reader.read(frame)
        if call is not None and not any(reader.is_input(each, frame) for each in arguments_of(call)):
            return None
        if whole:
            return frame
        above = _callers(self._items, function) if objects and frame.depth < LEVELS else []
        read = [self._around(reader, function_, where, frame, call_) for function_, where, call_ in above]
        return frame if read and all(read) else None


def _is_opened(function: Node) -> bool:
    """Tell whether the parameter that is the call is taken apart: `CallToolRequestParams { name, arguments, .. }`."""
    patterns = (child(each, "pattern") for each in parameters_of(function) if name_of(each) is None)
    return any(
        string_of(part) == "arguments" and part.type == "shorthand_field_identifier"
        for each in patterns
        if each is not None
        for part in below(each)
    )


def _callers(items: Items, function: Node) -> list[tuple[Node, str, Node]]:
    """Find the functions that call one, where they stand, and the calls; too many are none."""
    name, found = string_of(child(function, "name") or function), []
    for path in items.sources:
        for call in calls(items, name, path) if name.encode() in items.sources[path].data else ():
            around = function_around(call)
            if around is not None and around != function and not in_test(call):
                found.append((around, path, call))
    return found if len(found) <= MOST else []
