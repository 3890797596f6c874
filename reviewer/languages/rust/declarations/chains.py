"""Methods of the project that a tool is made through: `spec("lend").described("Lends").takes("book")`."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.languages.nodes import decode_node, find_child
from reviewer.languages.rust.declarations.tool_expressions import (
    BUILDERS,
    FIELDS,
    Maker,
    ToolExpression,
    find_next_call,
)
from reviewer.languages.rust.evaluation.folding import ConstantFolder, bound
from reviewer.languages.rust.evaluation.values import ExpressionPlace
from reviewer.languages.rust.project.def_use import find_impl_type, list_arguments
from reviewer.languages.rust.project.items import RustItem
from reviewer.languages.rust.project.name_resolution import iter_descendants
from reviewer.languages.rust.project.uses import read_segments
from reviewer.source import Opaque
from reviewer.text.patterns import pattern

KEYS = {name: key for key, names in FIELDS.items() for name in names}
OWN = pattern(r"self((?:\s*\.\s*\w+){1,2})\b")
"""A field of a tool, or of what a builder holds of it."""

# A builder's method often only calls another one of its type (`fn described(self, t) { self.with("description", t) }`).
OF_ITSELF = pattern(r"self\s*\.\s*(\w+)\s*\(")


def apply_chained_calls(
    maker: Maker, making: ToolExpression, call: Node, place: ExpressionPlace, function: RustItem
) -> ToolExpression:
    """Return a tool as the calls on it leave it, which follow the call of a function of the project that makes it."""
    parts = dict(making.parts)
    back = read_segments(type_) if (type_ := find_child(function.node, "return_type")) is not None else ()
    owner = find_impl_type(function.node) if back == ("Self",) else back[-1] if back else None
    while (step := find_next_call(call)) is not None:
        call = step
        name = decode_node(find_child(find_child(step, "function"), "field") or step)
        methods = [each for each in maker.items.find_functions(name) if _changes_itself(each, owner)]
        if methods:
            _apply_method(maker, parts, methods, step, place)
        elif name in BUILDERS or name in ("annotate", "with_annotations"):
            maker.build(step, parts, place)
    return replace(making, parts=parts)


def _changes_itself(method: RustItem, owner: str | None) -> bool:
    """Return whether a method of a type takes its value and gives it back."""
    given, back = find_child(method.node, "parameters"), find_child(method.node, "return_type")
    first = given.named_children[0] if given is not None and given.named_children else None
    taken = first is not None and first.type == "self_parameter" and "&" not in decode_node(first)
    own = find_impl_type(method.node)
    return taken and own == owner and back is not None and decode_node(back) in ("Self", own)


def _apply_method(
    maker: Maker, parts: dict[str, object], methods: list[RustItem], call: Node, place: ExpressionPlace
) -> None:
    """Put in what a method sets; what it may change otherwise is not known."""
    folder = ConstantFolder(maker.items)
    values = [folder.fold(argument, place) for argument in list_arguments(call)]
    if len(methods) > 1:
        parts |= dict.fromkeys(FIELDS.keys() - {"name"}, _build_unknown(maker, call, place))
        return
    method = methods[0]
    for field, value in _set(maker, method):
        if (key := KEYS.get(field)) is None:
            continue
        inside = ExpressionPlace(method.path, bound(method.node, values))
        reads = maker.read_annotations if key == "annotations" else folder.fold
        parts[key] = reads(value, inside) if value is not None else _build_unknown(maker, call, place)


def _set(maker: Maker, method: RustItem, depth: int = 2) -> Iterator[tuple[str, Node | None]]:
    """Yield the fields that a method's code changes, with what is assigned to one, None if it is changed in another way."""
    body = find_child(method.node, "body")
    for each in iter_descendants(body) if body is not None else ():
        if each.type == "assignment_expression":
            left = decode_node(find_child(each, "left") or each)
            yield from (
                (name, find_child(each, "right") if OWN.fullmatch(left) else None) for name in _collect_own_fields(left)
            )
        elif each.type in {"call_expression", "reference_expression"}:
            written = decode_node(each).removeprefix("&mut").strip()
            yield from ((name, None) for name in _collect_own_fields(written))
            inner = OF_ITSELF.match(written)
            for other in maker.items.find_functions(inner[1]) if inner is not None and depth else ():
                if find_impl_type(other.node) == find_impl_type(method.node):
                    yield from ((name, None) for name, _ in _set(maker, other, depth - 1))


def _collect_own_fields(written: str) -> list[str]:
    """Return the first field of a tool that an expression on `self` leads over."""
    hit = OWN.match(written)
    return [name for name in re.findall(r"\w+", hit[1]) if name in KEYS][:1] if hit is not None else []


def _build_unknown(maker: Maker, call: Node, place: ExpressionPlace) -> Opaque:
    name = decode_node(find_child(find_child(call, "function"), "field") or call)
    return Opaque(f"`{name}` changes it at run time", maker.items.locate_node(place.path, call))
