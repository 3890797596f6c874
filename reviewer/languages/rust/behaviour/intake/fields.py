"""Where code reads the fields of a struct that an input was made into, followed from where it stands to where it ends."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour import scopes
from reviewer.languages.rust.behaviour.intake.callees import MOST, callees
from reviewer.languages.rust.behaviour.intake.frames import DEEPEST, Frame, parameters_of
from reviewer.languages.rust.behaviour.intake.shapes import Shape
from reviewer.languages.rust.behaviour.intake.steps import call_of, is_rebound, macro_around, outward
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.behaviour.said import is_value
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import arms_of, called, last_segment, owner, receiver
from reviewer.languages.rust.items import Item, Items, in_test
from reviewer.source import Text

HOLDERS = frozenset({"Parameters", "Some", "Ok", "Json"})
"""What a pattern may take a struct out of, and a call put it back into."""

EMPTY = frozenset({"Err", "None"})
ASSOCIATED = re.compile(r"&?\s*Self\s*::\s*(?:Parameters?|Params|Args|Input|RequestArgs)")
LOOKING = frozenset({"is_some", "is_ok", "drop"})
NAMES = frozenset({"identifier", "self"})


class Read(NamedTuple):
    """A place where a field is read: the expression that gives its value, None where it is only put into words."""

    key: Text
    node: Node | None
    frame: Frame


class Fields:
    """Follows structs. `read` are the fields that are read; `followed` whether the struct goes nowhere that is not known."""

    def __init__(self, items: Items) -> None:
        self._items = items
        self.read: list[Read] = []
        self.followed = True
        self._entered: set[tuple[int, int]] = set()

    def given(self, type_: Node, shape: Shape, frame: Frame) -> None:
        """Follow the struct that a function is given: where `type_` is written, under its name, or as `self`."""
        listed, of = parameters_of(frame.function), owner(frame.function)
        parameters = [each for each in listed if _holds(each, type_)] or [
            each for each in listed if _is_of(child(each, "type"), shape, of)
        ]
        for each in parameters:
            self.taken(child(each, "pattern"), None, shape, frame)
        if not parameters and of == shape.name:
            for use in self._uses("self", None, frame):
                self.used(use, shape, frame)
        elif not parameters:
            self._lose()

    def taken(self, pattern: Node | None, value: Node | None, shape: Shape, frame: Frame) -> None:
        """Follow what a pattern takes of a struct; `value` is the expression it is bound to, None for a parameter."""
        pattern = _inner(pattern)
        if pattern is None or (pattern.type in ("tuple_struct_pattern", "identifier") and _head(pattern) in EMPTY):
            return
        if pattern.type == "struct_pattern":
            self._taken_apart(pattern, value, shape, frame)
        elif pattern.type in NAMES:
            for use in self._uses(string_of(pattern), value, frame):
                self.used(use, shape, frame)
        elif pattern.type != "_":
            self.followed = False

    def used(self, node: Node, shape: Shape, frame: Frame) -> None:
        """See what becomes of a struct where it stands."""
        node = _outermost(node, frame)
        above = node.parent
        match above.type if above is not None else "":
            case "field_expression" if above is not None and child(above, "value") == node:
                self._accessed(above, shape, frame)
            case "arguments" if (
                above is not None and above.parent is not None and above.parent.type == "call_expression"
            ):
                self._handed(node, above.parent, shape, frame)
            case "token_tree":
                self._in_macro(node, shape, frame)
            case "block" | "return_expression":
                self._given_back(shape, frame)
            case "let_declaration" | "let_condition":
                self.taken(child(above, "pattern"), node, shape, frame)
            case "match_expression" if above is not None and child(above, "value") == node:
                for arm in arms_of(above):
                    self.taken(child(arm, "pattern"), node, shape, frame)
            case "expression_statement":
                pass
            case _:
                self.followed = False

    def words(self, name: str, key: Text, frame: Frame) -> bool:
        """Tell whether a text names a value in braces."""
        for each in frame.nodes():
            if each.type == "string_content" and name in scopes.IN_TEXT.findall(string_of(each)):
                self.read.append(Read(key, None, frame))
                return True
        return False

    def named(self, name: str, value: Node | None, key: Text, frame: Frame) -> None:
        """Note where a value is read that has a name of its own."""
        for use in self._uses(name, value, frame):
            self.read.append(Read(key, use, frame))
        self.words(name, key, frame)

    def _taken_apart(self, pattern: Node, value: Node | None, shape: Shape, frame: Frame) -> None:
        for part in pattern.named_children:
            name = child(part, "name") if part.type == "field_pattern" else None
            if name is None:
                continue
            field, inner = string_of(name), _inner(child(part, "pattern")) or name
            plain = inner.type in ("identifier", "shorthand_field_identifier")
            if field in shape.parts:
                self._part_taken(inner, value, shape.parts[field], frame)
            elif field in shape.fields and plain:
                self.named(string_of(inner), value, shape.fields[field], frame)
            elif field in shape.fields and inner.type != "_":
                self.read.append(Read(shape.fields[field], None, frame))

    def _part_taken(self, inner: Node, value: Node | None, part: Shape | None, frame: Frame) -> None:
        if part is None:
            self.followed = False
        elif inner.type == "shorthand_field_identifier":
            for use in self._uses(string_of(inner), value, frame):
                self.used(use, part, frame)
        else:
            self.taken(inner, value, part, frame)

    def _uses(self, name: str, value: Node | None, frame: Frame) -> Iterator[Node]:
        """Find where a name means what a pattern took of a value, or the parameter."""
        for node in frame.nodes():
            if node.type not in NAMES or string_of(node) != name or not is_value(node):
                continue
            given = origin(node)
            if value is not None:
                meant = given is not None and given.values[:1] == (value,)
            else:
                meant = given is None and not is_rebound(node)
            if meant:
                yield node

    def _accessed(self, access: Node, shape: Shape, frame: Frame) -> None:
        call, name = call_of(access), string_of(child(access, "field") or access)
        above = access.parent
        if call is not None:
            self._enter(call, None, shape, frame) if name not in LOOKING else None
        elif above is not None and above.type == "assignment_expression" and child(above, "left") == access:
            return
        elif name in shape.fields:
            self.read.append(Read(shape.fields[name], access, frame))
        elif name in shape.parts:
            part = shape.parts[name]
            self.used(access, part, frame) if part is not None else self._lose()

    def _lose(self) -> None:
        self.followed = False

    def _handed(self, node: Node, call: Node, shape: Shape, frame: Frame) -> None:
        name = called(call)
        if name in LOOKING:
            return
        if name in HOLDERS:
            self.used(call, shape, frame)
        else:
            self._enter(call, next(at for at, each in enumerate(arguments_of(call)) if each == node), shape, frame)

    def _enter(self, call: Node, place: int | None, shape: Shape, frame: Frame) -> None:
        """Follow a struct into the function that it is handed to, or that is called on it."""
        if frame.depth >= DEEPEST:
            self._lose()
            return
        found = callees(self._items, call, frame) if place is not None else self._methods(called(call) or "", shape)
        if not found:
            self._lose()
        for each in found:
            if (each.node.id, call.id) not in self._entered and not frame.runs(each.node):
                self._entered.add((each.node.id, call.id))
                self._run(each, call, place, shape, frame)

    def _run(self, function: Item, call: Node, place: int | None, shape: Shape, frame: Frame) -> None:
        inner = Frame(function.node, function.path, frozenset(), {}, call, frame)
        has_self = any(part.type == "self_parameter" for part in (child(function.node, "parameters") or call).children)
        if place is not None and has_self and receiver(call) is None:
            place = place - 1 if place else None
        if place is None:
            for use in self._uses("self", None, inner):
                self.used(use, shape, inner)
            return
        parameters = parameters_of(function.node)
        parameter = parameters[place] if place < len(parameters) else None
        type_ = child(parameter, "type")
        if parameter is None or type_ is None or not _means(type_, shape, owner(function.node)):
            self._lose()
        else:
            self.taken(child(parameter, "pattern"), None, shape, inner)

    def _methods(self, name: str, shape: Shape) -> list[Item]:
        files = self._items.declaring(name, "fn", owner=shape.name)
        found = [each for path in files for each in self._items.declared_in(path, name, "fn")]
        kept = [each for each in found if owner(each.node) == shape.name and not in_test(each.node)]
        return kept if len(kept) <= MOST else []

    def _given_back(self, shape: Shape, frame: Frame) -> None:
        if frame.above is None or frame.call is None:
            self._lose()
        else:
            self.used(frame.call, shape, frame.above)

    def _in_macro(self, name: Node, shape: Shape, frame: Frame) -> None:
        """Read `asked.field` among the tokens of a macro; a log that shows all is no use."""
        macro = macro_around(name)
        field = _next_field(name)
        if field is not None and string_of(field) == "0":
            field = _next_field(field)
        if field is not None and string_of(field) in shape.fields:
            logged = macro is not None and last_segment(child(macro, "macro") or macro) in scopes.LOGS
            self.read.append(Read(shape.fields[string_of(field)], None if logged else field, frame))
        elif macro is None or last_segment(child(macro, "macro") or macro) not in scopes.LOGS:
            self._lose()


def _is_of(type_: Node | None, shape: Shape, of: str | None) -> bool:
    """Tell whether a parameter is the struct, also under the name that a trait has for it: `Self::Parameter`."""
    return type_ is not None and (_means(type_, shape, of) or ASSOCIATED.fullmatch(string_of(type_)) is not None)


def _holds(parameter: Node, type_: Node) -> bool:
    return parameter.start_byte <= type_.start_byte and type_.end_byte <= parameter.end_byte


def _inner(pattern: Node | None) -> Node | None:
    """Give the pattern for the struct itself."""
    while pattern is not None:
        held = pattern.type == "tuple_struct_pattern" and _head(pattern) in HOLDERS and len(pattern.named_children) == 2
        if not held and pattern.type not in ("mut_pattern", "reference_pattern", "ref_pattern", "match_pattern"):
            break
        parts = [part for part in pattern.children if part.is_named or part.type == "_"]
        kept = [part for part in parts if part.type != "mutable_specifier"]
        pattern = kept[0 if pattern.type == "match_pattern" else -1] if kept else None
    return pattern


def _head(pattern: Node) -> str:
    return last_segment(child(pattern, "type") or pattern)


def _outermost(node: Node, frame: Frame) -> Node:
    """Give the outermost expression that is the struct too."""
    while (above := parent_of(node)) is not None:
        outer = above if above.type == "field_expression" and _unwraps(above, node) else outward(node, above, frame)
        if outer is None or _changes(above):
            break
        node = outer
    return node


def _unwraps(access: Node, node: Node) -> bool:
    """Tell whether `.0` takes the struct out of `Parameters`."""
    return child(access, "value") == node and string_of(child(access, "field") or access) == "0"


def _changes(above: Node) -> bool:
    return above.type == "field_expression" and string_of(child(above, "field") or above) == "into"


def _means(type_: Node, shape: Shape, of: str | None) -> bool:
    """Tell whether a parameter is of the struct's type, and of no trait that it has."""
    while type_.type in ("reference_type", "generic_type"):
        given = child(type_, "type_arguments")
        inner = child(type_, "type") if type_.type == "reference_type" else None
        if given is not None and last_segment(type_) in (*HOLDERS, "Option"):
            inner = next((part for part in given.named_children if part.type != "lifetime"), None)
        if inner is None:
            break
        type_ = inner
    name = last_segment(type_)
    return name == shape.name or (name == "Self" and of == shape.name)


def _next_field(token: Node) -> Node | None:
    """Give the token after the dot that follows another."""
    dot = token.next_sibling
    return dot.next_sibling if dot is not None and dot.type == "." else None
