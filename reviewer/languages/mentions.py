"""Texts in the sources → the names that they give as tools and that no tool has: in prompts, instructions, descriptions, answers.

Names are looked for in the bytes of the files; only around those that may be meant for a tool is anything parsed.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Mention, Project, Tool
from reviewer.facts.documents import find_nearest
from reviewer.files.discovery import Tree, find_language, is_aside
from reviewer.languages.nodes import parse
from reviewer.source import Source, Span, Text
from reviewer.text.patterns import pattern

NAME = rb"(?P<name>[a-z][a-z0-9]{0,31}(?:[_-][a-z0-9]{1,31}){1,9})"
END = rb"(?![\w-]|[.:/]\w|=)"

ASKED = tuple(
    pattern(
        word[1:]
        + rb" (?<=\b["
        + word[:1]
        + word[:1].upper()
        + rb"]"
        + word[1:]
        + rb" )(?:the )?[`'\"*]{0,3}"
        + NAME
        + END
    )
    for word in (b"use", b"using", b"call", b"calling", b"run", b"try", b"invoke")
)
"""How a text has a tool called: one of these verbs before its name. The expression begins with the verb's other letters, which
can be searched for as they are, and looks back at the first, which may be a capital."""

# "the `lend` tool": the name stands before the word. Not `tool[`, which is code.
TOLD = pattern(rb" tools?\b(?!\[)")
# Looked for backwards from `TOLD`, so that not every name of a file is looked at.
BEFORE = pattern(rb"(?<![\w./:$@{-])" + NAME + rb"[`'\"*]{0,3}\Z")
# What follows has to look like arguments: prose has brackets after a name as well.
CALLED = pattern(rb"`" + NAME + rb"\((?=[a-z_]+ ?[=:]|\\?[\"'{)]|$)")
# Code font; a double mark opens a block of code.
MARKED = pattern(rb"`" + NAME + rb"`(?!`)")
LISTED = tuple(pattern(mark + rb" " + NAME + rb"(?=\\n|\n|\"|$)") for mark in (b":", b"-"))
"""How a text names a tool: it asks for a call, says that it is a tool, writes a call, or has a name in code font or at the end
of a line. The last two are so only in a text that speaks of tools. Each begins with plain letters: those are found far faster."""

ITEM = pattern(rb"- \\?[`'\"*]{0,3}" + NAME + rb"\\?[`'\"*]{0,3}(?: ?\([^()\n]*\))?:")
"""An item of a list that says something of a name. It is one of a tool where the text lists tools in this way."""

# A text that does not speak of tools names something else by the same words.
TOOL = pattern(rb"\btools?\b", re.IGNORECASE)
GONE = pattern(
    rb"\b(?:replac\w+|supersed\w+|former\w*|previous\w*|deprecat\w+|legacy|renam\w+|used to"
    rb"|no longer|old|not|never|without|isn't|REST)\b"
    rb"[^\n]*\Z"
)
"""Words before a name, in its line, that tell of a tool which is not there any more, or of what is no tool."""

NO_TOOL = pattern(
    rb"[`'\"*]{0,3} (?:services?|endpoints?|APIs?|hooks?|events?|tables?|columns?|fields?|keys?|param\w*|arguments?|flags?"
    rb"|options?|rows?|modules?|packages?|librar\w+|commands?|scripts?|methods?|values?|as REST)\b"
)
"""What stands right behind a name that is none of a tool."""

PURPOSE = pattern(rb"[`'\"*]{0,3} to [a-z]")
"""What stands behind a name that is asked for to some end: `use list_ropes to find one`."""

FEWEST = 3
"""Tools. So many whose names begin with the same word make a family, to which one of that word is said to belong."""

LONGEST = 70
"""Bytes before the word `tool` in which its name is looked for."""

MOST = 2_000
"""Names that are looked at in one project."""


class _Mention(NamedTuple):
    """A name in the bytes of a file. `weak` tells that only a text that speaks of tools can mean one by it, `asked` that it asks
    for a call.
    """

    name: str
    start: int
    weak: bool
    called: bool
    listed: bool = False
    asked: bool = False


def iter_mentions(tree: Tree, project: Project) -> Iterator[Mention]:
    """Yield for each file the names that its texts give as tools, if the names of all tools can be read."""
    every = [tool for server in project.servers for tool in server.tools]
    tools = [tool for tool in every if isinstance(tool.name, Text)]
    if len({tool.name for tool in tools}) < FEWEST or len(tools) < len(every) or tree.broken:
        return
    reader = _MentionFinder(tree, tools)
    for path, source in tree.sources.items():
        if not is_aside(path):
            names = tuple(reader.iter_names(source))
            if names:
                yield Mention(path, names)


class _MentionFinder:
    """Knows the tools of a project and the words of its code."""

    def __init__(self, tree: Tree, tools: list[Tool]) -> None:
        self._tree = tree
        self._all = tools
        self._tools = {str(tool.name): tool for tool in tools}
        self._told: dict[str, list[Span]] = {}
        self._style = "-" if 2 * sum("-" in each for each in self._tools) > len(self._tools) else "_"
        self._known = {_format_plain(each) for each in self._tools}
        self._known |= {_format_plain(part.name) for tool in tools for part in tool.arguments}
        firsts = [each.partition(self._style)[0] for each in self._tools]
        self._families = {each for each in firsts if firsts.count(each) >= FEWEST}
        self._meant: dict[str, str] = {}
        self._held: dict[bytes, tuple[bool, bool]] = {}
        self._rest = MOST

    def iter_names(self, source: Source) -> Iterator[tuple[Text, str]]:
        """Yield the names in one file, each once, with the tool that each is near to."""
        seen = set[str]()
        for each in sorted(
            {(one.start, one.listed): one for one in self._iter_found(source.data)}.values(), key=lambda one: one.start
        ):
            if each.name in seen or not self._may_mean(source, each) or not self._rest:
                continue
            self._rest -= 1
            if self._says_tool(source, each):
                seen.add(each.name)
                place = source.stretch(each.start, each.start + len(each.name))
                yield Text(each.name, place), self._format_near(each.name)

    def _iter_found(self, data: bytes) -> Iterator[_Mention]:
        for written in (*LISTED, MARKED, CALLED, *ASKED):
            for found in written.finditer(data):
                yield _Mention(
                    found["name"].decode(),
                    found.start("name"),
                    written is MARKED or written in LISTED,
                    written is CALLED,
                    asked=written in ASKED,
                )
        for found in ITEM.finditer(data):
            yield _Mention(found["name"].decode(), found.start("name"), True, False, True)
        for tool in TOLD.finditer(data):
            begin = max(0, tool.start() - LONGEST)
            before = BEFORE.search(data[begin : tool.start()])
            if before is not None:
                yield _Mention(before["name"].decode(), begin + before.start("name"), False, False)

    def _may_mean(self, source: Source, found: _Mention) -> bool:
        """Return whether a name is written as those of the tools, is none of theirs, and may be meant for one."""
        if _format_plain(found.name) in self._known or (self._style not in found.name):
            return False
        is_told = found.called or found.listed
        if bool(self._format_near(found.name)) or (is_told and self._is_of_family(found.name)):
            return True
        end = found.start + len(found.name)
        is_for = found.asked and PURPOSE.match(source.data, end) is not None
        return is_for and self._is_beside_tools(source.stretch(found.start, end))

    def _is_beside_tools(self, place: Span) -> bool:
        """Return whether the description of a tool that a place lies in asks in the same way for a tool that is there."""
        said = (tool.said for tool in self._all if tool.said is not None and tool.said.span.path == place.path)
        around = [each.encode() for each in said if each.span.line <= place.line <= each.span.end_line]
        others = (
            found["name"].decode()
            for text in around
            for form in ASKED
            for found in form.finditer(text)
            if PURPOSE.match(text, found.end("name"))
        )
        return any(each in self._tools for each in others)

    def _is_of_family(self, name: str) -> bool:
        return name.partition(self._style)[0] in self._families

    def _format_near(self, name: str) -> str:
        if name not in self._meant:
            begun = (each for each in self._tools if name.startswith(f"{each}{self._style}") and self._style in each)
            self._meant[name] = next(chain(find_nearest(name, self._tools.keys()), begun), "")
        return self._meant[name]

    def _says_tool(self, source: Source, found: _Mention) -> bool:
        """Return whether a name stands in a text for a client, in a sentence that does not speak of something else."""
        data, end = source.data, found.start + len(found.name)
        if NO_TOOL.match(data, end) or GONE.search(data[max(0, found.start - 80) : found.start]):
            return False
        node = parse(source, find_language(source.path)).descendant_for_byte_range(found.start, end)
        while node is not None and node.type in (*CONTENTS, "interpolation", "escape_sequence"):
            node = node.parent
        if node is None:
            return False
        if found.listed and not self._lists_tools(node):
            return False
        described = self._is_described(source.stretch(found.start, end))
        if not node.type.endswith(("string", "string_literal")):
            is_documentation = data.startswith((b"///", b"/**"), node.start_byte)
            return is_documentation and described and not self._is_held(found)
        if _is_documentation(node):
            return described and not self._is_held(found)
        speaks = described or found.listed or TOOL.search(data, node.start_byte, node.end_byte) is not None
        return (speaks or not found.weak) and not self._is_held(found, as_function=not speaks)

    def _lists_tools(self, node: Node) -> bool:
        """Return whether a text has a list of tools."""
        whole = node.parent if node.parent is not None and node.parent.type == "concatenated_string" else node
        names = {each["name"].decode() for each in ITEM.finditer(whole.text or b"")}
        return len(names & self._tools.keys()) >= FEWEST

    def _is_described(self, place: Span) -> bool:
        """Return whether a place lies in the description of a tool."""
        if place.path not in self._told:
            said = (tool.said.span for tool in self._all if tool.said is not None)
            self._told[place.path] = [span for span in said if span.path == place.path]
        return any(span.line <= place.line <= span.end_line for span in self._told[place.path])

    def _is_held(self, found: _Mention, *, as_function: bool = False) -> bool:
        """Return whether any code has a name otherwise than in a longer text, or but as a function, which is no tool."""
        name = found.name.encode()
        if name not in self._held:
            word = re.compile(rb"(?<![\w-])" + re.escape(name) + rb"(?![\w-])")
            sources = [each for each in self._tree.sources.values() if name in each.data]
            kinds = {kind for each in sources for kind in _iter_kinds(each, word)}
            functions = re.compile(rb"\b(?:fn|def)\s+" + re.escape(name) + rb"\b")
            is_function = "code" in kinds and any(functions.search(each.data) for each in sources)
            held = "text" in kinds or ("code" in kinds and not is_function) or self._is_elsewhere(word)
            self._held[name] = (held, is_function)
        held, is_function = self._held[name]
        is_sure = is_function or not found.weak or self._is_of_family(found.name)
        return (
            held
            or (is_function and as_function)
            or not (is_sure and (is_function <= bool(self._format_near(found.name))))
        )

    def _is_elsewhere(self, word: re.Pattern[bytes]) -> bool:
        """Return whether a file of another language has a name."""
        return any(word.search(self._tree.read_bytes(each, 2**20)) for each in self._tree.unread)


CONTENTS = frozenset({"string_content", "string_fragment"})
"""What the grammars call the text in a literal."""


def _format_plain(name: str) -> str:
    return name.replace("-", "_").lower()


def _iter_kinds(source: Source, word: re.Pattern[bytes]) -> Iterator[str]:
    """Yield as what a file has a word, other than in a longer text or a comment: as `code`, or as the whole of a `text`."""
    root = parse(source, find_language(source.path))
    for found in word.finditer(source.data):
        node = root.descendant_for_byte_range(*found.span())
        if node is None or "comment" in node.type:
            continue
        if node.type not in CONTENTS:
            yield "code"
        elif node.end_byte - node.start_byte == len(found[0]):
            yield "text"


def _is_documentation(node: Node) -> bool:
    """Return whether a text is that of a function, a class or a module, which no client sees unless it is a tool's."""
    return node.parent is not None and node.parent.type == "expression_statement"
