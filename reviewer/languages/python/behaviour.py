"""What a server's code does beside declaring tools: one module for each kind of fact."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from reviewer.facts import Project, Server
from reviewer.languages.python.answers import answers, strips
from reviewer.languages.python.catalogs import catalogs
from reviewer.languages.python.dispatches import dispatches, guards
from reviewer.languages.python.domain import domain_types
from reviewer.languages.python.elicitations import elicitations
from reviewer.languages.python.evaluator import Evaluator
from reviewer.languages.python.modules import Module
from reviewer.languages.python.paging import cursors, limits
from reviewer.languages.python.projections import projections
from reviewer.languages.python.rescues import rescues
from reviewer.languages.python.transports import transports
from reviewer.languages.python.truncations import envelopes, overflows

Fact = TypeVar("Fact")


def read(run: Evaluator, seeds: list[Module], servers: tuple[Server, ...]) -> Project:
    """Read the behaviour of the modules that declare tools."""

    def each(find: Callable[[Evaluator, Module], Iterator[Fact]]) -> tuple[Fact, ...]:
        return tuple(found for module in seeds for found in find(run, module))

    tables, bounds, choices = tuple(catalogs(run)), each(guards), each(dispatches)
    return Project(
        servers=servers,
        transports=each(transports),
        catalogs=tables,
        dispatches=choices,
        rescues=each(rescues),
        domain_types=each(domain_types) if tables or bounds or choices else (),
        guards=bounds,
        limits=each(limits),
        cursors=each(cursors),
        projections=each(projections),
        envelopes=each(envelopes),
        overflows=each(overflows),
        answers=each(answers),
        strips=each(strips),
        elicitations=each(elicitations),
    )
