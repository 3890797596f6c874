"""How files of tool definitions are rewritten: the bytes that it takes, and what the document says afterwards.

Whatever is not of its own place is left alone: what an alias repeats or a merge key takes over would change elsewhere too.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from reviewer.facts.parts import Path
from reviewer.files.discovery import CannotReviewError
from reviewer.fixes.model import Rewrite
from reviewer.inputs import definitions, documents
from reviewer.inputs.documents import Document, DocumentValue
from reviewer.languages.edits import layouts
from reviewer.languages.edits.written import ByteChange, apply_changes
from reviewer.records import dataclass
from reviewer.source import Source, Span

LARGEST_WITH_ALIASES = 2**18
"""Bytes. Where aliases reach across a document all of it is read for each fix; a larger one has none."""


class RewriteStep(NamedTuple):
    """What one rewrite takes, and what becomes of the value at `path`; `late` ones look at what the others left."""

    changes: list[ByteChange]
    path: Path
    become: Callable[[Any], Any]
    late: bool = False


Trail = list[DocumentValue]
"""A value of a document, after all that hold it, the outermost first."""


def compute_changes(source: Source, rewrites: Sequence[Rewrite]) -> list[ByteChange] | None:
    """Return the changes that rewrites of a file take; None if one is impossible or would change anything else."""
    found = _find_steps(source, rewrites)
    return [change for step in found for change in step.changes] if found and _keeps_the_rest(source, found) else None


def says(before: Source, after: Source, rewrites: Sequence[Rewrite]) -> bool:
    """Return whether a file says after some rewrites what it said before but for them."""
    found, said, now = _find_steps(before, rewrites), _find_document(before), _get_said(after.path, after.data)
    return (
        found is not None and said is not None and now is not None and _is_same(now, _get_after(said.root.data, found))
    )


def _find_steps(source: Source, rewrites: Sequence[Rewrite]) -> list[RewriteStep] | None:
    """Return the steps that rewrites take; None if one of them is impossible there."""
    document = _find_document(source)
    found: list[RewriteStep] = []
    for rewrite in rewrites:
        way = WAYS.get(rewrite.kind)
        step = way(_DocumentSearch(source, document), rewrite) if way is not None and document is not None else None
        if step is None:
            return None
        found.append(step)
    return found


def _keeps_the_rest(source: Source, wanted: Sequence[RewriteStep]) -> bool:
    """Return whether what holds all of some steps says, once they are made, what it said but for them."""
    document = _find_document(source)
    if document is None or (document.has_aliases and len(source.data) > LARGEST_WITH_ALIASES):
        return False
    keys = () if document.has_aliases else _get_common([step.path for step in wanted])
    made = {change for step in wanted for change in step.changes}
    trail = _follow([document.root], keys) or []
    while trail and not (isinstance(trail[-1].data, dict | list) and _reaches(trail, source, made)):
        trail, keys = trail[:-1], keys[:-1]
    if not trail:
        return False
    start, end, indent = _slice(source, trail)
    move = len(indent) - start
    data = indent + source.data[start:end]
    moved = [ByteChange(one + move, last + move, text) for one, last, text in made]
    local = [step._replace(path=step.path[len(keys) :]) for step in wanted]
    was, now = _get_said(source.path, data), _get_said(source.path, apply_changes(data, moved))
    return (
        was is not None and now is not None and _is_same(was, trail[-1].data) and _is_same(now, _get_after(was, local))
    )


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values are the same as JSON: 1 is neither true nor 1.0, and keys have no order."""
    try:
        return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    except (TypeError, ValueError, RecursionError):  # YAML has sets and bytes
        return False


_documents: WeakKeyDictionary[Source, Document] = WeakKeyDictionary()
"""What is read of a file, for as long as anybody holds it."""


def _find_document(source: Source) -> Document | None:
    if source not in _documents:
        try:
            _documents[source] = documents.parse_document(source.data, source.path)
        except CannotReviewError:
            return None
    return _documents[source]


def _get_said(name: str, data: bytes) -> Any:
    """Read a value; None for what is none, as no object or array is."""
    try:
        return documents.parse_document(data, name).root.data
    except CannotReviewError:
        return None


def _reaches(trail: Trail, source: Source, made: Iterable[ByteChange]) -> bool:
    """Return whether all changes are made within a value."""
    start, end, _ = _slice(source, trail)
    return all(start <= each.start and each.end <= end for each in made)


