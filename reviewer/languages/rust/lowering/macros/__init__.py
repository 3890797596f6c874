"""Calls of macros. What becomes of which:

| macro | lowered to |
| --- | --- |
| `format!`, `format_args!`, `anyhow!`, `eyre!`, `format_err!` | `Interpolation`, or the constant; `anyhow!(error)` is the error |
| `concat!` | `Constant`, or `Interpolation` |
| `stringify!` | `Constant` |
| `print!`, `println!`, `eprint!`, `eprintln!` | `Call` with the text |
| `write!`, `writeln!` | `Call` of the writer's `write_fmt` with the text |
| `trace!` to `error!`, `log!`, `event!`, `span!` and their like | `Call` with the text, fields and `target` by name |
| `panic!`, `todo!`, `unimplemented!`, `unreachable!` | `Call` with the text, then `Raise` of what it gives |
| `assert!`, `assert_eq!`, `assert_ne!` | `If` it does not hold, `Call` of `panic!` and `Raise` |
| `bail!`, `ensure!` | `Return` of a `Failure`, the second if the condition does not hold |
| `matches!` | the tests of a pattern |
| `vec!` | `Sequence`, or one times its length |
| `json!` | `Record`, `Sequence`, or the value |
| `dbg!` | `Call`; its value is the argument's |
| `join!`, `try_join!` | `Await` of each, one after another |
| `select!` | `Call` with all futures, which gives the number of the branch; there `Await` of its future |
| `thread_local!`, `lazy_static!` | `Assign` of each |
| `debug_assert!` and its like, which a release leaves out | `Call` with what they test |
| any other of expressions | `Call` of `name!` with them; `a => b` and JSON are the entries of a `Record` |
| any other of statements | `Call` of `name!` with them as a `Closure` |
| any other | `Call` of `name!` with what stands between commas, `Unknown` if it is no expression |
"""

from collections.abc import Callable
from itertools import pairwise

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.evaluation.literals import string
from reviewer.languages.rust.lowering import fragments
from reviewer.languages.rust.lowering.branches import MACRO_TESTS
from reviewer.languages.rust.lowering.frame import BRANCHES, VALUES, Destination, RustFrame, site
from reviewer.languages.rust.lowering.functions import closure
from reviewer.languages.rust.lowering.macros.calls import call, said, unit
from reviewer.languages.rust.lowering.macros.concurrent import join, select, try_join
from reviewer.languages.rust.lowering.macros.failures import assertion, bail, compared, ensure, panic
from reviewer.languages.rust.lowering.macros.formats import FormatArguments, has_captures, put_together, text
from reviewer.languages.rust.lowering.macros.json import json
from reviewer.languages.rust.lowering.macros.logs import log
from reviewer.languages.rust.lowering.macros.matching import matches, matches_test
from reviewer.languages.rust.lowering.order import operands
from reviewer.languages.rust.syntax import tokens

Handler = Callable[[RustFrame, Node, Node], ir.Expression | None]
"""The macro's call and its tokens → what it gives, or None if it cannot be lowered so."""


STATEMENTS = frozenset(
    {"for_expression", "while_expression", "loop_expression", "if_expression", "match_expression", "block"}
)
"""What in braces is a body and no argument."""


def _lower_macro(frame: RustFrame, node: Node) -> ir.Expression:
    name, tree = _collect_parts(node)
    if name is None or tree is None:
        return frame.unknown(node, node.type)
    handler = MACROS.get(_get_last(frame, name))
    frame.depth += 1  # a macro takes twice as many calls of ours as an expression does
    found = handler(frame, node, tree) if handler is not None else None
    if found is None:
        found = call(frame, node, _lower_arguments(frame, tree))
    frame.depth -= 1
    return found


def _branching(frame: RustFrame, node: Node, destination: Destination) -> None:
    name, tree = _collect_parts(node)
    if name is None or tree is None or _get_last(frame, name) != "select" or not select(frame, node, tree, destination):
        frame.give(_lower_macro(frame, node), destination)


def _collect_parts(node: Node) -> tuple[Node | None, Node | None]:
    tree = next((each for each in node.named_children if each.type == "token_tree"), None)
    return node.child_by_field_name("macro"), tree


def _get_last(frame: RustFrame, name: Node) -> str:
    return frame.text(name).rpartition("::")[2].removeprefix("r#")


