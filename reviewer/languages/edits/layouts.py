"""How the values of a document are laid out, in brackets or by indentation, and which bytes an entry more or less takes.

What is written is laid out as what stands beside it. Whether it says what it should is looked at afterwards (`definitions.py`).
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from reviewer.inputs.documents import DocumentValue
from reviewer.languages.edits.written import (
    Bracketed,
    ByteChange,
    ByteRange,
    detect_newline,
    drop_members,
    find_line_end,
    insert_member,
)
from reviewer.text.patterns import pattern

# Written without quotes where those beside it are; any other text gets some.
PLAIN = pattern(r"[A-Za-z_][\w.-]*", re.ASCII)
# The pair beside says how it is spaced; over a line's end it is laid out otherwise, and `: ` is taken.
COLON = pattern(rb"[ \t]*:[ \t]*")
# As `COLON`, between entries.
COMMA = pattern(rb",[ \t]*")


def with_entry(
    data: bytes, holder: DocumentValue, own: Sequence[DocumentValue], key: str, value: Any
) -> list[ByteChange] | None:
    """Put an entry behind those of an object that are written in it."""
    if holder.is_block:
        return _block_entry(data, own[-1], _indent(data, own[-1]), key, value) if own else None
    listed = _bracket(data, holder, own)
    if listed is None:
        return None
    colon, comma = _get_colon(data, own), ", "
    if len(own) > 1 and COMMA.fullmatch(data[listed.members[-2].end : listed.members[-1].start]):
        comma = data[listed.members[-2].end : listed.members[-1].start].decode()
    elif colon == ":":
        comma = ","
    return insert_member(data, listed, _pair(data, listed, _quote(data, own), (key, value), colon), comma)


def _quote(data: bytes, own: Sequence[DocumentValue]) -> bytes:
    """Return the quotation mark of the last key."""
    return data[own[-1].key_reach[0] :][:1] if own and own[-1].key_reach else b'"'


def _get_colon(data: bytes, own: Sequence[DocumentValue]) -> str:
    """Return the text between a key and its value."""
    between = data[own[-1].key_reach[1] : own[-1].reach[0]] if own and own[-1].key_reach else b""
    return between.decode() if COLON.fullmatch(between) else ": "


def _pair(data: bytes, listed: Bracketed, like: bytes, entry: tuple[str, Any], colon: str) -> str:
    """Write an entry; an object in it has lines of its own where the entries beside it have."""
    key, value = entry
    name = _show(data, key, like)
    if not isinstance(value, dict):
        return f"{name}{colon}{_show(data, value, like)}"
    inner = ", ".join(f"{_show(data, each, like)}{colon}{_show(data, value[each], like)}" for each in value)
    indent, close = (
        _get_line_head(data, at) for at in (listed.members[-1].start if listed.members else 0, listed.inner.end)
    )
    if not listed.members or indent.strip() or close.strip() or not indent.startswith(close) or indent == close:
        return f"{name}{colon}{{{inner}}}"
    end = detect_newline(data, data.rfind(b"\n", 0, listed.inner.end) + 1)
    return f"{name}{colon}{{{end}{indent}{indent[len(close) :]}{inner}{end}{indent}}}"


def _get_line_head(data: bytes, offset: int) -> str:
    """Return the text on a line before an offset."""
    return data[data.rfind(b"\n", 0, offset) + 1 : offset].decode("utf-8", "replace")


def _show(data: bytes, value: Any, like: bytes) -> str:
    """Write a scalar as those beside it are: quoted in the same way, and with no letter that the document escapes."""
    written = json.dumps(value, ensure_ascii=data.isascii())
    if not isinstance(value, str) or like == b'"':
        return written
    if like == b"'":
        return f"'{value}'" if value.isprintable() and not {"'", "\\"} & set(value) else written
    return value if PLAIN.fullmatch(value) else written


def _bracket(data: bytes, holder: DocumentValue, own: Sequence[DocumentValue]) -> Bracketed | None:
    start, end = holder.reach
    if data[start : start + 1] not in (b"{", b"["):
        return None
    members = tuple(ByteRange((each.key_reach or each.reach)[0], each.reach[1]) for each in own)
    rest = re.compile(rb"\s*(,)").match(data, members[-1].end, end - 1) if members else None
    last = rest is not None and not data[rest.end() : end - 1].strip()
    return Bracketed(
        ByteRange(start + 1, end - 1), members, ByteRange(*rest.span(1)) if rest is not None and last else None
    )


def _indent(data: bytes, value: DocumentValue) -> str | None:
    """Return the spaces before the entries beside a value, None where it stands behind something else than dashes."""
    head = _get_line_head(data, (value.key_reach or value.reach)[0])
    return None if head.strip(" -") else " " * len(head)


def _block_entry(data: bytes, last: DocumentValue, indent: str | None, key: str, value: Any) -> list[ByteChange] | None:
    end = _end(data, last)
    after = find_line_end(data, end)
    if indent is None or (after is None and data[end:].strip()):
        return None
    like = _quote(data, [last])
    first = data.find(b"\n")
    line = detect_newline(data, after or first + 1)
    text = _show(data, key, like)
    if isinstance(value, dict):
        text += "".join(
            [":", *(f"{line}{indent}  {_show(data, each, like)}: {_show(data, value[each], like)}" for each in value)]
        )
    else:
        text += f": {_show(data, value, like)}"
    at = end if after is None else after - len(detect_newline(data, after))
    return [ByteChange(at, at, f"{line}{indent}{text}")]


def _end(data: bytes, value: DocumentValue) -> int:
    """Return where the last line of a value ends that is not blank: one that is indented reaches to the next one."""
    inner = [each for _, each in value.inner] if value.is_block else []
    start, end = value.reach
    if inner:
        return max(_end(data, each) for each in inner if start <= each.reach[0] and each.reach[1] <= end)
    return start + len(data[start:end].rstrip())


def replace_scalar(data: bytes, old: DocumentValue, value: Any) -> list[ByteChange] | None:
    """Put a scalar in the place of another, which has neither a name nor a tag nor lines of its own."""
    start, end = old.reach
    like = data[start : start + 1]
    if like in (b"|", b">", b"&", b"!", b"*") or isinstance(value, dict | list):
        return None
    return [ByteChange(start, end, _show(data, value, like) if start < end else f" {_show(data, value, like)}")]


def without(
    data: bytes, holder: DocumentValue, entries: Sequence[DocumentValue], gone: Sequence[int]
) -> list[ByteChange] | None:
    """Take some of the entries that are written in an object or an array out; None if a comment would go, too."""
    if holder.is_block:
        return _block_without(data, holder, entries, gone)
    listed = _bracket(data, holder, entries)
    return drop_members(data, listed, gone) if listed is not None else None


def _block_without(
    data: bytes, holder: DocumentValue, entries: Sequence[DocumentValue], gone: Sequence[int]
) -> list[ByteChange] | None:
    if len(gone) == len(holder.inner):
        start, end = len(data[: holder.reach[0]].rstrip()), _end(data, holder)
        is_bare = b"#" not in data[start:end] and not data[end : find_line_end(data, end)].strip()
        return [ByteChange(start, end, " []" if isinstance(holder.data, list) else " {}")] if is_bare else None
    changes = []
    for each in (entries[index] for index in gone):
        start = (each.key_reach or each.reach)[0]
        head, end = _get_line_head(data, start), _end(data, each)
        after = len(data) if not data[end:].strip() else find_line_end(data, end)
        is_alone = re.fullmatch(r" *" if each.key_reach else r" *- +", head) is not None
        if not is_alone or after is None or data[end:after].strip() or b" #" in data[start:end]:
            return None
        changes.append(ByteChange(start - len(head), after, ""))
    return changes


SHORT = {0: "0", 7: "a", 8: "b", 11: "v", 12: "f", 27: "e", 0x85: "N", 0xA0: "_", 0x2028: "L", 0x2029: "P"}
"""The escapes of one letter that JSON or YAML have for what is not seen."""


def strip_characters(data: bytes, place: tuple[int, int], characters: Sequence[str]) -> list[ByteChange]:
    """Take characters out of a text, raw or, between double quotes, as escapes."""
    start, end = place
    text = data[start:end].decode()
    forms = [re.escape(each) for each in characters]
    forms += [form for each in characters for form in _collect_escapes(each)] if text.startswith('"') else []
    found = []
    for hit in re.finditer(rf"(?:{'|'.join(forms)})|(?P<kept>\\.)", text, re.DOTALL):
        if hit["kept"] is None:
            begin = start + len(text[: hit.start()].encode())
            found.append(ByteChange(begin, begin + len(hit[0].encode()), ""))
    return found


def _collect_escapes(character: str) -> list[str]:
    """Return the forms of an escape, in JSON and in YAML."""
    code = ord(character)
    halves = character.encode("utf-16-be", "surrogatepass").hex()
    units = "".join(rf"\\u(?i:{halves[at : at + 4]})" for at in range(0, len(halves), 4))
    return [
        units,
        rf"\\U(?i:{code:08x})",
        *([rf"\\x(?i:{code:02x})"] if code < 0x100 else []),
        *([rf"\\{SHORT[code]}"] if code in SHORT else []),
    ]
