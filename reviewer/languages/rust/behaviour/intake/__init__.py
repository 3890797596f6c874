"""Which arguments a tool's code takes out of the input of a call, followed through the functions that are handed it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from tree_sitter import Node

from reviewer.facts import Flag, Intake, Lazy, Omission
from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour.intake import answering
from reviewer.languages.rust.behaviour.intake.fields import Fields, Read
from reviewer.languages.rust.behaviour.intake.frames import Frame, Taken, name_of, parameters_of
from reviewer.languages.rust.behaviour.intake.reading import DESERIALIZING, Reader
from reviewer.languages.rust.behaviour.intake.shapes import argument_of, shape_of
from reviewer.languages.rust.behaviour.intake.values import Values
from reviewer.languages.rust.behaviour.sizes import refuses
from reviewer.languages.rust.callees import called
from reviewer.languages.rust.items import Items
from reviewer.source import Text

INPUT = re.compile(
    r"&?(?:'\w+\s+)?(?:mut\s+)?(?:Option\s*<\s*&?)?(?:serde_json\s*::\s*|rmcp\s*::\s*model\s*::\s*)?"
    r"(?:Value|JsonValue|JsonObject|Map\s*<\s*String\s*,\s*(?:serde_json\s*::\s*)?Value\s*>)\s*>?"
)
"""The types of an input whose keys code reads itself."""

ALTERNATIVES = frozenset("or or_else unwrap_or unwrap_or_else".split())


class Intakes:
    """What one function takes out of its input, read when it is first asked for.

    `beside` are the other functions of the same tool: what is handed the input there may read of it what this one does not.
    `typed` is the type of arguments that the SDK makes of the input before it calls the function, `loose` the parameters that
    it fills each with an argument.
    """

    def __init__(
        self,
        items: Items,
        function: Node,
        path: str,
        beside: Iterable[Node] = (),
        typed: Node | None = None,
        loose: Sequence[Node] = (),
    ) -> None:
        self._items, self._function, self._path, self._beside = items, function, path, beside
        self._typed, self._loose = typed, loose

    @property
    def listed(self) -> Sequence[Intake]:
        """The arguments that it takes."""
        return Lazy(lambda: self._read[0])

    @property
    def followed(self) -> Flag:
        """Whether it takes no others."""
        return Flag(lambda: self._read[1] and self._reads_all())

    @property
    def omissions(self) -> Sequence[Omission]:
        """The lists that it cuts."""
        return Lazy(lambda: answering.omissions(self._items, self._function, self._path))

    @property
    def hints(self) -> Sequence[Text]:
        """What it says to a client that gets less than there is."""
        return Lazy(lambda: answering.hints(self._items, self._function, self._path))

    def _reads_all(self) -> bool:
        """Tell whether the functions beside it read nothing of the input that it does not."""
        own = {str(each.name) for each in self._read[0]}
        for each in self._beside:
            found, followed = Intakes(self._items, each, self._path)._read if inputs_of(each) else ((), True)
            if not followed or not own.issuperset(str(one.name) for one in found):
                return False
        return True

    @cached_property
    def _read(self) -> tuple[tuple[Intake, ...], bool]:
        objects = inputs_of(self._function)
        if self._typed is not None or self._loose:
            return self._of_fields()
        if not objects:
            return (), not parameters_of(self._function)
        reader = Reader(self._items)
        reader.read(Frame(self._function, self._path, objects))
        return intakes_of(self._items, reader), reader.followed

    def _of_fields(self) -> tuple[tuple[Intake, ...], bool]:
        """Read what is taken of the struct that the function is given, or of its loose parameters."""
        frame, fields = Frame(self._function, self._path, frozenset()), Fields(self._items)
        held = [argument_of(self._items, each, self._path) for each in self._loose]
        for part, key in zip(self._loose, held, strict=True):
            fields.named(name_of(part) or "", None, key, frame)
        shape = shape_of(self._items, self._typed, self._path) if self._typed is not None else None
        if shape is not None and self._typed is not None:
            held += shape.arguments
            fields.given(self._typed, shape, frame)
        if not fields.followed or (shape is None and self._typed is not None):
            return tuple(Intake(key) for key in held), False
        return tuple(_of_fields(self._items, held, fields.read)), True


def intakes_of(items: Items, reader: Reader) -> tuple[Intake, ...]:
    """Make intakes of all that was read."""
    kept = [each for each in reader.taken if not _is_refused(each.node)]
    found = tuple(_intake(items, each, key, kept) for each in kept for key in each.keys)
    held = (key for each in reader.shapes for key in each.arguments)
    return (*found, *_of_fields(items, held, reader.fields))


def _of_fields(items: Items, held: Iterable[Text], read: Sequence[Read]) -> Iterator[Intake]:
    """Make an intake of each argument that a struct holds, of all places together where its field is read."""
    for key in held:
        places = [each for each in read if each.key is key]
        found = Values(items)
        for each in places:
            if each.node is not None:
                found.trace(each.node, each.frame)
        yield Intake(key, (), found.defaults(), found.caps, found.cut, not places)


def inputs_of(function: Node) -> frozenset[str]:
    """Name the parameters of a function that hold an input as JSON."""
    typed = ((name_of(part), child(part, "type")) for part in parameters_of(function))
    return frozenset(
        name for name, type_ in typed if name is not None and type_ is not None and INPUT.fullmatch(string_of(type_))
    )


def _is_refused(taken: Node) -> bool:
    """Tell whether a key is only asked for to say that it is not taken any more."""
    access = taken.parent
    asked = called(taken) == "contains_key"
    if access is not None and access.type == "field_expression" and access.parent is not None:
        asked = string_of(child(access, "field") or access) == "is_some"
        taken = access.parent
    choice = taken.parent
    if not asked or choice is None or choice.type != "if_expression" or child(choice, "condition") != taken:
        return False
    return refuses(child(choice, "consequence"))


def _intake(items: Items, taken: Taken, key: str, others: list[Taken]) -> Intake:
    name = next(each for each in taken.keys if each is key)
    among = tuple(dict.fromkeys(_among(items, taken, others)))
    found = Values(items)
    if len(taken.keys) == 1:
        found.trace(taken.node, taken.frame)
    return Intake(name, among if len(among) > 1 else (), found.defaults(), found.caps, found.cut)


def _among(items: Items, taken: Taken, others: list[Taken]) -> list[str]:
    """Name the keys that are read in one another's stead: in one list, in the arguments of one call, after `or`."""
    mine = _chain(_site(items, taken)).id
    found = [str(key) for key in taken.keys]
    if string_of(child(taken.node, "function") or taken.node).endswith(tuple(DESERIALIZING)):
        return []
    for other in others:
        if other is not taken and other.node.id != taken.node.id and _chain(_site(items, other)).id == mine:
            found += [str(key) for key in other.keys]
    return found


def _site(items: Items, taken: Taken) -> Node:
    """Give the expression in which the keys are written: where they are read, or the call of the helper that reads them."""
    node, frame = taken.node, taken.frame
    while not any(items.span(frame.path, node).holds(key.span) for key in taken.keys):
        if frame.above is None or frame.call is None:
            return taken.node
        node, frame = frame.call, frame.above
    return node


def _chain(node: Node) -> Node:
    """Give the outermost chain of alternatives that an expression is part of, or the expression."""
    outermost, current = node, node
    while (above := parent_of(current)) is not None and above.type in (
        "field_expression",
        "call_expression",
        "arguments",
        "closure_expression",
        "try_expression",
        "reference_expression",
        "parenthesized_expression",
        "block",
    ):
        current = above
        function = child(current, "function") if current.type == "call_expression" else None
        if string_of(child(function, "field") or current) in ALTERNATIVES:
            outermost = current
    return outermost
