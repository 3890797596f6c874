"""Blocks, and the statements in them. Functions, constants and imports of a block hold in all of it, wherever they stand."""

from collections.abc import Callable, Iterator

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.branches import lower_let_else
from reviewer.languages.rust.lowering.frame import (
    BODIES,
    BRANCHES,
    Destination,
    JumpTarget,
    RustFrame,
    ValueUse,
    find_first_child,
    is_expression,
    list_children,
)
from reviewer.languages.rust.lowering.mutable_references import bind_reference, is_mutable_reference
from reviewer.languages.rust.lowering.names import iter_imported_names
from reviewer.languages.rust.lowering.patterns import is_either, read_pattern
from reviewer.languages.rust.syntax.tokens import BESIDE

ITEMS: dict[str, Callable[[RustFrame, Node, ir.Variable], None]] = {}
"""What lowers an item that stands in a body: it gives a variable its value."""
DECLARATIONS = frozenset(
    {
        "use_declaration", "struct_item", "enum_item", "union_item", "type_item", "trait_item", "macro_definition",
        "extern_crate_declaration", "foreign_mod_item", "empty_statement", "function_signature_item", "associated_type",
    }
)  # fmt: skip
"""What does nothing when it is come to."""
TESTING = b"#[cfg(test)]"


def iter_live_nodes(frame: RustFrame, node: Node) -> Iterator[Node]:
    """Yield the nodes of a block or a module, without comments and code that exists only in tests."""
    is_test = False
    for each in node.named_children:
        kind = each.type
        if kind not in BESIDE:
            if not is_test:
                yield each
            is_test = False
        elif kind == "attribute_item" and each.end_byte - each.start_byte == len(TESTING):
            is_test = is_test or frame.data[each.start_byte : each.end_byte] == TESTING


def hoist(frame: RustFrame, nodes: list[Node]) -> None:
    """Let the items of a block be known in all of it, and give them their values."""
    found: list[tuple[Node, ir.Variable]] = []
    names: list[str] = []
    for each in nodes:
        kind = each.type
        if kind == "use_declaration":
            for name, meaning in iter_imported_names(frame, each):
                frame.bind(name, meaning)
                names.append(name)
        elif kind in ITEMS:
            name_node = each.child_by_field_name("name") or each.child_by_field_name("type")
            variable = ir.Variable(frame.name(name_node) if name_node is not None else "")
            if kind != "impl_item":
                frame.bind(variable.name, variable)
                names.append(variable.name)
            found.append((each, variable))
    if names:
        frame.items = frame.items | frozenset(names)
    for each, variable in found:
        ITEMS[each.type](frame, each, variable)


def _lower_body(frame: RustFrame, node: Node, destination: Destination) -> None:
    """Lower what stands in a block, and give what its end gives."""
    nodes = list(iter_live_nodes(frame, node))
    mark, items, scope, statement = frame.mark(), frame.items, frame.scope, frame.statement
    frame.scope = to_site(node)
    hoist(frame, nodes)
    _lower_statements(frame, node, nodes, destination)
    frame.items, frame.scope, frame.statement = items, scope, statement
    frame.undo(mark)


def _lower_statements(frame: RustFrame, node: Node, nodes: list[Node], destination: Destination) -> None:
    chosen: dict[str, ir.Variable] = {}
    for index, each in enumerate(nodes):
        kind = each.type
        frame.statement = to_site(each)
        if index < len(nodes) - 1 and _is_value(each) and _is_conditional(frame, each):
            _lower_conditional_end(frame, node, nodes[index:], destination)
            break
        if kind == "expression_statement":
            inner = each.children
            expression = next((part for part in inner if part.is_named and part.type not in BESIDE), None)
            if expression is None:
                continue
            if index == len(nodes) - 1 and inner[-1].type != ";":
                frame.lower_into(expression, destination)
                break
            frame.lower_into(expression, ValueUse.DISCARDED)
        elif kind == "let_declaration":
            if not _is_conditional(frame, each) or not _let_other(frame, each, chosen):
                _lower_let(frame, each)
        elif kind in DECLARATIONS or kind in ITEMS or kind == "label":
            continue
        elif index == len(nodes) - 1 and is_expression(kind):
            frame.lower_into(each, destination)
            break
        elif is_expression(kind):
            frame.lower_into(each, ValueUse.DISCARDED)
        else:
            frame.give(frame.lower_unknown(each, kind, frame.lower_parts(each)), ValueUse.DISCARDED)
    else:
        frame.emit_unit(to_site(node), destination)


CONDITIONAL = b"#[cfg("
"""What stands over a statement that is there on some systems only."""


def _is_conditional(frame: RustFrame, node: Node) -> bool:
    before = node.prev_named_sibling
    return (
        before is not None and before.type == "attribute_item" and frame.data.startswith(CONDITIONAL, before.start_byte)
    )


def _is_value(node: Node) -> bool:
    """Return whether a block ends with what a statement gives, if nothing follows it."""
    if node.type == "expression_statement":
        return node.children[-1].type != ";"
    return is_expression(node.type) and node.type not in DECLARATIONS


