"""Documents beside the source → what they say of how a server is installed that cannot work: snippets for clients, and versions.

Read as plain text, and only if a rule asks.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from reviewer.facts import BrokenStart
from reviewer.files.discovery import Tree
from reviewer.source import build_text
from reviewer.text.patterns import pattern
from reviewer.text.toml import parse_toml

# Only blocks that say they are JSON: of others it is unknown what they should be.
FENCE = pattern(r"^(?P<indent>[ \t]*)```json[ \t]*\n(?P<text>.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)
# The configuration of a client; other JSON in a README is somebody else's.
CLIENT = pattern(r"\"mcpServers\"|\"command\"\s*:")
# Comments that clients' own files have, though JSON has none: at a line's end, with no quote after that could be a
# text.
COMMENT = pattern(r"(?:^|(?<=[\s,{\[]))(?://|#) [^\n\"]*$", re.MULTILINE)
ABRIDGED = pattern(r"\.\.\.|…|/\*|(?<![:/\"'\w])//|:\s*(?:<|[A-Z][A-Z\d_]+\b)")
"""What a snippet has that is not meant to be taken as it stands: what is left out, comments, names of what to put there."""

# Programs that expand `~` in their arguments, or hand them on to one that may.
SHELLS = pattern(r"(?:.*/)?(?:ba|z|da|fi)?sh|cmd(?:\.exe)?|(?:powershell|pwsh)(?:\.exe)?|wsl(?:\.exe)?|ssh|env")
# At the beginning of an argument, or behind the `=` of an option: nowhere else does a shell expand it.
HOME = pattern(r"(?:--?[\w-]+=)?~/")
EXPANDS = pattern(rb"expanduser|shellexpand|expand_tilde|expand_home|[\"']~/?[\"']|Path::new\(\"~")
"""How a program puts the home folder in itself."""

SINCE = r"(?<!\bin )(?<!since )(?<!from )"
"""Not where a text tells when something came: "new in Python 3.11", "since Rust 1.70"."""

OF_SYNTAX = r"(?! +(?:[\w-]+ +){0,2}(?:syntax|style|features?|type hints|annotations)\b)"
"""What follows a version that says when a way of writing came, and not what is needed: "use Python 3.10+ union syntax"."""

LATER = rf"(?:\.\d+)?[*` ]{{0,3}}(?:\+|or (?:higher|newer|later|above|greater)){OF_SYNTAX}"
"""What makes a version the oldest that will do: a plus sign, or words for it."""

# With what says that later ones will do as well: "Python 3.12" alone is what somebody has.
PYTHON = pattern(
    rf"{SINCE}\bPython[ *`]{{1,3}}(?:version )?(?:>=|≥)?\s?3\.(?P<minor>\d{{1,2}}){LATER}"
    r"|\bPython[ *`]{0,3}(?:>=|≥) ?3\.(?P<least>\d{1,2})\b",
    re.IGNORECASE,
)
RUST = pattern(rf"{SINCE}\bRust\b[^\n\d.]{{0,20}}\b1\.(?P<minor>\d{{1,3}}){LATER}", re.IGNORECASE)
"""How a document tells the oldest version of a language that will do."""

EDITIONS = {"2024": 85, "2021": 56, "2018": 31}
"""The minor version of Rust with which an edition came: https://doc.rust-lang.org/edition-guide/."""

# `mcp` or `fastmcp` as a whole requirement; `mcp-server-git` is another package.
SDKS = pattern(r"^(?:mcp|fastmcp)\b(?!-)", re.MULTILINE)
NEEDS = 10
"""The minor version of Python that both SDKs need, in all of their releases on PyPI."""

DEEPEST = 8
"""Objects in objects. A client's configuration has three or four of them."""

LONGEST = 2**18
"""Characters of a document that are looked at."""


def iter_broken_installs(tree: Tree) -> Iterator[BrokenStart]:
    """Yield the install instructions of documents that no client can start or no package manager can install."""
    python, rust = _find_python(tree), _find_rust(tree)
    for path, text in tree.iter_documents(beside=True):
        text = text[:LONGEST]
        for block in FENCE.finditer(text):
            if CLIENT.search(block["text"]):
                yield from _iter_in_snippet(tree, path, text, block)
        for wanted, floor, needed in ((PYTHON, python, "requires Python 3"), (RUST, rust, "requires Rust 1")):
            for found in wanted.finditer(text) if floor is not None else ():
                told = found["minor"] or found.groupdict().get("least")
                if floor is not None and told and int(told) < floor[0]:
                    yield BrokenStart(
                        build_text(path, text, *found.span()), f"{floor[1]} {needed}.{floor[0]}", floor[1], is_old=True
                    )


