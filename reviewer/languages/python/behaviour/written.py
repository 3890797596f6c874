"""The dicts that code builds, key by key: as literals, by `dict(..)`, by index and `update`, by a model's aliases."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from reviewer.languages.nodes import child, children, parent_of, string_of
from reviewer.languages.python.behaviour.following import (
    arguments,
    assigned,
    below,
    called,
    enclosing,
    own,
    receiver,
    scope,
    text,
)
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.values import Scope

ALIASES = ("serialization_alias", "alias")


@dataclass(slots=True)
class Written:
    """One dict as far as one stretch of code builds it.

    `open` tells that it takes over keys of another, `name` is the variable that holds it, `declares` that it is a type.
    """

    module: Module
    at: Node
    given: dict[str, Node]
    open: bool = False
    name: str | None = None
    declares: bool = False


def spelled(run: Evaluator, key: str) -> list[Module]:
    """Give the modules that may write a key, as a literal or by a constant."""
    plain = list(own(run, key.encode()))
    constant = re.compile(rb"(\w+)\s*(?::[^=\n]+)?=\s*[\"']" + re.escape(key).encode() + rb"[\"']")
    names = {name for module in plain for name in constant.findall(module.source.data)}
    return list(own(run, key.encode(), *names))


def written(run: Evaluator, key: str) -> Iterator[Written]:
    """Find the dicts of the project that are given a key."""
    for module in spelled(run, key):
        yield from (found for found in read(run, module, module.root) if key in found.given)


def read(run: Evaluator, module: Module, root: Node) -> Iterator[Written]:
    """Give every dict that is built below a node, the entries that are set one by one joined by their variable."""
    within = scope(run, module)
    loose: dict[tuple[object, ...], Written] = {}
    for node in below(root):
        if node.type == "dictionary" and not _is_update(node):
            yield _joined(run, module, node, within)
        elif node.type == "call" and called(node) in ("dict", "TypedDict", "OrderedDict", "SimpleNamespace"):
            yield _called(run, module, node, within)
        elif node.type == "class_definition":
            yield _declared(run, module, node, within)
        elif node.type in ("assignment", "call"):
            for name, keys, value in _aliased(run, node, within):
                _join(loose, Written(module, node, {}, name=name), keys, value)
    yield from loose.values()


def _join(loose: dict[tuple[object, ...], Written], made: Written, keys: list[str], value: Node) -> None:
    """Add what is set at a path of keys to the dicts that the variable holds."""
    unit = enclosing(made.at)
    holder = made.name, unit.start_byte if unit is not None else -1
    for depth, key in enumerate(keys):
        group = loose.setdefault((*holder, *keys[:depth]), Written(made.module, made.at, {}, name=made.name))
        group.given.setdefault(key, value)


def _is_update(literal: Node) -> bool:
    """Tell whether a literal is only handed to `update`, as part of the dict that takes it."""
    above = literal.parent.parent if literal.parent is not None else None
    return above is not None and called(above) == "update"


def _joined(run: Evaluator, module: Module, node: Node, within: Scope) -> Written:
    """Read a literal, together with what `|` joins to it."""
    found, current = _literal(run, module, node, within), node
    while (above := parent_of(current)) is not None and above.type == "binary_operator":
        current = above
        for side in (child(current, "left"), child(current, "right")):
            if side is not None and side.type == "dictionary":
                found.given = {**_literal(run, module, side, within).given, **found.given}
            elif side is not None and side.type != "binary_operator":
                found.open = True
    return found


def _literal(run: Evaluator, module: Module, node: Node, within: Scope) -> Written:
    given: dict[str, Node] = {}
    open_ = False
    for part in children(node):
        value = child(part, "value")
        key = text(run, child(part, "key"), within) if part.type == "pair" else None
        if key is not None and value is not None:
            given[key] = value
        open_ = open_ or part.type == "dictionary_splat"
    return Written(module, node, given, open_)


def _called(run: Evaluator, module: Module, node: Node, within: Scope) -> Written:
    positional, keywords = arguments(node)
    given = dict(keywords)
    for part in positional:
        for each in below(part):
            pair = children(each) if each.type == "tuple" else []
            key = text(run, pair[0], within) if len(pair) == 2 else None
            if key is not None:
                given[key] = pair[1]
            if each.type == "dictionary":
                given |= _literal(run, module, each, within).given
    open_ = any(part.type in ("identifier", "dictionary_splat") for part in positional)
    return Written(module, node, given, open_, declares=called(node) == "TypedDict")


def _declared(run: Evaluator, module: Module, node: Node, within: Scope) -> Written:
    """Read a model or a typed dict: its fields by the names that they are serialized under."""
    given: dict[str, Node] = {}
    body = child(node, "body")
    for statement in children(body) if body is not None else ():
        field = next(iter(children(statement)), None) if statement.type == "expression_statement" else None
        name = child(field, "left") if field is not None and field.type == "assignment" else None
        if field is None or name is None or child(field, "type") is None:
            continue
        said = child(field, "right")
        keywords = arguments(said)[1] if said is not None and said.type == "call" else {}
        alias = next((text(run, keywords[each], within) for each in ALIASES if each in keywords), None)
        if not ("exclude" in keywords and string_of(keywords["exclude"]) == "True"):
            given[alias or string_of(name)] = field
    bases = child(node, "superclasses")
    known = bases is None or all(string_of(each).rpartition(".")[2] in PLAIN for each in children(bases))
    return Written(module, child(node, "name") or node, given, not known, declares=True)


PLAIN = frozenset({"BaseModel", "TypedDict", "object", "total=False", "total=True"})


def _aliased(run: Evaluator, node: Node, within: Scope) -> Iterator[tuple[str, list[str], Node]]:
    """Read what is set, also by a name that stands for a place in a dict: `meta = value.setdefault("_meta", {})`."""
    for name, keys, value in _set(run, node, within):
        yield name, keys, value
        place = assigned(name, node)
        before = keys_of(run, place, within) if place is not None else []
        if place is not None and before:
            yield base_of(place), [*before, *keys], value


def _set(run: Evaluator, node: Node, within: Scope) -> Iterator[tuple[str, list[str], Node]]:
    """Read `value[key] = ..`, `value.update({..})`, `value.setdefault(key, ..)`."""
    if node.type == "assignment":
        left, right = child(node, "left"), child(node, "right")
        keys = keys_of(run, left, within) if left is not None and left.type == "subscript" else []
        if left is not None and right is not None and keys:
            yield base_of(left), keys, right
        return
    on, name = receiver(node), called(node)
    if on is None or name not in ("update", "setdefault", "__setitem__"):
        return
    positional, keywords = arguments(node)
    before = keys_of(run, on, within)
    if name == "update":
        given = dict(keywords)
        for part in positional:
            given |= _literal(run, within.module, part, within).given if part.type == "dictionary" else {}
        yield from ((base_of(on), [*before, key], value) for key, value in given.items())
    elif len(positional) == 2:
        key = text(run, positional[0], within)
        if key is not None:
            yield base_of(on), [*before, key], positional[1]


def keys_of(run: Evaluator, node: Node, within: Scope) -> list[str]:
    """Read the keys by which a place is reached: `value["_meta"]["id"]`, `value.setdefault("_meta", {})["id"]`."""
    found: list[str] = []
    current: Node | None = node
    while current is not None:
        if current.type == "subscript":
            key = text(run, child(current, "subscript"), within)
            found += [key] if key is not None else []
            current = child(current, "value")
        elif current.type == "call" and called(current) in ("setdefault", "get") and receiver(current) is not None:
            key = text(run, next(iter(arguments(current)[0]), None), within)
            found += [key] if key is not None else []
            current = receiver(current)
        else:
            break
    return found[::-1]


def base_of(node: Node) -> str:
    """Name the variable that a place lies in."""
    while node.type in ("subscript", "call"):
        inner = child(node, "value") if node.type == "subscript" else receiver(node)
        if inner is None:
            break
        node = inner
    return string_of(node)
