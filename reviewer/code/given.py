"""What a call hands over to what it calls."""

from dataclasses import dataclass

from reviewer.code.values import Value


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
