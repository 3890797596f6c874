"""The parts of a list of tools that is put together: `own.into_iter().chain(theirs)`, `[own, theirs].concat()`.

A gateway lists its own tools with those of the servers behind it. The first are read; of the others is told that they are not.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child, find_parent, list_field_children
from reviewer.languages.rust.declarations.tool_expressions import MADE
from reviewer.languages.rust.evaluation.structs import map_initializers, type_of
from reviewer.languages.rust.project.def_use import find_impl_type, list_arguments
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.name_resolution import iter_descendants
from reviewer.languages.rust.syntax import tokens
from reviewer.text.patterns import pattern

# Methods that add what they are given to what they are called on, in place.
GROWING = frozenset({"push", "extend", "append", "extend_from_slice", "insert"})
# Methods that give the elements of several lists as one.
JOINING = frozenset({"concat", "flatten", "flat_map"})
# What gives nothing.
EMPTY = pattern(
    r"(?:Vec|VecDeque)\s*(?:::\s*<[^>]*>)?\s*::\s*(?:new|with_capacity)\s*\([^)]*\)|vec!\s*\[\s*\]|\[\s*\]|.*Default::default\(\)|(?:\w+::)*empty\(\)"
)
# A list of tools as the type of a field. A boxed trait of tools has no definition in it.
LIST = pattern(rf"(?:Vec|\[|Slice|VecDeque)\s*<?\s*(?:\w+\s*::\s*)*(?:{MADE.pattern.removesuffix('$')})\s*[>\];]")


def list_joined(call: Node) -> list[Node]:
    """Return the lists that a call joins to one; fewer than two where it joins none."""
    function, arguments = find_child(call, "function"), list_arguments(call)
    name, owner = find_child(function, "field"), find_child(function, "value")
    if function is None or function.type != "field_expression" or name is None or owner is None:
        return []
    method = decode_node(name)
    if method == "chain" and len(arguments) == 1 and not _asks_names(owner):
        return [owner, arguments[0]]
    if method in GROWING and arguments and owner.type == "identifier":
        added = arguments[-1] if method != "push" or _is_from_elsewhere(arguments[0]) else None
        others = [each for each in _iter_growth(owner) if each != added]
        return [added, *others] if added is not None else []
    if method in JOINING and not arguments:
        return _list_elements(owner)
    return []


def _asks_names(owner: Node) -> bool:
    """Return whether a chain of calls asks tools for something, so that what is joined are no tools any more."""
    return re.search(r"\|\s*\.\s*\w+\b(?!\s*\()|\|\s*\w+\s*\|\s*&?\w+\s*\.\s*\w+", decode_node(owner)) is not None


def _is_from_elsewhere(pushed: Node) -> bool:
    """Return whether what is pushed is only a name, which a loop gives it, or a copy of what that names."""
    while pushed.type == "call_expression" and not list_arguments(pushed):
        pushed = find_child(find_child(pushed, "function"), "value") or pushed.named_children[0]
    return pushed.type == "identifier"


def _iter_growth(owner: Node) -> Iterator[Node]:
    """Yield the other parts of a list in a variable: its first entries, and those added in the same function."""
    name, function = decode_node(owner), owner
    while function.type not in ("function_item", "closure_expression", "source_file"):
        above = find_parent(function)
        if above is None:
            return
        function = above
    for part in iter_descendants(function):
        if part.type == "let_declaration" and decode_node(find_child(part, "pattern") or part) == name:
            value = find_child(part, "value")
            if value is not None:
                yield value
        elif part.type == "call_expression" and list_arguments(part):
            called = find_child(part, "function")
            method = decode_node(find_child(called, "field") or part) if called is not None else ""
            if method in GROWING and decode_node(find_child(called, "value") or part) == name:
                yield list_arguments(part)[-1]


def _list_elements(owner: Node) -> list[Node]:
    """Return the lists in `[own, theirs]` that `concat` or `flatten` make one of."""
    while owner.type == "call_expression" and not list_arguments(owner):
        inner = find_child(find_child(owner, "function"), "value")
        if inner is None:
            return []
        owner = inner
    if owner.type == "array_expression" and find_child(owner, "length") is None:
        return [part for part in owner.named_children if part.type not in tokens.BESIDE]
    return []


def is_empty(part: Node) -> bool:
    """Return whether an expression surely gives nothing."""
    return EMPTY.fullmatch(decode_node(part).strip()) is not None


def iter_names(part: Node) -> Iterator[Node]:
    """Yield the names of variables in an expression, those of functions and fields left out."""
    if part.type == "identifier":
        yield part
    for each in iter_descendants(part):
        above = find_parent(each) if each.type == "identifier" else None
        is_callee = above is not None and above.type == "call_expression" and find_child(above, "function") == each
        if above is not None and not is_callee and above.type != "scoped_identifier":
            yield each


def find_origin(name: Node, call: Node | None) -> tuple[Node, bool] | None:
    """Return the expression that a name was bound to: by `let`, by a pattern, or as an argument of the call that came here.

    The flag tells that it is an argument, which stands in the caller.
    """
    word = re.compile(rf"\b{re.escape(decode_node(name))}\b")
    below, above = name, find_parent(name)
    while above is not None:
        if above.type == "block":
            for part in reversed([each for each in above.named_children if each.end_byte <= below.start_byte]):
                if part.type == "let_declaration" and word.search(decode_node(find_child(part, "pattern") or part)):
                    value = find_child(part, "value")
                    return (value, False) if value is not None else None
        elif above.type == "for_expression" and _binds(above, "pattern", word):
            return _build_origin(find_child(above, "value"))
        elif above.type == "match_arm" and _binds(above, "pattern", word):
            match = find_parent(find_parent(above)) if find_parent(above) is not None else None  # type: ignore[arg-type]
            return _build_origin(find_child(match, "value"))
        elif above.type == "if_expression" and word.search(
            decode_node(find_child(find_child(above, "condition"), "pattern") or name)
        ):
            condition = find_child(above, "condition")
            if find_child(condition, "pattern") is not None and below != condition:
                return _build_origin(find_child(condition, "value"))
        elif above.type == "closure_expression" and _binds(above, "parameters", word):
            around = find_parent(find_parent(above)) if find_parent(above) is not None else None  # type: ignore[arg-type]
            return _build_origin(find_child(find_child(around, "function"), "value"))
        elif above.type == "function_item":
            return _find_argument(above, word, call)
        below, above = above, find_parent(above)
    return None


def _build_origin(value: Node | None) -> tuple[Node, bool] | None:
    return (value, False) if value is not None else None


def _binds(node: Node, field: str, word: re.Pattern[str]) -> bool:
    found = find_child(node, field)
    return found is not None and word.search(decode_node(found)) is not None


def _find_argument(function: Node, word: re.Pattern[str], call: Node | None) -> tuple[Node, bool] | None:
    """Return the argument for a parameter in the call that led to a function."""
    given = [part for part in list_field_children(function, "parameters") if part.type == "parameter"]
    for parameter, argument in zip(given, list_arguments(call) if call is not None else (), strict=False):
        if word.fullmatch(decode_node(find_child(parameter, "pattern") or parameter).removeprefix("mut ")):
            return argument, True
    return None


def find_field_values(items: RustItems, field: str, path: str, near: Node) -> list[tuple[str, Node]]:
    """Return the expressions put into a field of tools where an object of the type around is written out, each with its file."""
    owner = find_impl_type(near)
    struct = items.resolve((owner,), path, "struct", near=near) if owner is not None else None
    if not isinstance(struct, RustItem) or owner is None or not _is_list_of_tools(struct.node, field):
        return []
    literal = re.compile(rb"\b(?:Self|" + re.escape(owner.encode()) + rb")\s*\{")
    found: list[tuple[str, Node]] = []
    for other in items.find_matching(literal):
        for made in items.find_nodes_near(other, literal, "struct_expression"):
            value = map_initializers(made).get(field) if type_of(made)[-1:] == (owner,) else None
            if value is not None and not is_in_test(made):
                origin = find_origin(value, None) if value.type == "identifier" else None
                found.append((other, origin[0] if origin is not None else value))
    return found


def _is_list_of_tools(struct: Node, field: str) -> bool:
    for part in list_field_children(struct, "body"):
        if part.type == "field_declaration" and decode_node(find_child(part, "name") or part) == field:
            return LIST.search(decode_node(find_child(part, "type") or part)) is not None
    return False
