"""How a server speaks the protocol beside answering: what it says of changes of its tools, progress, cursors that come in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reviewer.source import Text


@dataclass(frozen=True, slots=True)
class Advertisement:
    """A place that tells a client whether the list of tools may change; `claims` is None where only a run can tell."""

    text: Text
    claims: bool | None = True


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
    """A place that adds, removes or replaces tools while the server runs; `announced` whether a notification goes with it."""

    text: Text
    announced: bool = True


@dataclass(frozen=True, slots=True)
class ListChanges:
    """What a project does about changes of its list of tools.

    `forwards` are places that send notifications of which only a run tells the kind.
    """

    advertised: Sequence[Advertisement] = ()
    sent: Sequence[Announcement] = ()
    made: Sequence[ToolChange] = ()
    forwards: Sequence[Text] = ()


Course = Literal["same", "restarts", "falls", "complete on failure"]
"""How the numbers of a place run that does not only go up.

- `same`: one number again and again. `restarts`: an outer loop begins the count anew. `falls`: the number goes down.
- `complete on failure`: the whole is told where the work has failed.
"""


@dataclass(frozen=True, slots=True)
class Progress:
    """A place that sends progress.

    `made` is what its token is made of, where that is not the client's; `unguarded` the client's token where nobody looks
    whether there is one. `value` is the number that it tells, `course` what is wrong with how that runs. `every` is a loop
    that sends for each round of it, however quick and however many they are.
    """

    text: Text
    made: Text | None = None
    unguarded: Text | None = None
    value: Text | None = None
    course: Course | None = None
    every: Text | None = None


@dataclass(frozen=True, slots=True)
class GivenCursor:
    """A place that reads a cursor which a client gave.

    `restarts` means that one which is garbled or stale is taken for none, and so for the first page; `panics` that it ends the
    call as a fault of the server. `refused` is neither.
    """

    text: Text
    way: Literal["restarts", "panics", "refused"] = "refused"