def _slice(source: Source, trail: Trail) -> tuple[int, int, bytes]:
    """Return where a value stands so that it can be read by itself, and what must stand before it to be laid out as it is."""
    if len(trail) == 1:
        return 0, len(source.data), b""
    start, end = trail[-1].reach
    line = source.data.rfind(b"\n", 0, start) + 1
    head = source.data[line:start].decode()
    if not trail[-1].is_block:
        return start, end, b""
    return (start, end, b" " * len(head)) if head.strip() else (line, end, b"")


def _get_common(paths: list[Path]) -> Path:
    """Return the keys that all paths begin with; what is changed lies in an object or an array."""
    first, last = min(paths), max(paths)
    length = next((at for at, key in enumerate(first) if last[at : at + 1] != (key,)), len(first))
    return first[:length]


_GONE = object()


def _get_after(data: Any, wanted: Sequence[RewriteStep]) -> Any:
    """Return the new form of a value, which itself is not changed."""
    early, late = [each for each in wanted if not each.late], [each for each in wanted if each.late]
    for step in early:
        data = _get_become(data, step.path, step.become)
    for step in early:
        data = _get_swept(data, step.path)
    for step in late:
        data = _get_become(data, step.path, step.become)
    return data


def _get_become(data: Any, path: Path, become: Callable[[Any], Any]) -> Any:
    if not path:
        return become(data)
    key = path[0]
    if isinstance(data, list):
        return [_get_become(each, path[1:], become) if str(index) == key else each for index, each in enumerate(data)]
    if not isinstance(data, dict) or key not in data:
        return data
    return {**data, key: _get_become(data[key], path[1:], become)}


def _get_swept(data: Any, path: Path) -> Any:
    """Take what is marked as gone out of the object or the array at a path."""

    def drop_gone(value: Any) -> Any:
        if isinstance(value, list):
            return [each for each in value if each is not _GONE]
        return {key: each for key, each in value.items() if each is not _GONE} if isinstance(value, dict) else value

    return _get_become(data, path, drop_gone)


@dataclass(frozen=True)
class _DocumentSearch:
    """A file in which something is looked for."""

    source: Source
    document: Document

    def locate(self, span: Span) -> tuple[Trail, Path] | None:
        """Find the outermost value that stands at a place, and the keys that lead there."""
        trail, keys = [self.document.root], []
        while trail[-1].span != span:
            inner = [(key, each) for key, each in trail[-1].inner if each.span.holds(span)]
            if len(inner) != 1 or not _is_own(trail[-1], inner[0][1]):
                return None
            keys.append(inner[0][0])
            trail.append(inner[0][1])
        return trail, tuple(keys)

    def find_schema(self, rewrite: Rewrite) -> tuple[Trail, Path] | None:
        """Find what stands at a path in the input schema of a tool."""
        found = self.locate(rewrite.at)
        if found is None:
            return None
        names = [name for name, each in found[0][-1].inner if name in SCHEMA_NAMES and each.data is not None]
        if len(names) != 1:
            return None
        path = (names[0], *rewrite.path)
        trail = _follow(found[0], path)
        return (trail, (*found[1], *path)) if trail is not None else None


SCHEMA_NAMES = {"inputSchema", *(old for old, new in definitions.OTHER_NAMES.items() if new == "inputSchema")}


def _list_own_entries(holder: DocumentValue) -> list[tuple[str, DocumentValue]]:
    """Return the entries written in a value itself, once and nowhere else."""
    return [(name, each) for name, each in holder.inner if _is_own(holder, each)]


def _is_own(holder: DocumentValue, below: DocumentValue) -> bool:
    (start, end), (first, last) = holder.reach, below.reach
    return not below.is_shared and start <= (below.key_reach or (first, last))[0] and last <= end


def _follow(trail: Trail, keys: Path) -> Trail | None:
    """Follow keys and indexes; one that stands twice or elsewhere leads nowhere."""
    trail = [*trail]
    for key in keys:
        found = [each for name, each in trail[-1].inner if name == key and _is_own(trail[-1], each)]
        if len(found) != 1:
            return None
        trail.append(found[0])
    return trail


