"""What a written description says of the actions of a catalog: which it lists, and the line that it has for each."""

import re
from collections.abc import Iterator, Mapping

from reviewer.facts import Action
from reviewer.records import dataclass
from reviewer.source import Text
from reviewer.text.patterns import pattern

CLOSING = r"""["'`*_]*"""
"""Marks of Markdown and quotation marks behind a name."""

ASIDE = r"(?:[ \t]*(?:\([^)\n]*\)|\[[^\]\n]*\]|\{[^}\n]*\}))*"
"""What stands in brackets behind a name: its parameters."""

SEPARATOR = pattern(rf"{CLOSING}{ASIDE}[ \t]*{CLOSING}[ \t]*(?::|—|–|-+>?|=>?|→|\|)[ \t]*{CLOSING}[ \t]*(?=\S)")
"""What parts an action from its line in all kinds of lists: a colon, a dash, an arrow, the bar of a table."""

SPACED = pattern(rf"{CLOSING}{ASIDE}[ \t]+(?=[^\s,;.)])")
"""Only blanks, as in columns: enough behind a name with a dot, which is an action's and no word of a sentence."""

ALONE = pattern(rf"{CLOSING}{ASIDE}[ \t]*[,;.]?[ \t]*$", re.MULTILINE)
"""A line that has the name and nothing else: its text stands on the lines below."""

BULLET = pattern(r"[ \t]*(?:[-*•+|>#]+[ \t]*|\d+[.)][ \t]*)*[\"'`*_]*")
"""What a line of a list begins with, several deep: `> - `, `1. `, `| `, and marks of Markdown around the name."""

QUOTED = pattern(r"""[,:|(\[{/"'`*•]\s*$|^[ \t]*(?:[-*•+][ \t]*)?$""")
"""What stands before a word that is an action's name and not a word of a sentence, together with `FOLLOWED` behind it."""

FOLLOWED = pattern(r"""\s*[,|)\]}/"'`*;]|\s*$|\.(?:\s|$)""")
"""What stands behind such a word: an end, a comma, a bracket, not the next word of a sentence."""


@dataclass(frozen=True, slots=True)
class ListedActions:
    """The actions that a text lists, each with what it says of it; those it only names; and names that are no actions."""

    lines: dict[str, str]
    named: frozenset[str]
    strange: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _ActionName:
    name: str
    start: int
    end: int
    text: int | None
    """Where the line for it begins, None if it is only named."""


def parse_listed_actions(description: str, actions: Mapping[str, Action], known: frozenset[str]) -> ListedActions:
    """Read a description; `known` are the names that may stand in the list beside the catalog's own."""
    places = sorted(
        (place for name in actions for place in _iter_places(description, name)), key=lambda each: each.start
    )
    entries = [place for place in places if place.text is not None]
    lines: dict[str, str] = {}
    ends = [*(each.start for each in entries), len(description)][1:]
    for entry, after in zip(entries, ends, strict=True):
        said = description[entry.text : after]
        row = actions[entry.name].description
        if entry.name not in lines or (isinstance(row, Text) and says(said, row) and not says(lines[entry.name], row)):
            lines[entry.name] = said
    return ListedActions(
        lines, frozenset(place.name for place in places), tuple(_iter_strange(description, entries, actions, known))
    )


def says(line: str, expected: str) -> bool:
    """Return whether a line has the one-line description that it should have, and nothing more than a mark beside it."""
    wanted = _format_plain(expected.strip().partition("\n")[0])
    text = r"\s+".join(re.escape(word) for word in wanted.split())
    given = re.sub(r"[*_`\"']", "", line).casefold()
    if re.match(rf"\W*(?:[(\[][^)\]]*[)\]]\W*)?{text}\s*(?:$|\n|[.;|(\[{{—–•·-]|,\s*$)", given) is not None:
        return True
    cut = re.match(r"\W*(.{12,}?)(?:\.\.\.|…)", given)
    return cut is not None and wanted.startswith(_format_plain(cut[1]))


def extract_first_line(said: str) -> str:
    """Return the first line of a text."""
    return said.partition("\n")[0].strip().strip("*_`|").strip()


def _format_plain(text: str) -> str:
    return " ".join(re.sub(r"[*_`\"']", "", text).split()).casefold().rstrip(".")


def _iter_places(description: str, name: str) -> Iterator[_ActionName]:
    for found in re.finditer(rf"(?<![\w.\-]){re.escape(name)}(?![\w\-]|\.\w)", description):
        line = description.rfind("\n", 0, found.start()) + 1
        before, after = description[line : found.start()], description[found.end() :]
        leads = BULLET.fullmatch(before) is not None
        text = SEPARATOR.match(after) or (SPACED.match(after) if leads and "." in name else None)
        bare = ALONE.match(after) if leads and text is None else None
        mentioned = "." in name or (QUOTED.search(before) is not None and FOLLOWED.match(after) is not None)
        if text is not None and (leads or "." in name or QUOTED.search(before) is not None):
            yield _ActionName(name, found.start(), found.end(), found.end() + text.end())
        elif bare is not None:
            yield _ActionName(name, found.start(), found.end(), found.end() + bare.end())
        elif mentioned:
            yield _ActionName(name, found.start(), found.end(), None)


def _iter_strange(
    description: str, entries: list[_ActionName], actions: Mapping[str, Action], known: frozenset[str]
) -> Iterator[str]:
    """Name what stands in the list as an action does and is none."""
    beginnings = {name.partition(".")[0] for name in actions if "." in name}
    listed = {description.count("\n", 0, entry.start) for entry in entries}
    bullets = {_get_bullet(line) for number, line in enumerate(description.split("\n")) if number in listed}
    for number, line in enumerate(description.split("\n")):
        bullet = _get_bullet(line)
        found = re.match(r"[\w\-]+(?:\.[\w\-]+)*", line[len(bullet) :])
        name = found[0] if found is not None else ""
        after = SEPARATOR.match(line[len(bullet) + len(name) :]) is not None
        if name and after and bullet in bullets and name not in actions and name not in known:
            near = bool({number - 1, number + 1} & listed) and bool(bullet.strip())
            if name.partition(".")[0] in beginnings if "." in name else near and not beginnings:
                yield name
                listed.add(number)


def _get_bullet(line: str) -> str:
    found = BULLET.match(line)
    return found[0] if found is not None else ""
