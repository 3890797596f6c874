"""Every text of a tool's definition that has something unseen in it: names, titles, descriptions, values to choose from."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from reviewer.facts import Schema, Tool
from reviewer.facts.parts import Path
from reviewer.fixes.model import FixPlanner
from reviewer.rules.shared.fixes import plan_stripping
from reviewer.rules.shared.words.hidden import INVISIBLE, SHOWN, are_useless
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

WRITTEN = frozenset("title description enum const default examples".split())
"""Keywords of a schema whose values are read as text; a `pattern` is none."""

ESCAPED = pattern(rf"{INVISIBLE.pattern}|\\[bfu]")
"""What JSON with something unseen in it has, and little else: most schemas need no closer look."""

MOST = 20_000
"""Texts of one schema that are looked at."""

VisibleText = tuple[Text | Span, str, str]
"""Where a text stands, what it is (`description`, `input schema`), and the text."""


class Unseen(NamedTuple):
    """A text that has something unseen in it, where it stands, and what it is (`description`, `input schema`)."""

    at: Text | Span
    what: str
    text: str
    characters: list[str]


def iter_unseen(tool: Tool, find: Callable[[str], list[str]]) -> Iterator[Unseen]:
    """Yield the texts of a tool in which `find` finds characters."""
    for at, what, text in _iter_said(tool):
        found = find(text)
        if found:
            yield Unseen(at, what, text, found)


def without(found: Unseen) -> FixPlanner | None:
    """Take what is unseen out of a text, if nothing in it is of use."""
    span = found.at.span if isinstance(found.at, Text) else found.at
    if not are_useless(found.text, found.characters):
        return None
    return plan_stripping(span, found.characters, found.text, safe=found.what in SHOWN)


def _iter_said(tool: Tool) -> Iterator[VisibleText]:
    """Yield the texts of a tool that can be read; of a schema without anything unseen, none."""
    for what in ("name", "title", "description"):
        text = tool.definition[what]
        if isinstance(text, Text):
            yield text, what, text
    hints = tool.annotations if isinstance(tool.annotations, dict) else {}
    if isinstance(hints.get("title"), str):
        yield hints["title"] if isinstance(hints["title"], Text) else tool.place(), "title", hints["title"]
    for what, schema in (("input schema", tool.input_schema), ("output schema", tool.output_schema)):
        if isinstance(schema, Schema):
            yield from ((_place(tool, schema, path), what, text) for path, text in _iter_schema(schema))
    for each in tool.parameters if isinstance(tool.parameters, tuple) and not tool.arguments else ():
        yield each.name, "parameter", each.name
        if isinstance(each.description, Text):
            yield each.description, f"description of parameter `{each.name}`", each.description


def _place(tool: Tool, schema: Schema, path: Path) -> Span:
    """Return where a part of a schema stands; of one that answers, or the nearest around it, if that is told."""
    if schema is tool.input_schema:
        return tool.place(path)
    around = (path[:length] for length in range(len(path), -1, -1))
    return next((schema.places[keys] for keys in around if keys in schema.places), tool.place())


def _iter_schema(schema: Schema) -> Iterator[tuple[Path, str]]:
    if ESCAPED.search(json.dumps(schema.document, ensure_ascii=False, default=str)):
        yield from islice(_iter_texts(schema.document, ()), MOST)


def _iter_texts(value: Any, path: Path, *, written: bool = False) -> Iterator[tuple[Path, str]]:
    """Yield the names of properties and what stands at the keywords that hold text, each with the keys that lead there."""
    waiting = [(value, path, written)]
    while waiting:
        value, path, written = waiting.pop()
        if isinstance(value, str):
            if written:
                yield path, value
        elif isinstance(value, list):
            waiting += [(each, path, written) for each in value]
        elif isinstance(value, dict):
            named = path[-1:] == ("properties",)
            for key, each in value.items():
                if named or written:
                    yield path, str(key)
                waiting.append((each, (*path, str(key)), written or (key in WRITTEN and not named)))
