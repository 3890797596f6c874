"""What a tool's code does when it is called, act by act: in its own function and in the project's that it calls."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from tree_sitter import Node

from reviewer.facts import Act, ActKind, Acts, Lazy
from reviewer.languages.pace import TELLING
from reviewer.languages.rust.behaviour.conduct.cancelling import ignores_cancellation, spawns
from reviewer.languages.rust.behaviour.conduct.failing import fails_empty, fails_protocol, succeeds_in_error
from reviewer.languages.rust.behaviour.conduct.guards import guards
from reviewer.languages.rust.behaviour.conduct.indexes import indexes, slices
from reviewer.languages.rust.behaviour.conduct.leaking import leaks_path
from reviewer.languages.rust.behaviour.conduct.panics import panics
from reviewer.languages.rust.behaviour.conduct.reach import Reached, Stretch, beginning, reached
from reviewer.languages.rust.behaviour.conduct.waiting import waits
from reviewer.languages.rust.behaviour.conduct.working import blocks, changes, commanded, prints
from reviewer.languages.rust.items import Items

Finder = Callable[[Stretch], Iterator[Act]]


class Finding(NamedTuple):
    """What finds acts of some kinds, with the bytes without which it finds none."""

    mark: re.Pattern[bytes]
    find: Finder
    kinds: frozenset[ActKind]


def _finding(mark: bytes, find: Finder, *kinds: ActKind) -> Finding:
    return Finding(re.compile(mark), find, frozenset(kinds))


WRITTEN = (
    _finding(rb"panic|unwrap|expect|todo|unreachable|unimplemented", panics, "panics"),
    _finding(rb"\[", indexes, "indexes"),
    _finding(rb"\.\.|split_|truncate|drain|replace_range|insert_str", slices, "slices"),
    _finding(rb"\b(?:lock|read|write)\w*\s*\(\s*\)", guards, "holds guard"),
    _finding(rb"print|stdout|write", prints, "prints"),
    _finding(rb"is_empty|len\s*\(", fails_empty, "fails empty"),
    _finding(rb"Err\s*\(|_or_else", succeeds_in_error, "succeeds in error"),
    _finding(rb"display|lossy|:\?|:#|root|path|dir", leaks_path, "leaks path"),
    _finding(rb"loop|while|for", ignores_cancellation, "ignores cancellation"),
    _finding(rb"sleep|tick|wait_|poll_|Command", waits, "waits"),
)
"""What finds acts that the code itself marks."""

SLOW = rb"thread::|sleep|blocking|block_on|fs::|net::|Tcp|Udp|stdin|ureq|minreq|File::|Walk"
CHANGING = rb"fs::|File|Options|remove|rename|execute|query|prepare|exec|send|trash"
NAMED = (
    _finding(SLOW, blocks, "blocks", "blocks briefly"),
    _finding(rb"Command", commanded, "blocks", "outlives", "runs"),
    _finding(CHANGING, changes, "writes", "deletes"),
    _finding(rb"_error|INTERNAL|PARSE", fails_protocol, "fails protocol"),
    _finding(rb"spawn", spawns, "spawns"),
)
"""What finds acts by names that `use` may have changed, so that only the file marks them."""


def acts_of(items: Items, node: Node | None, path: str) -> Acts:
    """Give what the code of a handler does, read when somebody asks."""
    if node is None:
        return Acts()
    code = Lazy(lambda: reached(beginning(items, node, path)))
    return Acts(lambda kinds: _acts(items, code, kinds))


def _acts(items: Items, code: Lazy[Reached], kinds: frozenset[ActKind]) -> Iterator[Act]:
    seen = set()
    for stretch, through in code:
        for act in _of_stretch(items, stretch, kinds):
            if act.kind == "waits" and TELLING.search(code[0][0].code.node.text or b"") is not None:
                continue
            if (act.kind, act.text.span) not in seen:
                seen.add((act.kind, act.text.span))
                yield replace(act, through=through)


def _of_stretch(items: Items, stretch: Stretch, kinds: frozenset[ActKind]) -> Iterator[Act]:
    """Give the acts of some code."""
    for finding in WRITTEN:
        if finding.kinds & kinds and finding.mark.search(stretch.written) is not None:
            yield from _found(items, stretch, finding)
    for finding in NAMED:
        if finding.kinds & kinds and _is_named(items, stretch.code.path, finding):
            yield from _found(items, stretch, finding)


def _found(items: Items, stretch: Stretch, finding: Finding) -> tuple[Act, ...]:
    """Look for acts once, however many handlers lead to the code."""
    key = ("acts", finding.find, stretch)
    if key not in items.kept:
        items.kept[key] = tuple(finding.find(stretch))
    found: tuple[Act, ...] = items.kept[key]
    return found


def _is_named(items: Items, path: str, finding: Finding) -> bool:
    """Tell whether a file holds a mark, searched once however many functions of it are looked through."""
    key = ("acts named", path, finding.find)
    if key not in items.kept:
        items.kept[key] = finding.mark.search(items.sources[path].data) is not None
    found: bool = items.kept[key]
    return found
