"""What code does with a call: how handlers answer, what bounds the answers, what catches a failure, what is served on."""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Literal

from reviewer.facts.argument_use import ArgumentUse, Omission
from reviewer.facts.effects import Act, Acts, HandlerArgument
from reviewer.facts.lazy import Flag
from reviewer.facts.responses import FunctionOutcome, ReturnedValue, Wrapper
from reviewer.records import dataclass
from reviewer.source import Opaque, Span, Text

TransportKind = Literal["stdio", "streamable-http", "sse"]

Refusing = Callable[[str, str | int | float | bool], Text | None]
"""What tells where a call fails whatever else it is given, by the name and the value of one argument; None if it may not."""


def _refuse_nothing(_name: str, _value: str | float) -> None:
    """Tell of no place: nobody looked for one."""


@dataclass(frozen=True, slots=True)
class HandlerResult:
    """One way in which a handler gives its result back, by the expression `text`.

    `through` names the functions that the value surely passes on its way out, however deep: `Ok(respond(action, v))` has
    `respond`, `Ok(page(v))` has `page`, and `respond` if `page` ends in it. `unseen` tells that a function which is not there
    takes the value together with something else, and so may bound it. `built` is where the value is made a success result of
    the protocol, `CallToolResult::success(..)`, `{"content": [..]}`, or put into that form by a function of the project;
    `written` tells that this says nothing but what is written there.
    """

    text: Text
    through: frozenset[str] = frozenset()
    unseen: bool = False
    built: Text | None = None
    written: bool = False


@dataclass(frozen=True, slots=True)
class Handler:
    """The code that answers one tool or one action. Returned errors are not among its exits.

    `paged` tells that its answer depends on the page that a client asks for, or may as far as can be told; `passed_over`
    are those of `limit` and `cursor` of which surely nothing comes in it, and `gathered` the loops by which it has the rows of
    all pages; `capped` that the code itself cuts the list that it
    gives, or keeps it short. `cuts` are the expressions by which it shortens a text or an answer for
    its size. `acts` is what it does besides. `takes` and `returns`
    are its signature, None where that is not the tool's own; `wrappers` is what is laid around it, outermost first, without what
    registers it. `echoes` are the expressions by which it gives a foreign payload, or a domain object in full, as its answer.
    `poured` are those by which a model takes such a payload as a whole.
    `struct` is the type that all its arguments are the fields of, where it is declared, if a signature in Rust says so; `free` is
    the type there if it names no fields. `raises` tells that it fails by exceptions.
    `argument_uses` are the arguments that it reads; `followed` tells that the input goes nowhere else, so that it reads no
    others. `omissions` are the lists that it cuts; `hints` what it says to a client that gets less than there is.
    `documentation` is its docstring or the docs over it, whether clients get them or not; None where there are none.
    `outcomes` are the kinds of values that it gives, and what is laid around it, as far as they are sure.
    `refuses` tells where a call always fails in which an argument of some name is some value.
    `write_mark` is what tells the project itself that it changes something, beside the annotations: `fn is_write`.
    `rechecked` tells that whoever takes its answer may make an error of one that tells of a failure, by what that says.
    """

    name: Text
    span: Span
    exits: Sequence[HandlerResult] = ()
    paged: bool | Flag = False
    passed_over: Sequence[str] = ()
    gathered: Sequence[Text] = ()
    capped: bool | Flag = False
    cuts: Sequence[Text] = ()
    acts: Acts = field(default_factory=Acts)
    takes: Sequence[HandlerArgument] | None = None
    struct: Text | None = None
    free: Text | None = None
    raises: bool = False
    returns: ReturnedValue | None = None
    wrappers: Sequence[Wrapper] = ()
    echoes: Sequence[Text] = ()
    poured: Sequence[Text] = ()
    argument_uses: Sequence[ArgumentUse] = ()
    followed: bool | Flag = False
    omissions: Sequence[Omission] = ()
    hints: Sequence[Text] = ()
    outcomes: Sequence[FunctionOutcome] = ()
    write_mark: Text | None = None
    documentation: Text | None = None
    refuses: Refusing = _refuse_nothing
    rechecked: bool | Flag = False


@dataclass(frozen=True, slots=True)
class Guard:
    """A function of the shape `respond(action, value)` that bounds an answer and marks it.

    `unsigned` tells that it gives objects without `_meta.request_id`, where all that it does could be followed.
    """

    name: Text
    span: Span
    unsigned: bool | Flag = False


