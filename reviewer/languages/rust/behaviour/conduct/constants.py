"""What constant arguments exclude: the branch that a call with `dry_run: true` never takes, and what it does not come to."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from types import MappingProxyType

from tree_sitter import Node

from reviewer.languages.nodes import child, of_kinds, string_of
from reviewer.languages.rust.behaviour.conduct.code import Code
from reviewer.languages.rust.behaviour.origins import binds
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, receiver
from reviewer.languages.rust.tokens import COMMENTS

Known = Mapping[str, str]
"""The parameters of a function whose values are known during one call, as they are written: `true`, `"read"`, `Mode::Read`.

Of `Some(..)` nothing is known but that it is not `None`.
"""

NOTHING: Known = MappingProxyType({})
SAME = frozenset({"to_string", "to_owned", "into", "as_str", "clone", "as_deref", "as_ref", "copied", "cloned"})
BINDING = ("let_declaration", "let_condition", "match_pattern", "for_expression", "closure_parameters")
LEAVING = re.compile(r"^(?:return|break|continue|(?:anyhow::)?bail!|panic!)\b")
MEMBER = re.compile(r"(?:\w+::)*([A-Z]\w*::[A-Z]\w*)")
OPPOSITE = {"true": "false", "false": "true"}


def constant(node: Node | None, known: Known) -> str | None:
    """Give the value of an expression that is written out, a variant, or a parameter that is known."""
    match node.type if node is not None else "":
        case "boolean_literal" | "string_literal":
            return string_of(node) if node is not None else None
        case "identifier":
            name = string_of(node) if node is not None else ""
            return name if name == "None" else known.get(name)
        case "scoped_identifier":
            member = MEMBER.fullmatch(string_of(node)) if node is not None else None
            return member[1] if member is not None else None
        case "reference_expression" | "parenthesized_expression":
            return constant(node.named_children[-1], known) if node is not None and node.named_children else None
        case "call_expression":
            return _called(node, known) if node is not None else None
    return None


def _called(call: Node, known: Known) -> str | None:
    """Read `Some(..)` and what leaves a value as it is: `"read".to_string()`."""
    on, name = receiver(call), called(call)
    if on is not None:
        return constant(on, known) if name in SAME and not arguments_of(call) else None
    return "Some" if string_of(child(call, "function") or call) == "Some" else None


def handed_over(parameters: Iterable[str], handed: list[Node], body: Node, known: Known) -> Known:
    """Give the constants that a call hands to a function which binds them to nothing else."""
    said = {name: constant(node, known) for name, node in zip(parameters, handed, strict=True)}
    found = {name: value for name, value in said.items() if value is not None}
    return {name: value for name, value in found.items() if not _is_changed(name, body)} if found else NOTHING


def _is_changed(name: str, body: Node) -> bool:
    if re.search(rb"&mut\s+" + re.escape(name.encode()) + rb"\b", body.text or b"") is not None:
        return True
    for each in of_kinds(body, "rust", *BINDING):
        if binds(
            child(each, "pattern") or (each if each.type not in ("let_declaration", "let_condition") else None), name
        ):
            return True
    assigned = of_kinds(body, "rust", "assignment_expression", "compound_assignment_expr")
    return any(string_of(child(each, "left") or each) == name for each in assigned)


def excluded(code: Code, known: Known) -> Iterator[Node]:
    """Find the parts of some code that a run does not come to with what is known."""
    for each in code.of("if_expression", "match_expression", "let_declaration") if known else ():
        match each.type:
            case "if_expression":
                yield from _of_test(each, known)
            case "match_expression":
                yield from _of_match(each, known)
            case _:
                yield from _of_let(each, known)


def _of_test(test: Node, known: Known) -> Iterator[Node]:
    said = verdict(child(test, "condition"), known)
    taken, otherwise = child(test, "consequence"), child(test, "alternative")
    if said is False and taken is not None:
        yield taken
    if said is True:
        yield from (otherwise,) if otherwise is not None else ()
        yield from _after(test) if taken is not None and _leaves(taken) else ()


def _of_let(let: Node, known: Known) -> Iterator[Node]:
    """Read `let Some(path) = path else { return };`."""
    otherwise = child(let, "alternative")
    said = _matches(child(let, "pattern"), constant(child(let, "value"), known))
    if otherwise is not None and said is not None:
        yield from (otherwise,) if said else _after(let)


def _of_match(match: Node, known: Known) -> Iterator[Node]:
    value, body = constant(child(match, "value"), known), child(match, "body")
    taken = False
    for arm in body.named_children if body is not None and value is not None else ():
        pattern = child(arm, "pattern") if arm.type == "match_arm" else None
        if pattern is None:
            continue
        said = _matches(pattern, value)
        if taken or said is False:
            yield arm
        taken = taken or (said is True and child(pattern, "condition") is None)


def _after(node: Node) -> Iterator[Node]:
    """Give the statements behind one."""
    current = node.parent if node.parent is not None and node.parent.type == "expression_statement" else node
    behind = current.next_named_sibling if current.parent is not None and current.parent.type == "block" else None
    while behind is not None:
        yield behind
        behind = behind.next_named_sibling


def _leaves(block: Node) -> bool:
    held = [part for part in block.named_children if part.type not in COMMENTS]
    return bool(held) and LEAVING.match(string_of(held[-1])) is not None


def verdict(test: Node | None, known: Known) -> bool | None:
    """Tell how a condition comes out; None if what is known does not say."""
    match test.type if test is not None else "":
        case "parenthesized_expression":
            return verdict(next(iter(test.named_children), None), known) if test is not None else None
        case "unary_expression" if test is not None and string_of(test).startswith("!"):
            said = verdict(test.named_children[-1], known)
            return None if said is None else not said
        case "binary_expression":
            return _joined(test, known) if test is not None else None
        case "let_condition":
            return _matches(child(test, "pattern"), constant(child(test, "value"), known))
        case "call_expression" if test is not None and called(test) in ("is_some", "is_none"):
            said = _same(constant(receiver(test), known), "None")
            return None if said is None else said is (called(test) == "is_none")
    value = constant(test, known)
    return value == "true" if value in OPPOSITE else None


def _joined(test: Node, known: Known) -> bool | None:
    """Read a comparison, or two conditions that are joined."""
    operator = string_of(child(test, "operator") or test)
    left, right = child(test, "left"), child(test, "right")
    if operator in ("==", "!="):
        said = _same(constant(left, known), constant(right, known))
        return None if said is None else said is (operator == "==")
    if operator not in ("&&", "||"):
        return None
    sides, decides = (verdict(left, known), verdict(right, known)), operator == "||"
    return decides if decides in sides else None if None in sides else not decides


def _same(one: str | None, other: str | None) -> bool | None:
    """Compare two constants: those that are written alike are one, and those of one kind that are not are two."""
    if one is None or other is None or one == other == "Some":
        return None
    return one == other if one == other or _kind(one) == _kind(other) else None


def _kind(value: str) -> str:
    if value in ("None", "Some"):
        return "option"
    return "bool" if value in OPPOSITE else "text" if value.startswith('"') else value.partition("::")[0]


def _matches(pattern: Node | None, value: str | None) -> bool | None:
    """Tell whether a pattern takes a value."""
    if pattern is None or value is None:
        return None
    if pattern.type in ("match_pattern", "or_pattern"):
        parts = list(takewhile(lambda part: part != child(pattern, "condition"), pattern.named_children))
        said = [_matches(part, value) for part in parts]
        if not parts:
            return True  # `_`
        return True if True in said else None if None in said else False
    if pattern.type == "tuple_struct_pattern":
        name = string_of(child(pattern, "type") or pattern)
        return {"None": False}.get(value) if name == "Some" else None
    return _same(constant(pattern, NOTHING), value)
