"""Exceptions by which a function says that nothing was found."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.behaviour.names import parts_of
from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.conduct.giving_back import is_given_back
from reviewer.languages.python.behaviour.conduct.graph import Deed, Unit
from reviewer.languages.python.behaviour.conduct.origins import given_to
from reviewer.languages.python.behaviour.following import arguments, below

BROAD = frozenset({"Exception", "BaseException"})
NOTHING = re.compile(r"\b(?:no|zero|nothing|empty|none)\b|not found|n't find|not any|without results", re.IGNORECASE)
LISTS = frozenset(
    "items results result rows matches hits entries records documents docs files papers articles messages events issues "
    "tasks notes pages users found data videos repos repositories images posts products list listing".split()
)
ASKING = re.compile(r"\b(?:provided|given|specified|supplied|passed|required|valid|must)\b", re.IGNORECASE)
"""Words of an error that speaks of what the call was given."""

NAMED = re.compile(r"\}\S*\s+(?:was |were |is |are )?(?:not found|does ?n[o']t exist)", re.IGNORECASE)
"""An error that names what was not found: `f"Module {module} not found"`."""

SINGLE = frozenset("id ids name key uuid slug path doi url identifier handle number email symbol".split())
"""Words by which one named thing is asked for."""

MADE = frozenset({"list_comprehension", "list", "generator_expression"})


def _made(node: Node) -> Node | None:
    """Give the class that is raised; None for what is only raised again."""
    given = next(iter(children(node)), None)
    function = child(given, "function") if given is not None and given.type == "call" else given
    last = string_of(child(function, "attribute") or function) if function is not None else ""
    return function if last[:1].isupper() else None


def raised(node: Node) -> str:
    """Name the class that is raised; empty if none is named."""
    made = _made(node)
    return string_of(made).rpartition(".")[2] if made is not None else ""


def is_caught(node: Node, name: str, unit: Unit) -> bool:
    """Tell whether a `try` around a node in the same function takes an exception of a class."""
    below_it, above = node, node.parent
    while above is not None and below_it.id != unit.body.id:
        if above.type == "try_statement" and child(above, "body") == below_it:
            for clause in children(above):
                if clause.type == "except_clause" and (_takes(clause) & (BROAD | {name}) or not _takes(clause)):
                    return True
        below_it, above = above, parent_of(above)
    return False


def _takes(clause: Node) -> set[str]:
    value = child(clause, "value")
    return {string_of(each) for each in below(value) if each.type == "identifier"} if value is not None else set()


def fails_empty(unit: Unit) -> Iterator[Deed]:
    """Find where a list in which nothing was found is answered with an error."""
    if b"raise" not in unit.text:
        return
    for node in unit.nodes("if_statement"):
        test, code = child(node, "condition"), child(node, "consequence")
        name = _emptiness(test) if test is not None else None
        statements = children(code) if code is not None else []
        error = next((each for each in statements if each.type == "raise_statement"), None)
        if name is not None and error is not None and NOTHING.search(string_of(error)) and _is_list(unit, name, node):
            if not _asks_for_one(error) and not is_caught(error, raised(error), unit):
                yield Deed("fails empty", error, unit.text_of(test) if test is not None else None)


def _emptiness(test: Node) -> Node | None:
    """Give the name that a test finds empty: `not items`, `len(items) == 0`, `items == []`."""
    if test.type == "parenthesized_expression":
        return _emptiness(children(test)[0])
    if test.type == "not_operator":
        inner = child(test, "argument")
        inner = arguments(inner)[0][0] if inner is not None and inner.type == "call" and _is_len(inner) else inner
        return inner if inner is not None and inner.type == "identifier" else None
    parts = children(test) if test.type == "comparison_operator" else []
    if len(parts) != 2 or not any(string_of(each) in ("==", "<") for each in test.children):
        return None
    left, right = parts
    if left.type == "call" and _is_len(left) and string_of(right) in ("0", "1"):
        held = arguments(left)[0]
        return held[0] if held and held[0].type == "identifier" else None
    return left if left.type == "identifier" and string_of(right) in ("[]", "()", "{}") else None


def _is_len(call: Node) -> bool:
    return string_of(child(call, "function") or call) == "len" and bool(arguments(call)[0])


def _is_list(unit: Unit, name: Node, after: Node) -> bool:
    """Tell whether a name surely stands for a list of what was looked for, all of which is given back."""
    said = string_of(name)
    value = given_to(said, name)
    if value is None or value.type == "type" or value.id == name.id:
        return False
    value = children(value)[0] if value.type == "await" else value
    is_made = value.type in MADE or not LISTS.isdisjoint(parts_of(said))
    first = re.compile(rf"\b{re.escape(said)}\[(?:0|-1)\]|next\(iter\({re.escape(said)}|\b{re.escape(said)}\.pop\(")
    rest = unit.text[after.end_byte - unit.body.start_byte :].decode("utf-8", "replace")
    if not is_made or first.search(rest) is not None or value.type in ("subscript", "dictionary"):
        return False
    return is_given_back(unit, said, after)


def _asks_for_one(error: Node) -> bool:
    """Tell whether an error names the one thing that was asked for, or speaks of what the call was given."""
    said = string_of(error)
    if ASKING.search(said) is not None or NAMED.search(said) is not None:
        return True
    names = [string_of(each) for each in below(error) if each.type == "interpolation"]
    return any(not SINGLE.isdisjoint(parts_of(name)) for name in names)
