"""What an abstract run reports: what is done, with what values, where, and in what circumstances.

Events stand in the order in which they may happen. A function that is called twice with the same values is run once, so its
events stand once, under the first of the calls.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from reviewer.code.ir import Code, Site
from reviewer.code.state import Facts
from reviewer.code.values import Value
from reviewer.source import Text


class Place(NamedTuple):
    """A node of a code."""

    code: Code
    at: Site

    @property
    def text(self) -> Text:
        """Its source."""
        return self.code.text(self.at)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One function that is being run: by which call of which other, None for the one where the run began."""

    code: Code
    caller: "Frame | None" = None
    called_at: Site | None = None

    @property
    def depth(self) -> int:
        """How many calls lead here."""
        return 0 if self.caller is None else self.caller.depth + 1

    def path(self) -> tuple[Place, ...]:
        """Return the calls that lead here, the outermost first."""
        if self.caller is None or self.called_at is None:
            return ()
        return (*self.caller.path(), Place(self.caller.code, self.called_at))

    def runs(self, code: Code) -> bool:
        """Return whether a code is being run already, here or by a caller."""
        return self.code is code or (self.caller is not None and self.caller.runs(code))


Condition = Literal["test", "catches", "handles", "manager", "thread", "task", "loop"]
"""What surrounds an event, from the outside inwards.

- `test`: a branch that runs where `value` is true, or false; `catches`: the body of a `Try`; `handles`: one of its catches.
- `manager`: the body of a `With`, whose manager is `value`; `loop`: the body of a loop over `value`.
- `thread`: what runs in a thread; `task`: what is begun and not waited for here.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """The circumstances of an event: one, and those around it, over all calls that lead there."""

    condition: Condition
    at: Site
    value: Value | None = None
    holds: bool = True
    """Whether the test is true there."""
    types: tuple[Value, ...] = ()
    """What is caught; all if empty."""
    around: "Context | None" = None

    def outwards(self) -> Iterator["Context"]:
        """Yield the circumstances from the innermost outwards."""
        current: Context | None = self
        while current is not None:
            yield current
            current = current.around


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that a code does. `facts` is what tests told before."""

    at: Site
    frame: Frame
    context: Context | None
    facts: Facts

    @property
    def text(self) -> Text:
        """The expression or statement, with its place."""
        return self.frame.code.text(self.at)


@dataclass(frozen=True, slots=True, eq=False)
class Called(Event):
    """A call. `path` is what is called, if it is not of the project: `requests.get`; `.name` for a method of something unknown.

    `followed` tells that the called code was run: its events come next.
    """

    callee: Value
    path: str
    receiver: Value | None
    arguments: tuple[Value, ...]
    named: dict[str, Value]
    result: Value
    followed: bool = False

    def argument(self, position: int, *names: str) -> Value | None:
        """Return an argument by its name or its position, None if it is not given."""
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.arguments[position] if position < len(self.arguments) else None


@dataclass(frozen=True, slots=True, eq=False)
class Returned(Event):
    """A value is returned from the function that runs."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Raised(Event):
    """An exception is raised by a statement. `value` is None where the one that is handled is raised again."""

    value: Value | None


@dataclass(frozen=True, slots=True, eq=False)
class Indexed(Event):
    """An element is taken."""

    owner: Value
    key: Value


@dataclass(frozen=True, slots=True, eq=False)
class Sliced(Event):
    """A part is taken, from `low` to before `high`; None is the beginning, or the end."""

    owner: Value
    low: Value | None
    high: Value | None


@dataclass(frozen=True, slots=True, eq=False)
class Stored(Event):
    """A value is written into an object, under a key, or as one more element if there is none."""

    owner: Value
    key: Value | None
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Awaited(Event):
    """A value is waited for."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Tested(Event):
    """A value decides what is done next."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Looped(Event):
    """The elements of a value are gone through."""

    value: Value


@dataclass(frozen=True, slots=True)
class Omission:
    """Something that was not followed, and why: completes "it was not followed: …"."""

    place: Place
    reason: str


@dataclass(frozen=True, slots=True)
class Trace:
    """What an abstract run found. `result` is what the function gives, None if it never gives anything."""

    events: tuple[Event, ...]
    result: Value | None
    omissions: tuple[Omission, ...] = ()

    def of(self, *kinds: type[Event]) -> Iterator[Event]:
        """Yield the events of some kinds."""
        return (each for each in self.events if isinstance(each, kinds))
