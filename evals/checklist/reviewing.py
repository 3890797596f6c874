"""What a review finds in a server, and what of it was not there before."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from mutation import CLEAN
from tally import Seen

import reviewer
from reviewer import Flags

PROFILES = {"object": "object-operation", "trait": "tool-trait"}
"""The profiles of clean servers by the last word of their names; the others keep to the checklist."""


def found(path: Path, server: str, slugs: Iterable[str] = ()) -> list[Seen]:
    """Review a tree under the profile that its server keeps to, by all its rules or by those that are named."""
    profile = PROFILES.get(server.rpartition("_")[2], "action-dispatch")
    return [
        Seen(each.rule.slug, each.span.path, each.span.line, each.message, each.severity.value)
        for each in reviewer.review(path, Flags(profile=profile, select=tuple(slugs))).findings
    ]


@cache
def twin(server: str) -> tuple[Seen, ...]:
    """Return what is found in a clean server."""
    return tuple(found(CLEAN / server, server))


def fresh(after: list[Seen], before: Iterable[Seen]) -> list[Seen]:
    """Return the findings that were not there before, wherever their lines have moved to."""
    known = Counter((each.slug, each.path, each.message) for each in before)
    new = []
    for each in after:
        key = (each.slug, each.path, each.message)
        if known[key]:
            known[key] -= 1
        else:
            new.append(each)
    return new


def servers() -> list[str]:
    """Name the clean servers."""
    return sorted(path.name for path in CLEAN.iterdir() if path.is_dir() and not path.name.startswith("."))