@dataclass(frozen=True, slots=True)
class Measure:
    """A test by which a guard finds an answer too large: `most` is the number that its size is compared with.

    `counts` tells that the entries of the answer are counted, and not what it is written as.
    """

    text: Text
    most: int
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Keeping:
    """A list of names by which a guard chooses entries; `keeps` tells whether those in it stay, or are taken out."""

    text: Text
    names: tuple[str, ...]
    keeps: bool = True


@dataclass(frozen=True, slots=True)
class TruncationMark:
    """An entry that a guard writes into an answer that is too large: `_overflow`, or `_overflow_action`.

    `value` is what is written, None if only a run tells. `own` tells that it surely is the action that is answered.
    """

    text: Text
    value: object = None
    known: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class AnswerBudget:
    """What a guard does about answers that are too large.

    `whole` tells that all that it does could be followed. `lost` is the call that marks an answer which the guard does not give;
    `turned` the test by which answers are marked that are small; `unstripped` where one is marked of which nothing was taken out;
    `unused` the call that gives the marked ones, where nothing is done with what it gives.
    """

    guard: Guard
    whole: bool = True
    measures: tuple[Measure, ...] = ()
    marks: tuple[TruncationMark, ...] = ()
    steps: tuple[TruncationMark, ...] = ()
    keepings: tuple[Keeping, ...] = ()
    lost: Text | None = None
    turned: Text | None = None
    unstripped: Text | None = None
    unused: Text | None = None


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """What an action hands its guard as the answer: `keys` are its entries, None if it is a list and no object.

    `empty` are the entries that are always null.
    """

    action: str
    text: Text
    keys: frozenset[str] | None = None
    empty: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Limit:
    """What code does with the page size that a client asks for; `text` is the test or the call that does it.

    `default` stands for one that is not given, `cap` is the most that is let through: numbers where they are written, else
    None. `refuses` tells that one that is too large is answered with an error.
    """

    name: Text
    text: Text
    default: int | None = None
    cap: int | None = None
    refuses: bool = False


@dataclass(frozen=True, slots=True)
class Cursor:
    """An expression that makes a cursor.

    `unstable` is the part that differs between two identical calls, if there is one, or what gives the list that it is a place
    in, if that has no order. `bare` is what makes it where it is nothing but a place in something that may change until it
    comes back; `plain` where it is nothing but the number of a place, which whoever sees it can read.
    """

    text: Text
    unstable: Text | None = None
    bare: Text | None = None
    plain: Text | None = None


@dataclass(frozen=True, slots=True)
class Projection:
    """A place where code chooses the entries of an object by the `fields` that a client asks for.

    `guarded` tells that a guard does it, for all answers; `in_helper` that a function does which handlers call; `keeps` that what
    is asked for stays, and not what is left.
    """

    text: Text
    guarded: bool = False
    in_helper: bool = False
    keeps: bool = True


