"""Calls of macros. What becomes of which:

| macro | lowered to |
| --- | --- |
| `format!`, `format_args!`, `anyhow!`, `eyre!`, `format_err!` | `Interpolation`, or the constant; `anyhow!(error)` is the error |
| `concat!` | `Constant`, or `Interpolation` |
| `stringify!` | `Constant` |
| `print!`, `println!`, `eprint!`, `eprintln!` | `Call` with the text |
| `write!`, `writeln!` | `Call` with the writer and the text |
| `trace!` to `error!`, `log!`, `event!`, `span!` and their like | `Call` with the text, fields and `target` by name |
| `panic!`, `todo!`, `unimplemented!`, `unreachable!` | `Call` with the text, then `Raise` of what it gives |
| `assert!`, `assert_eq!`, `assert_ne!`, those with `debug_` | `If` it does not hold, `Call` of `panic!` and `Raise` |
| `bail!`, `ensure!` | `Return` of a `Failure`, the second if the condition does not hold |
| `matches!` | the tests of a pattern |
| `vec!` | `Sequence`, or one times its length |
| `json!` | `Record`, `Sequence`, or the value |
| `dbg!` | `Call`; its value is the argument's |
| `join!`, `try_join!` | `Await` of each, one after another |
| `select!` | `Call` with all futures, which gives the number of the branch; there `Await` of its future |
| `thread_local!`, `lazy_static!` | `Assign` of each |
| any other of expressions | `Call` of `name!` with them; `a => b` and JSON are the entries of a `Record` |
| any other of statements | `Call` of `name!` with them as a `Closure` |
| any other | `Call` of `name!` with what stands between commas, `Unknown` if it is no expression |
"""

from collections.abc import Callable
from itertools import pairwise

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.rust.lowering.branches import MACRO_TESTS, Gate, condition, negated, refuse, require_pattern
from reviewer.languages.rust.lowering.frame import BRANCHES, VALUES, Destination, Frame, Use, site
from reviewer.languages.rust.lowering.functions import closure
from reviewer.languages.rust.lowering.literals import string
from reviewer.languages.rust.lowering.macros import fragments
from reviewer.languages.rust.lowering.macros.concurrent import join, select, try_join
from reviewer.languages.rust.lowering.macros.formats import Given, has_captures, is_text, put_together, text
from reviewer.languages.rust.lowering.macros.json import json
from reviewer.languages.rust.lowering.names import meant, path
from reviewer.languages.rust.lowering.order import operands
from reviewer.languages.rust.lowering.patterns import pattern

Handler = Callable[[Frame, Node, Node], ir.Expression | None]
"""The macro's call and its tokens → what it gives, or None if it cannot be lowered so."""


def _macro(frame: Frame, node: Node) -> ir.Expression:
    name, tree = _parts(node)
    if name is None or tree is None:
        return frame.unknown(node, node.type)
    handler = MACROS.get(_last(frame, name))
    found = handler(frame, node, tree) if handler is not None else None
    return found if found is not None else _call(frame, node, _arguments(frame, tree))


def _branching(frame: Frame, node: Node, destination: Destination) -> None:
    name, tree = _parts(node)
    if name is None or tree is None or _last(frame, name) != "select" or not select(frame, node, tree, destination):
        frame.give(_macro(frame, node), destination)


def _parts(node: Node) -> tuple[Node | None, Node | None]:
    tree = next((each for each in node.named_children if each.type == "token_tree"), None)
    return node.child_by_field_name("macro"), tree


def _last(frame: Frame, name: Node) -> str:
    return frame.text(name).rpartition("::")[2].removeprefix("r#")


