"""How a server speaks the protocol beside answering: what it says of changes of its tools, progress, cursors that come in."""

from collections.abc import Sequence
from typing import Literal

from reviewer.records import dataclass
from reviewer.source import Span, Text


@dataclass(frozen=True, slots=True)
class Advertisement:
    """A place that tells a client whether the list of tools may change; `claims` is None where only a run can tell.

    Then `chosen` tells that the project itself decides: by a setting, a variable or a condition, and not by what an unseen caller
    hands over.
    """

    text: Text
    claims: bool | None = True
    chosen: bool = False

    @property
    def may_claim(self) -> bool:
        """Whether a client is promised that it will be told, always or by a choice of the project."""
        return self.claims is True or (self.claims is None and self.chosen)


@dataclass(frozen=True, slots=True)
class Announcement:
    """A place that sends `notifications/tools/list_changed`.

    `every` is the loop or the callback by which each single change is told at once, if there is one; `switch` the condition by
    which a setting turns it off. `advertised` tells that the SDK itself tells clients to expect it.
    """

    text: Text
    every: Text | None = None
    switch: Text | None = None
    advertised: bool = False


@dataclass(frozen=True, slots=True)
class ToolChange:
    """A place that adds, removes or replaces tools while the server runs.

    `announced` tells whether a notification follows on every way on which the call ends, None where that cannot be told.
    """

    text: Text
    announced: bool | None = True


@dataclass(frozen=True, slots=True)
class ListChanges:
    """What a project does about changes of its list of tools.

    `forwards` are places that send notifications of which only a run tells the kind. `is_reached` tells that something leads to
    one of those that are `sent`.
    """

    advertised: Sequence[Advertisement] = ()
    sent: Sequence[Announcement] = ()
    made: Sequence[ToolChange] = ()
    forwards: Sequence[Text] = ()
    is_reached: bool = True


Trend = Literal["grows", "stays", "falls", "comes back"]
"""How a number changes from one time to the next; `comes back` where it begins anew after some times."""


@dataclass(frozen=True, slots=True)
class ProgressPlace:
    """A place that sends progress.

    `made` is what its token is made of, where that is not the client's; `unguarded` the client's token where nobody looks
    whether there is one. `value` is the number that it tells. `rounds` says how that changes with each round of the loops
    around, from the innermost outwards, None where it cannot be told; of loops that go on afterwards and that do not go through
    those who are told. `since` is how it changed since another place that surely told one before. `is_whole` tells that it
    surely is the total, `has_failed` that it is told where the work has failed, and the failure goes on. `every` is a loop that
    sends for each round of it, however quick and however many they are, or the call in that which does.
    """

    text: Text
    made: Text | None = None
    unguarded: Text | None = None
    value: Text | None = None
    rounds: tuple[Trend | None, ...] = ()
    since: Trend | None = None
    is_whole: bool = False
    has_failed: bool = False
    every: Text | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A function that reads JSON-RPC itself and chooses by the method of a request; `text` is where it asks for `initialize`.

    `methods` are those that it knows, all of them if it is `followed`. `answered` is what it answers a notification with that it
    does not know, if it surely does; `echoed` where it agrees to whatever version of the protocol a client asks for. `codes` are
    the codes of the errors by which it answers a request whose method it does not know, as far as they are constants, and
    `unanswered` tells that it surely answers nothing then. `other_id` is a response whose id is not that of the request.
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
    """A place that does with a prompt what the protocol does not allow.

    A message of a `role` that there is not, which is `value`; or an `argument`, which is a text, that the method `value` reads as
    something else, and so never finds.
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
    """A place that reads a cursor which a client gave.

    What happens to one that is garbled or stale: `instead` stands for the place that it does not tell, and the call goes on;
    `fault` ends the call as a fault of the server. It is refused where there is neither. `shared` is where cursors of several
    lists are read and nothing asks of which of them one is. `unseen` is a function that nobody sees which reads it: what becomes
    of a garbled one is not known. `unused` is the name of what is put into cursors at `text`, and that nobody uses of one that
    comes back.
    """

    text: Text
    instead: Substitute | None = None
    fault: Text | None = None
    shared: Text | None = None
    unseen: Text | None = None
    unused: str = ""
