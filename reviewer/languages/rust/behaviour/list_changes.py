"""What Rust servers do about changes of their tools."""

from collections.abc import Iterator

from reviewer.behaviour import list_changes as analysis
from reviewer.facts import ListChanges, Server
from reviewer.languages.rust.behaviour.leading import traces_to
from reviewer.languages.rust.behaviour.tracing import program_of, trace_of
from reviewer.languages.rust.items import Items
from reviewer.patterns import pattern

SIGNS = pattern("|".join(sorted((*analysis.NAMES, "list_tools"))).encode())


def list_changes(items: Items, servers: tuple[Server, ...]) -> Iterator[ListChanges]:
    """Find what is done."""
    if not items.mentioning(SIGNS):
        return iter(())
    listings = (trace_of(items, each) for each in items.functions("list_tools"))
    return analysis.list_changes(
        lambda names, acts: traces_to(items, servers, names, acts),
        listings,
        program_of(items),
        is_told=False,
        is_unread=not any(each.tools for each in servers),
    )
