"""Truncation envelopes of a Rust server: those that its functions make, and the structs of such that none makes."""

import re
from collections.abc import Iterator

from reviewer.behaviour import envelopes as behaviour
from reviewer.behaviour.envelopes import MARK, OVERFLOW
from reviewer.behaviour.slices import slices
from reviewer.code.values import Class
from reviewer.facts import Envelope, Server
from reviewer.languages.nodes import child, string_of, text_of
from reviewer.languages.rust.behaviour.entrances import Entrances
from reviewer.languages.rust.behaviour.tracing import program_of
from reviewer.languages.rust.items import Items, in_test
from reviewer.languages.rust.meanings import Declared
from reviewer.source import Text


def envelopes(items: Items, servers: tuple[Server, ...]) -> Iterator[Envelope]:
    """Yield the envelopes that code makes, and the structs of envelopes that none makes."""
    entrances = Entrances(items, servers)
    declared = list(_structs(items, MARK))
    names = [each for each, _ in declared]
    made = list(behaviour.envelopes(entrances.naming(MARK, names), entrances.program, slices))
    yield from made
    yield from (Envelope(name, keys) for name, keys in declared if not any(each.text.startswith(name) for each in made))


def _structs(items: Items, key: str) -> Iterator[tuple[Text, frozenset[str]]]:
    """Yield the structs that have a key, with all of theirs."""
    spelled = re.compile(re.escape(key.encode()))
    program = program_of(items)
    for path in items.mentioning(spelled):
        for node in items.of_kinds_near(path, spelled, "struct_item"):
            name = child(node, "name") or node
            declared = Declared(path, node.start_byte, string_of(name), node)
            entries = program.entries(Class(declared.name, declared)) or {}
            keys = frozenset(str(each) for texts in entries.values() for each in texts[:1])
            if key in keys and not in_test(node):
                yield text_of(items.sources[path], name), keys


def overflow_actions(items: Items, servers: tuple[Server, ...]) -> Iterator[Text]:
    """Yield the names of actions that answers name as the next step."""
    entrances = Entrances(items, servers)
    yield from behaviour.overflow_actions(
        entrances.naming(OVERFLOW, [each for each, _ in _structs(items, OVERFLOW)]), entrances.program
    )
