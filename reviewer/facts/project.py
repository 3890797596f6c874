"""Everything that was read under one root."""

from dataclasses import dataclass, field

from reviewer.facts.actions import Catalog, Dispatch
from reviewer.facts.behaviour import (
    Answer,
    Cursor,
    DomainType,
    Elicitation,
    Envelope,
    Guard,
    Limit,
    Projection,
    Rescue,
    Stray,
    Transport,
)
from reviewer.facts.tools import Server
from reviewer.source import Opaque, Span, Text


@dataclass(frozen=True, slots=True)
class Ignore:
    """A suppression comment. `covers` is the line it ends or the item it stands over.

    `used` is None until the review is done; then it tells whether a finding was suppressed by it.
    """

    slugs: tuple[Text, ...]
    reason: Text | None
    span: Span
    covers: Span
    used: bool | None = None


@dataclass(frozen=True, slots=True)
class Project:
    """Everything that was read under one root.

    `strips` are the expressions that take `_meta` out of an answer, `overflows` the action names that stand for the rest of
    an answer that was cut (`_overflow_action`); `broken` names files that could not be read in full.
    """

    servers: tuple[Server, ...] = ()
    transports: tuple[Transport, ...] = ()
    catalogs: tuple[Catalog, ...] = ()
    dispatches: tuple[Dispatch, ...] = ()
    rescues: tuple[Rescue, ...] = ()
    domain_types: tuple[DomainType, ...] = ()
    guards: tuple[Guard, ...] = ()
    limits: tuple[Limit, ...] = ()
    cursors: tuple[Cursor, ...] = ()
    projections: tuple[Projection, ...] = ()
    envelopes: tuple[Envelope, ...] = ()
    overflows: tuple[Text, ...] = ()
    answers: tuple[Answer, ...] = ()
    strips: tuple[Text, ...] = ()
    elicitations: tuple[Elicitation, ...] = ()
    strays: tuple[Stray, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    broken: tuple[Opaque, ...] = field(default=())

    def merged(self, other: "Project") -> "Project":
        """Join what two adapters read under the same root."""
        return Project(
            *(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__)  # dataclass order
        )
