"""How much work one review may do, and what becomes of the work that is left.

A few hundred bytes of reviewed code can ask for a terabyte, or for years: a text doubled forty times, functions that call each
other, types inside types. Whoever does work whose amount the reviewed code chooses takes it from the budget of the review first:

- `affords(resource, amount)` takes the amount and returns whether there was so much left. Use it where something unread can stand
  in the result: an `Unknown`, an `Opaque`, a `Hole`, each with `REASONS[resource]` as its reason.
- `spend(resource, amount)` takes it or raises ExhaustedError. Use it deep in a recursion, and catch the error at the nearest unit
  that can be named: a tool, a schema, a file, a rule. What the unit would have said is reported as not read, never left out.
- `share(resource)` bounds one server, schema or function, so that a hostile one does not take the work of the others.

`flow` makes the budget of a review from the size of its sources and lets it hold by `spending`; who works outside of a review has
no bound. Amounts are counted, not timed, so that a review reports the same on every machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, get_args

from reviewer.records import dataclass

Resource = Literal["steps", "visits", "bytes", "nodes", "tools", "findings"]
"""Expressions evaluated; syntax nodes visited by analyses; bytes of the values that evaluation makes; nodes of the schemas that
are made; tools read, those of a mounted server again, wide ones as several; findings and questions."""

REASONS: dict[Resource, str] = {
    "steps": "the evaluation is too long",
    "visits": "the code takes too long to follow",
    "bytes": "the values are too large",
    "nodes": "the schema is too large",
    "tools": "there are too many tools",
    "findings": "there are too many findings",
}
"""Each completes the sentence "it is not readable: …"."""


@dataclass(frozen=True, slots=True)
class ResourceBound:
    """The bound of one resource: for a review of no source, for each byte of source beside, for any review, and for one share."""

    base: int
    per_byte: float
    most: int
    share: int

    def compute(self, size: int) -> int:
        """Return the bound for sources of `size` bytes."""
        return min(self.base + int(self.per_byte * size), self.most)


BOUNDS: dict[Resource, ResourceBound] = {
    # Measured on four public servers of 0.6 to 2.2 MB with 8 to 119 tools. The largest use of each resource was:
    # 306,000 for 2.2 MB, 228,000 of them from one module, and 98,000 for 0.6 MB. One takes about 9 µs. A server of 1.0 MB whose
    # code rewrites the schemas of 232 tools takes 1,430,000, of which the rewriting has 1,220,000.
    "steps": ResourceBound(400_000, 2, 3_000_000, 600_000),
    # 1,850,000 for 0.6 MB, and 1,410,000 for 2.2 MB. One takes about 2 µs.
    "visits": ResourceBound(1_000_000, 15, 60_000_000, 2_000_000),
    # 14 MB for 2.2 MB, and 4.5 MB for 0.6 MB.
    "bytes": ResourceBound(64_000_000, 1, 128_000_000, 32_000_000),
    # 16,000 for 119 tools.
    "nodes": ResourceBound(100_000, 1, 1_000_000, 50_000),
    # 119. Checking one takes a few milliseconds.
    "tools": ResourceBound(2_000, 0.001, 20_000, 2_000),
    # 10,400 for 87 KB that hold nothing but names of tools, which is 8 MB as JSON; 362 for a public server.
    "findings": ResourceBound(20_000, 0.01, 100_000, 20_000),
}
"""Chosen so that 100 KB of hostile source take less than 10 s and 1 GB."""


class ExhaustedError(Exception):
    """Says that a budget does not afford a unit of work; `reason` completes "it is not readable: …"."""

    def __init__(self, resource: Resource) -> None:
        super().__init__(REASONS[resource])
        self.resource = resource
        self.reason = REASONS[resource]


class Budget:
    """What is left to do for one review, by resource."""

    __slots__ = ("_floor", "_left", "is_exhausted")

    def __init__(self, bounds: dict[Resource, float]) -> None:
        self.is_exhausted = False
        """Whether it ever did not afford what was asked for: then something was cut."""
        self._left = dict(bounds)
        self._floor: dict[Resource, float] = dict.fromkeys(bounds, 0)

    @classmethod
    def from_size(cls, size: int) -> "Budget":
        """Return the budget of a review of `size` bytes of source."""
        return cls({resource: bound.compute(size) for resource, bound in BOUNDS.items()})

    def affords(self, resource: Resource, amount: int = 1) -> bool:
        """Take an amount of a resource; return whether so much was left. Nothing is taken if it was not."""
        left = self._left[resource] - amount
        if left < self._floor[resource]:
            self.is_exhausted = True
            return False
        self._left[resource] = left
        return True

    def spend(self, resource: Resource, amount: int = 1) -> None:
        """Take an amount of a resource. Raises ExhaustedError if there is not so much left."""
        if not self.affords(resource, amount):
            raise ExhaustedError(resource)

    @contextmanager
    def share(self, resource: Resource, most: int | None = None) -> Iterator[None]:
        """Let what is done inside take no more than `most` of a resource, by default the share of one server."""
        before = self._floor[resource]
        allowed = BOUNDS[resource].share if most is None else most
        self._floor[resource] = max(before, self._left[resource] - allowed)
        try:
            yield
        finally:
            self._floor[resource] = before

    def count_remaining(self, resource: Resource) -> float:
        """Return how much of a resource the present share has left."""
        return self._left[resource] - self._floor[resource]


UNBOUNDED = Budget(dict.fromkeys(get_args(Resource), float("inf")))
"""The budget of what is done outside of a review."""

_current: ContextVar[Budget] = ContextVar("budget", default=UNBOUNDED)


def get_budget() -> Budget:
    """Return the budget of the review that is going on."""
    return _current.get()


@contextmanager
def spending(budget: Budget) -> Iterator[Budget]:
    """Let a budget hold for what is done inside."""
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)