def _iter_in_snippet(tree: Tree, path: str, text: str, block: re.Match[str]) -> Iterator[BrokenStart]:
    """Yield the faults of a snippet for the configuration of a client."""
    snippet, start = COMMENT.sub(lambda comment: " " * len(comment[0]), block["text"]), block.start("text")
    try:
        read = json.loads(snippet if snippet.lstrip().startswith("{") else f"{{{snippet.rstrip().rstrip(',')}}}")
    except json.JSONDecodeError as error:
        whole = snippet.lstrip().startswith("{") and '"mcpServers"' in snippet
        if whole and not ABRIDGED.search(snippet) and not error.msg.startswith("Extra data"):
            at = start + min(error.pos, len(snippet) - 1)
            begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
            line = text[begin:end].strip()
            if not line.strip("]} "):  # a comma too many, in the line above
                begin, line = (before := text.rfind("\n", 0, begin - 1) + 1), text[before : begin - 1].strip()
            place = text.find(line, begin)
            yield BrokenStart(
                build_text(path, text, place, place + len(line)),
                f"the snippet is not valid JSON: {error.msg.lower()} here",
            )
        return
    except (RecursionError, ValueError):
        return
    for entry, is_within in _iter_entries(read):
        why, what = _collect_reason(entry, tree, is_within=is_within)
        at = (
            text.find(json.dumps(what, ensure_ascii=False), start)
            if isinstance(what, str)
            else text.find('"command"', start)
        )
        if why and at >= 0:
            skipped = 1 if isinstance(what, str) else 0
            length = len(what) if isinstance(what, str) else len('"command"')
            yield BrokenStart(build_text(path, text, at + skipped, at + skipped + length), why)


def _iter_entries(read: Any, deep: int = DEEPEST, *, is_within: bool = False) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the objects with a command, and whether each lies in `mcpServers`."""
    if isinstance(read, dict) and deep:
        if "command" in read:
            yield read, is_within
        for name, each in read.items():
            yield from _iter_entries(each, deep - 1, is_within=is_within or name == "mcpServers")


def _collect_reason(entry: dict[str, Any], tree: Tree, *, is_within: bool) -> tuple[str, Any]:
    """Return why no client can start an entry, and what in it; nothing where it can."""
    command, arguments = entry["command"], entry.get("args")
    if not isinstance(command, str):
        wrong = is_within or (isinstance(command, list) and arguments is not None)
        return ("`command` must be a single string, the program; the rest belongs in `args`" if wrong else ""), command
    if SHELLS.fullmatch(command.strip()) or not isinstance(arguments, list):
        return "", ""
    homes = [each for each in (command, *arguments) if isinstance(each, str) and HOME.match(each)]
    own = not command.endswith("docker") and any(EXPANDS.search(source.data) for source in tree.sources.values())
    if homes and (homes[0] == command or not own):
        return "clients start it without a shell, so `~` is not expanded; write the full path", homes[0]
    return "", ""


def _find_python(tree: Tree) -> tuple[int, str] | None:
    """Return the oldest minor version of Python that the project takes, and what says so."""
    projects = [path for path in tree.manifests if path.rpartition("/")[2] == "pyproject.toml"]
    if not projects:
        return (
            (NEEDS, "an SDK in `requirements.txt`") if SDKS.search(tree.find_text("requirements.txt") or "") else None
        )
    told = (str(_collect_table(tree, path).get("project", {}).get("requires-python", "")) for path in projects)
    floors = [
        (int(found[1]), f"`{path}`")
        for text, path in zip(told, projects, strict=True)
        if (found := re.search(r">=\s*3\.(\d{1,2})", text))
    ]
    return min(floors) if len(floors) == len(projects) else None


def _find_rust(tree: Tree) -> tuple[int, str] | None:
    """Return the oldest minor version of Rust that builds the project, and what says so."""
    manifest = _collect_table(tree, "Cargo.toml") if "Cargo.toml" in tree.manifests else {}
    package = {**manifest.get("workspace", {}).get("package", {}), **manifest.get("package", {})}
    version = re.match(r"1\.(\d{1,3})", str(package.get("rust-version", "")))
    floor = int(version[1]) if version else EDITIONS.get(str(package.get("edition", "")), 0)
    return (floor, "`Cargo.toml`") if floor else None


def _collect_table(tree: Tree, path: str) -> dict[str, Any]:
    try:
        return parse_toml(tree.manifests[path].read_text("utf-8", "replace"))
    except (OSError, ValueError):
        return {}
