"""JSON as `json!` has it: objects and arrays of it, and expressions among them.

Its `{`, `:` and `}` are written over by `(`, `=` and `)`, so that an object is a tuple of assignments; which brackets stood there
is asked of the file.
"""

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.lowering import to_site
from reviewer.languages.rust.lowering.fragments import Edits, descend_to, parse_expression, parse_fragment
from reviewer.languages.rust.lowering.frame import DEEPEST, TOO_DEEP, RustFrame
from reviewer.languages.rust.lowering.order import Operands
from reviewer.languages.rust.syntax.tokens import COMMENTS, split, strip_brackets


def lower_json(frame: RustFrame, tree: Node) -> ir.Expression | None:
    """Lower the tokens of `json!`, or None if they are no JSON with expressions."""
    edits: Edits = {}
    _plan(strip_brackets(tree), edits)
    root = parse_fragment(frame, tree.start_byte + 1, tree.end_byte - 1, b"(", b");", edits)
    if root is None or root.has_error:
        return None
    sole = descend_to(root, "parenthesized_expression")
    node = next((each for each in sole.named_children if each.type not in COMMENTS), None) if sole is not None else None
    return _lower_value(frame, node) if node is not None else None


def _plan(value: list[Node], edits: Edits) -> None:
    """Say which bytes are to be written over so that values of JSON are expressions."""
    pending = [value]
    while pending:
        each = pending.pop()
        if len(each) != 1 or each[0].type != "token_tree":
            continue
        tree = each[0]
        opening = tree.children[0].type
        if opening == "[":
            pending += split(strip_brackets(tree))
        elif opening == "{":
            edits[tree.start_byte] = b"("
            edits[tree.end_byte - 1] = b")"
            for entry in split(strip_brackets(tree)):
                colon = next((index for index, part in enumerate(entry) if part.type == ":"), None)
                if colon is not None:
                    edits[entry[colon].start_byte] = b"="
                    pending.append(entry[colon + 1 :])


def _lower_value(frame: RustFrame, node: Node) -> ir.Expression:
    if frame.depth >= DEEPEST:
        return frame.lower_unknown(node, TOO_DEEP)
    opening = frame.data[node.start_byte : node.start_byte + 1]
    frame.depth += 1
    if opening == b"{" and node.type in ("tuple_expression", "parenthesized_expression", "unit_expression"):
        result = _lower_object(frame, node)
    elif opening == b"[" and node.type == "array_expression":
        values = Values(frame)
        for each in _collect_parts(node):
            values.add(each)
        result = ir.Sequence(to_site(node), "list", tuple(values.values))
    elif node.type == "identifier" and frame.decode_text(node) == "null":
        result = ir.Constant(to_site(node), None)
    else:
        result = frame.lower_expression(node)
    frame.depth -= 1
    return result


class Values(Operands):
    """Values of JSON one after another."""

    def _lower(self, node: Node) -> ir.Expression:
        return _lower_value(self._frame, node)


def _lower_object(frame: RustFrame, node: Node) -> ir.Expression:
    values = Values(frame)
    for each in _collect_parts(node):
        left, right = each.child_by_field_name("left"), each.child_by_field_name("right")
        if each.type == "assignment_expression" and left is not None and right is not None:
            values.add(left)
            values.add(right)
    found = values.values
    return ir.Record(to_site(node), None, tuple(zip(found[::2], found[1::2], strict=False)))


def _collect_parts(node: Node) -> list[Node]:
    return [each for each in node.named_children if each.type not in COMMENTS]


__all__ = ["lower_json", "parse_expression"]
