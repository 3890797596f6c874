"""What a server's code does beside declaring tools: one module for each kind of fact."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from reviewer.behaviour import project
from reviewer.behaviour.answer_size.signing import with_signs
from reviewer.behaviour.failures.rechecks import with_rechecks
from reviewer.behaviour.failures.relays import with_relays
from reviewer.behaviour.failures.starts import runs_of_nothing
from reviewer.behaviour.handlers import with_arms, with_functions
from reviewer.behaviour.progress.notifications import progress
from reviewer.behaviour.project import SyntaxFacts, told
from reviewer.behaviour.results.exits import with_exits, with_ways
from reviewer.behaviour.serving import list_changes
from reviewer.behaviour.serving.conversations import MessageLoop
from reviewer.code.events import Trace
from reviewer.facts import Guard, Lazy, ListChanges, Project, Server
from reviewer.failures import contained, iter_until_failure
from reviewer.languages.python.behaviour import handling
from reviewer.languages.python.behaviour.catalogs import catalogs
from reviewer.languages.python.behaviour.cursors import cursors
from reviewer.languages.python.behaviour.dispatches import dispatches, guards
from reviewer.languages.python.behaviour.domain import domain_types
from reviewer.languages.python.behaviour.entrances import PythonEntrances
from reviewer.languages.python.behaviour.envelopes import envelopes, with_shortened
from reviewer.languages.python.behaviour.error_boundaries import error_boundaries
from reviewer.languages.python.behaviour.given_cursors import given_cursors
from reviewer.languages.python.behaviour.identities import identities
from reviewer.languages.python.behaviour.isolation import with_entries
from reviewer.languages.python.behaviour.mappings import mappings
from reviewer.languages.python.behaviour.name_resolution import FunctionPlace, own
from reviewer.languages.python.behaviour.name_resolution import near as nodes_near
from reviewer.languages.python.behaviour.paging import limits
from reviewer.languages.python.behaviour.serving import by_tool, with_branches
from reviewer.languages.python.behaviour.tracing import rerun, trace_of
from reviewer.languages.python.behaviour.typed import remainders, unregistered, with_types
from reviewer.languages.python.declarations import by_hand
from reviewer.languages.python.declarations.handlers import function_of
from reviewer.languages.python.evaluation.evaluator import Evaluator
from reviewer.languages.python.project.modules import PyModule
from reviewer.languages.python.project.reach import imported
from reviewer.languages.python.project.start import transports
from reviewer.text.patterns import pattern


def read(run: Evaluator, seeds: list[PyModule], servers: tuple[Server, ...]) -> Project:
    """Read the behaviour of the modules that declare tools."""
    near = handling.modules(run, seeds)
    tables = told(lambda: catalogs(run), "action catalogs")
    bounds = with_signs(tuple(_iter_guards(run)), PythonEntrances(run, servers))
    choices = told(lambda: dispatches(run, seeds, tables), "dispatchers")
    chosen = told(lambda: by_tool(run, servers), "the branches of dispatchers") if bounds else ()
    if bounds or choices:
        known = with_ways(PythonEntrances(run, servers), bounds)
        choices, servers = tuple(with_arms(choices, known)), tuple(with_functions(servers, known))
        chosen = tuple(map(known, chosen))
    with contained("not reviewed: the branches of dispatchers"):
        servers = with_branches(run, seeds, with_entries(run, servers))
    with contained("not reviewed: the classes of tools"):
        servers = with_types(run, servers)
    servers = with_exits(servers, PythonEntrances(run, servers)) if bounds else servers
    servers = with_relays(servers, PythonEntrances(run, servers, near))
    servers = with_rechecks(servers, PythonEntrances(run, servers, near))
    entrances = PythonEntrances(run, servers, near)
    found = SyntaxFacts(
        servers, tables, bounds, choices, chosen, partial(_iter_prompts, run, near), partial(_iter_loops, run)
    )
    analysed = project.read(entrances, found)
    servers = analysed.servers
    return replace(
        analysed,
        transports=told(lambda: transports(run, servers, seeds), "transports"),
        error_boundaries=Lazy(lambda: told(lambda: error_boundaries(run, servers), "what is caught")),
        domain_types=Lazy(lambda: with_shortened(entrances, domain_types(run, bool(tables or bounds or choices)))),
        limits=Lazy(lambda: told(lambda: limits(run, near), "page sizes")),
        cursors=Lazy(lambda: told(lambda: cursors(run, near, servers, entrances), "cursors that are made")),
        envelopes=Lazy(lambda: envelopes(run, entrances)),
        remainders=Lazy(lambda: tuple(remainders(run))),
        registration_pitfalls=Lazy(lambda: told(lambda: unregistered(run, servers), "tools that no code registers")),
        mappings=Lazy(lambda: mappings(run, servers)),
        list_changes=Lazy(lambda: _list_changes(run, entrances, servers)),
        progress=Lazy(lambda: progress(entrances)),
        broken_starts=Lazy(lambda: told(lambda: runs_of_nothing(entrances), "how the server is started")),
        identities=Lazy(lambda: told(lambda: identities(run), "who serves")),
        given_cursors=Lazy(lambda: told(lambda: given_cursors(run, near, servers, entrances), "cursors of clients")),
    )


def _iter_guards(run: Evaluator) -> Iterator[Guard]:
    """Yield the functions that bound answers; a file of which they cannot be read is named."""
    for module in own(run, b"def respond"):
        failing = "what the code of the file does was not reviewed"
        yield from iter_until_failure(partial(guards, module), failing, module.source.line_span(1))


def _iter_prompts(run: Evaluator, modules: Iterable[PyModule]) -> Iterator[Trace]:
    """Yield what the functions do that make messages of prompts."""
    for module in modules:
        for node in nodes_near(module, (b"Message(",), "function_definition"):
            yield trace_of(run, module, node)


def _list_changes(run: Evaluator, functions: PythonEntrances, servers: tuple[Server, ...]) -> Iterable[ListChanges]:
    """Return what is done about changes of the tools; of those of the standalone fastmcp, which may tell by itself, nothing."""
    is_told = any(server.framework == "fastmcp" for server in servers)
    if is_told and not functions.mentions(*list_changes.NAMES):
        return ()
    return list_changes.list_changes(functions, _iter_listings(run), is_told=is_told)


def _iter_listings(run: Evaluator) -> Iterator[Trace]:
    """Yield what the handlers of `tools/list` do."""
    for _, handler, _, _ in run.listings:
        function = function_of(handler)
        if function is not None:
            yield trace_of(run, function.scope.module, function.node)


STARTING = pattern(rb"__main__|\b(?:FastAPI|Starlette|Flask|Quart|Sanic)\(")
"""What a file holds that somebody may start: it says so of itself, or makes what a server of HTTP runs."""

SDKS = frozenset({"mcp", "fastmcp"})
"""Packages that a project has as a copy of an SDK, to be tested without it: what is installed stands before them."""


def _iter_loops(run: Evaluator) -> Iterator[MessageLoop]:
    """Yield the functions that ask which method of the protocol a client asks for."""
    for place in _collect_started(
        run, [each for each in by_hand.asking(run) if SDKS.isdisjoint(each.module.parts[:1])]
    ):
        yield MessageLoop(trace_of(run, place.module, place.node), rerun(run, place, ""))


def _collect_started(run: Evaluator, places: list[FunctionPlace]) -> list[FunctionPlace]:
    """Return those of several places that lie in what somebody may start, all if none surely does."""
    if len({each.module.path for each in places}) < 2:
        return places
    starts = [each for each in run.modules.by_path.values() if each.mentions(STARTING)]
    reached = imported(run.modules, starts, run.dynamic)
    return [each for each in places if each.module.path in reached] or places
