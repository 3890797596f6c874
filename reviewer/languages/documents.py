"""Markdown documents beside the source → the tools that they list. Read as plain text, and only if a rule asks."""

import re
from collections.abc import Iterator
from itertools import chain

from reviewer.facts import Listing, Project
from reviewer.files import Tree
from reviewer.source import Span, Text

ROW = re.compile(
    r"^[ ]{0,3}\|\s*(?:\*\*|\[)*`?(?P<name>[A-Za-z][\w.-]{2,63})(?:\([^|`]*\))?`?(?:\*\*|\]\([^)|]*\))*\s*\|"
)
ITEM = re.compile(
    r"^[ ]{0,3}(?:[-*+]|\d+[.)])\s+(?:\*\*|\[)*(?:`(?P<name>[A-Za-z][\w.-]{2,63})(?:\([^`]*\))?`)(?:\*\*|\]\([^)]*\))*(?:\W|$)"
)
HEADING = re.compile(r"^(?P<level>#{2,6})\s")
NAMED = re.compile(r"^#+\s+(?:\d+[.)]\s+)?(?:\*\*)?`(?P<name>[A-Za-z][\w.-]{2,63})(?:\([^`]*\))?`")
RULE = re.compile(r"^\s*\|[\s:|-]+$")
LINES = 20_000
FEWEST = 3
"""Tools. A list that names fewer is no list of tools."""

FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")


def listings(tree: Tree, project: Project) -> Iterator[Listing]:
    """Find what the documents list, if the names of all tools can be read."""
    servers = [server for server in project.servers if server.tools]
    names = [tool.name for server in servers for tool in server.tools]
    if any(server.unreadable for server in project.servers) or not all(isinstance(each, Text) for each in names):
        return
    tools = {str(each): each for each in names if isinstance(each, Text)}
    texts = dict(tree.documents()) if len(tools) >= FEWEST else {}
    groups = (group for path, text in texts.items() for group in chain(_groups(path, text), _headings(path, text)))
    listed = [name for group in groups for name in _of(group, tools)]
    known = {str(each) for each in listed} & tools.keys()
    if not listed:
        return
    unknown = [each for each in listed if each not in tools and not _is_held(tree, each)]
    told = "\n".join(texts.values())
    complete = len(known) >= FEWEST and 3 * len(known) >= 2 * len(tools)
    missing = [each for name, each in tools.items() if complete and not _names(told, name)]
    yield Listing(tuple(tools.values()), tuple(listed), _once(unknown), tuple(missing))


def _of(group: list[Text], tools: dict[str, Text]) -> list[Text]:
    """Give the names of a list of tools: at least three of them, and no more than a third as many others."""
    known = {str(each) for each in group if each in tools}
    others = {str(each) for each in group} - known
    return group if len(known) >= FEWEST and 3 * len(others) <= len(known) else []


def _groups(path: str, text: str) -> Iterator[list[Text]]:
    """Give the names that the first cells of a table, or the items of a list, begin with."""
    group: list[Text] = []
    kind: re.Pattern[str] | None = None
    for number, line, fenced in _lines(text):
        shape = None if fenced else ROW if line.lstrip().startswith("|") else ITEM if ITEM.match(line) else None
        if shape is not kind and not (kind is ITEM and _goes_on(line)):
            yield group
            group, kind = [], shape
        if shape is ROW and RULE.match(line):
            group = []  # what stood above it are the heads of the columns
        found = shape.match(line) if shape is not None else None
        if found is not None:
            group.append(_named(found, path, number))
    yield group


def _headings(path: str, text: str) -> Iterator[list[Text]]:
    """Give the names in backticks that headings of one level begin with, under one heading of a higher level."""
    groups: dict[int, list[Text]] = {}
    for number, line, fenced in _lines(text):
        heading = None if fenced else HEADING.match(line)
        if heading is None:
            continue
        level = len(heading["level"])
        yield from (groups.pop(each) for each in sorted(groups) if each > level)
        found = NAMED.match(line)
        if found is not None:
            groups.setdefault(level, []).append(_named(found, path, number))
    yield from groups.values()


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Give the lines of a text by their numbers, and whether each lies within a fence."""
    fenced = False
    for number, line in enumerate(text.split("\n")[:LINES], 1):
        fenced ^= FENCE.match(line) is not None
        yield number, line, fenced


def _named(found: re.Match[str], path: str, number: int) -> Text:
    start, end = found.span("name")
    return Text(found["name"], Span(path, number, start + 1, number, end + 1))


def _goes_on(line: str) -> bool:
    """Tell whether a line belongs to the item before it, or only parts two items."""
    return not line.strip() or line.startswith(("  ", "\t"))


def _is_held(tree: Tree, name: str) -> bool:
    """Tell whether any source file holds a name: a prompt, an alias, a tool that a run registers."""
    word = re.compile(rb"(?<![\w-])" + re.escape(name.encode()) + rb"(?![\w-])")
    return any(word.search(source.data) for source in tree.sources.values())


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _once(names: list[Text]) -> tuple[Text, ...]:
    return tuple({str(each): each for each in reversed(names)}.values())[::-1]
