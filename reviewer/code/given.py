"""The arguments of a call, and a call whose result was not awaited yet."""

from reviewer.code.ir import Code, Site
from reviewer.code.values import ClientArguments, Function, Value
from reviewer.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What a call hands over."""

    positional: tuple[Value, ...] = ()
    named: "dict[str, Value] | None" = None
    rest: Value | None = None
    """What `*rest` or `**rest` hands over: any element of it, or an object of which parameters take what has their name."""

    @property
    def is_open(self) -> bool:
        """Return whether parameters take what has their name out of `rest`."""
        return self.rest is not None and isinstance(self.rest.contents, ClientArguments)

    def collect_named(self) -> "dict[str, Value]":
        """Return the arguments that are given by name."""
        return self.named or {}


@dataclass(frozen=True, slots=True, eq=False)
class Guarded:
    """Something that gives what it runs to who waits for it, or a failure if that panics: a task, a future that is caught."""

    of: Value
    at: Site


@dataclass(frozen=True, slots=True, eq=False)
class Pending:
    """A call of an `async` function that was not awaited yet; `others` are further calls that it may be."""

    function: Function
    given: Given
    at: Site
    of: Code
    """The code that called it, where `at` is."""
    others: "tuple[Pending, ...]" = ()
