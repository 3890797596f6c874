"""What holds of the intermediate representation of any file of Rust."""

import re
from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.code import ir
from reviewer.languages.nodes import parse
from reviewer.languages.rust.lowering import lower_module
from reviewer.languages.rust.lowering.macros import MACROS
from reviewer.languages.rust.lowering.patterns import FAILING, HOLDING
from reviewer.source import Source

NEVER_RUN = frozenset(
    {
        "enum_item", "struct_item", "union_item", "type_item", "trait_bounds", "type_arguments", "attribute_item", "token_tree",
        "inner_attribute_item", "macro_definition", "array_type", "match_pattern", "foreign_mod_item", "type_parameters",
        "generic_type", "where_clause", "ERROR",
    }
)  # fmt: skip
"""What has no calls that run where it stands, or is not Rust."""
PATTERNS = frozenset({"let_declaration", "let_condition", "for_expression", "parameter", "closure_parameters"})
KEPT = frozenset({"write", "print", "println", "eprint", "eprintln", "writeln", "dbg"})
"""Macros of the table that are calls."""
GENERICS = re.compile(r"\s+|::<.*>")


def module(source: Source) -> ir.Code:
    """Return the code of a file."""
    return lower_module(source, parse(source, "rust"))


def calls_written(node: Node) -> Iterator[tuple[int, int]]:
    """Yield the places of the calls in the syntax tree that are to be calls in the code."""
    pending = [node]
    is_test = False
    while pending:
        each = pending.pop()
        kind = each.type
        if kind in NEVER_RUN or each.is_missing:
            continue
        if (kind == "call_expression" and _is_call(each)) or (kind == "macro_invocation" and _is_kept(each)):
            yield each.start_byte, each.end_byte
        form = each.child_by_field_name("pattern") if kind in PATTERNS else None
        inner: list[Node] = []
        for part in each.named_children:
            if part.type == "attribute_item":
                is_test = is_test or part.text == b"#[cfg(test)]"
            elif part.type not in ("line_comment", "block_comment"):
                if not is_test and part != form and not _is_loose(part):
                    inner.append(part)
                is_test = False
        pending += inner


def _is_loose(node: Node) -> bool:
    return node.type in ("assignment_expression",) and node.children[0].type == "call_expression"


def _is_call(node: Node) -> bool:
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    written = (function.text or b"").decode() if function is not None else ""
    parts = tuple(GENERICS.sub("", written).split("::"))
    if function is not None and function.type == "break_expression":
        return False
    arguments = [] if given is None else [each for each in given.named_children if "comment" not in each.type]
    return not (parts in HOLDING | FAILING and len(arguments) == 1)


def _is_kept(node: Node) -> bool:
    name = node.child_by_field_name("macro")
    last = (name.text or b"").decode().rpartition("::")[2] if name is not None else ""
    return last not in MACROS or last in KEPT


def calls_lowered(codes: list[ir.Code]) -> Counter[tuple[int, int]]:
    """Count the places of the calls in the code."""
    calls = (each for code in codes for each in ir.iter_statements(code.body) if isinstance(each, ir.Call))
    return Counter((each.at.start, each.at.end) for each in calls)


def unbound(code: ir.Code) -> list[ir.Variable]:
    """Return the variables that are read and bound by no statement or parameter of a code or of one around it.

    What stands behind a `return` is left out: it is never assigned anything, so its variables are not bound (`Frame.give`).
    """
    bound: set[ir.Variable] = set()
    around: ir.Code | None = code
    while around is not None:
        bound |= {each.variable for each in around.parameters}
        for statement in ir.iter_statements(around.body):
            bound |= {getattr(statement, name) for name in ("target", "element") if hasattr(statement, name)}
        around = around.around
    return [
        each.variable
        for statement in ir.iter_reachable(code.body)
        for each in ir.iter_expressions(statement)
        if isinstance(each, ir.Read) and each.variable not in bound
    ]
