"""What a Rust server's code does beside declaring tools: transports, catalogs, dispatches, guards, rescues, types."""

from reviewer.facts import Project, Server
from reviewer.languages.rust.catalogs import catalogs
from reviewer.languages.rust.comments import ignores
from reviewer.languages.rust.dispatches import dispatches, guards
from reviewer.languages.rust.domain import domain_types
from reviewer.languages.rust.elicitations import elicitations
from reviewer.languages.rust.isolation import with_entries
from reviewer.languages.rust.items import Items
from reviewer.languages.rust.paging import cursors, limits
from reviewer.languages.rust.projections import projections
from reviewer.languages.rust.rescues import rescues
from reviewer.languages.rust.results import answers, strips
from reviewer.languages.rust.strays import strays
from reviewer.languages.rust.transports import transports
from reviewer.languages.rust.truncations import envelopes, overflows


def read(items: Items, servers: tuple[Server, ...]) -> Project:
    """Read the behaviour of a project's code."""
    tables, choices, bounds = tuple(catalogs(items)), tuple(dispatches(items)), tuple(guards(items))
    return Project(
        servers=with_entries(items, servers),
        transports=tuple(transports(items)),
        catalogs=tables,
        dispatches=choices,
        rescues=tuple(rescues(items)),
        domain_types=tuple(domain_types(items)) if tables or choices or bounds else (),
        guards=bounds,
        limits=tuple(limits(items)),
        cursors=tuple(cursors(items)),
        projections=tuple(projections(items)),
        envelopes=tuple(envelopes(items)),
        overflows=tuple(overflows(items)),
        answers=tuple(answers(items)),
        strips=tuple(strips(items)),
        elicitations=tuple(elicitations(items)),
        strays=tuple(strays(items)),
        ignores=tuple(ignores(items)),
    )
