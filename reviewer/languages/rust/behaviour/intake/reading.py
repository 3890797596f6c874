"""Where code takes arguments out of the input of a call, and whether all that becomes of the input could be followed."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour import scopes
from reviewer.languages.rust.behaviour.intake.callees import callees
from reviewer.languages.rust.behaviour.intake.fields import Fields, Read
from reviewer.languages.rust.behaviour.intake.frames import (
    AROUND,
    DEEPEST,
    Frame,
    Keys,
    Taken,
    inner_of,
    name_of,
    parameters_of,
)
from reviewer.languages.rust.behaviour.intake.keys import keys, listed, of_calls
from reviewer.languages.rust.behaviour.intake.shapes import Shape, shape_of
from reviewer.languages.rust.behaviour.intake.steps import (
    SAME,
    WRAPPERS,
    call_of,
    is_envelope,
    is_rebound,
    macro_around,
    outward,
)
from reviewer.languages.rust.behaviour.intake.typed import fields_of, made
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.behaviour.said import is_value
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, last_segment, receiver
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.literals import string_value
from reviewer.source import Text

READING = frozenset(
    "get get_mut remove contains_key pointer pointer_mut swap_remove shift_remove get_key_value remove_entry".split()
)
WRITING = frozenset({"insert", "entry"})
INERT = frozenset("is_null is_object is_array is_empty len is_some is_none is_string".split())
DROPPED = frozenset({"drop", "size_of_val", "type_name_of_val"})
DESERIALIZING = frozenset({"from_value", "deserialize"})
HELD = re.compile(
    r"(?:&\s*)?(?:ref\s+)?(?:mut\s+)?\w+|(?:\w+::)*(?:Some|Ok|Object)\s*\(\s*(?:ref\s+)?(?:mut\s+)?\w+\s*\)"
)
"""A pattern that takes a value whole."""


class Reader:
    """Reads one tool's code. `taken` is what it reads; `followed` whether the input goes nowhere that is not known.

    `shapes` are the structs that it makes the input into, `fields` what it reads of these. Where `envelope` is
    set, the function is given the whole call, of which the arguments are a part.
    """

    def __init__(self, items: Items) -> None:
        self.items = items
        self.envelope = False
        self.taken: list[Taken] = []
        self.shapes: list[Shape] = []
        self.fields: list[Read] = []
        self.followed = True
        self._back: dict[tuple[int, int], bool] = {}

    def read(self, frame: Frame) -> None:
        """Follow the input through one function, and those that it is handed to."""
        body = frame.body
        names = self._names(body, frame.objects) if body is not None else frozenset()
        for node in frame.nodes() if names or self.envelope else ():
            if self.envelope and is_envelope(node):
                self._use(node, frame)
            elif node.type in ("identifier", "self") and string_of(node) in names and is_value(node):
                if self.is_input(node, frame):
                    self._use(node, frame)
            elif node.type == "shorthand_field_initializer" and string_of(node) in frame.objects:
                self.followed = False

    def _names(self, body: Node, objects: frozenset[str]) -> frozenset[str]:
        """Name what may stand for the input, the names it is bound to with them."""
        known = set(objects)
        for node in below(body):
            value = child(node, "value") if node.type in ("let_declaration", "let_condition") else None
            pattern = child(node, "pattern")
            if node.type == "match_arm" and node.parent is not None:
                value = child(node.parent.parent, "value")
            elif node.type == "closure_expression" and node.parent is not None and node.parent.parent is not None:
                value, pattern = receiver(node.parent.parent), child(node, "parameters")
            if value is not None and pattern is not None and self._speaks(value, known):
                known |= scopes.names_in(pattern)
        return frozenset(known)

    def _speaks(self, value: Node, names: set[str]) -> bool:
        return any(
            (part.type in ("identifier", "self") and string_of(part) in names) or (self.envelope and is_envelope(part))
            for part in below(value)
        )

    def is_input(self, node: Node | None, frame: Frame, depth: int = 0) -> bool:
        """Tell whether an expression is the input, in whatever form."""
        if node is None or depth > 12:
            return False
        if self.envelope and is_envelope(node):
            return True
        if node.type in AROUND:
            return self.is_input(inner_of(node), frame, depth + 1)
        if node.type in ("identifier", "self"):
            return self._is_named(node, frame, depth)
        if node.type == "match_expression":
            values = [child(arm, "value") for arm in below(node) if arm.type == "match_arm"]
            return any(self.is_input(each, frame, depth + 1) for each in values)
        if node.type != "call_expression":
            return False
        on, name = receiver(node), called(node)
        if on is not None and name in SAME:
            return self.is_input(on, frame, depth + 1)
        if name in WRAPPERS:
            return any(self.is_input(each, frame, depth + 1) for each in arguments_of(node))
        return self._back.get((frame.function.id, node.id), False)

    def _is_named(self, name: Node, frame: Frame, depth: int) -> bool:
        given = origin(name)
        if given is None:
            return string_of(name) in frame.objects and not is_rebound(name)
        return HELD.fullmatch(given.pattern.strip()) is not None and self.is_input(given.values[0], frame, depth + 1)

    def _use(self, name: Node, frame: Frame) -> None:
        """See what becomes of the input where it stands."""
        node = name
        while (above := parent_of(node)) is not None:
            outer = outward(node, above, frame)
            if outer is None:
                break
            node = outer
        if above is None:
            return
        match above.type:
            case "field_expression" if child(above, "value") == node:
                self._accessed(above, frame)
            case "arguments" if above.parent is not None and above.parent.type == "call_expression":
                self._handed(node, above.parent, frame)
            case "index_expression" if above.named_children[0] == node:
                self._indexed(above, frame)
            case "token_tree":
                self._in_macro(name, frame)
            case "block" if above == frame.body:
                self._given_back(frame)
            case "return_expression":
                self._given_back(frame)
            case "let_declaration" | "let_condition" | "match_expression":
                self._bound(above)
            case "expression_statement" | "binary_expression":
                pass
            case _:
                self.followed = False

    def _bound(self, binding: Node) -> None:
        pattern = child(binding, "pattern")
        if pattern is not None and HELD.fullmatch(string_of(pattern)) is None and string_of(pattern) != "_":
            self.followed = False

    def _accessed(self, access: Node, frame: Frame) -> None:
        call, name = call_of(access), string_of(child(access, "field") or access)
        given = arguments_of(call) if call is not None else []
        if call is None:
            self.followed = False
        elif name in READING and given:
            found = keys(self.items, given[0], frame)
            for each in [(key,) for key in found] if found and of_calls(given[0]) else [found]:
                self._take(each, call, frame, pointed=name.startswith("pointer"))
        elif name not in WRITING and name not in INERT:
            self._enter(call, None, frame)

    def _indexed(self, index: Node, frame: Frame) -> None:
        above = index.parent
        if above is not None and above.type == "assignment_expression" and child(above, "left") == index:
            return
        self._take(keys(self.items, index.named_children[-1], frame), index, frame)

    def _take(self, found: Keys | None, node: Node, frame: Frame, *, pointed: bool = False) -> None:
        if found is None:
            self.followed = False
            return
        if pointed:
            found = tuple(Text(key.removeprefix("/").partition("/")[0], key.span) for key in found)
        self.taken.append(Taken(found, node, frame))

    def _handed(self, node: Node, call: Node, frame: Frame) -> None:
        name = called(call)
        if name in DROPPED:
            return
        if name in DESERIALIZING:
            self._deserialized(call, frame)
        else:
            self._enter(call, next(at for at, each in enumerate(arguments_of(call)) if each == node), frame)

    def _deserialized(self, call: Node, frame: Frame) -> None:
        """Follow the struct that the input is made into; all of its fields count as read where that cannot be done."""
        found = made(self.items, call, frame)
        keys_ = fields_of(self.items, found) if found is not None else None
        if found is None or keys_ is None:
            self.followed = False
            return
        shape = shape_of(self.items, found.type, found.path)
        fields = Fields(self.items)
        if shape is not None:
            fields.used(found.call, shape, found.frame)
        if shape is not None and fields.followed and set(shape.arguments) == set(keys_):
            self.shapes.append(shape)
            self.fields += fields.read
        else:
            self.taken.append(Taken(keys_, call, frame))

    def _enter(self, call: Node, place: int | None, frame: Frame) -> None:
        """Follow the input into the function that it is handed to, or that is called on it."""
        functions = callees(self.items, call, frame) if frame.depth < DEEPEST else []
        if not functions:
            self.followed = False
        for each in functions:
            inner = self._frame(each.node, each.path, call, place, frame)
            if inner is None or (each.node.type == "function_item" and child(each.node, "body") is None):
                self.followed = False
            elif not frame.runs(each.node):
                for one in _one_by_one(inner, call):
                    self.read(one)
                if self._back.get((frame.function.id, call.id)):
                    self._use_again(call, frame)

    def _use_again(self, call: Node, frame: Frame) -> None:
        """Go on with what a function gives back of the input."""
        self._use(call, frame)

    def _frame(self, function: Node, path: str, call: Node, place: int | None, frame: Frame) -> Frame | None:
        parameters = parameters_of(function)
        if place is not None and place >= len(parameters):
            return None
        held = name_of(parameters[place]) if place is not None else "self"
        if held is None:
            return None
        given: dict[str, Keys] = {}
        for at, (parameter, value) in enumerate(zip(parameters, arguments_of(call), strict=False)):
            name = name_of(parameter)
            known = None if at == place or name is None else keys(self.items, value, frame)
            known = listed(self.items, value, frame) if known is None and at != place else known
            if name is not None and known is not None:
                given[name] = known
        return Frame(function, path, frozenset({held}), given, call, frame)

    def _given_back(self, frame: Frame) -> None:
        if frame.above is None or frame.call is None:
            self.followed = False
        else:
            self._back[frame.above.function.id, frame.call.id] = True

    def _in_macro(self, name: Node, frame: Frame) -> None:
        """Read `input["key"]` and `input.get("key")` among the tokens of a macro; what only a log says is no use."""
        macro = macro_around(name)
        if macro is not None and last_segment(child(macro, "macro") or macro) in scopes.LOGS:
            return
        for group in _keyed(name):
            found = _sole_text(group)
            if found is not None:
                self._take((Text(string_value(found) or "", self.items.span(frame.path, found)),), group, frame)
                return
        self.followed = False


def _one_by_one(frame: Frame, call: Node) -> Iterator[Frame]:
    """Give a frame for each key that a closure hands on to the function, or the frame."""
    split = any(of_calls(each) for each in arguments_of(call))
    several = next((name for name, each in frame.keys.items() if len(each) > 1), None) if split else None
    if several is None:
        yield frame
        return
    for key in frame.keys[several]:
        yield frame._replace(keys={**frame.keys, several: (key,)})


def _keyed(name: Node) -> Iterator[Node]:
    """Give the brackets right after a name, or after `.get`."""
    after = name.next_sibling
    if after is not None and after.type == "token_tree" and string_of(after).startswith("["):
        yield after
    method = after.next_sibling if after is not None and after.type == "." else None
    group = method.next_sibling if method is not None and string_of(method) in READING else None
    if group is not None and group.type == "token_tree":
        yield group


def _sole_text(group: Node) -> Node | None:
    inner = group.named_children
    return inner[0] if len(inner) == 1 and string_value(inner[0]) is not None else None
