"""What a tool's code takes out of the input of a call, and what it leaves out of the answer."""

from typing import Literal

from reviewer.records import dataclass
from reviewer.source import Text


@dataclass(frozen=True, slots=True)
class GivenValue:
    """A plain value as code has it, and the expression that gives it."""

    value: str | int | float | bool
    text: Text


@dataclass(frozen=True, slots=True)
class ArgumentUse:
    """An argument that code takes out of the input of a call, in a tool's own function or in one that is handed the input.

    `name` is its key, where it is written; `among` are all keys that are read in one another's stead, this one with them.
    `defaults` stand in where it is not given, and at `of_type` what is empty or zero of its type; `caps` are the most that is let
    through: none where there is none, or where it cannot be told. `cut` is a cut of a list of which the argument alone says
    where, no bound met on its way; `spares` tells that nothing is cut where it is not given, as far as the code has no default,
    and `held` that lists are shortened which were there whole: nothing more is read where it is greater. `unsure` is a cut of a
    list before which a bound was met that only a run tells: a setting, a constant of another package. `handed` is where it is
    handed on with no bound met, to a cut or to other code. `sent` tells that all lists which it cuts came from another host or a
    database in this call. `idle` tells that the input is made into a type that holds it, and that no code reads it there.
    `values` are the texts that code compares it with, where it does nothing else with it; `refuses` tells that it refuses others.
    `parsed` is where it is read as a text in JSON.
    """

    name: Text
    among: tuple[str, ...] = ()
    defaults: tuple[GivenValue, ...] = ()
    caps: tuple[GivenValue, ...] = ()
    cut: Text | None = None
    idle: bool = False
    values: tuple[str, ...] = ()
    refuses: bool = False
    spares: bool = False
    held: bool = False
    handed: Text | None = None
    parsed: Text | None = None
    sent: bool = False
    unsure: Text | None = None
    of_type: Text | None = None


@dataclass(frozen=True, slots=True)
class Omission:
    """A list that code cuts before it answers with it. `told` is what in the same code tells of the rest, if anything does.

    `most` is how many are left, where the code says a number and the list is in no order by which the first are asked for.
    `of` is what is cut: a list, or a text by its letters or its lines. `is_given` says that what is left stands in
    the answer itself, and has not only been worked with. `lost` tells that the list is paged as well, and cut `before` that
    or once `again` after it, so that no page has what is left out.
    """

    text: Text
    told: Text | None = None
    most: int | None = None
    of: Literal["list", "text", "lines"] = "list"
    is_given: bool = False
    lost: Literal["before", "again", ""] = ""
