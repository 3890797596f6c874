"""What a server's code does beside declaring tools: one module for each kind of fact."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from reviewer.behaviour import project
from reviewer.behaviour.answer_size.signing import with_signs
from reviewer.behaviour.failures.rechecks import with_rechecks
from reviewer.behaviour.failures.relays import with_relays
from reviewer.behaviour.failures.starts import iter_runs_of_nothing
from reviewer.behaviour.handlers import with_arms, with_functions
from reviewer.behaviour.progress.notifications import iter_progress_places
from reviewer.behaviour.project import SyntaxFacts, collect_facts
from reviewer.behaviour.results.exits import with_exits, with_ways
from reviewer.behaviour.serving import list_changes
from reviewer.behaviour.serving.conversations import MessageLoop
from reviewer.code.events import Trace
from reviewer.facts import Guard, Lazy, ListChanges, Project, Server
from reviewer.failures import contained, iter_until_failure
from reviewer.languages.python.behaviour import handling
from reviewer.languages.python.behaviour.catalogs import iter_catalogs
from reviewer.languages.python.behaviour.cursors import iter_cursors
from reviewer.languages.python.behaviour.dispatches import iter_dispatches, iter_guards
from reviewer.languages.python.behaviour.domain import iter_domain_types
from reviewer.languages.python.behaviour.entry_points import PythonEntryPoints
from reviewer.languages.python.behaviour.envelopes import iter_envelopes, with_shortened
from reviewer.languages.python.behaviour.error_boundaries import iter_error_boundaries
from reviewer.languages.python.behaviour.given_cursors import iter_given_cursors
from reviewer.languages.python.behaviour.identities import iter_identities
from reviewer.languages.python.behaviour.isolation import with_entries
from reviewer.languages.python.behaviour.mappings import iter_mappings
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace, iter_own_modules
from reviewer.languages.python.behaviour.name_resolution import find_nodes_with as nodes_near
from reviewer.languages.python.behaviour.paging import iter_limits
from reviewer.languages.python.behaviour.serving import iter_tool_branches, with_branches
from reviewer.languages.python.behaviour.tracing import rerun, trace_of
from reviewer.languages.python.behaviour.typed import iter_remainders, iter_unregistered_classes, with_types
from reviewer.languages.python.declarations import by_hand
from reviewer.languages.python.declarations.handlers import resolve_function
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.project.reach import collect_reachable_files
from reviewer.languages.python.project.start import iter_transports
from reviewer.text.patterns import pattern


def read(run: Evaluator, seeds: list[PyModule], servers: tuple[Server, ...]) -> Project:
    """Read the behaviour of the modules that declare tools."""
    near = handling.find_handler_modules(run, seeds)
    tables = collect_facts(lambda: iter_catalogs(run), "action catalogs")
    bounds = with_signs(tuple(_iter_guards(run)), PythonEntryPoints(run, servers))
    choices = collect_facts(lambda: iter_dispatches(run, seeds, tables), "dispatchers")
    chosen = collect_facts(lambda: iter_tool_branches(run, servers), "the branches of dispatchers") if bounds else ()
    if bounds or choices:
        known = with_ways(PythonEntryPoints(run, servers), bounds)
        choices, servers = tuple(with_arms(choices, known)), tuple(with_functions(servers, known))
        chosen = tuple(map(known, chosen))
    with contained("not reviewed: the branches of dispatchers"):
        servers = with_branches(run, seeds, with_entries(run, servers))
    with contained("not reviewed: the classes of tools"):
        servers = with_types(run, servers)
    servers = with_exits(servers, PythonEntryPoints(run, servers)) if bounds else servers
    servers = with_relays(servers, PythonEntryPoints(run, servers, near))
    servers = with_rechecks(servers, PythonEntryPoints(run, servers, near))
    entry_points = PythonEntryPoints(run, servers, near)
    found = SyntaxFacts(
        servers, tables, bounds, choices, chosen, partial(_iter_prompts, run, near), partial(_iter_loops, run)
    )
    analysed = project.read(entry_points, found)
    servers = analysed.servers
    return replace(
        analysed,
        transports=collect_facts(lambda: iter_transports(run, servers, seeds), "transports"),
        error_boundaries=Lazy(lambda: collect_facts(lambda: iter_error_boundaries(run, servers), "what is caught")),
        domain_types=Lazy(
            lambda: with_shortened(entry_points, iter_domain_types(run, bool(tables or bounds or choices)))
        ),
        limits=Lazy(lambda: collect_facts(lambda: iter_limits(run, near), "page sizes")),
        cursors=Lazy(
            lambda: collect_facts(lambda: iter_cursors(run, near, servers, entry_points), "cursors that are made")
        ),
        envelopes=Lazy(lambda: iter_envelopes(run, entry_points)),
        remainders=Lazy(lambda: tuple(iter_remainders(run))),
        registration_pitfalls=Lazy(
            lambda: collect_facts(lambda: iter_unregistered_classes(run, servers), "tools that no code registers")
        ),
        mappings=Lazy(lambda: iter_mappings(run, servers)),
        list_changes=Lazy(lambda: _list_changes(run, entry_points, servers)),
        progress=Lazy(lambda: iter_progress_places(entry_points)),
        broken_starts=Lazy(
            lambda: collect_facts(lambda: iter_runs_of_nothing(entry_points), "how the server is started")
        ),
        identities=Lazy(lambda: collect_facts(lambda: iter_identities(run), "who serves")),
        given_cursors=Lazy(
            lambda: collect_facts(lambda: iter_given_cursors(run, near, servers, entry_points), "cursors of clients")
        ),
    )


def _iter_guards(run: Evaluator) -> Iterator[Guard]:
    """Yield the functions that bound answers; a file of which they cannot be read is named."""
    for module in iter_own_modules(run, b"def respond"):
        failing = "what the code of the file does was not reviewed"
        yield from iter_until_failure(partial(iter_guards, module), failing, module.source.find_line_span(1))


def _iter_prompts(run: Evaluator, modules: Iterable[PyModule]) -> Iterator[Trace]:
    """Yield the traces of the functions that make prompt messages."""
    for module in modules:
        for node in nodes_near(module, (b"Message(",), "function_definition"):
            yield trace_of(run, module, node)


def _list_changes(run: Evaluator, functions: PythonEntryPoints, servers: tuple[Server, ...]) -> Iterable[ListChanges]:
    """Return how changes of the tools are announced; nothing for the standalone fastmcp, which may notify clients
    itself.
    """
    is_told = any(server.framework == "fastmcp" for server in servers)
    if is_told and not functions.mentions(*list_changes.NAMES):
        return ()
    return list_changes.list_changes(functions, _iter_listings(run), is_told=is_told)


def _iter_listings(run: Evaluator) -> Iterator[Trace]:
    """Yield the traces of the handlers of `tools/list`."""
    for _, handler, _, _ in run.listings:
        function = resolve_function(handler)
        if function is not None:
            yield trace_of(run, function.scope.module, function.node)


STARTING = pattern(rb"__main__|\b(?:FastAPI|Starlette|Flask|Quart|Sanic)\(")
"""What a file holds that somebody may start: it says so of itself, or makes what a server of HTTP runs."""

SDKS = frozenset({"mcp", "fastmcp"})
"""Packages that a project has as a copy of an SDK, to be tested without it: what is installed stands before them."""


def _iter_loops(run: Evaluator) -> Iterator[MessageLoop]:
    """Yield the functions that ask which method of the protocol a client asks for."""
    for place in _select_started_places(
        run, [each for each in by_hand.iter_asking_functions(run) if SDKS.isdisjoint(each.module.parts[:1])]
    ):
        yield MessageLoop(trace_of(run, place.module, place.node), rerun(run, place, ""))


def _select_started_places(run: Evaluator, places: list[FunctionPlace]) -> list[FunctionPlace]:
    """Return those of several places that lie in what somebody may start, all if none surely does."""
    if len({each.module.path for each in places}) < 2:
        return places
    starts = [each for each in run.modules.by_path.values() if each.mentions(STARTING)]
    reached = collect_reachable_files(run.modules, starts, run.dynamic)
    return [each for each in places if each.module.path in reached] or places
