"""Calls of the world outside that a tool waits for."""

from typing import Literal

from reviewer.records import dataclass
from reviewer.source import Text


@dataclass(frozen=True, slots=True)
class Wait:
    """A request or a command that a tool waits for, with nothing that bounds how long.

    `text` is the call, and `through` are the calls that lead there, outermost first, where `tool` is called; without a name
    several are. `client` is where the object was made that asks, None for a call that needs none; `library` is what waits.
    """

    kind: Literal["request", "command"]
    text: Text
    tool: str
    library: str
    through: tuple[Text, ...] = ()
    client: Text | None = None


@dataclass(frozen=True, slots=True)
class Trust:
    """A connection that trusts any other end.

    `text` makes it so, or is the function that it asks, and `by` is the argument for that. `by_default` is whether it
    does so unless a setting is changed.
    """

    text: Text
    by: str
    by_default: bool = False


@dataclass(frozen=True, slots=True)
class UncheckedAnswer:
    """A body that is read of an answer whose HTTP status nothing looks at, or what a command wrote whatever its exit status is.

    `text` reads it, `request` asks for it, where `tool` is called; without a name several are. `library` is what asks.
    `compared` is a test for single statuses of failure, which leaves others unseen.
    """

    text: Text
    request: Text
    tool: str
    library: str
    of_command: bool
    compared: Text | None = None


@dataclass(frozen=True, slots=True)
class Evasion:
    """A statement of a client's that is run behind a guard against writing, and `statement`, which writes and passes that.

    `text` runs it, `through` are the calls that lead there, outermost first, where `tool` is called. `is_opened` tells that the
    connection is to be read only, and no test of the statement guards it.
    """

    text: Text
    statement: str
    tool: str
    is_opened: bool = False
    through: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Cap:
    """A call that asks for `most` elements of a list at most, as the code says, where `tool` is called.

    `through` are the calls that lead there, outermost first. `words` are those of the code that may say that there is more.
    """

    text: Text
    most: int
    tool: str
    through: tuple[Text, ...] = ()
    words: frozenset[str] = frozenset()