@dataclass(frozen=True, slots=True)
class FieldSelection:
    """A place where the `fields` that a client asks for could come into an answer, and whether they do.

    It is the argument itself, an arm of a dispatch, a call that could hand them on, or a guard; `action` is what the arm answers
    that it lies in.
    """

    text: Text
    used: bool
    action: str = ""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A place that builds what stands for a text too large: an object with `_truncated`.

    `keys` are the keys that are written there; `preview` is the length in characters that its preview is cut to, None if the
    code does not tell. `split` is the cut if it goes by bytes, with no regard to where a character ends; `whole` the preview
    if it surely is the text itself. `mark` is what surely stands under `_truncated`, if it is not true; `params` are the names in
    `full_params`, None if they are not seen; `actions` the texts that `full_action` may be, as far as they are written;
    `threshold` is the size up to which a text is left as it is, and the test that asks for it.
    """

    text: Text
    keys: frozenset[str]
    preview: int | None = None
    split: Text | None = None
    whole: Text | None = None
    mark: str = ""
    params: frozenset[str] | None = None
    actions: tuple[Text, ...] = ()
    threshold: tuple[int, Text] | None = None


@dataclass(frozen=True, slots=True)
class Consent:
    """How an action is carried out that the user may have to agree to.

    `questions` are the places that ask the user on the way to it; `goes_on` tells whether it is carried out although the user
    refuses, or is not asked at all; None if only a run tells.
    """

    action: str
    questions: tuple[Text, ...] = ()
    goes_on: bool | None = None


@dataclass(frozen=True, slots=True)
class CallEntry:
    """The place where a server's tool calls come in.

    `isolation` are the expressions that keep a failure of a handler from leaving the call unanswered: none if nothing does,
    opaque where nobody sees whether something does. `abort` is the setting by which a panic ends the whole process instead;
    `exits` are read where there is a guard. `generated` tells that a macro of the SDK writes the dispatch. `failures` are where
    it answers a tool's failure with something else than a result that says so: with an error of the protocol, a success, a panic;
    or a call of no tool with a success. `cuts` are where it cuts texts by bytes itself.
    """

    name: Text
    span: Span
    isolation: Sequence[Text | Opaque] = ()
    abort: Text | None = None
    exits: Sequence[HandlerResult] = ()
    generated: bool = False
    failures: Sequence[Act] = ()
    cuts: Sequence[Act] = ()


@dataclass(frozen=True, slots=True)
class ErrorBoundary:
    """A place that catches a panic or an exception of a handler and answers in its stead.

    `leak` is the expression by which the caught text (panic payload, traceback) reaches the client, if it does. `log` is the
    expression that logs it, `target` the target that the log event names (`tracing::error!(target: "panic", ..)`). `specific`
    is the part of the answer, beside a leak, that is made for this one failure: an interpolated text, an exception's own.
    `answer` is the text that every client gets, if that is a constant; `level` is that of the log event.
    `in_handler` tells that a handler catches a failure of its own, and not the dispatch for every handler; `given` whether a
    tool's call leads there at all.
    """

    span: Span
    leak: Text | None = None
    kind: Literal["panic", "exception"] = "panic"
    log: Text | None = None
    target: Text | Opaque | None = None
    specific: Text | None = None
    answer: Text | None = None
    level: str = ""
    in_handler: bool = False
    given: bool | Flag = True


@dataclass(frozen=True, slots=True)
class Transport:
    """A transport that the code serves on; `text` is the expression that wires it.

    `auth` is what checks the credential of a request that comes in over HTTP: a layer, a middleware, an argument. `local` tells
    whether it is bound to the loopback interface only, None if only a run can tell; `chosen` that a run chooses it among
    several. `entry` is where the calls come in that it serves, if that was found. `prints` is what its process surely writes to
    the standard output outside of tools while it serves on stdio, or right before. `any_host` says why it surely takes requests
    for any host, empty if it does not. `any_origin` is the layer on its way that lets browsers send it requests from pages of any
    origin, and read the answers. `quiet_end` is where a failure of what serves is taken, after which the process
    ends with status 0.
    """

    kind: TransportKind
    text: Text
    auth: Text | Opaque | None = None
    local: bool | None = False
    chosen: bool = False
    entry: CallEntry | None = None
    prints: Sequence[Act] = ()
    any_host: str = ""
    any_origin: Text | None = None
    quiet_end: Text | None = None


@dataclass(frozen=True, slots=True)
class DomainField:
    """One field of a domain type. `type` is as written, without `Option`/`Optional`; `bounded` if its size is limited.

    `full_action` is the action that its mark names for the whole text.
    """

    name: Text
    type: str
    span: Span
    bounded: bool = False
    full_action: Text | None = None


@dataclass(frozen=True, slots=True)
class DomainType:
    """A type that is serialized into answers. `mark` is what bounds a field in its language.

    `given` tells whether these may be answers of tools: not where only other surfaces speak of the type.
    """

    name: Text
    span: Span
    fields: tuple[DomainField, ...] = ()
    mark: str = "#[truncate]"
    given: bool | Flag = True


Trap = Literal[
    "unrouted",
    "unserved",
    "unregistered",
    "never imported",
    "documentation lost",
    "parameters aliased",
    "root no object",
    "description not literal",
]


@dataclass(frozen=True, slots=True)
class RegistrationPitfall:
    """A declaration of which the SDK makes something else than it says, or nothing, and tells nobody.

    `name` is the tool's; `cause` is what brings it about: the attribute between documentation and function, the alias,
    the file that nothing imports.
    """

    trap: Trap
    name: Text
    span: Span
    cause: Text | None = None
