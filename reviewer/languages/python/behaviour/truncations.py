"""What stands for a text or an answer too large: truncation envelopes, overflow actions."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Envelope
from reviewer.languages.nodes import child, children, string_of
from reviewer.languages.python.behaviour.cutting import cut_of
from reviewer.languages.python.behaviour.following import (
    arguments,
    assigned,
    below,
    called,
    callee,
    enclosing,
    own,
    scope,
    text,
)
from reviewer.languages.python.behaviour.namings import namings
from reviewer.languages.python.behaviour.written import Written, read, written
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.source import Text

MARK = "_truncated"
OVERFLOW = "_overflow_action"
WAY = ("full_action", "full_params")
EMPTY = frozenset({"None", '""', "''", "False"})
COPIED = re.compile(r"(?:str\()?(\w+)\)?")


def envelopes(run: Evaluator) -> Iterator[Envelope]:
    """Find dicts with `_truncated`: built in code, or declared as a model that nothing builds."""
    for found in written(run, MARK):
        value = found.given[MARK]
        if value.type != "dictionary" and string_of(value) != "False":
            yield _envelope(run, found)


def _envelope(run: Evaluator, found: Written) -> Envelope:
    given = {**_added(run, found), **found.given}
    keys = frozenset(key for key, value in given.items() if string_of(value) not in EMPTY)
    if found.open:
        keys |= {*WAY, "preview"}
    at = Text(" ".join(string_of(found.at).split()), found.module.span(found.at))
    preview = given.get("preview")
    if preview is None or found.declares:
        return Envelope(at, keys)
    said = text(run, preview, scope(run, found.module)) if preview.type == "string" else None
    if said is not None:
        return Envelope(at, keys | {"preview"}, len(said))
    cut = cut_of(run, found.module, preview)
    if cut is None:
        return Envelope(at, keys | {"preview"}, whole=_whole(found.module, preview))
    return Envelope(at, keys | {"preview"}, cut.length)


def _whole(module: Module, preview: Node) -> Text | None:
    """Give the preview if it is surely the whole text: the one whose length the same function compares."""
    name, unit = COPIED.fullmatch(string_of(preview)), enclosing(preview)
    if name is None or unit is None:
        return None
    compared = re.search(rf"len\(\s*{name[1]}(?:\.encode\([^)]*\))?\s*\)\s*[<>]", string_of(unit))
    return Text(string_of(preview), module.span(preview)) if compared else None


def _added(run: Evaluator, found: Written) -> dict[str, Node]:
    """Give what is added to a dict after it was built: in the same function, in one that it is handed to, by a caller."""
    unit = enclosing(found.at)
    if unit is None or found.declares or all(key in found.given for key in (*WAY, "preview")):
        return {}
    begun = assigned(found.name, found.at) if found.name is not None else None
    first = next(iter(read(run, found.module, begun)), None) if begun is not None else None
    added = {**(first.given if first is not None else {}), **_set_in(run, found.module, unit)}
    names = {found.name} if found.name is not None else _names_of(found.at)
    for call in below(unit):
        if call.type == "call" and any(string_of(part) in names or part == found.at for part in arguments(call)[0]):
            place = callee(run, call, scope(run, found.module))
            if place is not None:
                added |= _set_in(run, place.module, place.node)
    return {**added, **_by_callers(run, string_of(child(unit, "name") or unit))}


def _names_of(node: Node) -> set[str]:
    above = node.parent
    left = child(above, "left") if above is not None and above.type == "assignment" else None
    return {string_of(left)} if left is not None else set()


def _set_in(run: Evaluator, module: Module, unit: Node) -> dict[str, Node]:
    """Give the keys that are set one by one below a node, those of other envelopes left out."""
    found = (each for each in read(run, module, unit) if each.name is not None)
    return {key: value for each in found for key, value in each.given.items() if key != MARK}


def _by_callers(run: Evaluator, name: str) -> dict[str, Node]:
    """Give what the callers of a function add to what it gives."""
    added: dict[str, Node] = {}
    for module in own(run, f"{name}(".encode()):
        for call in below(module.root):
            unit = enclosing(call) if call.type == "call" and called(call) == name else None
            if unit is not None:
                added |= _set_in(run, module, unit)
                above = call.parent
                if above is not None and above.type == "dictionary_splat" and above.parent is not None:
                    added |= _pairs(run, module, above.parent)
    return added


def _pairs(run: Evaluator, module: Module, literal: Node) -> dict[str, Node]:
    pairs = [(child(part, "key"), child(part, "value")) for part in children(literal) if part.type == "pair"]
    read_ = ((text(run, key, scope(run, module)), value) for key, value in pairs)
    return {key: value for key, value in read_ if key is not None and value is not None}


def overflows(run: Evaluator) -> Iterator[Text]:
    """Find the action names that `_overflow_action` is given."""
    seen = set()
    for found in written(run, OVERFLOW):
        for name in namings(run, found.module, found.given[OVERFLOW]) if not found.declares else ():
            if name.span not in seen:
                seen.add(name.span)
                yield name
