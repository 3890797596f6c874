"""Files of languages that are not read yet, and which of them look like an MCP server: by what they import, never parsed."""

from collections.abc import Iterator
from typing import NamedTuple

from reviewer.files.discovery import INSTEAD, UNREAD, Tree
from reviewer.source import Opaque, Span
from reviewer.text.patterns import pattern

SIGNS = {"Go": pattern(rb'"github\.com/(?:modelcontextprotocol/go-sdk/mcp|mark3labs/mcp-go/server)"')}
# Tests as Go names them: a client in a test is no server.
TESTS = pattern(r"(?:.*/)?[^/]*_test\.\w+")

LARGEST = 2**18
"""Bytes. A larger file is no source that a person wrote, but a bundle of many."""

MOST_READ = 2_000
"""Files that are looked into: what a review spends on files it cannot read is bounded."""


class Servers(NamedTuple):
    """The files of one language that look like an MCP server."""

    language: str
    files: tuple[str, ...]

    @property
    def opaque(self) -> Opaque:
        """What names them, at the first of them."""
        more = len(self.files) - 1
        looking = _format_looking("this file", more)
        reason = f"{self.language} is not read yet, and {looking} like an MCP server; {INSTEAD}"
        return Opaque(reason, Span(self.files[0], 1, 1, 1, 1))


def _format_looking(first: str, more: int) -> str:
    return f"{first} and {more} more file{'' if more == 1 else 's'} look" if more else f"{first} looks"


def find_servers(tree: Tree) -> tuple[Servers, ...]:
    """Find the files of languages that are not read yet that look like an MCP server, language by language."""
    found: dict[str, list[str]] = {}
    for language, name in list(_iter_looked_at(tree))[:MOST_READ]:
        if SIGNS[language].search(tree.read_bytes(name, LARGEST)) is not None:
            found.setdefault(language, []).append(name)
    return tuple(Servers(language, tuple(names)) for language, names in found.items())


def explain_unread(tree: Tree) -> str:
    """Return a clause on what looks like a server in a language that is not read yet; empty if nothing does."""
    found = find_servers(tree)
    if found:
        names = [name for each in found for name in each.files]
        languages = " and ".join(each.language for each in found)
        are = "is" if len(found) == 1 else "are"
        return f"{languages} {are} not read yet, and {_format_looking(names[0], len(names) - 1)} like an MCP server; {INSTEAD}"
    return ""


def find_main_language(tree: Tree) -> str | None:
    """Return the language that is not read yet in which most files of a tree are, None if there is none."""
    named = [each for each, _ in _iter_looked_at(tree)]
    return max(named, key=named.count) if named else None


def _iter_looked_at(tree: Tree) -> Iterator[tuple[str, str]]:
    for name in tree.unread:
        language = UNREAD.get(f".{name.rpartition('.')[2]}")
        if language is not None and TESTS.fullmatch(name) is None:
            yield language, name