def _set(where: _DocumentSearch, holder: DocumentValue, path: Path, key: str, value: Any) -> RewriteStep | None:
    """Have an object say something at a key."""
    if not isinstance(holder.data, dict):
        return None
    if key in holder.data:
        trail = _follow([holder], (key,))
        return _replace_scalar(where, trail[-1], (*path, key), value) if trail is not None else None
    changes = layouts.with_entry(where.source.data, holder, [each for _, each in _list_own_entries(holder)], key, value)
    return RewriteStep(changes, path, lambda data: {**data, key: value}) if changes is not None else None


def _replace_scalar(where: _DocumentSearch, old: DocumentValue, path: Path, value: Any) -> RewriteStep | None:
    """Have one scalar in the place of another."""
    changes = layouts.replace_scalar(where.source.data, old, value) if not isinstance(old.data, dict | list) else None
    return RewriteStep(changes, path, lambda _old: value) if changes is not None else None


def _set_key(where: _DocumentSearch, rewrite: Rewrite) -> RewriteStep | None:
    found = where.find_schema(rewrite)
    return _set(where, found[0][-1], found[1], rewrite.key, rewrite.value) if found is not None else None


def _replace(where: _DocumentSearch, rewrite: Rewrite) -> RewriteStep | None:
    found = where.find_schema(rewrite)
    return _replace_scalar(where, found[0][-1], found[1], rewrite.value) if found is not None else None


def _find_hint(where: _DocumentSearch, rewrite: Rewrite) -> RewriteStep | None:
    """Say something in the annotations of a tool, which are begun only where the protocol's own names are used."""
    found = where.locate(rewrite.at)
    if found is None or not isinstance(found[0][-1].data, dict):
        return None
    (*_, tool), keys = found
    trail = _follow([tool], ("annotations",))
    if trail is not None and isinstance(trail[-1].data, dict):
        return _set(where, trail[-1], (*keys, "annotations"), rewrite.key, rewrite.value)
    if definitions.OTHER_NAMES.keys() & tool.data.keys() or tool.data.get("annotations") is not None:
        return None
    return _set(where, tool, keys, "annotations", {rewrite.key: rewrite.value})


def _drop(where: _DocumentSearch, rewrite: Rewrite) -> RewriteStep | None:
    """Take members out of an object or an array."""
    found = where.find_schema(rewrite)
    if found is None:
        return None
    holder, gone = found[0][-1], set(rewrite.value)
    own = _list_own_entries(holder)
    names = [name for name, _ in own]
    if any(names.count(each) != 1 for each in gone):
        return None
    indexes = [at for at, name in enumerate(names) if name in gone]
    changes = layouts.without(where.source.data, holder, [each for _, each in own], indexes)

    def mark_gone(data: Any) -> Any:
        items = enumerate(data) if isinstance(data, list) else data.items()
        left = [(key, _GONE if str(key) in gone else each) for key, each in items]
        return [each for _, each in left] if isinstance(data, list) else dict(left)

    return RewriteStep(changes, found[1], mark_gone) if changes is not None else None


def _strip(where: _DocumentSearch, rewrite: Rewrite) -> RewriteStep | None:
    """Take characters out of one text, wherever it stands within a place: keys, values, raw or as escapes."""
    found = where.locate(rewrite.at)
    changes: list[ByteChange] = []
    waiting = [("", found[0][-1])] if found is not None else []
    while waiting:
        name, value = waiting.pop()
        if isinstance(value.data, str) and value.data == rewrite.key:
            changes += layouts.strip_characters(where.source.data, value.reach, rewrite.value)
        if name == rewrite.key and value.key_reach is not None:
            changes += layouts.strip_characters(where.source.data, value.key_reach, rewrite.value)
        waiting += _list_own_entries(value)
    if found is None or not changes:
        return None
    left = "".join(each for each in rewrite.key if each not in rewrite.value)
    return RewriteStep(changes, found[1], lambda data: _rename(data, rewrite.key, left), late=True)


def _rename(data: Any, old: str, new: str) -> Any:
    """Have one text in the place of another in all of a value; one that would be a second key of its name stays."""
    if isinstance(data, list):
        return [_rename(each, old, new) for each in data]
    if isinstance(data, dict):
        return {new if key == old and new not in data else key: _rename(each, old, new) for key, each in data.items()}
    return new if isinstance(data, str) and data == old else data


WAYS: dict[str, Callable[[_DocumentSearch, Rewrite], RewriteStep | None]] = {
    "hint": _find_hint,
    "set key": _set_key,
    "replace": _replace,
    "drop": _drop,
    "strip characters": _strip,
}
