"""What a tool's code takes out of the input of a call: which arguments, what stands in for them, what bounds them."""

from dataclasses import dataclass

from reviewer.source import Text


@dataclass(frozen=True, slots=True)
class Given:
    """A plain value as code has it, and the expression that gives it."""

    value: str | int | float | bool
    text: Text


@dataclass(frozen=True, slots=True)
class Intake:
    """An argument that code takes out of the input of a call, in a tool's own function or in one that is handed the input.

    `name` is its key, where it is written; `among` are all keys that are read in one another's stead, this one with them.
    `defaults` stand in where it is not given, `caps` are the most that is let through: none where there is none, or where it
    cannot be told. `cut` is a cut of a list of which the argument alone says where, no bound met on its way.
    """

    name: Text
    among: tuple[str, ...] = ()
    defaults: tuple[Given, ...] = ()
    caps: tuple[Given, ...] = ()
    cut: Text | None = None
