"""What a rule wants otherwise → the bytes that it takes, or nothing if it cannot be had there for certain.

Whatever is not written out right where it is looked for, or stands there in a shape that is not known, is left alone.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os.path import splitext
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from tree_sitter import Node

from reviewer.facts import Language
from reviewer.files.discovery import DOCUMENTS, find_language
from reviewer.fixes.model import FixPlan, Rewrite
from reviewer.languages.edits import definitions
from reviewer.languages.edits.written import (
    ByteChange,
    ByteRange,
    ParsedLiteral,
    apply_changes,
    drop_members,
    find_line_end,
    find_node_at,
    insert_member,
)
from reviewer.languages.nodes import (
    choose_script_grammar,
    decode_node,
    find_descendants,
    find_first_error,
    find_parent,
    parse,
)
from reviewer.source import Edit, Source


def compute_edits(fix_plan: FixPlan, sources: Mapping[str, Source]) -> tuple[Edit, ...] | None:
    """Return the edits that a fix plan takes, in source order; None if one of them cannot be made."""
    document = _find_document(fix_plan.rewrites, sources)
    if document is not None:
        taken = definitions.compute_changes(document, fix_plan.rewrites)
        return _order(_iter_edits(document, taken)) if taken else None
    found: set[Edit] = set()
    for rewrite in fix_plan.rewrites:
        source = sources.get(rewrite.at.path)
        if source is not None and not source.is_as_stored:
            return None
        changes = _find_changes(source, rewrite, sources) if source is not None else None
        if source is None or not changes:
            return None
        found |= set(_iter_edits(source, changes))
    return _order(found)


def _iter_edits(source: Source, changes: Iterable[ByteChange]) -> Iterator[Edit]:
    return (Edit(source.stretch(start, end), start, end, text) for start, end, text in changes)


def _order(found: Iterable[Edit]) -> tuple[Edit, ...] | None:
    """Return edits in source order; None if two of them overlap or one writes invisible characters."""
    ordered = sorted(found, key=lambda each: (each.span.path, each.start, each.end))
    fine = all(_is_seen(each.text) for each in ordered) and not any(map(overlap, ordered, ordered[1:]))
    return tuple(ordered) if fine else None


def _is_seen(text: str) -> bool:
    """Return whether all of a text can be seen: a name that is taken over from the source may hide something."""
    return all(part.isprintable() for part in re.split(r"[\t\r\n]", text))


def overlap(one: Edit, other: Edit) -> bool:
    """Return whether two edits speak of the same bytes; two that only put something in at one place do."""
    if one.span.path != other.span.path:
        return False
    first, last = sorted((one, other), key=lambda each: (each.start, each.end))
    return last.start < first.end or first.start == last.start


def apply_edits(data: bytes, wanted: Sequence[Edit]) -> bytes:
    """Carry edits that do not overlap out."""
    return apply_changes(data, (ByteChange(each.start, each.end, each.text) for each in wanted))


def holds(before: Source, after: Source, fix_plans: Iterable[FixPlan]) -> bool:
    """Return whether an edited file parses, and, if it is a document, differs only by the fixes."""
    if _is_document(after):
        own = [each for fix_plan in fix_plans for each in fix_plan.rewrites if each.at.path == after.path]
        return definitions.says(before, after, own)
    return find_first_error(parse(after, _find_language(after))) is None


def _find_document(rewrites: Iterable[Rewrite], sources: Mapping[str, Source]) -> Source | None:
    """Return the document that all of some rewrites speak of, if they do."""
    paths = {each.at.path for each in rewrites}
    source = sources.get(next(iter(paths))) if len(paths) == 1 else None
    return source if source is not None and _is_document(source) else None


def _is_document(source: Source) -> bool:
    return splitext(source.path)[1] in DOCUMENTS


def _find_language(source: Source) -> Language:
    return find_language(source.path)


_objects: WeakKeyDictionary[Source, list[ParsedLiteral]] = WeakKeyDictionary()
"""The objects that are written out in a file, for as long as anybody holds it."""


class _EditLocation(NamedTuple):
    """A place in a file, with the syntax of its language: `pythonic`, `rustic` or `scripted`, which have the same functions."""

    source: Source
    root: Node
    place: ByteRange
    language: Any
    sources: Mapping[str, Source]

    def iter_descendants(self, *kinds: str) -> Iterator[Node]:
        """Yield the nodes of some kinds within the place."""
        around, language = self.root.descendant_for_byte_range(*self.place) or self.root, _find_language(self.source)
        grammar = choose_script_grammar(self.source.path) if language == "typescript" else language
        for node in find_descendants(around, grammar, *kinds):
            if self.place.start <= node.start_byte and node.end_byte <= self.place.end:
                yield node

    def _collect_objects(self) -> list[ParsedLiteral]:
        if self.source not in _objects:
            _objects[self.source] = list(self.language.iter_objects(self.root))
        return _objects[self.source]

    def find_schema(self, rewrite: Rewrite) -> ParsedLiteral | None:
        """Find the literal that says what a schema does: in the declaration, else the only one in the file."""
        every = [each for each in self._collect_objects() if each.data == rewrite.whole]
        own = self.place
        found = [each for each in every if own.start <= each.place.start and each.place.end <= own.end] or every
        return found[0] if len(found) == 1 else None


def _find_changes(source: Source, rewrite: Rewrite, sources: Mapping[str, Source]) -> list[ByteChange] | None:
    root = parse(source, _find_language(source))
    place = ByteRange(*source.reach(rewrite.at))
    return WAYS[rewrite.kind](_EditLocation(source, root, place, _get_syntax(source), sources), rewrite)


def _get_syntax(source: Source) -> Any:
    """Return how a file's language is written; that of Rust loads all that reads Rust, so only for files of it."""
    language = _find_language(source)
    if language == "python":
        from reviewer.languages.edits import pythonic

        return pythonic
    if language == "typescript":
        from reviewer.languages.edits import scripted

        return scripted
    from reviewer.languages.edits import rustic

    return rustic


