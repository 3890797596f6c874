"""Changes of texts: of their bytes, their tokens, their lines, and of the nodes of their syntax trees."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import tree_sitter
import tree_sitter_json
import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from values import chance

GRAMMARS = {
    ".py": tree_sitter_python.language,
    ".rs": tree_sitter_rust.language,
    ".ts": tree_sitter_typescript.language_typescript,
    ".json": tree_sitter_json.language,
}
TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
BYTES = (
    b"\x00",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\t",
    b"\x1b",
    b"'",
    b'"',
    b'"""',
    b"\\",
    b"{",
    b"}",
    b"(",
    b"[",
    b"#",
    b"/*",
    b"\xe2\x80\xae",
    b"0x",
    b"\x0c",
)
MOST_PART = 1_500
"""Bytes of a node that is put somewhere else: a case stays small."""

MOST_SEED = 6_000
"""Bytes of a seed: of a larger file some parts are taken."""


def flipped(random: Random, data: bytes) -> bytes:
    """Return the data with some bytes changed, doubled, moved or lost."""
    for _ in range(random.choice([1, 1, 2, 4, 12])):
        start = random.randint(0, len(data))
        end = min(len(data), start + random.choice([0, 1, 1, 4, 40]))
        kind = random.randrange(4)
        if kind == 0:
            data = data[:start] + random.choice(BYTES) + data[end:]
        elif kind == 1:
            data = data[:start] + data[end:]
        elif kind == 2:
            data = data[:start] + data[start:end] * random.choice([2, 3, 50]) + data[end:]
        else:
            data = data[:start] + bytes([random.randrange(256)]) + data[end:]
    return data


def retokened(random: Random, data: bytes, pool: Sequence[bytes]) -> bytes:
    """Return the data with some tokens left out, doubled, exchanged, or taken from the pool of another text."""
    parts = TOKEN.findall(data)
    for _ in range(random.choice([1, 2, 3, 8])):
        if not parts:
            break
        at, other = random.randrange(len(parts)), random.randrange(len(parts))
        kind = random.randrange(5)
        if kind == 0:
            del parts[at]
        elif kind == 1:
            parts.insert(at, parts[other])
        elif kind == 2:
            parts[at], parts[other] = parts[other], parts[at]
        else:
            parts[at] = random.choice(pool) if pool else b"x"
    return b"".join(parts)


def relined(random: Random, data: bytes) -> bytes:
    """Return the data with some lines left out, doubled, moved, indented or joined."""
    lines = data.split(b"\n")
    for _ in range(random.choice([1, 2, 5])):
        at, other = random.randrange(len(lines)), random.randrange(len(lines))
        kind = random.randrange(5)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[other])
        elif kind == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3:
            lines[at] = random.choice([b"    ", b"\t", b"  "]) + lines[at]
        else:
            lines[at : at + random.randint(1, 4)] = []
            lines = lines or [b""]
    return b"\n".join(lines)


def tokens(data: bytes) -> list[bytes]:
    """Return the tokens of a text."""
    return TOKEN.findall(data)


@lru_cache(maxsize=600)
def nodes(data: bytes, suffix: str) -> tuple[tuple[str, int, int], ...]:
    """Return kind, start and end of every named node of a text but its root."""
    parser = tree_sitter.Parser(tree_sitter.Language(GRAMMARS[suffix]()))
    found: list[tuple[str, int, int]] = []
    waiting: list[Any] = list(parser.parse(data).root_node.named_children)
    while waiting:
        node = waiting.pop()
        found.append((node.type, node.start_byte, node.end_byte))
        waiting += node.named_children
    return tuple(found)


def cut(random: Random, data: bytes, suffix: str) -> bytes:
    """Return a text that is small enough: if it is not, some of the things at its top."""
    if len(data) <= MOST_SEED:
        return data
    parser = tree_sitter.Parser(tree_sitter.Language(GRAMMARS[suffix]()))
    tops = parser.parse(data).root_node.named_children
    kept = [each for each in tops if each.end_byte - each.start_byte < MOST_SEED // 2]
    first = [each for each in kept if "import" in each.type or "use" in each.type][:30]
    rest = [each for each in kept if each not in first]
    start = random.randrange(max(1, len(rest)))
    chosen, size = [*first], 0
    for each in rest[start:]:
        size += each.end_byte - each.start_byte
        if size > MOST_SEED:
            break
        chosen.append(each)
    return b"\n".join(data[each.start_byte : each.end_byte] for each in chosen) + b"\n"


def spliced(random: Random, data: bytes, suffix: str, donors: Sequence[bytes], made: Callable[[], bytes]) -> bytes:
    """Return the data with some of its nodes replaced: by one of the same kind of a donor, by any one, or by what is made."""
    for _ in range(random.choice([1, 1, 2, 4])):
        own = nodes(data, suffix)
        if not own:
            return data
        kind, start, end = random.choice(own)
        donor = random.choice(donors)
        theirs = nodes(donor, suffix)
        same = [each for each in theirs if each[0] == kind and each[2] - each[1] <= MOST_PART]
        if chance(random, 30):
            part = made()
        elif same and chance(random, 85):
            _, first, last = random.choice(same)
            part = donor[first:last]
        elif theirs:
            _, first, last = random.choice(theirs)
            part = donor[first : min(last, first + MOST_PART)]
        else:
            part = b""
        data = data[:start] + part + data[end:]
    return data
