"""What functions do that lead to some names: those that answer clients, then those that none of these leads to."""

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from reviewer.behaviour.callers import Started
from reviewer.code.interpreter import Run
from reviewer.facts import Server
from reviewer.languages.leading import CALLING, Files, starts
from reviewer.languages.nodes import child, string_of
from reviewer.languages.rust.behaviour.tracing import handlers, program_of, trace_of, traced
from reviewer.languages.rust.items import Item, Items, attributes_before, in_test

FUNCTIONS = frozenset({"function_item"})


def traces_to(
    items: Items, servers: tuple[Server, ...], names: frozenset[str], acts: frozenset[str] = frozenset()
) -> Iterator[Started]:
    """Yield what functions do that may come to a call, or a text, of some names; from callers on if it does some acts."""
    program = program_of(items)

    def holding(words: Iterable[bytes]) -> list[str]:
        return items.mentioning(re.compile(rb"\b(?:%s)\b" % b"|".join(map(re.escape, words))))

    files = Files(
        holding,
        lambda path: items.sources[path].data,
        items.root,
        FUNCTIONS,
        lambda path, node: trace_of(items, Item(path, node, items.sources[path])),
        lambda path, node: traced(Run(program, CALLING, program.summaries), program.code_at(path, node)),
        lambda node: node.type in FUNCTIONS and not in_test(node),
        _is_entered,
    )
    yield from starts(files, names, (trace_of(items, each) for each in handlers(items, servers)), acts)


def _is_entered(function: Node) -> bool:
    """Return whether something may call a function without its name: a macro, whoever knows its trait, the system."""
    above = function.parent.parent if function.parent is not None else None
    if above is not None and (above.type == "trait_item" or child(above, "trait") is not None):
        return True
    return string_of(child(function, "name") or function) == "main" or any(True for _ in attributes_before(function))
