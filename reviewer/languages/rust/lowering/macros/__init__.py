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
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.evaluation.literals import parse_string
from reviewer.languages.rust.lowering import fragments
from reviewer.languages.rust.lowering.branches import MACRO_TESTS
from reviewer.languages.rust.lowering.frame import BRANCHES, VALUES, Destination, RustFrame
from reviewer.languages.rust.lowering.functions import build_closure
from reviewer.languages.rust.lowering.macros.calls import build_unit, emit_call, lower_message
from reviewer.languages.rust.lowering.macros.concurrent import lower_join, lower_select, lower_try_join
from reviewer.languages.rust.lowering.macros.failures import (
    build_comparison_lowering,
    lower_assertion,
    lower_bail,
    lower_ensure,
    lower_panic,
)
from reviewer.languages.rust.lowering.macros.formats import FormatArguments, has_captures, lower_text, put_together
from reviewer.languages.rust.lowering.macros.json import lower_json
from reviewer.languages.rust.lowering.macros.logs import lower_log
from reviewer.languages.rust.lowering.macros.matching import lower_matches, matches_test
from reviewer.languages.rust.lowering.order import lower_operands
from reviewer.languages.rust.syntax import tokens

MacroLowering = Callable[[RustFrame, Node, Node], ir.Expression | None]
"""The macro's call and its tokens → what it gives, or None if it cannot be lowered so."""


STATEMENTS = frozenset(
    {"for_expression", "while_expression", "loop_expression", "if_expression", "match_expression", "block"}
)
"""What in braces is a body and no argument."""


def _lower_macro(frame: RustFrame, node: Node) -> ir.Expression:
    name, tree = _collect_parts(node)
    if name is None or tree is None:
        return frame.lower_unknown(node, node.type)
    handler = MACROS.get(_get_last(frame, name))
    frame.depth += 1  # a macro takes twice as many calls of ours as an expression does
    found = handler(frame, node, tree) if handler is not None else None
    if found is None:
        found = emit_call(frame, node, _lower_arguments(frame, tree))
    frame.depth -= 1
    return found


def _lower_branching_macro(frame: RustFrame, node: Node, destination: Destination) -> None:
    name, tree = _collect_parts(node)
    if (
        name is None
        or tree is None
        or _get_last(frame, name) != "select"
        or not lower_select(frame, node, tree, destination)
    ):
        frame.give(_lower_macro(frame, node), destination)


def _collect_parts(node: Node) -> tuple[Node | None, Node | None]:
    tree = next((each for each in node.named_children if each.type == "token_tree"), None)
    return node.child_by_field_name("macro"), tree


def _get_last(frame: RustFrame, name: Node) -> str:
    return frame.decode_text(name).rpartition("::")[2].removeprefix("r#")


