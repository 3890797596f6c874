"""What a project's code does, put together from the analyses that ask the functions where calls come in."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from reviewer.behaviour.answer_size.budgets import iter_budgets
from reviewer.behaviour.answer_size.envelopes import iter_overflow_actions
from reviewer.behaviour.answer_size.lost_metadata import iter_lost_metadata
from reviewer.behaviour.answer_size.page_shapes import iter_answer_pages
from reviewer.behaviour.arguments.asked_names import with_asked
from reviewer.behaviour.concurrency.endless import iter_endless_waits
from reviewer.behaviour.failures.statuses import iter_unchecked_statuses
from reviewer.behaviour.fields.asked_fields import find_root_takers, iter_own_handlers
from reviewer.behaviour.fields.stars import iter_unstarred_tests
from reviewer.behaviour.fields.unread_fields import iter_selections
from reviewer.behaviour.handlers import with_arms, with_functions
from reviewer.behaviour.paging.asked_pages import PagesOf
from reviewer.behaviour.paging.caps import iter_caps
from reviewer.behaviour.reached_code import with_reached
from reviewer.behaviour.results.projections import iter_projections
from reviewer.behaviour.results.unread_results import iter_unread_checks
from reviewer.behaviour.security.consent import iter_consents
from reviewer.behaviour.security.evasions import iter_evasions
from reviewer.behaviour.security.reaches import iter_reaches
from reviewer.behaviour.security.trust import iter_trusts
from reviewer.behaviour.serving.conversations import MessageLoop, iter_conversations
from reviewer.behaviour.serving.prompts import iter_prompt_faults
from reviewer.behaviour.values.entry_points import EntryPoints
from reviewer.code.events import Trace
from reviewer.facts import Catalog, Dispatch, Guard, Handler, Lazy, Project, Server
from reviewer.failures import iter_until_failure

FactType = TypeVar("FactType")


class SyntaxFacts(NamedTuple):
    """What a language finds in the syntax: the servers, what chooses by names, what bounds answers.

    `handlers` are the branches on the names of tools. `prompts` gives what functions do that make prompts, `loops` those that
    read JSON-RPC themselves.
    """

    servers: tuple[Server, ...]
    catalogs: tuple[Catalog, ...]
    guards: tuple[Guard, ...]
    dispatches: Iterable[Dispatch]
    handlers: tuple[Handler, ...]
    prompts: Callable[[], Iterable[Trace]]
    loops: Callable[[], Iterable[MessageLoop]]


def read(entry_points: EntryPoints, found: SyntaxFacts) -> Project:
    """Return the facts of the analyses that are common to all languages; the facts of one language alone are left
    empty.
    """
    guards, pages = found.guards, PagesOf(entry_points, found.guards)
    servers, handlers = (
        tuple(with_functions(found.servers, pages.attach_to_tool, pages.attach_to_branch)),
        tuple(map(pages.attach_to_branch, found.handlers)),
    )
    choices = Lazy(lambda: with_asked(with_arms(found.dispatches, pages.attach_to_arm), entry_points))
    takers = Lazy(lambda: find_root_takers(entry_points, guards))
    return Project(
        servers=tuple(with_reached(servers, entry_points)),
        catalogs=found.catalogs,
        dispatches=choices,
        guards=guards,
        handlers=handlers,
        budgets=Lazy(lambda: iter_budgets(entry_points, guards)),
        pages=Lazy(lambda: iter_answer_pages(entry_points, guards, choices)),
        unstarred=Lazy(lambda: iter_unstarred_tests(entry_points, takers, guards)),
        projections=Lazy(
            lambda: iter_projections(entry_points, takers, guards, [*choices, *handlers, *iter_own_handlers(servers)])
        ),
        selections=Lazy(lambda: iter_selections(entry_points, takers, guards, choices, handlers)),
        overflows=Lazy(lambda: iter_overflow_actions(entry_points)),
        strips=Lazy(lambda: iter_lost_metadata(entry_points, guards)),
        consents=Lazy(lambda: iter_consents(entry_points, found.catalogs, choices, guards)),
        reaches=_collect_lazy(lambda: iter_reaches(entry_points), "what arguments reach"),
        trusts=_collect_lazy(lambda: iter_trusts(entry_points), "whom connections trust"),
        waits=_collect_lazy(lambda: iter_endless_waits(entry_points), "what tools wait for"),
        unchecked=_collect_lazy(lambda: iter_unchecked_statuses(entry_points), "the status of answers"),
        evasions=_collect_lazy(lambda: iter_evasions(entry_points), "the guards of statements"),
        unread_checks=_collect_lazy(
            lambda: iter_unread_checks(entry_points.iter_traces(), entry_points.program), "checks"
        ),
        caps=_collect_lazy(lambda: iter_caps(entry_points), "how much is asked for"),
        prompt_faults=_collect_lazy(
            lambda: iter_prompt_faults(found.prompts(), entry_points.program.models), "prompts"
        ),
        conversations=_collect_lazy(lambda: iter_conversations(found.loops(), entry_points), "JSON-RPC"),
    )


def collect_facts(find: Callable[[], Iterable[FactType]], name: str) -> tuple[FactType, ...]:
    """Return all facts of a kind; what is named `name` is not reviewed if finding them fails."""
    return tuple(iter_until_failure(find, f"not reviewed: {name}"))


def _collect_lazy(find: Callable[[], Iterable[FactType]], name: str) -> Sequence[FactType]:
    return Lazy(lambda: collect_facts(find, name))
