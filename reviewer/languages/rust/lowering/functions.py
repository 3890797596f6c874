"""Functions, closures, `async` blocks and the items of modules, as codes whose bodies are lowered when they are asked for."""

from collections.abc import Callable, Iterator

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.blocks import DECLARATIONS, ITEMS, hoist, iter_live_nodes
from reviewer.languages.rust.lowering.frame import (
    TOO_DEEP,
    VALUES,
    Name,
    RustFrame,
    ValueUse,
    find_first_child,
    is_expression,
    list_children,
)
from reviewer.languages.rust.lowering.names import lower_global, read_path
from reviewer.languages.rust.lowering.patterns import read_pattern
from reviewer.languages.rust.syntax.tokens import COMMENTS
from reviewer.source import Source
from reviewer.text import patterns

# Rust's names may have letters beyond ASCII, which are bytes of UTF-8 here.
WORD = patterns.pattern(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
MUTABLE_REFERENCE = "&mut"
"""How the type begins of a parameter in whose place, which is the caller's, the function may leave another value."""

DEEPEST_CODE = 60
"""Nested closures and functions, below Python's limit of recursion. 40 servers had up to 4."""

KINDS: dict[str, ir.CodeKind] = {"closure_expression": "closure", "async_block": "async block", "gen_block": "closure"}
"""The kinds of code that are expressions."""

UNIT = "()"
"""The type of what a function gives that declares none."""

Forms = list[tuple[Node, ir.Variable]]
"""The patterns of parameters, with the variables that hold what they take apart."""


def build_code(
    source: Source,
    node: Node,
    around: ir.Code | None = None,
    owner: str | None = None,
    names: dict[str, Name] | None = None,
) -> ir.Code:
    """Return the code of a `fn`, or of a closure or an `async` block for itself, without the names around it."""
    name, result = node.child_by_field_name("name"), node.child_by_field_name("return_type")
    kind = KINDS.get(node.type, "function")
    body = _find_body_of(node)
    code = ir.Code(
        _get_text(source, name),
        kind,
        source,
        to_site(node),
        lambda code: _lower(code, body, forms, dict(names or {}), frozenset(names or ())),
        around=around,
        owner=owner if owner is not None else find_owner(source, node),
        is_async=_is_async(node),
    )
    forms = _get_signature(code, node.child_by_field_name("parameters"), result)
    if node.type == "function_item" and result is None:
        code.returns = ir.TypeName(to_site(node), UNIT)
    return code


def build_constant_code(source: Source, node: Node, name: str) -> ir.Code:
    """Return the code of what a constant or a static is given: one that returns it."""
    return ir.Code(name, "function", source, to_site(node), lambda code: _lower(code, node, [], {}, frozenset()))


def _find_body_of(node: Node) -> Node | None:
    body = node.child_by_field_name("body")
    if body is None and node.type in KINDS:
        return next((each for each in reversed(node.named_children) if each.type == "block"), None)
    return body


def _is_async(node: Node) -> bool:
    if node.type == "async_block":
        return True
    modifiers = next((each for each in node.named_children if each.type == "function_modifiers"), node)
    return any(each.type == "async" for each in modifiers.children)


def find_owner(source: Source, node: Node) -> str:
    """Return the name of the type or the trait that a function is written in, empty if it is in none."""
    above = node.parent.parent if node.parent is not None else None
    if above is None or above.type not in ("impl_item", "trait_item"):
        return ""
    return type_name(source, above.child_by_field_name("type" if above.type == "impl_item" else "name"))


def type_name(source: Source, node: Node | None) -> str:
    """Return the last part of a type's name, without generic arguments."""
    if node is None:
        return ""
    frame = RustFrame(_EMPTY, source, {}, frozenset())
    found = read_path(frame, node)
    return found[-1] if found else ""


def _get_text(source: Source, node: Node | None) -> str:
    if node is None:
        return ""
    return source.data[node.start_byte : node.end_byte].decode("utf-8", "replace").removeprefix("r#")


def _get_signature(code: ir.Code, inside: Node | None, result: Node | None) -> Forms:
    """Return a code its parameters and what it returns; return the parameters that are patterns."""
    source = code.source
    forms: Forms = []
    found: list[ir.CodeParameter] = []
    for each in _iter_parameters(inside):
        form: Node | None = each
        kind: Node | None = None
        if each.type == "parameter":
            form, kind = each.child_by_field_name("pattern"), each.child_by_field_name("type")
        while form is not None and form.type in ("mut_pattern", "ref_pattern"):
            form = next((part for part in form.named_children if part.type != "mutable_specifier"), None)
        of = None if kind is None else ir.TypeName(to_site(kind), _get_text(source, kind))
        is_self = each.type == "self_parameter" or (form is not None and form.type == "self")
        of = of or (
            ir.TypeName(to_site(each), _get_text(source, each)) if is_self else None
        )  # `&self` is short for `self: &Self`
        is_by_reference = of is not None and of.text.startswith(MUTABLE_REFERENCE)
        if is_self:
            found.append(
                ir.CodeParameter(
                    to_site(each), "self", ir.Variable("self"), of, kind="receiver", is_by_reference=is_by_reference
                )
            )
        elif each.type == "variadic_parameter":
            found.append(ir.CodeParameter(to_site(each), "", ir.Variable(), of, kind="rest"))
        elif form is not None and form.type == "identifier":
            name = _get_text(source, form)
            found.append(ir.CodeParameter(to_site(each), name, ir.Variable(name), of, is_by_reference=is_by_reference))
        else:
            variable = ir.Variable()
            found.append(ir.CodeParameter(to_site(each), "", variable, of, is_by_reference=is_by_reference))
            if form is not None:
                forms.append((form, variable))
    code.parameters = tuple(found)
    if result is not None:
        code.returns = ir.TypeName(to_site(result), _get_text(source, result))
    return forms


def _iter_parameters(inside: Node | None) -> Iterator[Node]:
    for each in inside.children if inside is not None else ():
        if each.is_named:
            if each.type not in COMMENTS and each.type not in ("attribute_item", "ERROR"):
                yield each
        elif each.type == "_":
            yield each


def _lower(code: ir.Code, body: Node | None, forms: Forms, names: dict[str, Name], items: frozenset[str]) -> ir.Body:
    frame = RustFrame(code, code.source, names, items)
    for each in code.parameters:
        if each.name:
            frame.bind(each.name, each.variable)
    for form, variable in forms:
        found = read_pattern(frame, form, ir.Read(to_site(form), variable), exact=True)
        found.declare(frame)
        found.assign(frame)
    if body is not None:
        frame.lower_body(body, ValueUse.RETURNED)
    return tuple(frame.out)


def _collect_captures(frame: RustFrame, node: Node) -> dict[str, Name]:
    """Return the meanings of the names in a closure where it is created: only those in its text, because more may be
    bound later.
    """
    names = frame.names
    if not names:
        return {}
    found = set(WORD.findall(frame.data, node.start_byte, node.end_byte))
    words = [word.decode("utf-8", "replace") for word in found]
    return {word: names[word] for word in words if word in names}


def _is_deep(frame: RustFrame) -> bool:
    levels = 0
    code: ir.Code | None = frame.code
    while code is not None and levels <= DEEPEST_CODE:
        levels, code = levels + 1, code.around
    return levels > DEEPEST_CODE


def build_closure(frame: RustFrame, node: Node, body: Node | None) -> ir.Expression:
    """Return a closure, an `async` block, or statements that a macro is given, as a value."""
    if _is_deep(frame):
        return frame.lower_unknown(node, TOO_DEEP)
    at = to_site(node)
    names, items = _collect_captures(frame, node), frame.items
    code = ir.Code(
        "",
        KINDS.get(node.type, "closure"),
        frame.source,
        at,
        lambda code: _lower(code, body, forms, names, items),
        around=frame.code,
        is_async=_is_async(node),
    )
    forms = _get_signature(code, node.child_by_field_name("parameters"), node.child_by_field_name("return_type"))
    return ir.Closure(at, code)


def _lower_closure(frame: RustFrame, node: Node) -> ir.Expression:
    return build_closure(frame, node, _find_body_of(node))


# Items.


def _lower_function_item(frame: RustFrame, node: Node, variable: ir.Variable) -> None:
    if _is_deep(frame):
        frame.out.append(ir.Assign(to_site(node), variable, frame.lower_unknown(node, TOO_DEEP)))
        return
    visible = {name: meaning for name, meaning in _collect_captures(frame, node).items() if name in frame.items}
    owner = frame.code.owner if frame.code.kind == "class" else ""
    code = build_code(frame.source, node, frame.code, owner, visible)
    frame.out.append(ir.Assign(to_site(node), variable, ir.Closure(to_site(node), code)))


def _lower_constant_item(frame: RustFrame, node: Node, variable: ir.Variable) -> None:
    value = node.child_by_field_name("value")
    if value is not None:
        frame.lower_into(value, variable)


def _group(kind: ir.CodeKind, field: str) -> Callable[[RustFrame, Node, ir.Variable], None]:
    """Return a callable that lowers items with nested items: an `impl`, a trait, a module."""

    def lower(frame: RustFrame, node: Node, variable: ir.Variable) -> None:
        body = node.child_by_field_name("body")
        if body is None:
            return
        if _is_deep(frame):
            frame.out.append(ir.Assign(to_site(node), variable, frame.lower_unknown(node, TOO_DEEP)))
            return
        name = type_name(frame.source, node.child_by_field_name(field))
        variable.name = name
        visible = {name: meaning for name, meaning in _collect_captures(frame, node).items() if name in frame.items}
        code = ir.Code(
            name,
            kind,
            frame.source,
            to_site(node),
            lambda code: _lower_items(code, body, visible),
            around=frame.code,
            owner=name if kind == "class" else "",
        )
        code.bases = tuple(ir.Argument(lower_global(frame, each)) for each in _collect_bases(node))
        frame.out.append(ir.Assign(to_site(node), variable, ir.Closure(to_site(node), code)))

    return lower


def _collect_bases(node: Node) -> list[Node]:
    """Return the trait that an `impl` is of, or those that a trait is derived from."""
    trait, bounds = node.child_by_field_name("trait"), node.child_by_field_name("bounds")
    if trait is not None:
        return [trait]
    return [each for each in list_children(bounds) if each.type != "lifetime"] if bounds is not None else []


def _lower_items(code: ir.Code, body: Node, visible: dict[str, Name]) -> ir.Body:
    """Lower the items of a module or a type: functions and constants, and the macros that make some."""
    frame = RustFrame(code, code.source, dict(visible), frozenset(visible))
    nodes = list(iter_live_nodes(frame, body))
    for each in nodes:
        kind = each.type
        lower = ITEMS.get(kind)
        if lower is not None:
            name = each.child_by_field_name("name")
            lower(frame, each, ir.Variable(_get_text(code.source, name)))
        elif kind == "expression_statement" and (inner := find_first_child(each)) is not None:
            frame.lower_into(inner, ValueUse.DISCARDED)
        elif kind not in DECLARATIONS and is_expression(kind):
            frame.lower_into(each, ValueUse.DISCARDED)
    return tuple(frame.out)


def build_module_code(source: Source, root: Node) -> ir.Code:
    """Return the code of a file."""
    return ir.Code("", "module", source, to_site(root), lambda code: _lower_items(code, root, {}))


_EMPTY = ir.Code("", "module", Source("", b""), ir.Site(0, 0), lambda code: ())

ITEMS["function_item"] = _lower_function_item
ITEMS["const_item"] = _lower_constant_item
ITEMS["static_item"] = _lower_constant_item
ITEMS["impl_item"] = _group("class", "type")
ITEMS["trait_item"] = _group("class", "name")
ITEMS["mod_item"] = _group("module", "name")
for _kind in KINDS:
    VALUES[_kind] = _lower_closure
__all__ = ["build_closure", "build_code", "build_module_code", "find_owner", "hoist", "list_children", "type_name"]