def _select(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    result = ir.Variable()
    return ir.Read(to_site(node), result) if lower_select(frame, node, tree, result) else None


def _lower_arguments(frame: RustFrame, tree: Node) -> tuple[ir.Argument, ...]:
    """Lower the tokens of a macro that nothing is known of."""
    nodes = fragments.parse_expressions(frame, tree)
    is_body = tree.children[0].type == "{" and (nodes is None or (len(nodes) == 1 and nodes[0].type in STATEMENTS))
    if nodes is not None and not is_body:
        given = FormatArguments(frame, nodes)
        for index, each in enumerate(given.nodes):
            if has_captures(frame, each):
                written = parse_string(frame.decode_text(each))
                if isinstance(written, str):
                    given.values[index] = put_together(
                        frame, written, to_site(each), given.skip_first(index + 1), to_site(each)
                    )
        return given.build_arguments()
    body = fragments.parse_block(frame, tree.start_byte, tree.end_byte) if is_body else None
    if body is not None:
        return (ir.Argument(build_closure(frame, body, body)),)
    entries = _lower_entries(frame, tree) or lower_json(frame, tree)
    if entries is not None:
        return (ir.Argument(entries),)
    return tuple(ir.Argument(_lower_unread(frame, each)) for each in tokens.split(tokens.strip_brackets(tree)))


def _lower_entries(frame: RustFrame, tree: Node) -> ir.Expression | None:
    """Lower `{ a => b, c => d }`."""
    arrows = [each.start_byte for each in tokens.strip_brackets(tree) if each.type == "=>"]
    nodes = fragments.parse_expressions(frame, tree, dict.fromkeys(arrows, b"= ")) if arrows else None
    if nodes is None or not all(each.type == "assignment_expression" for each in nodes):
        return None
    parts = [part for each in nodes for part in (each.child_by_field_name("left"), each.child_by_field_name("right"))]
    values = lower_operands(frame, [each for each in parts if each is not None])
    return ir.Record(to_site(tree), None, tuple(zip(values[::2], values[1::2], strict=False)))


def _lower_unread(frame: RustFrame, argument: list[Node]) -> ir.Expression:
    """Lower an argument of a macro whose others are no expressions, or what of it is an expression between semicolons."""
    parts: list[ir.Expression] = []
    stretches = list(tokens.split(argument, ";"))
    for each in stretches:
        found = fragments.parse_expression(frame, each[0].start_byte, each[-1].end_byte)
        if found is not None:
            parts.append(frame.lower_expression(found))
    if len(parts) == len(stretches) == 1:
        return parts[0]
    unread = ir.Unknown(ir.Site(argument[0].start_byte, argument[-1].end_byte), tuple(parts), "token_tree")
    frame.code.unknown.append(unread)
    return unread


def _format(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.parse_expressions(frame, tree)
    if nodes is None:
        return None
    return lower_text(frame, nodes, to_site(node))


def _print(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.parse_expressions(frame, tree)
    if nodes is None:
        return None
    return emit_call(frame, node, lower_message(frame, node, nodes))


def _write(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.parse_expressions(frame, tree)
    if not nodes:
        return None
    target, at = ir.Variable(), to_site(node)
    method = ir.Field(at, frame.lower_expression(nodes[0]), "write_fmt")
    frame.out.append(ir.Call(at, target, method, lower_message(frame, node, nodes[1:])))
    return ir.Read(at, target)


def _lower_concat(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.parse_expressions(frame, tree)
    if nodes is None:
        return None
    values = lower_operands(frame, nodes)
    at = to_site(node)
    if all(isinstance(each, ir.Constant) for each in values):
        joined = "".join(str(each.value) for each in values if isinstance(each, ir.Constant))
        return ir.Constant(at, joined)
    return ir.Interpolation(at, tuple(values))


def _lower_stringify(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    written = frame.data[tree.start_byte + 1 : tree.end_byte - 1].decode("utf-8", "replace")
    return ir.Constant(to_site(node), written)


def _lower_vec(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    root = fragments.parse_fragment(frame, tree.start_byte + 1, tree.end_byte - 1, b"[", b"];")
    if root is not None and root.has_error:
        return None
    array = fragments.descend_to(root, "array_expression")
    at = to_site(node)
    if array is None:
        return ir.Sequence(at, "list", ()) if root is None else None
    found = frame.lower_expression(array)
    found.at = at
    return found


def _lower_json(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    if not frame.data[tree.start_byte + 1 : tree.end_byte - 1].strip():
        return ir.Constant(to_site(node), None)
    return lower_json(frame, tree)


def _lower_debugged(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.parse_expressions(frame, tree)
    if nodes is None or len(nodes) != 1:
        return None
    value = frame.place(frame.lower_expression(nodes[0]))
    emit_call(frame, node, (ir.Argument(value),))
    return value


def _lower_statics(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower the statics in `thread_local!` and `lazy_static!`."""
    parts = tokens.strip_brackets(tree)
    if not parts:
        return build_unit(node)
    edits = {
        each.start_byte: b"   "
        for before, each in pairwise(parts)
        if before.type == "static" and each.end_byte - each.start_byte == 3 and frame.decode_text(each) == "ref"
    }
    root = fragments.parse_fragment(frame, tree.start_byte + 1, tree.end_byte - 1, b"", b";", edits)
    if root is None:
        return None
    found = [each for each in root.named_children if each.type in ("static_item", "const_item")]
    if not found:
        return None
    for each in found:
        name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
        if name is not None and value is not None:
            variable = ir.Variable(frame.name(name))
            frame.lower_into(value, variable)
            if frame.code.kind not in ("module", "class"):
                frame.bind(variable.name, variable)
    return build_unit(node)


MACROS: dict[str, MacroLowering] = {
    **dict.fromkeys(("format", "format_args", "anyhow", "eyre", "format_err"), _format),
    **dict.fromkeys(("print", "println", "eprint", "eprintln"), _print),
    **dict.fromkeys(("write", "writeln"), _write),
    **dict.fromkeys(("panic", "todo", "unimplemented", "unreachable"), lower_panic),
    **dict.fromkeys(("trace", "debug", "info", "warn", "error", "log", "event", "span"), lower_log),
    **dict.fromkeys((f"{level}_span" for level in ("trace", "debug", "info", "warn", "error")), lower_log),
    **dict.fromkeys(("thread_local", "lazy_static"), _lower_statics),
    "assert": lower_assertion,
    "assert_eq": build_comparison_lowering(True),
    "assert_ne": build_comparison_lowering(False),
    "bail": lower_bail,
    "concat": _lower_concat,
    "dbg": _lower_debugged,
    "ensure": lower_ensure,
    "join": lower_join,
    "json": _lower_json,
    "matches": lower_matches,
    "select": _select,
    "stringify": _lower_stringify,
    "try_join": lower_try_join,
    "vec": _lower_vec,
}
"""What lowers a macro, by its name without its path."""

VALUES["macro_invocation"] = _lower_macro
BRANCHES["macro_invocation"] = _lower_branching_macro
for _name in ("matches", "core::matches", "std::matches"):
    MACRO_TESTS[_name] = matches_test
__all__ = ["MACROS"]
