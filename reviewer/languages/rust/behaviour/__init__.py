"""What a Rust server's code does beside declaring tools: transports, catalogs, dispatches, guards, rescues, types."""

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
from reviewer.behaviour.relays import with_relays
from reviewer.behaviour.signing import with_signs
from reviewer.behaviour.stars import unstarred
from reviewer.behaviour.statuses import unchecked_statuses
from reviewer.behaviour.trust import trusts
from reviewer.behaviour.unread_fields import selections
from reviewer.code.events import Trace
from reviewer.facts import Handler, Lazy, Project, Server
from reviewer.failures import contained, until_failure
from reviewer.languages.rust.behaviour.catalogs import catalogs
from reviewer.languages.rust.behaviour.cursors import cursors
from reviewer.languages.rust.behaviour.dispatches import dispatches, guards
from reviewer.languages.rust.behaviour.domain import domain_types
from reviewer.languages.rust.behaviour.entrances import Entrances
from reviewer.languages.rust.behaviour.envelopes import envelopes, overflow_actions
from reviewer.languages.rust.behaviour.given_cursors import given_cursors
from reviewer.languages.rust.behaviour.identities import identities
from reviewer.languages.rust.behaviour.isolation import with_entries
from reviewer.languages.rust.behaviour.list_changes import list_changes
from reviewer.languages.rust.behaviour.paging import limits
from reviewer.languages.rust.behaviour.progress import progress
from reviewer.languages.rust.behaviour.remainders import remainders
from reviewer.languages.rust.behaviour.rescues import rescues
from reviewer.languages.rust.behaviour.serving import by_tool, with_branches
from reviewer.languages.rust.behaviour.tracing import rerun, trace_of
from reviewer.languages.rust.comments import ignores
from reviewer.languages.rust.items import Item, Items, in_test
from reviewer.languages.rust.start import transports
from reviewer.languages.rust.strays import strays
from reviewer.patterns import pattern

Fact = TypeVar("Fact")

NAMED = pattern(rb"\b_meta\b")


def read(items: Items, servers: tuple[Server, ...]) -> Project:
    """Read the behaviour of a project's code."""
    tables = _all(lambda: catalogs(items), "action catalogs")
    served = servers
    with contained("not reviewed: the entries of handlers"):
        served = with_entries(items, servers)
    bounds = with_signs(_all(lambda: guards(items), "response guards"), Entrances(items, served))
    known = with_ways(Entrances(items, served), bounds)
    arms = Lazy(lambda: with_arms(dispatches(items), known))
    chosen: tuple[Handler, ...] = ()
    if bounds:
        chosen = _all(lambda: by_tool(items, servers), "the branches of dispatchers")
        served = tuple(with_functions(with_exits(served, Entrances(items, served)), known))
        chosen = tuple(map(known, chosen))
    ways = _all(lambda: transports(items, served), "transports")
    with contained("not reviewed: the branches of dispatchers"):
        served = with_branches(items, served)
    served = with_relays(served, Entrances(items, served))
    entrances = Entrances(items, served)
    pages = PagesOf(entrances, bounds)
    served, chosen = tuple(with_functions(served, pages.of_tool)), tuple(map(pages.of_branch, chosen))
    choices = Lazy(lambda: with_asked(with_arms(arms, pages.of_arm), entrances))
    takers = Lazy(lambda: roots(entrances, bounds))
    return Project(
        servers=served,
        transports=ways,
        catalogs=tables,
        dispatches=choices,
        rescues=Lazy(lambda: rescues(items, served)),
        domain_types=Lazy(lambda: domain_types(items) if tables or choices or bounds else ()),
        guards=bounds,
        remainders=Lazy(lambda: remainders(items)),
        budgets=Lazy(lambda: budgets(entrances, bounds)),
        pages=Lazy(lambda: pages_of(entrances, bounds, choices)),
        unstarred=Lazy(lambda: unstarred(entrances, takers, bounds)),
        handlers=chosen,
        limits=Lazy(lambda: limits(items)),
        cursors=Lazy(lambda: cursors(items)),
        projections=Lazy(lambda: projections(entrances, takers, bounds, [*choices, *chosen, *own_handlers(served)])),
        selections=Lazy(lambda: selections(entrances, takers, bounds, choices, chosen)),
        envelopes=Lazy(lambda: envelopes(items, servers)),
        overflows=Lazy(lambda: overflow_actions(items, servers)),
        strips=Lazy(
            lambda: lost_metadata(Entrances(items, served), bounds) if bounds and items.mentioning(NAMED) else ()
        ),
        consents=Lazy(lambda: consents(Entrances(items, served), tables, tuple(choices), bounds)),
        strays=Lazy(lambda: strays(items)),
        list_changes=Lazy(lambda: list_changes(items, served)),
        progress=Lazy(lambda: progress(items, servers)),
        reaches=Lazy(lambda: _all(lambda: reaches(entrances), "what arguments reach")),
        trusts=Lazy(lambda: _all(lambda: trusts(entrances), "whom connections trust")),
        waits=Lazy(lambda: _all(lambda: endless_waits(entrances), "what tools wait for")),
        unchecked=Lazy(lambda: _all(lambda: unchecked_statuses(entrances), "the status of answers")),
        evasions=Lazy(lambda: _all(lambda: evasions(entrances), "the guards of statements")),
        caps=Lazy(lambda: _all(lambda: caps(entrances), "how much is asked for")),
        conversations=Lazy(lambda: _all(lambda: conversations(_loops(items), entrances), "JSON-RPC")),
        identities=Lazy(lambda: _all(lambda: identities(items), "who serves")),
        prompt_faults=Lazy(lambda: _all(lambda: prompt_faults(_prompts(items)), "prompts")),
        given_cursors=Lazy(lambda: given_cursors(items)),
        ignores=_all(lambda: ignores(items), "suppressions"),
    )


PROMPT = "get_prompt"
"""The method of the SDK's trait by which a server gives a prompt."""


def _prompts(items: Items) -> Iterator[Trace]:
    """Yield what the functions do that give prompts."""
    return (trace_of(items, each) for each in items.functions(PROMPT) if not in_test(each.node))


METHODS = pattern(rb"\"tools/(?:list|call)\"")


def _loops(items: Items) -> Iterator[Loop]:
    """Yield the functions that speak of methods of the protocol."""
    for path in items.mentioning(METHODS):
        for node in items.of_kinds(path, "function_item"):
            if METHODS.search(node.text or b"") and b'"initialize"' in (node.text or b"") and not in_test(node):
                function = Item(path, node, items.sources[path])
                yield Loop(trace_of(items, function), rerun(items, function))


def _all(find: Callable[[], Iterable[Fact]], name: str) -> tuple[Fact, ...]:
    return tuple(until_failure(find, f"not reviewed: {name}"))
