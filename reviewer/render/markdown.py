"""Text from the reviewed source made safe in Markdown, whoever renders it: GitHub, GitLab or plain CommonMark.

What hosts add to Markdown (mentions, references, bare links, emoji, formulas) is found in text after it was parsed, where neither
backslashes nor entities help; it is never looked for in code. So a word stays text only if it is plainly one: all else is code.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from reviewer.render.plain import plain

LONGEST = 1000
"""Characters of one text that are shown."""

_WORD = re.compile(r"""["'(§]*(?:[^\W_]+(?:[-,;'’/+=?()…–][^\W_]+)*|e\.g|i\.e)["').,;:!?%…]*|[-–=+,.;:/?()…§"']+""")
"""A word with its punctuation, or marks alone; none of the marks means anything to Markdown or its hosts within a line."""

_REFERENCE = re.compile(r"[0-9a-f]{7,}|[a-z]-[0-9]", re.IGNORECASE)
"""Words that a host makes links of: commits, and numbers of issues in this tracker or another."""


def text(said: str) -> str:
    """Write a message on one line: what it has in backticks as code, and every word that is more than a word too.

    Never the first thing on a line: a list, a heading or a rule may begin so.
    """
    parts = shortened(said).split("`")
    if len(parts) % 2 == 0:  # a backtick without its partner quotes nothing
        parts[-2:] = [f"{parts[-2]}`{parts[-1]}"]
    pieces = [piece for index, part in enumerate(parts) for piece in ([(True, part)] if index % 2 else _words(part))]
    return "".join(
        code("".join(part for _, part in run)) if quoted else "".join(part for _, part in run)
        for quoted, run in groupby(pieces, key=itemgetter(0))  # two codes side by side would be one muddle
    )


def code(shown: str) -> str:
    """Write a text as code on one line, good in a table too."""
    return "&#124;".join(_span(part) if part else "" for part in shortened(shown).split("|")) or "(empty)"


def block(lines: Iterable[str], language: str = "", indent: str = "") -> str:
    """Write lines of source as a block of code that none of them can close; each line of it is indented."""
    shown = [plain(line.expandtabs(4)) for line in lines]
    fence = "`" * max(3, 1 + max(map(_longest_run, shown), default=0))
    return "\n".join(f"{indent}{line}".rstrip() for line in (f"{fence}{language}", *shown, fence))


def shortened(said: str, most: int = LONGEST) -> str:
    """Cut a text that is longer than people read, visibly; what cannot be seen in it is written out."""
    return plain(said) if len(said) <= most else f"{plain(said[:most])}… ({len(said)} characters)"


def _words(part: str) -> Iterator[tuple[bool, str]]:
    """Tell of each word and its punctuation whether it is to be code."""
    for word in re.split("( +)", part):
        if not word or word.isspace() or (_WORD.fullmatch(word) and not _REFERENCE.search(word)):
            if word:
                yield False, word
            continue
        opening, core, closing = _EDGES.fullmatch(word).groups()  # type: ignore[union-attr]  # it matches any word
        yield from ((quoted, each) for quoted, each in ((False, opening), (True, core), (False, closing)) if each)


_EDGES = re.compile(r"""([("']*)(.*?)([)"',.;:?]*)""", re.DOTALL)


def _span(part: str) -> str:
    fence = "`" * (_longest_run(part) + 1)
    room = " " if part.startswith("`") or part.endswith("`") or (part[0] == part[-1] == " " and part.strip()) else ""
    return f"{fence}{room}{part}{room}{fence}"


def _longest_run(line: str) -> int:
    return max(map(len, re.findall("`+", line)), default=0)