def _lower_conditional_end(frame: RustFrame, node: Node, nodes: list[Node], destination: Destination) -> None:
    """Lower what a block ends with on some systems, and on others with what follows."""
    first_, at = nodes[0], to_site(nodes[0])
    inner = next((each for each in first_.children if each.is_named and each.type not in BESIDE), first_)
    around, frame.out = frame.out, []
    frame.lower_into(inner if first_.type == "expression_statement" else first_, destination)
    then, frame.out = tuple(frame.out), []
    _lower_statements(frame, node, nodes[1:], destination)
    otherwise, frame.out = tuple(frame.out), around
    around.append(ir.If(at, ir.Unknown(at, (), "conditional compilation"), then, otherwise))


def _let_other(frame: RustFrame, node: Node, chosen: dict[str, ir.Variable]) -> bool:
    """Lower a `let` that stands for another one on some systems, which of them all reads what follows; tell whether it is one.

    `chosen` are the variables of such statements of the block, by their names.
    """
    form, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    if form is None or form.type != "identifier" or value is None or is_mutable_reference(value):
        return False
    variable = chosen.get(frame.name(form))
    if variable is None:
        variable = chosen[frame.name(form)] = ir.Variable(frame.name(form), _type_of(frame, node, form))
        frame.lower_into(value, variable)
    else:
        around, frame.out = frame.out, []
        frame.lower_into(value, variable)
        then, frame.out = tuple(frame.out), around
        around.append(ir.If(to_site(node), ir.Unknown(to_site(node), (), "conditional compilation"), then, ()))
    frame.bind(variable.name, variable)
    return True


def _lower_block(frame: RustFrame, node: Node, destination: Destination) -> None:
    """Lower a block that stands by itself: one that binds names, whose values end with it, or one with a name."""
    name = next((each for each in node.named_children if each.type == "label"), None)
    if name is None and not any(each.type == "let_declaration" for each in node.named_children):
        _lower_body(frame, node, destination)
        return
    label = ir.JumpLabel()
    around, frame.out = frame.out, []
    if name is not None:
        frame.targets.append(JumpTarget(frame.decode_text(name), label, destination, is_loop=False))
    _lower_body(frame, node, destination)
    if name is not None:
        frame.targets.pop()
    body, frame.out = tuple(frame.out), around
    around.append(ir.Block(to_site(node), label, body))


def _wrap(frame: RustFrame, node: Node, destination: Destination) -> None:
    """Lower `unsafe { .. }`, `const { .. }` and `try { .. }`."""
    inner = find_first_child(node)
    if inner is not None:
        frame.lower_into(inner, destination)


def _lower_let(frame: RustFrame, node: Node) -> None:
    form, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    other = node.child_by_field_name("alternative")
    if form is None:
        frame.give(frame.lower_unknown(node, node.type, frame.lower_parts(node)), ValueUse.DISCARDED)
        return
    if form.type == "identifier" and other is None:
        variable = ir.Variable(frame.name(form), _type_of(frame, node, form))
        if value is not None and is_mutable_reference(value):
            place = frame.lower_expression(value)
            bind_reference(frame, value, [(variable, place)])
            frame.give(place, variable)
        elif value is not None:
            frame.lower_into(value, variable)
        frame.bind(variable.name, variable)
    elif value is None:
        found = read_pattern(frame, form, ir.Constant(to_site(form), None), exact=True)
        found.declare(frame)
    elif form.type == "_":
        frame.lower_into(value, ValueUse.DISCARDED)
    elif other is not None or is_either(form):
        lower_let_else(frame, form, frame.place(frame.lower_expression(value)), other)
    else:
        written = _type_of(frame, node, form)
        found = read_pattern(frame, form, _place(frame, value, written), exact=True)
        bind_reference(frame, value, found.list_bindings())
        found.declare(frame)
        found.assign(frame)


def _type_of(frame: RustFrame, node: Node, form: Node) -> ir.TypeName | None:
    """Return the type that a `let` declares; one that takes a struct apart names the type by doing so."""
    kind = node.child_by_field_name("type")
    if kind is None and form.type == "struct_pattern":
        kind = form.child_by_field_name("type")
    return ir.TypeName(to_site(kind), frame.decode_text(kind)) if kind is not None else None


def _place(frame: RustFrame, node: Node, written: ir.TypeName | None) -> ir.Expression:
    """Lower what a pattern takes apart, as an object of its type, to a value that may be read several times."""
    if written is None or is_mutable_reference(node):
        return frame.place(frame.lower_expression(node))
    variable = ir.Variable("", written)
    frame.lower_into(node, variable)
    return ir.Read(to_site(node), variable)


def lower_error(frame: RustFrame, node: Node, destination: Destination) -> None:
    """Lower what of broken source can be."""
    frame.give(frame.lower_unknown(node, "ERROR", frame.lower_parts(node)), destination)


BODIES["block"] = _lower_body
BRANCHES["block"] = _lower_block
BRANCHES["unsafe_block"] = _wrap
BRANCHES["const_block"] = _wrap
BRANCHES["try_block"] = _wrap
BRANCHES["ERROR"] = lower_error
__all__ = ["DECLARATIONS", "ITEMS", "hoist", "iter_live_nodes", "list_children"]
