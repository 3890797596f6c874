"""Where Rust code sends progress: in what tools do, and in functions that no tool is seen to call."""

import re
from collections.abc import Iterator

from reviewer.behaviour import progress as analysis
from reviewer.code.events import Trace
from reviewer.code.ir import Code
from reviewer.facts import Progress, Server
from reviewer.languages.rust.behaviour.tracing import handlers, program_of, trace_of
from reviewer.languages.rust.callees import function_at
from reviewer.languages.rust.items import Item, Items, in_test

SIGNS = re.compile(rb"ProgressNotificationParams?\b|notify_progress|\"progressToken\"")
"""What stands where progress is sent: the types and the method of SDKs, the field of the protocol."""


def progress(items: Items, servers: tuple[Server, ...]) -> Iterator[Progress]:
    """Find where progress is sent."""
    if items.mentioning(SIGNS):
        program = program_of(items)
        traces = _traces(items, servers)
        yield from analysis.distinct(each for trace in traces for each in analysis.progress(trace, program))


def _traces(items: Items, servers: tuple[Server, ...]) -> Iterator[Trace]:
    """Yield what the functions do that answer clients, and those that send progress and that none of these leads to."""
    reached: set[Code] = set()
    for handler in handlers(items, servers):
        trace = trace_of(items, handler)
        reached |= trace.codes()
        yield trace
    for function in _sending(items):
        trace = trace_of(items, function)
        if trace.code not in reached:
            yield trace


def _sending(items: Items) -> Iterator[Item]:
    """Yield the functions that the signs of progress stand in, each once, in the order of the files."""
    seen: set[tuple[str, int]] = set()
    for path in items.mentioning(SIGNS):
        for hit in SIGNS.finditer(items.sources[path].data):
            node = items.root(path).descendant_for_byte_range(*hit.span())
            function = function_at(items, items.span(path, node)) if node is not None and not in_test(node) else None
            if function is not None and (path, function.node.start_byte) not in seen:
                seen.add((path, function.node.start_byte))
                yield function
