"""Everything that was read under one root."""

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from reviewer.facts.actions import Catalog, Dispatch
from reviewer.facts.behaviour import (
    AnswerBudget,
    AnswerPage,
    Consent,
    Cursor,
    DomainType,
    Envelope,
    ErrorBoundary,
    FieldSelection,
    Guard,
    Handler,
    Limit,
    Projection,
    RegistrationPitfall,
    Transport,
)
from reviewer.facts.documents import (
    BrokenLinks,
    BrokenStart,
    DocumentedSettings,
    DocumentListing,
    LooseRequirement,
    Mention,
)
from reviewer.facts.lazy import Lazy
from reviewer.facts.protocol import Conversation, GivenCursor, Identity, ListChanges, ProgressPlace, PromptFault
from reviewer.facts.reaches import UncheckedReach
from reviewer.facts.responses import ErrorMapping
from reviewer.facts.tools import Drift, Server
from reviewer.facts.waits import Cap, Evasion, Trust, UncheckedAnswer, Wait
from reviewer.records import dataclass
from reviewer.source import Opaque, Span, Text


@dataclass(frozen=True, slots=True)
class Ignore:
    """A suppression comment. `covers` is the line that it ends, or the item below it.

    `used` is None until the review is done, then whether it suppressed a finding.
    """

    slugs: tuple[Text, ...]
    reason: Text | None
    span: Span
    covers: Span
    used: bool | None = None

    def reaches(self, place: Span) -> bool:
        """Return whether a finding at a place stands under it."""
        return place.path == self.covers.path and self.covers.line <= place.line <= self.covers.end_line


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that was read below one root. A field that is a `Sequence` may be read on demand.

    `handlers` are the answers of tools in a function that dispatches on the tool's name, read if there is a guard;
    `strips` the expressions that remove `_meta` from an answer; `overflows` the action names for the rest of an answer
    that was cut (`_overflow_action`); `unread_checks` the calls of yes-or-no checks whose results are ignored;
    `remainders` the types whose objects say what a guard of lists left out; `broken` the files that could not be read
    in full.
    """

    servers: tuple[Server, ...] = ()
    transports: tuple[Transport, ...] = ()
    catalogs: tuple[Catalog, ...] = ()
    dispatches: Sequence[Dispatch] = ()
    error_boundaries: Sequence[ErrorBoundary] = ()
    domain_types: Sequence[DomainType] = ()
    guards: tuple[Guard, ...] = ()
    remainders: Sequence[Text] = ()
    budgets: Sequence[AnswerBudget] = ()
    pages: Sequence[AnswerPage] = ()
    unstarred: Sequence[Text] = ()
    handlers: Sequence[Handler] = ()
    limits: Sequence[Limit] = ()
    cursors: Sequence[Cursor] = ()
    projections: Sequence[Projection] = ()
    selections: Sequence[FieldSelection] = ()
    envelopes: Sequence[Envelope] = ()
    overflows: Sequence[Text] = ()
    strips: Sequence[Text] = ()
    consents: Sequence[Consent] = ()
    registration_pitfalls: Sequence[RegistrationPitfall] = ()
    mappings: Sequence[ErrorMapping] = ()
    list_changes: Sequence[ListChanges] = ()
    progress: Sequence[ProgressPlace] = ()
    given_cursors: Sequence[GivenCursor] = ()
    conversations: Sequence[Conversation] = ()
    identities: Sequence[Identity] = ()
    prompt_faults: Sequence[PromptFault] = ()
    reaches: Sequence[UncheckedReach] = ()
    waits: Sequence[Wait] = ()
    trusts: Sequence[Trust] = ()
    unchecked: Sequence[UncheckedAnswer] = ()
    evasions: Sequence[Evasion] = ()
    unread_checks: Sequence[Text] = ()
    caps: Sequence[Cap] = ()
    listings: Sequence[DocumentListing] = ()
    settings: Sequence[DocumentedSettings] = ()
    broken_starts: Sequence[BrokenStart] = ()
    mentions: Sequence[Mention] = ()
    broken_links: Sequence[BrokenLinks] = ()
    loose_requirements: Sequence[LooseRequirement] = ()
    drifts: tuple[Drift, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    broken: tuple[Opaque, ...] = field(default=())

    def merge_with(self, other: "Project") -> "Project":
        """Join what two adapters read under the same root."""
        names = self.__dataclass_fields__  # in the order of the class
        return Project(*(_join(getattr(self, name), getattr(other, name)) for name in names))


def _join(one: Sequence[Any], other: Sequence[Any]) -> Any:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return one + other
    return Lazy(lambda: (*one, *other))
