"""Where a server listens: whether an address is the loopback interface's."""

import re

from tree_sitter import Node

from reviewer.languages.nodes import child, parent_of, string_of
from reviewer.languages.rust.behaviour.origins import origin
from reviewer.languages.rust.behaviour.trails import Held, calls_of
from reviewer.languages.rust.bindings import arguments_of
from reviewer.languages.rust.callees import below, called, constant
from reviewer.languages.rust.items import Items

LOOPBACK = re.compile(r"127\.0\.0\.\d|\blocalhost\b|\[?::1\]?|\bLOCALHOST\b|127\s*,\s*0\s*,\s*0")
ANYWHERE = re.compile(r"0\.0\.0\.0|\bUNSPECIFIED\b|\[::\]|\b0\s*,\s*0\s*,\s*0\s*,\s*0\b")
DEFAULT = r"default_value(?:_t)?\s*=\s*([^\n]*)\n(?:\s*(?:#\[|///)[^\n]*\n)*\s*(?:pub(?:\([^)]*\))?\s+)?{}\s*:"
BINDS = frozenset({"bind", "try_bind", "bind_addr", "bind_rustls"})
DEPTH = 3


def is_local(items: Items, passed: list[Held]) -> bool | None:
    """Tell whether some functions bind the loopback interface only, as it is written or the default; None if nothing tells."""
    bound = [
        loopback(" ".join(_written(items, argument, path, DEPTH)))
        for function, path in passed
        for call in below(function)
        if call.type == "call_expression" and called(call) in BINDS
        for argument in arguments_of(call)[:1]
    ]
    return False if False in bound else None if None in bound or not bound else True


def loopback(text: str) -> bool | None:
    """Tell whether code names the loopback interface and no other; None if it names none."""
    if ANYWHERE.search(text) is not None:
        return False
    return True if LOOPBACK.search(text) is not None else None


def _written(items: Items, node: Node, path: str, depth: int) -> list[str]:
    """Give the code that an address is made of: its own, that of the names in it, the default of an option."""
    texts = [string_of(node)]
    for part in below(node) if depth > 0 else ():
        if part.type == "identifier":
            texts += _of_name(items, part, path, depth)
        elif part.type == "field_identifier":
            texts += _defaults(items, string_of(part))
    return texts


def _of_name(items: Items, name: Node, path: str, depth: int) -> list[str]:
    found = origin(name)
    if found is not None:
        return [text for value in found.values for text in _written(items, value, path, depth - 1)]
    fixed = constant(items, name, path)
    if fixed is not None:
        return [string_of(fixed[0])]
    return _of_parameter(items, name, path, depth)


def _of_parameter(items: Items, name: Node, path: str, depth: int) -> list[str]:
    """Give what callers hand over for a parameter."""
    function: Node | None = name
    while function is not None and function.type != "function_item":
        function = parent_of(function)
    listed = child(function, "parameters")
    parts = [part for part in (listed.named_children if listed is not None else ()) if part.type == "parameter"]
    names = [string_of(child(part, "pattern") or part).removeprefix("mut ") for part in parts]
    if function is None or string_of(name) not in names:
        return []
    index = names.index(string_of(name))
    return [
        text
        for call, place in calls_of(items, function, path)
        for argument in arguments_of(call)[index : index + 1]
        for text in _written(items, argument, place, depth - 1)
    ]


def _defaults(items: Items, field: str) -> list[str]:
    """Give the default that the command line has for an option."""
    pattern = re.compile(DEFAULT.format(re.escape(field)))
    files = items.mentioning(re.compile(rb"default_value"))
    return [text for path in files for text in pattern.findall(items.sources[path].data.decode("utf-8", "replace"))]
