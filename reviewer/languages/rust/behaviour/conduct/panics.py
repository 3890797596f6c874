"""Code that ends in a panic for some input: the macros that say so, and `unwrap` of what a run decides."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Act
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.conduct.checks import is_checked
from reviewer.languages.rust.behaviour.conduct.reach import Stretch
from reviewer.languages.rust.behaviour.conduct.sources import PEELED
from reviewer.languages.rust.behaviour.conduct.types import name_of
from reviewer.languages.rust.behaviour.given_cursors import faults
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import called, last_segment, receiver
from reviewer.source import Text

PANICKING = frozenset({"panic", "todo", "unimplemented", "unreachable"})
UNWRITTEN = frozenset({"todo", "unimplemented"})
ARGUED = re.compile(
    r"checked|validated|verified|ensured|above|\bjust\b|always|invariant|infallible|static|hard-?coded|never|impossible|"
    r"guaranteed|must contain|"
    r"unlikely|already|non-?empty|literal|constant|\bknown\b|construct|normali[sz]ed|before|can(?:no|')t fail|safe",
    re.IGNORECASE,
)
UNWRAPPING = frozenset({"unwrap", "expect", "unwrap_err", "expect_err"})
LOCKING = frozenset(
    "lock read write try_lock borrow borrow_mut get_mut into_inner join wait wait_timeout wait_while recv send try_send "
    "partial_cmp take set get_or_init get_or_try_init upgrade try_into register build acquire acquire_owned "
    "downcast downcast_ref downcast_mut "
    "duration_since elapsed with_ymd_and_hms and_hms_opt from_timestamp checked_add checked_sub checked_mul checked_add_signed "
    "to_value to_string_pretty to_vec to_writer to_vec_pretty template write_str write_fmt finish flush spawn_blocking".split()
)
"""Methods whose failure is a fault of the program itself, if it ever comes about."""

NEVER = frozenset(
    "to_string to_value to_vec to_string_pretty to_vec_pretty new_from_slice from_static from_str_radix_const encode build "
    "Runtime current_dir current_exe now".split()
)
"""Functions that fail for no input, as they are used."""

TESTS = re.compile(
    r"is_some|is_ok|is_none|is_err|is_empty|len\s*\(|contains|starts_with|ends_with|matches!|is_string|is_array|is_object|is_u64|"
    r"is_number|is_match|==|!=|[<>]|\bSome\b|\bOk\b|is_null|is_i64|is_f64|is_boolean|any\s*\(|all\s*\("
)


def panics(stretch: Stretch) -> Iterator[Act]:
    """Find what panics; `about` is where the value comes from, if the call's arguments or the outside decide.

    What panics on a cursor is no act: it is among the cursors that clients give.
    """
    for macro in stretch.code.of("macro_invocation"):
        name = last_segment(child(macro, "macro") or macro)
        asked = _asked(stretch, macro, name) if name in PANICKING and stretch.placed(macro) == "call" else None
        if name == "unreachable" and asked is not None:
            yield Act("panics", stretch.code.text(macro))  # whoever called may have turned the rest away
        elif name in PANICKING - {"unreachable"} and stretch.placed(macro) == "call":
            yield Act("panics", stretch.code.text(macro), about=asked)
    apart = faults(stretch.items)
    for call in stretch.calls:
        on = receiver(call)
        if on is None or called(call) not in UNWRAPPING or stretch.placed(call) != "call":
            continue
        if apart and stretch.code.text(call).span in apart:
            continue  # that is told of the cursor itself
        if called(call) in ("expect", "expect_err") and _is_argued(call):
            continue
        if not _is_sure(stretch, call, on):
            yield Act("panics", stretch.code.text(call), about=_decided(stretch, on))


def _is_argued(call: Node) -> bool:
    """Tell whether an `expect` says why the value is there, rather than that it should be."""
    given = arguments_of(call)
    return len(given) != 1 or ARGUED.search(string_of(given[0])) is not None


def _asked(stretch: Stretch, macro: Node, name: str) -> Text | None:
    """Give what decides that a macro is reached: itself if nothing is written there yet, an argument that is tested."""
    if name in UNWRITTEN:
        return stretch.code.text(macro)
    for each in stretch.code.around(macro):
        value = child(each, "condition" if each.type == "if_expression" else "value")
        if each.type in ("if_expression", "match_expression") and value is not None:
            place = stretch.sources.input(value) or next(
                filter(None, map(stretch.sources.input, _compared(value))), None
            )
            if place is not None:
                return place
    return None


def _compared(value: Node) -> Iterator[Node]:
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if node.type in ("binary_expression", "unary_expression", "parenthesized_expression"):
            waiting += node.named_children
        elif node.type == "call_expression" and (on := receiver(node)) is not None:
            yield on
        else:
            yield node


def _decided(stretch: Stretch, value: Node) -> Text | None:
    return stretch.sources.input(value) or stretch.sources.outside(value)


def _is_sure(stretch: Stretch, call: Node, value: Node) -> bool:
    """Tell whether a value is surely there, or is not a matter of input."""
    value = _peeled(value)
    if value.type == "macro_invocation":
        return True  # `write!` to a text
    root = _root(value)
    if root.type in ("range_expression", "array_expression"):
        return True
    if root.type == "macro_invocation":
        return last_segment(child(root, "macro") or root) in ("json", "vec", "format", "write", "writeln")
    if value.type == "call_expression" and _never_fails(stretch, value):
        return True
    if root.type == "identifier" and (string_of(root).isupper() or _is_made_here(root)):
        return True
    return _is_tested(stretch, call, value, root)


def _is_tested(stretch: Stretch, call: Node, value: Node, root: Node) -> bool:
    names = {string_of(value), string_of(root)}
    names |= {string_of(on) for on in _chain(value)}
    return any(is_checked(stretch.code, call, name, TESTS) for name in names if name not in ("self", "Self"))


def _never_fails(stretch: Stretch, value: Node) -> bool:
    on, name, given = receiver(value), called(value) or "", arguments_of(value)
    if on is None:
        if stretch.sources.outside(value) is not None:
            return False
        if name in NEVER or (given and all(_is_fixed(part) or _is_json(part) for part in given)):
            return True
        return name[:1].isupper() or (not given and not name.startswith(("read", "load", "fetch")))
    if name in LOCKING:
        return True
    if _is_fixed(on) or (name == "first" and "split" in string_of(on)):
        return True
    if name in ("next", "last") and re.search(r"\.r?split(?:n|_terminator)?\s*\(", string_of(on)):
        return True
    if name == "get" and name_of((stretch.types.of(on) or ("",))[0]) in ("OnceLock", "OnceCell"):
        return True
    return name == "parse" and re.search(r"captures|\bcaps?\b", string_of(on)) is not None


def _is_json(node: Node) -> bool:
    """Tell whether a value is written as JSON here."""
    found = origin(node) if node.type == "identifier" else None
    values = found.values if found is not None else (node,)
    return all(re.match(r"(?:serde_json::)?json!", string_of(each)) is not None for each in values)


def _is_fixed(node: Node) -> bool:
    """Tell whether an expression is a literal, or made of literals and constants only."""
    node = _peeled(node)
    if node.type.endswith("_literal"):
        return True
    if node.type in ("identifier", "scoped_identifier"):
        return last_segment(node).isupper() or string_of(node) == "None"
    if node.type == "call_expression":
        on = receiver(node)
        return (
            bool(arguments_of(node))
            and all(_is_fixed(part) for part in arguments_of(node))
            and (on is None or _is_fixed(on))
        )
    return node.type in ("unary_expression", "array_expression", "tuple_expression", "binary_expression") and all(
        _is_fixed(part) for part in node.named_children
    )


def _peeled(node: Node) -> Node:
    while node.type in PEELED and node.type not in ("try_expression",):
        inner = [part for part in node.named_children if part.type != "mutable_specifier"]
        if not inner:
            return node
        node = inner[0]
    return node


def _chain(value: Node) -> Iterator[Node]:
    """Give the expressions that methods of a chain are called on, outermost first."""
    node: Node | None = value
    while node is not None:
        inner = receiver(node) if node.type == "call_expression" else None
        if inner is None and (node.type in PEELED or node.type in ("field_expression", "index_expression")):
            inner = child(node, "value") or (node.named_children[0] if node.named_children else None)
        if inner is not None:
            yield inner
        node = inner


def _root(value: Node) -> Node:
    return [value, *_chain(value)][-1]


def _is_made_here(name: Node) -> bool:
    """Tell whether a name is bound to a literal, or to what code here puts together itself."""
    found = origin(name)
    if found is None or len(found.values) != 1:
        return False
    value = _peeled(found.values[0])
    if value.type in ("macro_invocation", "struct_expression", "array_expression") or value.type.endswith("_literal"):
        return True
    return (
        value.type == "call_expression"
        and re.search(r"(?:Map|Vec|String|Set|Some|Duration)(?:::\w+)?$|Map::new", _head(value)) is not None
    )


def _head(call: Node) -> str:
    function = child(call, "function")
    return string_of(function) if function is not None else ""