def _select(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    result = ir.Variable()
    return ir.Read(site(node), result) if select(frame, node, tree, result) else None


def _unit(node: Node) -> ir.Expression:
    return ir.Sequence(site(node), "tuple", ())


def callee(frame: Frame, node: Node) -> ir.Expression:
    """Return the name of a macro, with its `!`."""
    name = node.child_by_field_name("macro")
    if name is None:
        return ir.Global(site(node), ("!",))
    found = meant(frame, path(frame, name))
    return ir.Global(site(name), (*found[:-1], f"{found[-1]}!"))


def _call(frame: Frame, node: Node, arguments: tuple[ir.Argument, ...]) -> ir.Expression:
    target = ir.Variable()
    at = site(node)
    frame.out.append(ir.Call(at, target, callee(frame, node), arguments))
    return ir.Read(at, target)


def _arguments(frame: Frame, tree: Node) -> tuple[ir.Argument, ...]:
    """Lower the tokens of a macro that nothing is known of."""
    nodes = fragments.listed(frame, tree)
    if nodes is not None:
        given = Given(frame, nodes)
        for index, each in enumerate(given.nodes):
            if has_captures(frame, each):
                written = string(frame.text(each))
                if isinstance(written, str):
                    given.values[index] = put_together(frame, written, site(each), given.after(index + 1), site(each))
        return given.arguments()
    entries = _entries(frame, tree) or json(frame, tree)
    if entries is not None:
        return (ir.Argument(entries),)
    body = fragments.block(frame, tree.start_byte, tree.end_byte) if tree.children[0].type == "{" else None
    if body is not None:
        return (ir.Argument(closure(frame, body, "closure", body)),)
    return tuple(ir.Argument(_unread(frame, each)) for each in fragments.split(fragments.tokens(tree)))


def _entries(frame: Frame, tree: Node) -> ir.Expression | None:
    """Lower `{ a => b, c => d }`."""
    arrows = [each.start_byte for each in fragments.tokens(tree) if each.type == "=>"]
    nodes = fragments.listed(frame, tree, dict.fromkeys(arrows, b"= ")) if arrows else None
    if nodes is None or not all(each.type == "assignment_expression" for each in nodes):
        return None
    parts = [part for each in nodes for part in (each.child_by_field_name("left"), each.child_by_field_name("right"))]
    values = operands(frame, [each for each in parts if each is not None])
    return ir.Record(site(tree), None, tuple(zip(values[::2], values[1::2], strict=False)))


def _unread(frame: Frame, tokens: list[Node]) -> ir.Expression:
    """Lower an argument of a macro whose others are no expressions, or what of it is an expression between semicolons."""
    parts: list[ir.Expression] = []
    stretches = fragments.split(tokens, ";")
    for each in stretches:
        found = fragments.expression(frame, each[0].start_byte, each[-1].end_byte)
        if found is not None:
            parts.append(frame.value(found))
    if len(parts) == len(stretches) == 1:
        return parts[0]
    unread = ir.Unknown(ir.Site(tokens[0].start_byte, tokens[-1].end_byte), tuple(parts), "token_tree")
    frame.code.unknown.append(unread)
    return unread


def _text_of(frame: Frame, node: Node, nodes: list[Node]) -> tuple[ir.Argument, ...]:
    return (ir.Argument(text(frame, nodes, site(node))),) if nodes else ()


def _format(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    return text(frame, nodes, site(node))


def _print(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    return _call(frame, node, _text_of(frame, node, nodes))


def _write(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if not nodes:
        return None
    writer = ir.Argument(frame.value(nodes[0]))
    return _call(frame, node, (writer, *_text_of(frame, node, nodes[1:])))


def _concat(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    values = operands(frame, nodes)
    at = site(node)
    if all(isinstance(each, ir.Constant) for each in values):
        joined = "".join(str(each.value) for each in values if isinstance(each, ir.Constant))
        return ir.Constant(at, joined)
    return ir.Interpolation(at, tuple(values))


def _stringify(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    written = frame.data[tree.start_byte + 1 : tree.end_byte - 1].decode("utf-8", "replace")
    return ir.Constant(site(node), written)


def _panic(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    return _fail(frame, node, callee(frame, node), nodes)


def _fail(frame: Frame, node: Node, function: ir.Expression, nodes: list[Node]) -> ir.Expression:
    at, target = site(node), ir.Variable()
    said = _text_of(frame, node, nodes)
    frame.out.append(ir.Call(at, target, function, said))
    frame.out.append(ir.Raise(at, ir.Read(at, target)))
    return ir.Read(at, target)


def _panicking(node: Node) -> ir.Expression:
    return ir.Global(site(node), ("panic!",))


def _assert(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if not nodes:
        return None
    gate = Gate(frame, site(node))
    condition(frame, nodes[0], gate, holds=False)
    _fail(frame, node, _panicking(node), nodes[1:])
    gate.close()
    return _unit(node)


def _assert_compared(holds: bool) -> Handler:
    def lower(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
        nodes = fragments.listed(frame, tree)
        if nodes is None or len(nodes) < 2:
            return None
        at = site(node)
        left, right = operands(frame, nodes[:2])
        test: ir.Expression = ir.Comparison(at, "==", left, right)
        around, frame.out = frame.out, []
        _fail(frame, node, _panicking(node), nodes[2:])
        body, frame.out = tuple(frame.out), around
        frame.out.append(ir.If(at, negated(test) if holds else test, body))
        return _unit(node)

    return lower


def _bail(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None:
        return None
    at = site(node)
    frame.out.append(ir.Return(at, ir.Failure(at, text(frame, nodes, at))))
    return _unit(node)


def _ensure(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if not nodes:
        return None
    at = site(node)
    gate = Gate(frame, at)
    condition(frame, nodes[0], gate, holds=False)
    said = text(frame, nodes[1:], at) if len(nodes) > 1 else ir.Constant(at, frame.text(nodes[0]))
    frame.out.append(ir.Return(at, ir.Failure(at, said)))
    gate.close()
    return _unit(node)


def _vec(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
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


def _json(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    if not frame.data[tree.start_byte + 1 : tree.end_byte - 1].strip():
        return ir.Constant(site(node), None)
    return json(frame, tree)


def _matching(frame: Frame, tree: Node) -> tuple[Node, Node] | None:
    """Return what a `matches!` looks at, and the arm of its pattern and guard."""
    parts = fragments.tokens(tree)
    comma = next((index for index, each in enumerate(parts) if each.type == ","), None)
    if not comma or comma + 1 == len(parts):
        return None
    last = -2 if parts[-1].type == "," else -1
    value = fragments.expression(frame, parts[0].start_byte, parts[comma - 1].end_byte)
    arms = fragments.arms(frame, parts[comma + 1].start_byte, parts[last].end_byte)
    return (value, arms[0]) if value is not None and len(arms) == 1 else None


def _matches_test(frame: Frame, node: Node, gate: Gate, holds: bool) -> bool:
    tree = next((each for each in node.named_children if each.type == "token_tree"), None)
    found = _matching(frame, tree) if tree is not None else None
    if found is None:
        return False
    value = frame.place(frame.value(found[0]))
    form = found[1].child_by_field_name("pattern")
    if form is None:
        return False
    guard = form.child_by_field_name("condition")
    inner = next((each for each in form.children if each.is_named or each.type == "_"), form)

    def enter(within: Gate) -> None:
        mark = frame.mark()
        require_pattern(within, pattern(frame, inner, value), frame)
        if guard is not None:
            condition(frame, guard, within)
        frame.undo(mark)

    if holds:
        enter(gate)
    else:
        refuse(frame, gate, enter)
    return True


def _matches(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    at = site(node)
    mark = len(frame.out)
    result = ir.Variable()
    gate = Gate(frame, at)
    if not _matches_test(frame, node, gate, True):
        return None
    single = gate.sole()
    if single is not None and not frame.out:
        gate.close()
        del frame.out[-1:]
        return single
    frame.out.append(ir.Assign(at, result, ir.Constant(at, True)))
    gate.close()
    frame.out.insert(mark, ir.Assign(at, result, ir.Constant(at, False)))
    return ir.Read(at, result)


def _debugged(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    nodes = fragments.listed(frame, tree)
    if nodes is None or len(nodes) != 1:
        return None
    value = frame.place(frame.value(nodes[0]))
    _call(frame, node, (ir.Argument(value),))
    return value


def _log(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower a line of a log: fields by name, and a text; `%` and `?` before a value say how it is written."""
    edits: fragments.Edits = {}
    shorthand: set[int] = set()
    parts = fragments.tokens(tree)
    edits.update((each.start_byte, b",") for each in parts if each.type == ";")
    for part in fragments.split(parts):
        for stretch in fragments.split(part, ";"):
            _plan_field(stretch, edits, shorthand)
    nodes = fragments.listed(frame, tree, edits)
    if nodes is None:
        return None
    start = next((index for index, each in enumerate(nodes) if is_text(each)), len(nodes))
    fields = Given(frame, nodes[:start])
    for index, each in enumerate(nodes[:start]):
        if fields.names[index] is None and (
            each.start_byte in shorthand or each.type in ("identifier", "field_expression")
        ):
            fields.names[index] = frame.text(each)
    said = _text_of(frame, node, nodes[start:])
    return _call(frame, node, (*fields.arguments(), *said))


def _plan_field(part: list[Node], edits: fragments.Edits, shorthand: set[int]) -> None:
    if part[0].type in ("?", "%"):
        edits[part[0].start_byte] = b" "
        if len(part) > 1:
            shorthand.add(part[1].start_byte)
    elif len(part) > 2 and part[1].type == ":" and part[0].type == "identifier":
        edits[part[1].start_byte] = b"="
    equals = next((index for index, each in enumerate(part) if each.type == "="), None)
    if equals is not None and equals + 1 < len(part) and part[equals + 1].type in ("?", "%"):
        edits[part[equals + 1].start_byte] = b" "


def _statics(frame: Frame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower the statics in `thread_local!` and `lazy_static!`."""
    parts = fragments.tokens(tree)
    if not parts:
        return _unit(node)
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
    return _unit(node)


MACROS: dict[str, Handler] = {
    **dict.fromkeys(("format", "format_args", "anyhow", "eyre", "format_err"), _format),
    **dict.fromkeys(("print", "println", "eprint", "eprintln"), _print),
    **dict.fromkeys(("write", "writeln"), _write),
    **dict.fromkeys(("panic", "todo", "unimplemented", "unreachable"), _panic),
    **dict.fromkeys(("assert", "debug_assert"), _assert),
    **dict.fromkeys(("assert_eq", "debug_assert_eq"), _assert_compared(True)),
    **dict.fromkeys(("assert_ne", "debug_assert_ne"), _assert_compared(False)),
    **dict.fromkeys(("trace", "debug", "info", "warn", "error", "log", "event", "span"), _log),
    **dict.fromkeys((f"{level}_span" for level in ("trace", "debug", "info", "warn", "error")), _log),
    **dict.fromkeys(("thread_local", "lazy_static"), _statics),
    "bail": _bail,
    "concat": _concat,
    "dbg": _debugged,
    "ensure": _ensure,
    "join": join,
    "json": _json,
    "matches": _matches,
    "select": _select,
    "stringify": _stringify,
    "try_join": try_join,
    "vec": _vec,
}
"""What lowers a macro, by its name without its path."""

VALUES["macro_invocation"] = _macro
BRANCHES["macro_invocation"] = _branching
for _name in ("matches", "core::matches", "std::matches"):
    MACRO_TESTS[_name] = _matches_test
__all__ = ["MACROS", "VALUES", "Use"]
