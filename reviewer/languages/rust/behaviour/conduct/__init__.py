"""What a tool's code does when it is called, act by act: in its own function and in the project's that it calls."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from tree_sitter import Node

from reviewer.behaviour.effects import effects
from reviewer.code.ir import Site
from reviewer.facts import Act, ActKind, Acts, Lazy
from reviewer.languages.rust.behaviour.conduct.guards import guards
from reviewer.languages.rust.behaviour.conduct.reach import Reached, Stretch, beginning, function_around, reached
from reviewer.languages.rust.behaviour.given_cursors import faults
from reviewer.languages.rust.behaviour.tracing import program_of, trace_of
from reviewer.languages.rust.items import Item, Items

Finder = Callable[[Stretch], Iterator[Act]]


class Finding(NamedTuple):
    """What finds acts of some kinds, with the bytes without which it finds none in a code."""

    mark: re.Pattern[bytes]
    find: Finder
    kinds: frozenset[ActKind]


def _finding(mark: bytes, find: Finder, *kinds: ActKind) -> Finding:
    return Finding(re.compile(mark), find, frozenset(kinds))


MOVED: frozenset[ActKind] = frozenset(
    {
        "prints", "blocks", "blocks briefly", "runs", "writes", "deletes", "outlives", "waits", "spawns", "succeeds in error",
        "fails empty", "fails protocol", "ignores cancellation", "leaks path", "panics", "slices", "indexes",
    }
)  # fmt: skip
"""The kinds that the abstract run tells."""

FINDINGS = (_finding(rb"\b(?:lock|read|write)\w*\s*\(\s*\)", guards, "holds guard"),)


def acts_of(items: Items, node: Node | None, path: str) -> Acts:
    """Give what the code of a handler does, read when somebody asks."""
    if node is None:
        return Acts()
    code = Lazy(lambda: reached(beginning(items, node, path)))

    def acts(kinds: frozenset[ActKind]) -> Iterator[Act]:
        told = kinds & MOVED
        if told:
            yield from _effects(items, node, path, told)
        yield from _acts(items, code, kinds)

    return Acts(acts)


def _effects(items: Items, node: Node, path: str, kinds: frozenset[ActKind]) -> Iterator[Act]:
    """Yield what the function does that a part of it stands in, where that part leads to it."""
    around = function_around(node)
    if around is not None:
        trace = trace_of(items, Item(path, around, items.sources[path]))
        within = Site(*node.byte_range) if around != node else None
        apart = (
            faults(items) if "panics" in kinds else frozenset()
        )  # what panics on a cursor is told of the cursor itself
        yield from (each for each in effects(trace, program_of(items), kinds, within) if each.text.span not in apart)


def _acts(items: Items, code: Lazy[Reached], kinds: frozenset[ActKind]) -> Iterator[Act]:
    findings = [each for each in FINDINGS if each.kinds & kinds]
    seen = set()
    for stretch, through in code:
        for act in (act for finding in findings for act in _found(items, stretch, finding)):
            if (act.kind, act.text.span) not in seen and stretch.comes_to(act.text.span):
                seen.add((act.kind, act.text.span))
                yield replace(act, through=through)


def _found(items: Items, stretch: Stretch, finding: Finding) -> tuple[Act, ...]:
    """Look for acts once, however many handlers lead to the code."""
    key = ("acts", finding.find, stretch)
    if key not in items.kept:
        is_marked = finding.mark.search(stretch.code.node.text or b"") is not None
        items.kept[key] = tuple(finding.find(stretch)) if is_marked else ()
    found: tuple[Act, ...] = items.kept[key]
    return found
