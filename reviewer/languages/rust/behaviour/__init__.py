"""What a Rust server's code does beside declaring tools: transports, catalogs, dispatches, guards, error boundaries, types."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from reviewer.behaviour import project
from reviewer.behaviour.answer_size.envelopes import MARK, iter_envelopes
from reviewer.behaviour.answer_size.signing import with_signs
from reviewer.behaviour.failures.rechecks import with_rechecks
from reviewer.behaviour.failures.relays import with_relays
from reviewer.behaviour.failures.slices import iter_slices
from reviewer.behaviour.handlers import with_arms, with_functions
from reviewer.behaviour.progress.notifications import iter_progress_places
from reviewer.behaviour.project import SyntaxFacts, collect_facts
from reviewer.behaviour.results.exits import with_exits, with_ways
from reviewer.behaviour.serving import list_changes
from reviewer.behaviour.serving.conversations import MessageLoop
from reviewer.code.events import Trace
from reviewer.facts import Envelope, Handler, Lazy, ListChanges, Project, Server
from reviewer.failures import contained
from reviewer.languages.rust.behaviour.catalogs import iter_catalogs
from reviewer.languages.rust.behaviour.cursors import iter_cursors
from reviewer.languages.rust.behaviour.dispatches import iter_dispatches, iter_guards
from reviewer.languages.rust.behaviour.domain import iter_domain_types
from reviewer.languages.rust.behaviour.entry_points import RustEntryPoints, iter_structs_with
from reviewer.languages.rust.behaviour.error_boundaries import iter_error_boundaries
from reviewer.languages.rust.behaviour.given_cursors import find_given_cursors
from reviewer.languages.rust.behaviour.identities import iter_identities
from reviewer.languages.rust.behaviour.isolation import with_entries
from reviewer.languages.rust.behaviour.paging import iter_limits
from reviewer.languages.rust.behaviour.remainders import iter_remainders
from reviewer.languages.rust.behaviour.serving import iter_tool_branches, with_branches
from reviewer.languages.rust.behaviour.tracing import rerun, trace_of
from reviewer.languages.rust.declarations.registration_pitfalls import iter_registration_pitfalls
from reviewer.languages.rust.project.items import RustItem, RustItems, is_in_test
from reviewer.languages.rust.project.start import iter_transports
from reviewer.languages.rust.syntax.comments import iter_suppressions
from reviewer.text.patterns import pattern


def read(items: RustItems, servers: tuple[Server, ...]) -> Project:
    """Read the behaviour of a project's code."""
    tables = collect_facts(lambda: iter_catalogs(items), "action catalogs")
    served = servers
    with contained("not reviewed: the entries of handlers"):
        served = with_entries(items, servers)
    bounds = with_signs(collect_facts(lambda: iter_guards(items), "response guards"), RustEntryPoints(items, served))
    known = with_ways(RustEntryPoints(items, served), bounds)
    arms = Lazy(lambda: with_arms(iter_dispatches(items), known))
    chosen: tuple[Handler, ...] = ()
    if bounds:
        chosen = collect_facts(lambda: iter_tool_branches(items, servers), "the branches of dispatchers")
        served = tuple(with_functions(with_exits(served, RustEntryPoints(items, served)), known))
        chosen = tuple(map(known, chosen))
    ways = collect_facts(lambda: iter_transports(items, served), "transports")
    with contained("not reviewed: the branches of dispatchers"):
        served = with_branches(items, served)
    served = with_relays(served, RustEntryPoints(items, served))
    served = with_rechecks(served, RustEntryPoints(items, served))
    found = SyntaxFacts(
        served, tables, bounds, arms, chosen, partial(_iter_prompts, items), partial(_iter_loops, items)
    )
    entry_points = RustEntryPoints(items, served)
    analysed = project.read(entry_points, found)
    return replace(
        analysed,
        transports=ways,
        error_boundaries=Lazy(lambda: iter_error_boundaries(items, analysed.servers)),
        domain_types=Lazy(lambda: iter_domain_types(items) if tables or analysed.dispatches or bounds else ()),
        remainders=Lazy(lambda: iter_remainders(items)),
        limits=Lazy(lambda: iter_limits(items)),
        cursors=Lazy(lambda: iter_cursors(items)),
        envelopes=Lazy(lambda: _iter_envelopes(items, entry_points)),
        registration_pitfalls=Lazy(lambda: iter_registration_pitfalls(items)),
        list_changes=Lazy(lambda: _list_changes(items, entry_points, served)),
        progress=Lazy(lambda: iter_progress_places(RustEntryPoints(items, servers))),
        identities=Lazy(lambda: collect_facts(lambda: iter_identities(items), "who serves")),
        given_cursors=Lazy(lambda: find_given_cursors(items)),
        ignores=collect_facts(lambda: iter_suppressions(items), "suppressions"),
    )


PROMPT = "get_prompt"
"""The method of the SDK's trait by which a server gives a prompt."""


def _iter_prompts(items: RustItems) -> Iterator[Trace]:
    """Yield the traces of the functions that return prompts."""
    return (trace_of(items, each) for each in items.find_functions(PROMPT) if not is_in_test(each.node))


def _iter_envelopes(items: RustItems, functions: RustEntryPoints) -> Iterator[Envelope]:
    """Yield the envelopes that code makes, and the structs of envelopes that none makes."""
    made = list(iter_envelopes(functions, iter_slices))
    yield from made
    for name, keys in iter_structs_with(items, MARK):
        if not any(each.text.startswith(name) for each in made):
            yield Envelope(name, keys)


def _list_changes(items: RustItems, functions: RustEntryPoints, servers: tuple[Server, ...]) -> Iterable[ListChanges]:
    """Return how changes of the tools are announced."""
    if not functions.mentions(*list_changes.NAMES, "list_tools"):
        return ()
    listings = (trace_of(items, each) for each in items.find_functions("list_tools"))
    is_unread = not any(each.tools for each in servers)
    return list_changes.list_changes(functions, listings, is_told=False, is_unread=is_unread)


# A function with one of these and `initialize` takes JSON-RPC apart by itself, without an SDK that would answer what it
# does not know.
METHODS = pattern(rb"\"tools/(?:list|call)\"")


def _iter_loops(items: RustItems) -> Iterator[MessageLoop]:
    """Yield the functions that speak of methods of the protocol."""
    for path in items.find_matching(METHODS):
        for node in items.find_nodes(path, "function_item"):
            if METHODS.search(node.text or b"") and b'"initialize"' in (node.text or b"") and not is_in_test(node):
                function = RustItem(path, node, items.sources[path])
                yield MessageLoop(trace_of(items, function), rerun(items, function))
