"""`matches!`, as a condition and as a value."""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering import fragments
from reviewer.languages.rust.lowering.branches import ConditionGate, refuse, require_condition, require_pattern
from reviewer.languages.rust.lowering.frame import RustFrame
from reviewer.languages.rust.lowering.patterns import read_pattern
from reviewer.languages.rust.syntax import tokens


def _parse_matches(frame: RustFrame, tree: Node) -> tuple[Node, Node] | None:
    """Return the subject of a `matches!`, and the arm with its pattern and guard; None if it does not parse."""
    parts = tokens.strip_brackets(tree)
    comma = next((index for index, each in enumerate(parts) if each.type == ","), None)
    if not comma or comma + 1 == len(parts):
        return None
    last = -2 if parts[-1].type == "," else -1
    value = fragments.parse_expression(frame, parts[0].start_byte, parts[comma - 1].end_byte)
    arms = fragments.parse_arms(frame, parts[comma + 1].start_byte, parts[last].end_byte)
    return (value, arms[0]) if value is not None and len(arms) == 1 else None


def matches_test(frame: RustFrame, node: Node, gate: ConditionGate, holds: bool) -> bool:
    """Go on only if a pattern fits, or if it does not; return whether the macro could be read."""
    tree = next((each for each in node.named_children if each.type == "token_tree"), None)
    found = _parse_matches(frame, tree) if tree is not None else None
    if found is None:
        return False
    value = frame.place(frame.lower_expression(found[0]))
    form = found[1].child_by_field_name("pattern")
    if form is None:
        return False
    guard = form.child_by_field_name("condition")
    inner = next((each for each in form.children if each.is_named or each.type == "_"), form)

    def enter(within: ConditionGate) -> None:
        mark = frame.mark()
        require_pattern(within, read_pattern(frame, inner, value), frame)
        if guard is not None:
            require_condition(frame, guard, within)
        frame.undo(mark)

    if holds:
        enter(gate)
    else:
        refuse(frame, gate, enter)
    return True


def lower_matches(frame: RustFrame, node: Node, tree: Node) -> ir.Expression | None:
    """Lower `matches!(value, pattern)` that is no condition."""
    at = to_site(node)
    mark = len(frame.out)
    result = ir.Variable()
    gate = ConditionGate(frame, at)
    if not matches_test(frame, node, gate, True):
        return None
    single = gate.find_sole_test()
    if single is not None and not frame.out:
        gate.close()
        del frame.out[-1:]
        return single
    frame.out.append(ir.Assign(at, result, ir.Constant(at, True)))
    gate.close()
    frame.out.insert(mark, ir.Assign(at, result, ir.Constant(at, False)))
    return ir.Read(at, result)
