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
    """Return None: the default of a search for rejections, if none was made."""


@dataclass(frozen=True, slots=True)
class HandlerResult:
    """One way in which a handler gives its result back, by the expression `text`.

    `through` names the functions that the value certainly passes on its way out, at any depth: `Ok(respond(action, v))`
    has `respond`, `Ok(page(v))` has `page`, and `respond` if `page` ends in it. `unseen` is whether a function that was
    not found receives the value together with something else, and so may bound it. `built` is the place where the value
    becomes a success result of the protocol, `CallToolResult::success(..)` or `{"content": [..]}`, or where a project
    function does that; `written` is whether that result contains only constants.
    """

    text: Text
    through: frozenset[str] = frozenset()
    unseen: bool = False
    built: Text | None = None
    written: bool = False


@dataclass(frozen=True, slots=True)
class PageOverlap:
    """A cut at the end of a page, `text`, whose beginning an argument does not move, though it moves the end."""

    text: Text
    argument: str


@dataclass(frozen=True, slots=True)
class Handler:
    """The code that answers one tool or one action. Returned errors are not among its exits.

    Answer: `paged` is whether it depends on the requested page, or may; `passed_over` are those of `limit` and `cursor`
    that certainly do not affect it, and `gathered` the loops that read the rows of all pages for it, `overlaps` the
    cuts by which a page has what the ones before it had. `capped` is
    whether the code itself shortens the returned list. `cuts` are the expressions that shorten a text or an answer
    because of its size. `returned_payloads` are the expressions that return a foreign payload, or a domain object in full;
    `unmapped_payloads` those that fill a model with a whole one. `omissions` are the lists that it cuts, `hints` the
    texts for a client that gets less than there is, and `outcomes` the kinds of values that it and its wrappers return,
    as far as they are certain. `rechecked` is whether the caller of the handler may turn an answer that reports a
    failure into an error.

    Signature: `takes` and `returns`, None if the function is not the tool's own; `wrappers` are the functions around
    it, outermost first, without the registering one. `struct` is the declaration of the type whose fields are the
    arguments, if a signature in Rust names it; `free` is that type if it names no fields. `documentation` is its
    docstring or doc comment, whether clients get it or not.

    Behaviour: `acts` is what else it does. `argument_uses` are the arguments that it reads; `followed` is whether the
    input goes nowhere else, so that it reads no others. `refuses` finds the place that rejects an argument with some
    value. `raises` is whether it fails by exceptions. `write_mark` is the project's own mark, other than annotations,
    that it changes something: `fn is_write`.
    """

    name: Text
    span: Span
    exits: Sequence[HandlerResult] = ()
    paged: bool | Flag = False
    passed_over: Sequence[str] = ()
    gathered: Sequence[Text] = ()
    overlaps: Sequence[PageOverlap] = ()
    capped: bool | Flag = False
    cuts: Sequence[Text] = ()
    acts: Acts = field(default_factory=Acts)
    takes: Sequence[HandlerArgument] | None = None
    struct: Text | None = None
    free: Text | None = None
    raises: bool = False
    returns: ReturnedValue | None = None
    wrappers: Sequence[Wrapper] = ()
    returned_payloads: Sequence[Text] = ()
    unmapped_payloads: Sequence[Text] = ()
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

    `unsigned` is whether it returns objects without `_meta.request_id`, if all of it could be followed.
    """

    name: Text
    span: Span
    unsigned: bool | Flag = False


@dataclass(frozen=True, slots=True)
class Measure:
    """A test by which a guard finds an answer too large: `most` is the number with which the size is compared.

    `counts` is whether the entries of the answer are counted, not the size of the serialised answer.
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

    `value` is the written value, None if only a run tells. `own` is whether it certainly is the requested action.
    """

    text: Text
    value: object = None
    known: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class AnswerBudget:
    """What a guard does with answers that are too large.

    `whole` is whether all of it could be followed. `lost` is the call that marks an answer which the guard does not
    return; `turned` the test by which small answers are marked; `unstripped` the place that marks an answer from which
    nothing was removed; `unused` the call that returns the marked answer, if its result is ignored.
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
    """The answer that an action passes to its guard: `keys` are its entries, None for a list.

    `empty` are the entries that are always null.
    """

    action: str
    text: Text
    keys: frozenset[str] | None = None
    empty: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Limit:
    """What code does with the page size that a client requests; `text` is the test or the call that does it.

    `default` replaces a missing one and `cap` is the maximum: numbers if they are constants, else None. `refuses` is
    whether a larger one is answered with an error.
    """

    name: Text
    text: Text
    default: int | None = None
    cap: int | None = None
    refuses: bool = False


