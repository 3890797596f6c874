"""Catalogs of actions, and the functions that choose by an action's name."""

from collections.abc import Sequence

from reviewer.facts.behaviour import Handler
from reviewer.facts.tools import ToolParameter
from reviewer.records import dataclass
from reviewer.source import Opaque, Span, Text


@dataclass(frozen=True, slots=True)
class Action:
    """One row of an action catalog: what a dispatching tool takes in its `action` argument.

    `idempotent` and `destructive` are None where the row does not say.
    """

    name: Text
    span: Span
    description: Text | Opaque | None = None
    destructive: bool | Opaque | None = None
    parameters: tuple[ToolParameter, ...] | Opaque = ()
    returns: Text | Opaque | None = None
    idempotent: bool | Opaque | None = None


@dataclass(frozen=True, slots=True)
class RowType:
    """The type of a catalog's rows, where the project declares it, with the names of its fields."""

    name: Text
    fields: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Catalog:
    """A table of actions. `domain` is what the table is for: the folder or module that holds it.

    `open` tells that it may have more rows than could be read; `rows` are the types that the rows are of, as far as known.
    """

    domain: str
    span: Span
    actions: tuple[Action, ...] = ()
    open: bool = False
    rows: tuple[RowType, ...] = ()


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A function that chooses by action name; each arm is a handler named after its action.

    `domain` is what it is for, named as that of a catalog; `open` tells that it may answer more actions than its arms name.
    `asked` are all texts that it, or what leads to it, compares anything with.
    """

    name: Text
    span: Span
    arms: tuple[Handler, ...] = ()
    domain: str = ""
    open: bool = False
    asked: Sequence[str] = ()
