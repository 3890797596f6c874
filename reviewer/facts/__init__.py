"""What was read from a server's source, in terms that hold for every language.

An adapter in `reviewer.languages` writes facts; rules read them. Wherever something may be missing or unreadable, three
values are kept apart: `None` (it is not there), the value itself (it was read), `Opaque` (it is there, and cannot be read).
"""

from reviewer.facts.actions import Action, Catalog, Dispatch, RowType
from reviewer.facts.argument_use import ArgumentUse, GivenValue, Omission
from reviewer.facts.behaviour import (
    AnswerBudget,
    AnswerPage,
    CallEntry,
    Consent,
    Cursor,
    DomainField,
    DomainType,
    Envelope,
    ErrorBoundary,
    FieldSelection,
    Guard,
    Handler,
    HandlerResult,
    Keeping,
    Limit,
    Measure,
    PageOverlap,
    Projection,
    RegistrationPitfall,
    Transport,
    TransportKind,
    Trap,
    TruncationMark,
)
from reviewer.facts.documents import (
    BrokenLinks,
    BrokenStart,
    DocumentedSettings,
    DocumentListing,
    LooseRequirement,
    Mention,
    UnreadFields,
)
from reviewer.facts.effects import Act, ActKind, Acts, HandlerArgument
from reviewer.facts.lazy import Flag, Lazy
from reviewer.facts.parts import Json, Part
from reviewer.facts.pieces import CodePiece
from reviewer.facts.project import Ignore, Project
from reviewer.facts.protocol import (
    Advertisement,
    Announcement,
    Conversation,
    GivenCursor,
    Identity,
    ListChanges,
    ProgressPlace,
    PromptFault,
    Substitute,
    ToolChange,
)
from reviewer.facts.reaches import Effect, Sink, UncheckedReach
from reviewer.facts.responses import (
    ErrorMapping,
    ExceptionType,
    FailureAnswer,
    FaultKind,
    FunctionOutcome,
    IssueCode,
    MapperFault,
    OutcomeKind,
    ReturnedValue,
    Wrapper,
)
from reviewer.facts.schemas import Hole, Places, Schema
from reviewer.facts.tools import Condition, Drift, Language, Malformed, Server, Tool, ToolParameter
from reviewer.facts.waits import Cap, Evasion, Trust, UncheckedAnswer, Wait
