"""The README → its links to files of the project that are not there. Read as plain text, and only if a rule asks."""

import re
from collections.abc import Iterator
from posixpath import normpath
from urllib.parse import unquote

from reviewer.facts import BrokenLinks
from reviewer.files.discovery import NEVER, README, Tree
from reviewer.languages.markdown import iter_lines
from reviewer.languages.start_commands import StartFiles
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

# An address has a scheme (`:`), an anchor begins with `#`: neither is a file of the project.
LINK = pattern(r"\]\((?P<target>[^()\s<>{}#?:]+)(?:[#?][^()\s]*)?(?:\s+\"[^\"]*\")?\)")
# In code font a link is an example of one.
CODE = pattern(r"`[^`]*`")
IMAGE = pattern(r".*\.(?:png|jpe?g|gif|svg|webp|mp4|webm|mov|ico)", re.IGNORECASE)
"""What a copy of a project that is only to be read is often without."""


def iter_broken_links(tree: Tree) -> Iterator[BrokenLinks]:
    """Yield for each README in the root its links to what is not there, where all files of the project can be listed.

    What was packed for a registry is without files that lie in the repository.
    """
    files = StartFiles(tree)
    for path, text in tree.iter_documents():
        if not README.fullmatch(path) or "PKG-INFO" in tree.manifests or not files.all:
            continue
        found = tuple(each for each in _iter_links(path, text) if not _is_there(each, files))
        if found:
            yield BrokenLinks(path, found)


def _iter_links(path: str, text: str) -> Iterator[Text]:
    for number, line, fenced in iter_lines(text):
        for found in LINK.finditer(CODE.sub(lambda code: " " * len(code[0]), line)) if not fenced else ():
            start, end = found.span("target")
            yield Text(found["target"], Span(path, number, start + 1, number, end + 1))


def _is_there(target: str, files: StartFiles) -> bool:
    """Return whether a link leads to a file or a folder, or out of what is known of the project."""
    path = normpath(unquote(target))
    parts = path.split("/")
    if IMAGE.fullmatch(path) or path.startswith(("/", "..", ".git/")) or path == "." or not NEVER.isdisjoint(parts):
        return True
    return path in files.all or any(each == path or each.startswith(f"{path}/") for each in files.folders)
