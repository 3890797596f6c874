"""Where Rust code sends progress: in what tools do, and in functions that no tool is seen to call."""

from collections.abc import Iterator

from reviewer.behaviour import progress as analysis
from reviewer.facts import Progress, Server
from reviewer.languages.rust.behaviour.leading import traces_to
from reviewer.languages.rust.behaviour.tracing import program_of
from reviewer.languages.rust.items import Items
from reviewer.patterns import pattern

NAMES = frozenset({"ProgressNotificationParam", "ProgressNotificationParams", "notify_progress", "progressToken"})
SIGNS = pattern("|".join(sorted(NAMES)).encode())


def progress(items: Items, servers: tuple[Server, ...]) -> Iterator[Progress]:
    """Find where progress is sent."""
    found = traces_to(items, servers, NAMES) if items.mentioning(SIGNS) else ()
    program = program_of(items)
    yield from analysis.distinct(each for start in found for each in analysis.progress(start.trace, program))
