"""What was read from a server's source, in terms that hold for every language.

An adapter in `reviewer.languages` writes facts; rules read them. Wherever something may be missing or unreadable, three
values are kept apart: `None` (it is not there), the value itself (it was read), `Opaque` (it is there, and cannot be read).
"""

from reviewer.facts.actions import Action, Catalog, Dispatch, RowType
from reviewer.facts.argument_use import ArgumentUse, Given, Omission
from reviewer.facts.behaviour import (
    Budget,
    Consent,
    Cursor,
    DomainType,
    Entry,
    Envelope,
    ErrorBoundary,
    Exit,
    Field,
    Guard,
    Handler,
    Keeping,
    Limit,
    Mark,
    Measure,
    Page,
    Projection,
    RegistrationPitfall,
    Selection,
    Transport,
    TransportKind,
    Trap,
)
from reviewer.facts.documents import (
    BrokenLinks,
    BrokenStart,
    Listing,
    LooseRequirement,
    Mention,
    Settings,
    UnreadFields,
)
from reviewer.facts.effects import Act, ActKind, Acts, Argument
from reviewer.facts.lazy import Flag, Lazy
from reviewer.facts.parts import Json, Part
from reviewer.facts.pieces import Piece
from reviewer.facts.project import Ignore, Project
from reviewer.facts.protocol import (
    Advertisement,
    Announcement,
    Conversation,
    GivenCursor,
    Identity,
    ListChanges,
    Progress,
    PromptFault,
    Substitute,
    ToolChange,
)
from reviewer.facts.reaches import Effect, Reach, Sink
from reviewer.facts.responses import (
    ErrorMapping,
    ExceptionType,
    FailureAnswer,
    Fault,
    FaultKind,
    IssueCode,
    Outcome,
    OutcomeKind,
    Returned,
    Wrapper,
)
from reviewer.facts.schemas import Hole, Places, Schema
from reviewer.facts.tools import Condition, Drift, Language, Malformed, Parameter, Server, Tool
from reviewer.facts.waits import Cap, Evasion, Trust, Unchecked, Wait