@dataclass(frozen=True, slots=True)
class Cursor:
    """An expression that makes a cursor.

    `unstable` is the part that differs between two identical calls, or the source of the paged list if that has no
    order. `bare` is the source of the position, if the cursor is only a position in something that may change before it
    comes back; `plain` that of the number, if the cursor is only a readable number; `composed` that
    of the text, if it is put together of parts that anybody can read.
    """

    text: Text
    unstable: Text | None = None
    bare: Text | None = None
    plain: Text | None = None
    composed: Text | None = None


@dataclass(frozen=True, slots=True)
class Projection:
    """A place that selects the entries of an object by the `fields` that a client requests.

    `guarded` is whether a guard does it, for all answers; `in_helper` whether a function does that handlers call;
    `keeps` whether the requested entries remain, and not the others.
    """

    text: Text
    guarded: bool = False
    in_helper: bool = False
    keeps: bool = True


@dataclass(frozen=True, slots=True)
class FieldSelection:
    """A place where the requested `fields` could affect an answer, and whether they do.

    It is the argument itself, an arm of a dispatch, a call that could pass them on, or a guard; `action` is the action
    of the arm around it.
    """

    text: Text
    used: bool
    action: str = ""


@dataclass(frozen=True, slots=True)
class Envelope:
    """A place that builds the replacement of a text that is too large: an object with `_truncated`.

    `keys` are its keys. `preview` is the length of its preview in characters, None if the code does not tell; `split`
    is the cut if it counts bytes and may split a character; `whole` is the preview if it certainly is the whole text.
    `mark` is the value of `_truncated`, if it certainly is not true. `params` are the names in `full_params`, None if
    they are unknown; `actions` the constant texts that `full_action` may be. `threshold` is the size up to which a text
    is not replaced, with its test.
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
    """How an action is carried out that the user may have to confirm.

    `questions` are the places that ask the user before it. `goes_on` is whether it is carried out although the user
    declines, or without asking; None if only a run tells.
    """

    action: str
    questions: tuple[Text, ...] = ()
    goes_on: bool | None = None


@dataclass(frozen=True, slots=True)
class CallEntry:
    """The function that receives a server's tool calls.

    `isolation` are the expressions that keep a handler's failure from leaving the call unanswered: empty if there is
    none, opaque if that was not seen. `abort` is the setting by which a panic ends the whole process. `exits` are read
    if there is a guard. `generated` is whether a macro of the SDK writes the dispatch. `failures` are places that
    answer a tool's failure with something else than an error result (a protocol error, a success, a panic), or a call
    of a missing tool with a success. `cuts` are places where it cuts texts by bytes itself.
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
    """A place that catches a panic or an exception of a handler and answers instead of it.

    `leak` is the expression by which the caught text (panic payload, traceback) reaches the client, if it does. `log`
    is the expression that logs it, at `level`, and `target` the target of the log event (`tracing::error!(target:
    "panic", ..)`). `specific` is a part of the answer, other than a leak, that is made for this failure: an
    interpolated text, or the exception's own. `answer` is the text that every client gets, if it is a constant.
    `in_handler` is whether a handler catches its own failure, instead of the dispatch for all handlers; `given` whether
    a tool's call leads to it at all.
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
    """A transport on which the code serves; `text` is the expression that sets it up.

    `auth` is the check of the credential of an HTTP request: a layer, a middleware, an argument. `local` is whether it
    is bound to the loopback interface only, None if only a run can tell; `chosen` whether a run chooses it among
    several. `entry` is the function that receives its calls, if it was found. `prints` is what its process certainly
    writes to standard output outside of tools, while it serves on stdio or just before. `any_host` says why it
    certainly accepts requests for any host, empty if it does not. `any_origin` is the layer that lets web pages of any
    origin send requests and read the answers. `quiet_end` is the place that catches a failure of the server, after
    which the process ends with status 0.
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
    """One field of a domain type. `type` is as written, without `Option` or `Optional`.

    `bounded` is whether its size is limited. `full_action` is the action that its mark names for the whole text.
    """

    name: Text
    type: str
    span: Span
    bounded: bool = False
    full_action: Text | None = None


@dataclass(frozen=True, slots=True)
class DomainType:
    """A type that is serialised into answers. `mark` is the form in its language that bounds a field.

    `given` is whether its objects may be answers of tools, and not only of other interfaces.
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
    """A declaration that the SDK silently drops or treats as something else.

    `name` is the tool's name. `cause` is the attribute between documentation and function, the alias, or the file that
    nothing imports.
    """

    trap: Trap
    name: Text
    span: Span
    cause: Text | None = None
