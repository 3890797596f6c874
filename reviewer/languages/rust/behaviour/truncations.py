"""What stands for a text or an answer too large: truncation envelopes, overflow actions."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from reviewer.facts import Envelope
from reviewer.languages.nodes import child, parent_of, string_of, text_of
from reviewer.languages.rust.behaviour.cutting import cut_of
from reviewer.languages.rust.behaviour.namings import namings
from reviewer.languages.rust.behaviour.outcomes import tails
from reviewer.languages.rust.behaviour.written import Given, Reader, Shape, Written, spelled, written
from reviewer.languages.rust.bindings import arguments_of, binding
from reviewer.languages.rust.callees import below, calls, targets
from reviewer.languages.rust.folding import Folder, Place
from reviewer.languages.rust.items import Items, in_test
from reviewer.source import Text

MARK = "_truncated"
OVERFLOW = "_overflow_action"
WAY = ("full_action", "full_params")
EMPTY = re.compile(r'^(?:(?:serde_json\s*::\s*)?Value::Null|null|None|""|String::new\(\)|""\s*\.\w+\(\))$')
COPIED = re.compile(r"^&?(?:\w+::)*(\w+)(?:\.(?:clone|to_string|to_owned|into|as_str)\(\))*$")


def envelopes(items: Items) -> Iterator[Envelope]:
    """Find objects with `_truncated`: built in code, or declared as a struct that nothing builds."""
    built: set[str] = set()
    for found in written(items, MARK):
        built.add(found.shape.name if found.shape is not None else "")
        if not _describes(found):
            yield _envelope(items, found)
    for shape in spelled(items, MARK)[1]:
        if shape.name not in built and not in_test(shape.node):
            yield _declared(items, shape)


def _declared(items: Items, shape: Shape) -> Envelope:
    name = child(shape.node, "name") or shape.node
    return Envelope(text_of(items.sources[shape.path], name), frozenset(shape.keys.values()))


def _describes(found: Written) -> bool:
    """Tell whether an object speaks of the key: the properties of a JSON Schema, an object of that name, a removal."""
    value = found.given[MARK]
    return value.tree or string_of(value.node) in ("false", "json!(false)", "Value::Bool(false)")


def _envelope(items: Items, found: Written) -> Envelope:
    given = dict(found.given)
    for key, value in _added(items, found):
        given.setdefault(key, value)
    keys = frozenset(
        key for key, value in given.items() if key == MARK or not EMPTY.match(string_of(value.node).strip())
    )
    preview = given.get("preview")
    at = Text(" ".join(string_of(found.at).split()), items.span(found.path, found.at))
    if preview is None or preview.tree:
        return Envelope(at, keys)
    place = Place(found.path, {}, preview.anchor)
    said = Folder(items).fold(preview.node, place)
    if isinstance(said, Text):
        return Envelope(at, keys | {"preview"}, len(said))
    cut = cut_of(items, preview.node, place)
    if cut is None:
        return Envelope(at, keys | {"preview"}, whole=_whole(items, found.path, preview))
    split = items.text(cut.path, cut.node) if cut.by_bytes else None
    return Envelope(at, keys | {"preview"}, cut.length, split)


def _whole(items: Items, path: str, preview: Given) -> Text | None:
    """Give the preview if it is surely the whole text: the one whose length the same function compares."""
    name = COPIED.match(string_of(preview.node))
    if name is None:
        return None
    around = (preview.anchor or preview.node).parent
    compared = re.compile(rb"\b" + name[1].encode() + rb"(?:\.as_str\(\))?\.len\(\)\s*(?:>=?|<=?)")
    while around is not None and around.type != "function_item":
        around = parent_of(around)
    if around is None or compared.search(around.text or b"") is None:
        return None
    return items.text(path, preview.node)


def _added(items: Items, found: Written) -> Iterator[tuple[str, Given]]:
    """Give what is added to an object after it was built: in the same function, in one that it is handed to, by a caller."""
    if found.shape is not None or all(key in found.given for key in (*WAY, "preview")):
        return
    unit = found.unit
    yield from _set_in(items, found.path, unit, found)
    yield from _begun(items, found)
    for call in _handed(found):
        for target in targets(items, call, found.path):
            yield from _set_in(items, target.path, target.node, None)
    if unit.type == "function_item" and _gives(unit, found):
        yield from _by_callers(items, unit)


def _set_in(items: Items, path: str, unit: Node, but: Written | None) -> Iterator[tuple[str, Given]]:
    """Give the keys that are set one by one below a node, those of another envelope left out."""
    for other in Reader(items, path).read(unit):
        if other.name is not None and (MARK not in other.given or other is but):
            yield from other.given.items()


def _begun(items: Items, found: Written) -> Iterator[tuple[str, Given]]:
    """Give what a variable holds before further keys are set."""
    local = binding(found.name, found.at, found.anchor) if found.name is not None else None
    if local is not None and local[0] is not None:
        for each in Reader(items, found.path).read(local[0]):
            yield from each.given.items()
            return


def _handed(found: Written) -> Iterator[Node]:
    """Find the calls that take the object, as it is or by its variable."""
    names = {found.name} if found.name is not None else set()
    above = (found.anchor or found.at).parent
    while above is not None and above.type not in ("block", "function_item"):
        if above.type == "let_declaration":
            names.add(string_of(child(above, "pattern") or above).removeprefix("mut "))
        if above.type == "call_expression":
            yield above
        above = parent_of(above)
    for each in below(found.unit) if names else ():
        given = arguments_of(each) if each.type == "call_expression" else []
        if any(string_of(part).removeprefix("&").removeprefix("mut ").strip() in names for part in given):
            yield each


def _gives(unit: Node, found: Written) -> bool:
    """Tell whether the object is what its function comes to."""
    body, whole = child(unit, "body"), found.anchor or found.at
    if body is None:
        return False
    return any(end.start_byte <= whole.start_byte and whole.end_byte <= end.end_byte for end in tails(body)) or (
        found.name is not None or (whole.parent is not None and whole.parent.type == "let_declaration")
    )


def _by_callers(items: Items, unit: Node) -> Iterator[tuple[str, Given]]:
    name = string_of(child(unit, "name") or unit)
    for path in items.mentioning(re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*\(")):
        for each in calls(items, name, path):
            around: Node | None = each
            while around is not None and around.type != "function_item":
                around = parent_of(around)
            if around is not None:
                yield from _set_in(items, path, around, None)


def overflows(items: Items) -> Iterator[Text]:
    """Find the action names that `_overflow_action` is given."""
    seen: set[tuple[object, ...]] = set()
    for found in written(items, OVERFLOW):
        value = found.given[OVERFLOW]
        if value.tree:
            continue
        for name in namings(items, value.node, Place(found.path, {}, value.anchor)):
            if name.span not in seen:
                seen.add(name.span)
                yield name