def _select(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    result = ir.Variable()
    return ir.Read(site(node), result) if select(frame, node, tree, result) else None


def _lower_arguments(frame: RustFrame, tree: Node) -> tuple[ir.Argument, ...]:
    """Lower the tokens of a macro that nothing is known of."""
    nodes = fragments.listed(frame, tree)
    is_body = tree.children[0].type == "{" and (nodes is None or (len(nodes) == 1 and nodes[0].type in STATEMENTS))
    if nodes is not None and not is_body:
        given = FormatArguments(frame, nodes)
        for index, each in enumerate(given.nodes):
            if has_captures(frame, each):
                written = string(frame.text(each))
                if isinstance(written, str):
                    given.values[index] = put_together(frame, written, site(each), given.after(index + 1), site(each))
        return given.arguments()
    body = fragments.block(frame, tree.start_byte, tree.end_byte) if is_body else None
    if body is not None:
        return (ir.Argument(closure(frame, body, body)),)
    entries = _lower_entries(frame, tree) or json(frame, tree)
    if entries is not None:
        return (ir.Argument(entries),)
    return tuple(ir.Argument(_lower_unread(frame, each)) for each in tokens.split(tokens.inner(tree)))


def _lower_entries(frame: RustFrame, tree: Node) -> ir.Expression | None:
    """Lower `{ a => b, c => d }`."""
    arrows = [each.start_byte for each in tokens.inner(tree) if each.type == "=>"]
    nodes = fragments.listed(frame, tree, dict.fromkeys(arrows, b"= ")) if arrows else None
    if nodes is None or not all(each.type == "assignment_expression" for each in nodes):
        return None
    parts = [part for each in nodes for part in (each.child_by_field_name("left"), each.child_by_field_name("right"))]
    values = operands(frame, [each for each in parts if each is not None])
    return ir.Record(site(tree), None, tuple(zip(values[::2], values[1::2], strict=False)))


def _lower_unread(frame: RustFrame, argument: list[Node]) -> ir.Expression:
    """Lower an argument of a macro whose others are no expressions, or what of it is an expression between semicolons."""
    parts: list[ir.Expression] = []
    stretches = list(tokens.split(argument, ";"))
    for each in stretches:
        found = fragments.expression(frame, each[0].start_byte, each[-1].end_byte)
        if found is not None:
            parts.append(frame.value(found))
    if len(parts) == len(stretches) == 1:
        return parts[0]
    unread = ir.Unknown(ir.Site(argument[0].start_byte, argument[-1].end_byte), tuple(parts), "token_tree")
    frame.code.unknown.append(unread)
    return unread


def _format(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    return text(frame, nodes, site(node))


def _print(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    return call(frame, node, said(frame, node, nodes))


def _write(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if not nodes:
        return None
    target, at = ir.Variable(), site(node)
    method = ir.Field(at, frame.value(nodes[0]), "write_fmt")
    frame.out.append(ir.Call(at, target, method, said(frame, node, nodes[1:])))
    return ir.Read(at, target)


def _lower_concat(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    values = operands(frame, nodes)
    at = site(node)
    if all(isinstance(each, ir.Constant) for each in values):
        joined = "".join(str(each.value) for each in values if isinstance(each, ir.Constant))
        return ir.Constant(at, joined)
    return ir.Interpolation(at, tuple(values))


def _lower_stringify(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    written = frame.data[tree.start_byte + 1 : tree.end_byte - 1].decode("utf-8", "replace")
    return ir.Constant(site(node), written)


def _lower_vec(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    root = fragments.parsed(frame, tree.start_byte + 1, tree.end_byte - 1, b"[", b"];")
    if root is not None and root.has_error:
        return None
    array = fragments.only(root, "array_expression")
    at = site(node)
    if array is None:
        return ir.Sequence(at, "list", ()) if root is None else None
    found = frame.value(array)
    found.at = at
    return found


def _lower_json(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    if not frame.data[tree.start_byte + 1 : tree.end_byte - 1].strip():
        return ir.Constant(site(node), None)
    return json(frame, tree)


def _lower_debugged(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None or len(nodes) != 1:
        return None
    value = frame.place(frame.value(nodes[0]))
    call(frame, node, (ir.Argument(value),))
    return value


def _lower_statics(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower the statics in `thread_local!` and `lazy_static!`."""
    parts = tokens.inner(tree)
    if not parts:
        return unit(node)
    edits = {
        each.start_byte: b"   "
        for before, each in pairwise(parts)
        if before.type == "static" and each.end_byte - each.start_byte == 3 and frame.text(each) == "ref"
    }
    root = fragments.parsed(frame, tree.start_byte + 1, tree.end_byte - 1, b"", b";", edits)
    if root is None:
        return None
    found = [each for each in root.named_children if each.type in ("static_item", "const_item")]
    if not found:
        return None
    for each in found:
        name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
        if name is not None and value is not None:
            variable = ir.Variable(frame.name(name))
            frame.into(value, variable)
            if frame.code.kind not in ("module", "class"):
                frame.bind(variable.name, variable)
    return unit(node)


MACROS: dict[str, Handler] = {
    **dict.fromkeys(("format", "format_args", "anyhow", "eyre", "format_err"), _format),
    **dict.fromkeys(("print", "println", "eprint", "eprintln"), _print),
    **dict.fromkeys(("write", "writeln"), _write),
    **dict.fromkeys(("panic", "todo", "unimplemented", "unreachable"), panic),
    **dict.fromkeys(("trace", "debug", "info", "warn", "error", "log", "event", "span"), log),
    **dict.fromkeys((f"{level}_span" for level in ("trace", "debug", "info", "warn", "error")), log),
    **dict.fromkeys(("thread_local", "lazy_static"), _lower_statics),
    "assert": assertion,
    "assert_eq": compared(True),
    "assert_ne": compared(False),
    "bail": bail,
    "concat": _lower_concat,
    "dbg": _lower_debugged,
    "ensure": ensure,
    "join": join,
    "json": _lower_json,
    "matches": matches,
    "select": _select,
    "stringify": _lower_stringify,
    "try_join": try_join,
    "vec": _lower_vec,
}
"""What lowers a macro, by its name without its path."""

VALUES["macro_invocation"] = _lower_macro
BRANCHES["macro_invocation"] = _branching
for _name in ("matches", "core::matches", "std::matches"):
    MACRO_TESTS[_name] = matches_test
__all__ = ["MACROS"]
