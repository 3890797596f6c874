"""Markdown documents beside the source → the tools that they list. Read only if a rule asks."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from reviewer.facts import DocumentListing, Project, Schema, Tool
from reviewer.facts.documents import find_nearest
from reviewer.files.discovery import Tree
from reviewer.languages.markdown import NamedEntry, NameGroup, iter_name_groups
from reviewer.source import Text, build_text
from reviewer.text.patterns import pattern

FEWEST = 3
"""Tools. A list of fewer is one only under a heading that says so."""

MOST = 200
"""Names that are looked for in the sources. A document with more that are unknown tells of something else."""

# The word in English and in the languages of translated READMEs: German, French, Spanish, Russian, Chinese, Japanese and
# Korean.
TOOLS = pattern(r"\b(?:tools?|werkzeuge|outils|herramientas|инструмент\w*)\b|工具|ツール|도구", re.IGNORECASE)
ELSEWHERE = pattern(
    r"\b(?:planned|roadmap|future|upcoming|coming|soon|todo|proposed|removed|deprecated|renamed|legacy|migrat\w+|change\s?log"
    r"|changes|history|resources?|prompts?|alias(?:es)?|former\w*|previous\w*|old|not|no longer|other servers?|similar"
    r"|related|alternatives?|compar\w+)\b|~~",
    re.IGNORECASE,
)
"""Words of a line, or of a heading above it, that tell of tools which are not there, or of what is no tool."""

PROPOSED = pattern(r"\b(?:candidates?|proposals?|consider(?:ed|ing)?)\b", re.IGNORECASE)
"""Words of a heading, or of the line above a list, of what there may be one day: "Candidates to consider"."""

STUDIED = pattern(
    r"analy[sz]\w+|\b(?:plan(?:s|ning)?|designs?|rfcs?|adrs?|audits?|reviews?|research|notes?|ideas?|drafts?|spikes?|todo"
    r"|road ?map|change ?log)\b|" + PROPOSED.pattern,
    re.IGNORECASE,
)
"""Words of the name or the title of a document by which somebody thinks, and promises nothing to users."""

INDEX = pattern(r"(?:docs/)?(?:README[\w.-]*|index|_sidebar)\.md", re.IGNORECASE)
"""Documents from which others are found."""

# The first heading of a document says what it is for as well as its file's name.
TITLE = pattern(r"^#[ \t]+(.+)$", re.MULTILINE)

# Calls as transcripts, code with the SDK's client and JSON-RPC show them. Each stretch is bounded, since documents are
# long.
CALL = pattern(
    r"(?:\btool calls?:[ \t]*\n[ \t]{1,16}|\bcall_tool\(\s{0,80}[\"']|[\"']tools/call[\"']"
    r"[^{}]{0,200}\{\s{0,80}\"name\"\s{0,8}:\s{0,8}\")"
    r"(?P<name>[A-Za-z][A-Za-z0-9_.-]{2,63})",
    re.IGNORECASE,
)
COUNT = pattern(
    r"(?P<some>over |than |least |to |about |around |~ ?)?"
    r"(?P<before>\b(?:suite|provides?|exposes?|offers?|access to|these)\W{1,6})?"
    r"(?P<told>\b(?P<count>[1-9]\d{0,2})\*{0,2} (?P<mcp>MCP )?tools)\b"
    r"(?P<after>\*{0,2}(?: across \d| in \d+ categor| are available| covering\b))?",
    re.IGNORECASE,
)
"""How a document tells how many tools a server has, and not how many of a kind there are, or of other programs."""

LONGEST = 2**18
"""Characters of a document in which calls are looked for."""

# A heading, the line before a list, or the head of a table's first column; nothing more in it but what kind they are.
PARAMETERS = pattern(
    r"^[\s#*_|>+-]*(?:(?:required|optional|input|tool|key|main)\s+)?(?:parameters?|arguments?|args|params|inputs?)(?:\s*\([^)]*\))?[\s:*_|]*(?:$|\|)",
    re.IGNORECASE,
)


def iter_listings(tree: Tree, project: Project) -> Iterator[DocumentListing]:
    """Find what each document lists, if the names of all tools can be read."""
    servers = [[tool for tool in server.tools if isinstance(tool.name, Text)] for server in project.servers]
    whole = all(len(named) == len(server.tools) for named, server in zip(servers, project.servers, strict=True))
    tools = {str(tool.name): tool for server in servers for tool in server}
    if not tools or not whole or any(server.unreadable for server in project.servers):
        return
    texts = dict(tree.iter_documents())
    promising = _select_user_documents(texts)
    told = "\n".join(texts.values())
    for path, text in promising.items():
        found = list(iter_name_groups(path, text))
        listed = list(_iter_tool_entries(found, tools))
        names = {str(each.name) for each in listed}
        unknown = [each.name for each in listed if str(each.name) not in tools and not _is_excused(each.rest)]
        unknown += (
            each
            for each in _iter_example_calls(path, text)
            if str(each) not in tools and find_nearest(each, tools.keys())
        )
        held = (each for each in _collect_once(unknown) if not _is_held(tree, each))
        yield DocumentListing(
            path,
            tuple(tool.name for tool in tools.values() if isinstance(tool.name, Text)),
            tuple(each.name for each in listed),
            tuple(held) if len(unknown) <= MOST else (),
            tuple(name for server in servers for name in _iter_unlisted_tools(server, names, told)),
            tuple(islice(_iter_parameters(found, tools), MOST)),
            tuple(_iter_counts(path, text[:LONGEST], servers)) if not _is_excused(path) else (),
        )


def _select_user_documents(texts: dict[str, str]) -> dict[str, str]:
    """Return the documents that tell users what there is: no analysis or plan, and of those that are linked only these."""
    linked = {
        path
        for index, text in texts.items()
        if INDEX.fullmatch(index)
        for path in texts
        if path != index and re.search(rf"\]\([^)\s]*\b{re.escape(path.rpartition('/')[2])}", text)
    }
    return {
        path: text
        for path, text in texts.items()
        if INDEX.fullmatch(path) or ((not linked or path in linked) and not _is_study(path, text))
    }


def _is_study(path: str, text: str) -> bool:
    title = TITLE.search(text)
    words = re.sub(r"[\W_]+", " ", path.rpartition("/")[2].rpartition(".")[0])
    return any(STUDIED.search(each) for each in (words, title[1] if title is not None else ""))


def _iter_tool_entries(found: Iterable[NameGroup], tools: dict[str, Tool]) -> Iterator[NamedEntry]:
    """Yield the entries of the groups that list tools: more of them than of anything else, and two at least."""
    likely = []
    for group in _iter_merged_groups(found):
        names = {str(each.name) for each in group.entries}
        known, others = len(names & tools.keys()), len(names - tools.keys())
        said = any(map(TOOLS.search, (*group.headings, group.head)))
        if any(map(_is_excused, group.headings)) or any(map(PROPOSED.search, (*group.headings, group.head))):
            continue
        if known >= FEWEST and 3 * others <= known:
            yield from group.entries
        elif said and known >= others and known:
            likely.append((known, group))
    if sum(known for known, _ in likely) >= 2:
        yield from (each for _, group in likely for each in group.entries)


def _iter_merged_groups(found: Iterable[NameGroup]) -> Iterator[NameGroup]:
    """Yield the groups; the headings of one level under headings that say tools are one."""
    united: dict[int, NameGroup] = {}
    for group in found:
        if (
            group.kind == "heading"
            and group.headings
            and TOOLS.search(group.headings[-1])
            and not any(map(_is_excused, group.headings))
        ):
            united.setdefault(len(group.headings), NameGroup(group.kind, group.headings, group.head)).entries.extend(
                group.entries
            )
        else:
            yield group
    yield from united.values()


def _iter_counts(path: str, text: str, servers: list[list[Tool]]) -> Iterator[Text]:
    """Yield the numbers of tools that a document tells and that no server has, with those of its conditions or without."""
    right = {len(server) for server in servers} | {sum(not tool.conditions for tool in server) for server in servers}
    most = max(right)
    for found in COUNT.finditer(text):
        count = int(found["count"])
        line = text[text.rfind("\n", 0, found.start()) + 1 : text.find("\n", found.end())]
        is_all = found["before"] or found["mcp"] or found["after"]
        is_near = most <= 2 * count <= 3 * most and min(most, count) >= FEWEST
        if is_all and is_near and count not in right and not found["some"] and not _is_excused(line):
            yield build_text(path, text, *found.span("told"))


def _iter_example_calls(path: str, text: str) -> Iterator[Text]:
    """Yield the names of the tools that a document shows calls of."""
    for found in CALL.finditer(text, 0, LONGEST):
        yield build_text(path, text, *found.span("name"))


def _iter_unlisted_tools(server: list[Tool], listed: set[str], told: str) -> Iterator[Text]:
    """Yield the tools of a server that no document names, where this one lists most of the others."""
    always = [tool.name for tool in server if not tool.conditions and isinstance(tool.name, Text)]
    known = [each for each in always if str(each) in listed]
    if len(known) >= FEWEST and 10 * len(known) >= 7 * len(always):
        yield from (each for each in always if not _names(told, each))


def _iter_parameters(found: Iterable[NameGroup], tools: dict[str, Tool]) -> Iterator[tuple[Text, str, tuple[str, ...]]]:
    """Yield the names that a list under a tool's name gives as parameters and the tool does not have."""
    only = next(iter(tools)) if len(tools) == 1 else ""
    for group in found:
        said = PARAMETERS.match(group.head) or (group.headings and PARAMETERS.match(group.headings[-1]))
        owner = group.owner if group.owner in tools else only if any(map(TOOLS.search, group.headings)) else ""
        if not said or not owner or any(map(_is_excused, group.headings)):
            continue
        known = _collect_arguments(tools[owner])
        names = [each.name for each in group.entries if each.coded]
        if known and 2 * sum(str(each) in known for each in names) >= len(names):
            yield from ((each, owner, known) for each in names if str(each) not in known)


def _collect_arguments(tool: Tool) -> tuple[str, ...]:
    """Return the names of a tool's arguments, and of what lies in them; none if they cannot all be read."""
    if not isinstance(tool.parameters, tuple) or not isinstance(tool.input_schema, Schema):
        return ()
    if any(each.free for each in tool.parameters) or any(
        part.startswith("inputSchema") for part in tool.iter_unreadable()
    ):
        return ()
    names = [str(each.name) for each in tool.parameters] + [each.name for each in tool.arguments]
    return tuple(dict.fromkeys(names))


def _is_excused(text: str) -> bool:
    return ELSEWHERE.search(text) is not None


def _is_held(tree: Tree, name: str) -> bool:
    """Return whether any source file holds a name: a prompt, an alias, a tool that a run registers."""
    word = re.compile(rb"(?<![\w-])" + re.escape(name.encode()) + rb"(?![\w-])")
    return any(word.search(source.data) for source in tree.sources.values())


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def _collect_once(names: list[Text]) -> tuple[Text, ...]:
    return tuple({str(each): each for each in reversed(names)}.values())[::-1]
