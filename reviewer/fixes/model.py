"""How a finding is fixed: what the source has to say instead, described without syntax.

A rule says what it wants; the adapters of `reviewer.languages.edits` say which bytes that takes, or that it cannot be had there.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from reviewer.facts.parts import Json, Path
from reviewer.source import Span

RewriteKind = Literal[
    "hint",
    "set key",
    "drop",
    "replace",
    "to stderr",
    "strip characters",
    "drop comment",
    "drop statement",
    "number",
    "text",
    "field",
    "clamp",
    "await sleep",
    "description",
]
"""What is to become of a place.

- `hint`: the declaration of a tool says `key: value` in its annotations.
- `set key`: the literal of a schema, which is `whole`, has `value` at `path`, whose holder is there already.
- `drop`: what lies at `path` is taken out of that literal; `replace`: it becomes `value`.
- `to stderr`: a call that prints does so to the standard error.
- `strip characters`: a literal loses every character of `value`, spelled or raw; in a document the text `key` does.
- `drop comment`: a comment goes, with its line if nothing else stands there.
- `drop statement`: a statement that is no more than the expression there goes, with its lines.
- `number`: the only number `path[0]` within the place becomes `value`. `text`: the same of a string literal.
- `field`: the field `key` of the struct literal or call around the place becomes `value`.
- `clamp`: where a list is cut at the variable `key`, it is cut at `value` at most.
- `description`: the literal that is the whole description there, which is `key`, becomes `value`.
- `await sleep`: a call that sleeps in an async function lets others run meanwhile.
"""


class Rewrite(NamedTuple):
    """One thing that is to be otherwise, at a place or within it; which parts are given depends on the kind."""

    kind: RewriteKind
    at: Span
    path: Path = ()
    value: Any = None
    key: str = ""
    whole: Json | None = None


class FixPlan(NamedTuple):
    """All rewrites that one finding needs to be gone. `title` completes "to fix it, …".

    One that is `safe` leaves what the server does for a good call as it is.
    """

    title: str
    rewrites: tuple[Rewrite, ...]
    safe: bool = True


FixPlanner = Callable[[], FixPlan | None]
"""Makes a fix plan on demand; None if no fix is certain."""
