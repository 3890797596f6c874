"""What a call hands over to what it calls, and a call whose result nobody has waited for yet."""

from dataclasses import dataclass

from reviewer.code.ir import Site
from reviewer.code.values import Function, Value


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What a call hands over."""

    positional: tuple[Value, ...] = ()
    named: "dict[str, Value] | None" = None
    rest: Value | None = None
    """What `*rest` or `**rest` hands over, element by element."""

    def names(self) -> "dict[str, Value]":
        """Return the arguments that are given by name."""
        return self.named or {}


@dataclass(frozen=True, slots=True, eq=False)
class Pending:
    """A call of an `async` function whose result nobody has waited for yet."""

    function: Function
    given: Given
    at: Site
