"""Expressions that surely come to an absolute path: resolved, made of the working directory, of a home, of the file itself."""

import re

from tree_sitter import Node

from reviewer.languages.nodes import child, children, of_kinds, string_of
from reviewer.languages.python.behaviour.conduct.graph import Unit, target, unit_at
from reviewer.languages.python.behaviour.conduct.origins import attribute_value, class_of, given_to
from reviewer.languages.python.behaviour.exits import returned
from reviewer.languages.python.behaviour.following import arguments, called, receiver
from reviewer.languages.python.values import Instance, Unknown, assumed

DEEPEST = 6
"""How many names and calls are followed from an expression to what it comes from."""

ROOTED = re.compile(
    r"os(?:\.path)?\.(?:abspath|realpath|getcwd)|pathlib\.\w*Path(?:\(\))?\.(?:cwd|home)|tempfile\.(?:gettempdir|mkdtemp|mkstemp)"
)
RESOLVING = frozenset({"resolve", "absolute"})
PATHLIKE = re.compile(
    r"(?:^|[._])(?:path|file|filename|dir|directory|folder|root|base|target|workspace)$", re.IGNORECASE
)
SAYING = re.compile(r"(?:^|[._])(?:abs|absolute|resolved|real|canonical)_?(?:path|file|filename|dir|directory)$")
"""Names that say themselves that a path is absolute."""

KEEPING = frozenset({"joinpath", "with_suffix", "with_name", "with_stem", "as_posix", "strip", "rstrip", "__str__"})
"""Methods that leave an absolute path absolute."""

FORMING = frozenset({"str", "fspath", "Path", "PurePath", "normpath", "dirname", "join", "expanduser"})
"""Functions that give the path that they are handed, at least its beginning."""


def is_absolute(unit: Unit, node: Node | None, depth: int = 0) -> bool:
    """Tell whether an expression surely is an absolute path, or a text of one."""
    if node is None or depth > DEEPEST:
        return False
    match node.type:
        case "identifier":
            return _is_name(unit, node, depth)
        case "attribute":
            return _is_attribute(unit, node, depth)
        case "call":
            return _is_call(unit, node, depth)
        case "parenthesized_expression" | "await":
            return is_absolute(unit, next(iter(children(node)), None), depth)
        case "conditional_expression":
            return all(is_absolute(unit, each, depth + 1) for each in (children(node)[0], children(node)[-1]))
        case "binary_operator" if string_of(child(node, "operator") or node) in ("/", "+"):
            return is_absolute(unit, child(node, "left"), depth + 1)
        case "string":
            return _begins(unit, node, depth)
    return False


def _begins(unit: Unit, node: Node, depth: int) -> bool:
    """Tell whether a text begins with an absolute path: `f"{root}/plans"`."""
    parts = [part for part in children(node) if part.type in ("string_content", "interpolation")]
    first = parts[0] if parts and parts[0].type == "interpolation" else None
    return first is not None and b" " not in (node.text or b"") and is_absolute(unit, children(first)[0], depth + 1)


def _is_name(unit: Unit, node: Node, depth: int) -> bool:
    name = string_of(node)
    value = given_to(name, node)
    if value is None:
        return name == "__file__" or _is_global(unit, node, depth)
    if value.type == "type" or string_of(value) == name:  # handed over, or one of many
        return SAYING.search(name) is not None
    return is_absolute(unit, value, depth + 1)


def _is_global(unit: Unit, node: Node, depth: int) -> bool:
    """Look at what a module gives a name."""
    value = unit.run.lookup(string_of(node), unit.within, node)
    value = assumed(value)[0]
    module = unit.run.modules.by_path.get(value.span.path) if isinstance(value, Instance | Unknown) else None
    if module is None or not isinstance(value, Instance | Unknown):
        return False
    for each in of_kinds(module.root, "python", "assignment"):
        place, given = module.span(each), child(each, "right")
        is_own = each.parent is not None and each.parent.parent == module.root
        if is_own and given is not None and place.line <= value.span.line <= place.end_line:
            return is_absolute(unit_at(unit.run, module, module.root), given, depth + 1)
    return False


def _is_attribute(unit: Unit, node: Node, depth: int) -> bool:
    owner, name = child(node, "object"), string_of(child(node, "attribute") or node)
    if owner is None:
        return False
    if name == "parent":
        return is_absolute(unit, owner, depth + 1)
    if string_of(owner) in ("self", "cls"):
        value = attribute_value(node, name)
        known = value is not None and value.type != "type" and is_absolute(unit, value, depth + 1)
        return known or SAYING.search(name) is not None
    cls = class_of(unit.run, owner, unit.within)
    body = child(cls.node, "body") if cls is not None else None
    value = attribute_value(body, name) if body is not None else None
    if cls is None or value is None or value.type == "type":
        return cls is None and SAYING.search(name) is not None
    return is_absolute(unit_at(unit.run, cls.scope.module, value), value, depth + 1)


def _is_call(unit: Unit, node: Node, depth: int) -> bool:
    path = unit.path(child(node, "function"))
    if ROOTED.fullmatch(path) is not None:
        return True
    name, owner, given = called(node), receiver(node), arguments(node)[0]
    if name in RESOLVING and owner is not None and _is_path(unit, owner, path):
        return True
    if name in KEEPING and owner is not None and owner.type != "string":
        return is_absolute(unit, owner, depth + 1)
    if name in FORMING and (path.startswith(("os.", "pathlib.", "builtins.")) or name == "str"):
        return is_absolute(unit, next(iter(given), None), depth + 1)
    return _gives(unit, node, depth)


def _is_path(unit: Unit, owner: Node, path: str) -> bool:
    """Tell whether what is resolved is a path, and no promise and no name of a host."""
    inner = children(owner)[0] if owner.type == "parenthesized_expression" and children(owner) else owner
    is_joined = inner.type == "binary_operator" and string_of(child(inner, "operator") or inner) == "/"
    return path.startswith("pathlib.") or is_joined or PATHLIKE.search(string_of(inner)) is not None


def _gives(unit: Unit, node: Node, depth: int) -> bool:
    """Tell whether a function of the project gives nothing but absolute paths."""
    call = unit.call_at(node)
    place = target(unit, call) if call is not None else None
    body = child(place.node, "body") if place is not None else None
    if place is None or body is None or depth >= DEEPEST - 1:
        return False
    inner = unit_at(unit.run, place.module, body)
    values = list(returned(body))
    return bool(values) and all(is_absolute(inner, value, depth + 2) for value in values)
