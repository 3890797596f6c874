"""What a server's code does beside declaring tools: one module for each kind of fact."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from reviewer.behaviour.asked_fields import own_handlers, roots
from reviewer.behaviour.asked_names import with_asked
from reviewer.behaviour.asked_pages import PagesOf
from reviewer.behaviour.budgets import budgets
from reviewer.behaviour.caps import caps
from reviewer.behaviour.consent import consents
from reviewer.behaviour.conversations import Loop, conversations
from reviewer.behaviour.endless import endless_waits
from reviewer.behaviour.evasions import evasions
from reviewer.behaviour.exits import with_exits, with_ways
from reviewer.behaviour.handlers import with_arms, with_functions
from reviewer.behaviour.lost_metadata import lost_metadata
from reviewer.behaviour.page_shapes import pages_of
from reviewer.behaviour.projections import projections
from reviewer.behaviour.prompts import prompt_faults
from reviewer.behaviour.reaches import reaches
from reviewer.behaviour.signing import META, with_signs
from reviewer.behaviour.stars import unstarred
from reviewer.behaviour.starts import runs_of_nothing
from reviewer.behaviour.statuses import unchecked_statuses
from reviewer.behaviour.trust import trusts
from reviewer.behaviour.unread_fields import selections
from reviewer.code.events import Trace
from reviewer.facts import Lazy, Project, Server
from reviewer.failures import contained, until_failure
from reviewer.languages.python import by_hand
from reviewer.languages.python.behaviour import handling
from reviewer.languages.python.behaviour.catalogs import catalogs
from reviewer.languages.python.behaviour.cursors import cursors
from reviewer.languages.python.behaviour.dispatches import dispatches, guards
from reviewer.languages.python.behaviour.domain import domain_types
from reviewer.languages.python.behaviour.entrances import Entrances
from reviewer.languages.python.behaviour.envelopes import envelopes, overflow_actions, with_shortened
from reviewer.languages.python.behaviour.following import Place, own
from reviewer.languages.python.behaviour.following import near as nodes_near
from reviewer.languages.python.behaviour.given_cursors import given_cursors
from reviewer.languages.python.behaviour.identities import identities
from reviewer.languages.python.behaviour.isolation import with_entries
from reviewer.languages.python.behaviour.list_changes import list_changes
from reviewer.languages.python.behaviour.mappings import mappings
from reviewer.languages.python.behaviour.paging import limits
from reviewer.languages.python.behaviour.progress import progress
from reviewer.languages.python.behaviour.rescues import rescues
from reviewer.languages.python.behaviour.serving import by_tool, with_branches
from reviewer.languages.python.behaviour.tracing import rerun, trace_of
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.reach import imported
from reviewer.languages.python.start import transports
from reviewer.patterns import pattern

Fact = TypeVar("Fact")


def read(run: Evaluator, seeds: list[Module], servers: tuple[Server, ...]) -> Project:
    """Read the behaviour of the modules that declare tools."""

    def each(find: Callable[[Evaluator, Module], Iterator[Fact]], among: Iterable[Module] = seeds) -> tuple[Fact, ...]:
        return tuple(found for module in among for found in _of_file(find, run, module))

    near = handling.modules(run, seeds)
    tables = _all(lambda: catalogs(run), "action catalogs")
    bounds = with_signs(each(guards, own(run, b"def respond")), Entrances(run, servers))
    choices = _all(lambda: dispatches(run, seeds, tables), "dispatchers")
    chosen = _all(lambda: by_tool(run, servers), "the branches of dispatchers") if bounds else ()
    if bounds or choices:
        known = with_ways(Entrances(run, servers), bounds)
        choices, servers = tuple(with_arms(choices, known)), tuple(with_functions(servers, known))
        chosen = tuple(map(known, chosen))
    with contained("not reviewed: the branches of dispatchers"):
        servers = with_branches(run, seeds, with_entries(run, servers))
    servers = with_exits(servers, Entrances(run, servers)) if bounds else servers
    entrances = Entrances(run, servers, near)
    pages = PagesOf(entrances, bounds)
    choices = tuple(with_asked(with_arms(choices, pages.of_arm), entrances))
    servers = tuple(with_functions(servers, pages.of_tool))
    chosen = tuple(map(pages.of_branch, chosen))
    takers = Lazy(lambda: roots(entrances, bounds))
    return Project(
        servers=servers,
        transports=_all(lambda: transports(run, servers, seeds), "transports"),
        catalogs=tables,
        dispatches=choices,
        rescues=Lazy(lambda: _all(lambda: rescues(run, servers), "what is caught")),
        domain_types=Lazy(lambda: with_shortened(run, servers, domain_types(run, bool(tables or bounds or choices)))),
        guards=bounds,
        budgets=Lazy(lambda: budgets(entrances, bounds)),
        pages=Lazy(lambda: pages_of(entrances, bounds, choices)),
        unstarred=Lazy(lambda: unstarred(entrances, takers, bounds)),
        handlers=chosen,
        limits=Lazy(lambda: _all(lambda: limits(run, near), "page sizes")),
        cursors=Lazy(lambda: _all(lambda: cursors(run, near), "cursors that are made")),
        projections=Lazy(lambda: projections(entrances, takers, bounds, [*choices, *chosen, *own_handlers(servers)])),
        selections=Lazy(lambda: selections(entrances, takers, bounds, choices, chosen)),
        envelopes=Lazy(lambda: envelopes(run, servers)),
        overflows=Lazy(lambda: overflow_actions(run, servers)),
        strips=Lazy(lambda: lost_metadata(Entrances(run, servers), bounds) if bounds and _names_metadata(run) else ()),
        consents=Lazy(lambda: consents(Entrances(run, servers), tables, choices, bounds)),
        mappings=Lazy(lambda: mappings(run, servers)),
        list_changes=Lazy(lambda: list_changes(run, servers)),
        progress=Lazy(lambda: progress(run, servers)),
        reaches=Lazy(lambda: _all(lambda: reaches(entrances), "what arguments reach")),
        trusts=Lazy(lambda: _all(lambda: trusts(entrances), "whom connections trust")),
        waits=Lazy(lambda: _all(lambda: endless_waits(entrances), "what tools wait for")),
        unchecked=Lazy(lambda: _all(lambda: unchecked_statuses(entrances), "the status of answers")),
        evasions=Lazy(lambda: _all(lambda: evasions(entrances), "the guards of statements")),
        caps=Lazy(lambda: _all(lambda: caps(entrances), "how much is asked for")),
        broken_starts=Lazy(lambda: _all(lambda: runs_of_nothing(entrances), "how the server is started")),
        prompt_faults=Lazy(lambda: _all(lambda: prompt_faults(_prompts(run, near)), "prompts")),
        conversations=Lazy(lambda: _all(lambda: conversations(_loops(run), entrances), "JSON-RPC")),
        identities=Lazy(lambda: _all(lambda: identities(run), "who serves")),
        given_cursors=Lazy(lambda: _all(lambda: given_cursors(run, near, servers), "cursors of clients")),
    )


def _names_metadata(run: Evaluator) -> bool:
    return any(True for _ in own(run, META.encode()))


def _prompts(run: Evaluator, modules: Iterable[Module]) -> Iterator[Trace]:
    """Yield what the functions do that make messages of prompts."""
    for module in modules:
        for node in nodes_near(module, (b"Message(",), "function_definition"):
            yield trace_of(run, module, node)


STARTING = pattern(rb"__main__|\b(?:FastAPI|Starlette|Flask|Quart|Sanic)\(")
"""What a file holds that somebody may start: it says so of itself, or makes what a server of HTTP runs."""

SDKS = frozenset({"mcp", "fastmcp"})
"""Packages that a project has as a copy of an SDK, to be tested without it: what is installed stands before them."""


def _loops(run: Evaluator) -> Iterator[Loop]:
    """Yield the functions that ask which method of the protocol a client asks for."""
    for place in _started(run, [each for each in by_hand.asking(run) if SDKS.isdisjoint(each.module.parts[:1])]):
        yield Loop(trace_of(run, place.module, place.node), rerun(run, place, ""))


def _started(run: Evaluator, places: list[Place]) -> list[Place]:
    """Return those of several places that lie in what somebody may start, all if none surely does."""
    if len({each.module.path for each in places}) < 2:
        return places
    starts = [each for each in run.modules.by_path.values() if each.mentions(STARTING)]
    reached = imported(run.modules, starts, run.dynamic)
    return [each for each in places if each.module.path in reached] or places


def _all(find: Callable[[], Iterable[Fact]], name: str) -> tuple[Fact, ...]:
    return tuple(until_failure(find, f"not reviewed: {name}"))


def _of_file(find: Callable[[Evaluator, Module], Iterator[Fact]], run: Evaluator, module: Module) -> Iterator[Fact]:
    return until_failure(
        lambda: find(run, module), "what the code of the file does was not read", module.source.line_span(1)
    )
