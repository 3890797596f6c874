"""What a reader of a format sees apart from the words: its shape. Hostile text that changes it has broken out.

To hold another format against the corpus, put a function into `SHAPES`: the rendered text → anything that compares equal.
It raises if no reader of the format would take the text.
"""

import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pages import Page, led

from reviewer.render.plain import HIDDEN

Shape = Any

GFM = MarkdownIt("gfm-like", {"html": True, "linkify": True})

HOSTS = {
    "mention": r"[@＠][A-Za-z0-9]",
    "issue": r"(?<![A-Za-z0-9])[#!~%^&$][A-Za-z0-9]|\bGH-[0-9]|\b[A-Z]+-[0-9]|[A-Za-z0-9]#[0-9]",
    "commit": r"(?<![A-Za-z0-9])[0-9a-fA-F]{7,40}(?![A-Za-z0-9])",
    "address": r"[A-Za-z]:/|www\.|mailto:|//[A-Za-z]",
    "emoji": r":[A-Za-z0-9_+-]+:",
    "formula": r"\$",
    "quick action": r"^\s*/[a-z]",
    "html": r"[<>]",
}
"""What GitHub and GitLab look for in the text of rendered Markdown, outside of code."""


def of_json(rendered: str) -> Shape:
    """Return the nesting, the keys and the kinds of values."""
    return _kinds(json.loads(rendered, object_pairs_hook=_once))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > len({key for key, _ in pairs}):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _kinds(value: Any) -> Shape:
    if isinstance(value, dict):
        return {key: _kinds(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_kinds(each) for each in value]
    return type(value).__name__


def of_sarif(rendered: str) -> Shape:
    """Return the shape as JSON, the links that viewers would find in messages, and what is wrong with addresses."""
    document = json.loads(rendered)
    links, addresses = 0, []
    for holder in _objects(document):
        if "level" in holder and "message" in holder:
            links += len(re.findall(r"(?<!\\)(?:\\\\)*\[(?:[^\\\]]|\\.)*\]\(", holder["message"]["text"], re.DOTALL))
        if "uriBaseId" in holder:
            addresses += _address_faults(holder["uri"])
    return of_json(rendered), links, addresses


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(each)


def _address_faults(uri: str) -> Iterator[str]:
    parts = urlsplit(uri)
    if parts.scheme or parts.netloc or parts.query or parts.fragment or uri.startswith("/"):
        yield f"{uri} is no relative path"
    if not re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri):
        yield f"{uri} is not encoded"
    if ".." in unquote(uri).split("/"):
        yield f"{uri} leads out"


def of_xml(rendered: str) -> Shape:
    """Return the elements with the names of their attributes."""
    return _elements(ET.fromstring(rendered.encode("utf-8")))


def _elements(element: ET.Element) -> Shape:
    return element.tag, sorted(element.attrib), [_elements(each) for each in element]


def of_markdown(rendered: str) -> Shape:
    """Return the blocks in order, the marks within them, and what a host would make more of; hidden characters may not be
    there."""
    tokens = GFM.parse(rendered)
    blocks = [_block(token) for token in tokens]
    marks = Counter(mark for token in tokens for mark in _marks(token.children or ()))
    found = Counter(name for text in _texts(tokens) for name, looked in HOSTS.items() if re.search(looked, text))
    return blocks, marks, found, _hidden(rendered.replace("\n", ""))


def _block(token: Token) -> Shape:
    raw = token.content if token.type == "html_block" else ""
    return token.type, token.tag, token.info, re.sub("[0-9]+", "0", raw)


def _marks(children: Iterable[Token]) -> Iterator[Shape]:
    for child in children:
        if child.type not in ("text", "text_special", "code_inline", "softbreak"):
            yield child.type, child.tag, child.content, led(str(child.attrGet("href") or ""))


def _texts(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield the stretches of text that are not code, as a host finds them after rendering."""
    for token in tokens:
        stretch = ""
        for child in token.children or ():
            if child.type in ("text", "text_special"):
                stretch += child.content
            else:
                yield stretch
                stretch = ""
        yield stretch


def _hidden(text: str) -> int:
    return sum(unicodedata.category(char) in HIDDEN for char in text)


def of_commands(rendered: str) -> Shape:
    """Return the commands with the names of their properties, as a runner reads them, and the number of other lines."""
    commands, others = [], 0
    for line in re.split("\r\n|\r|\n", rendered):
        command = re.fullmatch(r"\s*::([a-z-]+)(?: (.*?))?::(.*)", line)
        if line.lstrip().startswith("::") and command is None:
            raise ValueError(f"a broken command: {line}")
        if command is not None:
            given = command[2].split(",") if command[2] else []
            commands.append((command[1], [_property(each) for each in given]))
        elif "##[" in line:
            commands.append(("##[", []))
        else:
            others += 1
    return commands, others, _hidden(rendered.replace("\n", ""))


def _property(given: str) -> str:
    name, sign, value = given.partition("=")
    if not sign or not name.isalpha() or re.search("%(?!25|0D|0A|3A|2C)", value) or ":" in value:
        raise ValueError(f"a broken property: {given}")
    return name


def of_text(rendered: str) -> Shape:
    """Return headings and states in their lines, the findings, where the score stands, the verdict, and the count of lines."""
    lines = LINE_ENDS.split(rendered)
    marks = [
        (number, line) for number, line in enumerate(lines) if re.match(r"===|OK\b|no violations|not judged", line)
    ]
    found = list(filter(None, map(_found, lines)))
    scores = [number for number, line in enumerate(lines) if line.startswith("maturity: ")]
    return marks, found, len(lines), scores, lines[-2], _hidden(rendered.replace("\n", ""))


def of_concise(rendered: str) -> Shape:
    """Return place, severity and rule of each line. Raises ValueError for a line that is no finding."""
    *lines, rest = LINE_ENDS.split(rendered)
    found = list(map(_found, lines))
    if rest or None in found:
        raise ValueError("a line is no finding")
    return found, _hidden(rendered.replace("\n", ""))


LINE_ENDS = re.compile("\r\n|[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def _found(line: str) -> tuple[str, ...] | None:
    """Return line, column, severity and rule of a finding as programs read it: at the first place in the line."""
    found = re.match(r".+?:(\d+):(\d+) (error|warning|suggestion) (\S+) ", line)
    return found.groups() if found is not None else None


def of_html(rendered: str) -> Shape:
    """Return the elements with the names of their attributes; hidden characters may not be there."""
    return Page(rendered).fixed(), _hidden(rendered.replace("\n", ""))


SHAPES: dict[str, Callable[[str], Shape]] = {
    "text": of_text,
    "concise": of_concise,
    "json": of_json,
    "sarif": of_sarif,
    "sarif-github": of_sarif,
    "github": of_commands,
    "markdown": of_markdown,
    "gitlab": of_json,
    "junit": of_xml,
    "rdjson": of_json,
    "html": of_html,
}
"""How the shape of each format is found."""