def _find_hint(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    if _find_language(where.source) == "python":
        from reviewer.languages.edits import python_hints

        hint = python_hints.set_hint
    else:
        hint = where.language.set_hint
    return hint(where.source, where.root, where.place, (rewrite.key, rewrite.value), where.sources)


def _to_stderr(where: _EditLocation, _rewrite: Rewrite) -> list[ByteChange] | None:
    return where.language.to_stderr(where.source, where.root, where.place)  # type: ignore[no-any-return]


def _set_key(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    schema = where.find_schema(rewrite)
    holder = schema.follow_path(rewrite.path) if schema is not None else None
    if holder is None or not isinstance(holder.data, dict) or holder.listed is None:
        return None
    if rewrite.key in holder.data:
        return _replace_literal(where, holder.follow_path((rewrite.key,)), rewrite)
    like = where.source.data[holder.listed.inner.start : holder.listed.inner.end].lstrip()[:1]
    return insert_member(where.source.data, holder.listed, where.language.pair(rewrite.key, rewrite.value, like))


def _replace_literal(where: _EditLocation, old: ParsedLiteral | None, rewrite: Rewrite) -> list[ByteChange] | None:
    if old is None:
        return None
    like = where.source.data[old.place.start : old.place.start + 1]
    return [ByteChange(*old.place, where.language.format_literal(rewrite.value, like))]


def _replace(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    schema = where.find_schema(rewrite)
    return _replace_literal(where, schema.follow_path(rewrite.path) if schema is not None else None, rewrite)


def _drop(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    schema = where.find_schema(rewrite)
    holder = schema.follow_path(rewrite.path) if schema is not None else None
    if holder is None or holder.listed is None:
        return None
    names = [name for name, _, _ in holder.members]
    gone = [names.index(each) for each in rewrite.value if names.count(each) == 1]
    return drop_members(where.source.data, holder.listed, gone) if len(gone) == len(rewrite.value) else None


def _strip(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    """Take characters out of the strings and the comments at a place, raw or as escapes."""
    found: list[ByteChange] = []
    for node in where.iter_descendants(*where.language.STRINGS):
        text, forms = decode_node(node), [re.escape(each) for each in rewrite.value]
        forms += [_escape(each) for each in rewrite.value if where.language.interprets_escapes(node)]
        for hit in re.finditer(rf"(?:{'|'.join(forms)})|(?P<kept>\\.)", text, re.DOTALL):
            if hit["kept"] is None:
                start = node.start_byte + len(text[: hit.start()].encode())
                found.append(ByteChange(start, start + len(hit[0].encode()), ""))
    return found or None


def _escape(character: str) -> str:
    """Return the escapes that spell a character, in whatever language."""
    code = f"{ord(character):x}"
    forms = [rf"\\u{code:0>4}", rf"\\U{code:0>8}", rf"\\u\{{0*{code}\}}", rf"\\x{code:0>2}"]
    fitting = [form for form, digits in zip(forms, (4, 8, 6, 2), strict=True) if len(code) <= digits]
    return f"(?i:{'|'.join(fitting)})"


def _drop_comment(where: _EditLocation, _rewrite: Rewrite) -> list[ByteChange] | None:
    """Take a comment away that says one thing, with its line if it is alone on it."""
    node = find_node_at(where.root, where.place, where.language.COMMENTS)
    said = re.match(r"(?:#|//+|/\*)\s*mcp-review:[^#]*", decode_node(node)) if node is not None else None
    if node is None or said is None or said.end() < len(decode_node(node).rstrip()):
        return None
    data, begin = where.source.data, where.source.data.rfind(b"\n", 0, node.start_byte) + 1
    before = data[begin : node.start_byte]
    end = data.find(b"\n", node.end_byte)
    end = len(data) if end < 0 else end + 1
    alone = not before.strip() and not data[node.end_byte : end].strip()
    if alone:
        return [ByteChange(begin, end, "")]
    return [ByteChange(begin + len(before.rstrip()), node.start_byte + len(decode_node(node).rstrip().encode()), "")]


def _drop_statement(where: _EditLocation, _rewrite: Rewrite) -> list[ByteChange] | None:
    """Take a statement away that has its lines to itself, if its block holds others."""
    node = where.root.descendant_for_byte_range(*where.place)
    while node is not None and node.type != "expression_statement":
        node = node.parent if node.parent is not None and node.parent.start_byte == where.place.start else None
    block = node.parent if node is not None else None
    if node is None or block is None or len(node.children) > 2 or len(block.named_children) < 2:
        return None
    data, begin = where.source.data, where.source.data.rfind(b"\n", 0, node.start_byte) + 1
    end = find_line_end(data, node.end_byte)
    return None if end is None or data[begin : node.start_byte].strip() else [ByteChange(begin, end, "")]


def _clamp(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    found = [
        each
        for each in where.iter_descendants("identifier")
        if decode_node(each) == rewrite.key and where.language.cuts(each)
    ]
    if len(found) != 1:
        return None
    text = where.language.CLAMP.format(rewrite.key, rewrite.value)
    return [ByteChange(found[0].start_byte, found[0].end_byte, text)]


def _await_sleep(where: _EditLocation, _rewrite: Rewrite) -> list[ByteChange] | None:
    return where.language.await_sleep(where.source, where.root, where.place)  # type: ignore[no-any-return]


def _number(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    """Write another number where one is written within a place, once."""
    within = [
        (node, digits)
        for node in where.iter_descendants(*where.language.NUMBERS)
        if (digits := re.match(r"[0-9_]+", decode_node(node))) is not None
        if digits[0].replace("_", "") == rewrite.path[0]
    ]
    if len(within) != 1:
        return None
    (node, digits), *_ = within
    return [ByteChange(node.start_byte, node.start_byte + digits.end(), str(rewrite.value))]


def _find_text(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    """Write another text where one is written within a place, once, in the same quotes."""
    within = [
        node for node in where.iter_descendants(*where.language.STRINGS) if decode_node(node)[1:-1] == rewrite.path[0]
    ]
    return [ByteChange(within[0].start_byte + 1, within[0].end_byte - 1, rewrite.value)] if len(within) == 1 else None


def _find_description(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    """Write another text where one literal is all of it, as long as it can be told what that says."""
    change: ByteChange | None = where.language.rewrite_description(
        where.source, where.root, where.place, rewrite.key, rewrite.value
    )
    return [change] if change is not None else None


HIGHEST = 5
"""Ancestors of a name that are searched for the field next to it: an argument, the arguments and the call in Python; a field,
the fields and the struct in Rust, with `.into()` around the name two more.
"""


def _find_field(where: _EditLocation, rewrite: Rewrite) -> list[ByteChange] | None:
    """Set what stands in the same struct, call or dict as a name."""
    node = where.root.descendant_for_byte_range(*where.place)
    for _ in range(HIGHEST):
        if node is None:
            return None
        old: ParsedLiteral | None = where.language.find_field(node, rewrite.key)
        if old is not None:
            return (
                [ByteChange(*old.place, where.language.format_literal(rewrite.value))]
                if isinstance(old.data, bool)
                else None
            )
        node = find_parent(node)
    return None


BuildEdit = Callable[[_EditLocation, Rewrite], list[ByteChange] | None]
WAYS: dict[str, BuildEdit] = {
    "hint": _find_hint,
    "set key": _set_key,
    "drop": _drop,
    "replace": _replace,
    "to stderr": _to_stderr,
    "strip characters": _strip,
    "drop comment": _drop_comment,
    "drop statement": _drop_statement,
    "clamp": _clamp,
    "await sleep": _await_sleep,
    "number": _number,
    "text": _find_text,
    "field": _find_field,
    "description": _find_description,
}
