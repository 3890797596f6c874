"""How a server speaks the protocol beside answering: what it says of changes of its tools, progress, cursors that come in."""

from collections.abc import Sequence
from typing import Literal

from reviewer.records import dataclass
from reviewer.source import Span, Text


@dataclass(frozen=True, slots=True)
class Advertisement:
    """A place that tells clients whether the list of tools may change; `claims` is None if only a run can tell.

    Then `chosen` is whether the project itself decides it, by a setting, a variable or a condition, and not by an
    argument of an unseen caller.
    """

    text: Text
    claims: bool | None = True
    chosen: bool = False

    @property
    def may_claim(self) -> bool:
        """Whether a client is promised a notification, always or by the project's choice."""
        return self.claims is True or (self.claims is None and self.chosen)


@dataclass(frozen=True, slots=True)
class Announcement:
    """A place that sends `notifications/tools/list_changed`.

    `every` is the loop or callback that announces each single change at once, if there is one; `switch` the condition
    by which a setting turns it off. `advertised` is whether the SDK itself advertises the notification. `audience` is the field
    of an object over whose elements it is sent to each, empty if it is sent otherwise.
    """

    text: Text
    every: Text | None = None
    switch: Text | None = None
    advertised: bool = False
    audience: str = ""


@dataclass(frozen=True, slots=True)
class ToolChange:
    """A place that adds, removes or replaces tools while the server runs.

    `announced` is whether a notification follows on every path to the end of the call; None if that is unknown.
    """

    text: Text
    announced: bool | None = True


@dataclass(frozen=True, slots=True)
class ListChanges:
    """What a project does about changes of its list of tools.

    `forwards` are places that send notifications whose kind only a run tells. `is_reached` is whether code leads to one
    of those that are `sent`. `deserted` is the field that holds the clients which they are sent to, if no code puts one there.
    """

    advertised: Sequence[Advertisement] = ()
    sent: Sequence[Announcement] = ()
    made: Sequence[ToolChange] = ()
    forwards: Sequence[Text] = ()
    is_reached: bool = True
    deserted: str = ""


Trend = Literal["grows", "stays", "falls", "comes back"]
"""How a number changes from one time to the next; `comes back` where it begins anew after some times."""


@dataclass(frozen=True, slots=True)
class ProgressPlace:
    """A place that sends progress.

    `made` is the source of its token, if that is not the client's; `unguarded` the client's token if its presence is
    never checked. `value` is the progress value. `trends` is how it changes with each iteration of the loops around it,
    innermost first, None if unknown; only of loops that continue after it and do not iterate over the receivers.
    `since` is how it changed since an earlier certain notification. `is_whole` is whether it certainly is the total,
    `has_failed` whether it is sent after a failure that is passed on. `every` is a loop that sends in each iteration,
    however many and fast they are, or the call in it.
    """

    text: Text
    made: Text | None = None
    unguarded: Text | None = None
    value: Text | None = None
    trends: tuple[Trend | None, ...] = ()
    since: Trend | None = None
    is_whole: bool = False
    has_failed: bool = False
    every: Text | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A function that reads JSON-RPC itself and dispatches on the method; `text` is its test for `initialize`.

    `methods` are those that it handles, all of them if it is `followed`. `answered` is its response to an unknown
    notification, if it certainly sends one; `echoed` the place that agrees to any requested protocol version. `codes`
    are the constant error codes with which it answers an unknown method, and `unanswered` is whether it certainly sends
    no response then. `other_id` is a response with another id than the request's.
    """

    text: Text
    methods: frozenset[str]
    followed: bool
    answered: Text | None = None
    echoed: Text | None = None
    codes: frozenset[int] = frozenset()
    unanswered: bool = False
    other_id: Text | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """A place where a server introduces itself, and clients are told `parts` of the SDK instead of its own."""

    text: Text
    sdk: str
    parts: tuple[Literal["name", "version"], ...]


@dataclass(frozen=True, slots=True)
class PromptFault:
    """A place that uses a prompt in a way that the protocol does not allow.

    It is a message with an invalid `role`, which is `value`, or an `argument`, always a text, that the method `value`
    reads as another type and so never finds.
    """

    kind: Literal["role", "argument"]
    text: Text
    value: str

    @property
    def span(self) -> Span:
        """The place."""
        return self.text.span


@dataclass(frozen=True, slots=True)
class Substitute:
    """A plain value that stands for another, and what puts it there."""

    value: str | int | float | complex | bytes | None
    text: Text


@dataclass(frozen=True, slots=True)
class GivenCursor:
    """A place that reads a cursor from a client, and what happens to a malformed or stale one.

    `instead` is the position that replaces its own, so that the call continues; `fault` ends the call as a server
    fault. With neither it is rejected. `shared` is the place that reads cursors of several lists without checking which
    list one belongs to. `unseen` is a function that was not found and reads it, so that the result is unknown. `unused`
    is the name of a part that is put into cursors at `text` and never used when one comes back.
    """

    text: Text
    instead: Substitute | None = None
    fault: Text | None = None
    shared: Text | None = None
    unseen: Text | None = None
    unused: str = ""
