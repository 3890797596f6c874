"""What a tool's code does when it is called, act by act: in its own function and in the project's that it calls."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tree_sitter import Node

from reviewer.facts import Act, Lazy
from reviewer.languages.pace import TELLING
from reviewer.languages.rust.behaviour.conduct.cancelling import ignores_cancellation, spawns
from reviewer.languages.rust.behaviour.conduct.failing import fails_empty, fails_protocol, succeeds_in_error
from reviewer.languages.rust.behaviour.conduct.guards import guards
from reviewer.languages.rust.behaviour.conduct.indexes import indexes, slices
from reviewer.languages.rust.behaviour.conduct.leaking import leaks_path
from reviewer.languages.rust.behaviour.conduct.panics import panics
from reviewer.languages.rust.behaviour.conduct.reach import Stretch, beginning, reached
from reviewer.languages.rust.behaviour.conduct.waiting import waits
from reviewer.languages.rust.behaviour.conduct.working import blocks, changes, commanded, prints
from reviewer.languages.rust.items import Items

Finding = tuple[re.Pattern[bytes], Callable[[Stretch], Iterator[Act]]]

WRITTEN: tuple[Finding, ...] = (
    (re.compile(rb"panic|unwrap|expect|todo|unreachable|unimplemented"), panics),
    (re.compile(rb"\["), indexes),
    (re.compile(rb"\.\.|split_|truncate|drain|replace_range|insert_str"), slices),
    (re.compile(rb"\b(?:lock|read|write)\w*\s*\(\s*\)"), guards),
    (re.compile(rb"print|stdout|write"), prints),
    (re.compile(rb"is_empty|len\s*\("), fails_empty),
    (re.compile(rb"Err\s*\(|_or_else"), succeeds_in_error),
    (re.compile(rb"display|lossy|:\?|:#|root|path|dir"), leaks_path),
    (re.compile(rb"loop|while|for"), ignores_cancellation),
    (re.compile(rb"sleep|tick|wait_|poll_|Command"), waits),
)
"""What finds acts, each with the bytes of the code itself without which it finds none."""

NAMED: tuple[Finding, ...] = (
    (re.compile(rb"thread::|sleep|blocking|block_on|fs::|net::|Tcp|Udp|stdin|ureq|minreq|File::|Walk"), blocks),
    (re.compile(rb"Command"), commanded),
    (re.compile(rb"fs::|File|Options|remove|rename|execute|query|prepare|exec|send|trash"), changes),
    (re.compile(rb"_error|INTERNAL|PARSE"), fails_protocol),
    (re.compile(rb"spawn"), spawns),
)
"""What finds acts by names that `use` may have changed, each with the bytes of the file."""


def acts_of(items: Items, node: Node | None, path: str) -> Lazy[Act]:
    """Give what the code of a handler does, read when somebody asks."""
    return Lazy(lambda: _acts(items, node, path) if node is not None else ())


def _acts(items: Items, node: Node, path: str) -> Iterator[Act]:
    seen = set()
    for stretch, through in reached(beginning(items, node, path)):
        for act in _of_stretch(items, stretch):
            if act.kind == "waits" and TELLING.search(node.text or b"") is not None:
                continue
            if (act.kind, act.text.span) not in seen and stretch.comes_to(act.text.span):
                seen.add((act.kind, act.text.span))
                yield replace(act, through=through)


def _of_stretch(items: Items, stretch: Stretch) -> tuple[Act, ...]:
    """Give the acts of some code, found once however many handlers lead there."""
    key = ("acts", stretch)
    if key not in items.kept:
        written = stretch.code.node.text or b""
        finding = [find for mark, find in WRITTEN if mark.search(written) is not None]
        named = _of_file(items, stretch.code.path)
        items.kept[key] = tuple(act for find in (*finding, *named) for act in find(stretch))
    found: tuple[Act, ...] = items.kept[key]
    return found


def _of_file(items: Items, path: str) -> tuple[Callable[[Stretch], Iterator[Act]], ...]:
    """Give what finds acts by names in a file, searched once however many functions of it are looked through."""
    key = ("acts named", path)
    if key not in items.kept:
        items.kept[key] = tuple(find for mark, find in NAMED if mark.search(items.sources[path].data) is not None)
    found: tuple[Callable[[Stretch], Iterator[Act]], ...] = items.kept[key]
    return found
