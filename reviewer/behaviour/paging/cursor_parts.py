"""What is put into a cursor, and whether anything is done with it when the cursor comes back.

A list's name, a filter or a version in a cursor protects nothing as long as nobody compares it, and a place that nobody goes to
makes every page the first one. So the parts of the cursor that a function gives out are held against those that it uses of the
one that it is given. Reading a part is no use of it, and neither is putting it into the next cursor.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from reviewer.behaviour.arguments.argument_values import iter_alternatives
from reviewer.behaviour.paging.pages import is_next_cursor
from reviewer.behaviour.security.checks import is_field
from reviewer.code.acts import collect_acts
from reviewer.code.events import (
    Called,
    Captured,
    Cut,
    Event,
    Indexed,
    Looped,
    Obscured,
    Occurrence,
    Returned,
    Sliced,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.ir import Code, Site
from reviewer.code.program import Program
from reviewer.code.unreadable import READING
from reviewer.code.values import (
    ABSENT,
    Class,
    ClientArguments,
    Key,
    Label,
    Made,
    Negation,
    Plain,
    Relation,
    Term,
    Value,
    build_constant,
    find_original_term,
    get_key_name,
    get_term_head,
    name_of,
)
from reviewer.source import Span, Text

CURSOR = Label("request", "cursor")
"""Where a cursor comes from."""

UNPACKING = READING | {"deserialises", "validates"}
"""What functions do that give what is in a text."""

PACKING = frozenset({"serialises", "encodes", "logs"})
"""What functions do that use nothing of what they are handed: they write it into the next cursor, or into a log."""

PASSING = frozenset({"filled", "element", "copied", "cloned", "text"})
"""How a value is made that holds the same as another: an object that is filled with the entries of one, any of its entries."""

UNTOLD = frozenset({"text", "call"})
"""Of what the terms are that may be all that is in a cursor, of which it is not told any more how it was made."""

STATES = frozenset({"present", "succeeds", "kind"})
"""What tests tell of a part that ask only whether it is there, whether it could be read, and of what type it is."""

MOST = 300
"""Values that one is looked through for. One that is made of more is data."""

DEEPEST = 4
"""How deep answers are looked through for a cursor: a result holds the content, which holds a page, which holds it."""


class CursorPart(NamedTuple):
    """Something that a cursor is given out with: under which name, what it is, and the expression that puts it there."""

    name: Plain
    here: Occurrence
    value: Value
    text: Text


class CursorParts:
    """What one function puts into the cursors that it gives out, and what it uses of those that it is given."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program, self._models = trace, program, program.models

    @cached_property
    def given_out(self) -> tuple[CursorPart, ...]:
        """The parts of the cursors that are given out, none of one that has no parts with names."""
        found: dict[tuple[Plain, Span], CursorPart] = {}
        for here in self._trace.iter_occurrences(kinds=(Returned, Called, Stored)):
            for cursor in iter_next_cursors(here.event):
                for part in self._iter_parts(here, cursor):
                    found.setdefault((part.name, part.text.span), part)
        return tuple(found.values())

    @cached_property
    def unused(self) -> tuple[CursorPart, ...]:
        """The parts that are put into cursors and certainly unused when a cursor comes back."""
        if not self.given_out or any(True for _ in self._trace.iter_omissions()) or not self._is_read:
            return ()
        used = self._used
        return tuple(each for each in self.given_out if each.name not in used) if used is not None else ()

    @cached_property
    def _is_read(self) -> bool:
        """Return whether what is in a cursor is read here at all."""
        return any(
            self._is_unpacked(here, here.event.result)
            for here in self._trace.iter_occurrences(kinds=(Called,))
            if isinstance(here.event, Called)
        )

    @cached_property
    def _used(self) -> frozenset[Plain] | None:
        """The names of the parts that are used, None if all may be."""
        found: set[Plain] = set()
        for here in self._trace.iter_occurrences():
            for value in self._iter_used_values(here):
                names = self._collect_names(here, value)
                if names is not None:
                    found |= names
                elif not isinstance(here.event, Returned):  # an answer is made of what the cursor led to
                    return None
        return frozenset(found)

    def _iter_parts(self, here: Occurrence, cursor: Value) -> Iterator[CursorPart]:
        """Yield the named parts that a cursor is made from."""
        for at, each in iter_inside(here, cursor):
            held = each.contents
            text = _find_text(each)
            if text is not None and held is not None and _is_record(held):
                yield from (CursorPart(name_of(key), at, part, text) for key, part in held.items())
                return

    def _iter_used_values(self, here: Occurrence) -> Iterator[Value]:
        """Yield the values that an event does something with, beside reading a cursor and making one."""
        event = here.event
        match event:
            case Tested(value=value):
                yield value
            case Returned(value=value) if here.caller is None:
                yield value
            case Sliced(low=low, high=high):
                yield from (each for each in (low, high) if each is not None)
            case Cut(size=size):
                yield size
            case Indexed(key=key):
                yield key
            case Looped() | Obscured():
                yield from event.values
            case Stored(key=key, value=value) if key is None or not is_next_cursor(key.text or ""):
                yield value
            case Captured(inner=inner) if inner not in self._entered:
                yield from event.values
            case Called(followed=False):
                yield from self._iter_handed(here, event)

    @cached_property
    def _entered(self) -> frozenset[object]:
        return self._trace.collect_codes()

    def _iter_handed(self, here: Occurrence, event: Called) -> Iterator[Value]:
        """Yield the values that are passed to a function outside the project, which may use them."""
        if event.callee.things and all(isinstance(each, Class) for each in event.callee.things):
            return
        if not (UNPACKING | PACKING).isdisjoint(collect_acts(event, self._models)):
            return
        receiver = event.receiver
        if receiver is not None and self._is_unpacked(here, receiver):
            is_part = self._is_unpacked(here, event.result) or self._find_part(here, event.result) is not None
            if not is_part:
                yield receiver
        elif receiver is not None:
            yield receiver
        yield from event.arguments
        yield from event.named.values()

    def _collect_names(self, here: Occurrence, value: Value) -> frozenset[Plain] | None:
        """Return the names of the cursor parts that a value is made from; None if all of them or unnamed ones."""
        found: set[Plain] = set()
        pending, seen = [(here, value)], set[tuple[int, Term]]()
        for number in range(MOST):
            if number >= len(pending):
                return frozenset(found)
            at, each = pending[number]
            at, each = at.trace_source(each)
            if (id(at.caller), each.term) in seen or each.constants is not None:
                continue
            seen.add((id(at.caller), each.term))
            match each.meaning:
                case Relation(operator, _, right) if operator in STATES or (right and right.constants == ABSENT):
                    continue
                case Made("length"):
                    continue
            part = self._find_part(at, each)
            if part is not None:
                if part.constant is None:
                    return None
                found.add(part.constant[1])
                continue
            if self._is_unpacked(at, each):
                return None
            held = each.contents if not isinstance(each.contents, ClientArguments) else None
            is_test = isinstance(each.meaning, Relation | Negation)
            pending += [(at, one) for one in (each.operands if is_test else each.sources)]
            pending += [(at, one) for key, one in (held or {}).items() if not is_next_cursor(get_key_name(key))]
        return None

    def _find_part(self, here: Occurrence, value: Value) -> Value | None:
        """Return under which name a value is a part of a cursor, None if it is none."""
        for each in iter_alternatives(value):
            made = each.meaning
            if not isinstance(made, Made) or not made.of or not self._is_unpacked(here, made.of[0]):
                continue
            if is_field(each):
                return build_constant(made.by[1:])
            if made.by == "item" and len(made.of) == 2:
                return made.of[1]
        return None

    def _is_unpacked(self, here: Occurrence, value: Value) -> bool:
        """Return whether a value is all that is in a cursor: what was read of the text, or an object that is filled with it."""
        return any(self._is_unpacked_way(here, each, DEEPEST) for each in iter_alternatives(value))

    def _is_unpacked_way(self, here: Occurrence, value: Value, deep: int) -> bool:
        here, value = here.trace_source(value)
        made = value.meaning
        if made is None:  # how it was made is not told any more, where several functions gave it back
            return (
                not value.contents
                and get_term_head(find_original_term(value.term)) in UNTOLD
                and CURSOR in here.resolve_labels(value)
            )
        if not isinstance(made, Made) or not made.of or not deep:
            return False
        if made.by in PASSING:
            return any(self._is_unpacked_way(here, each, deep - 1) for each in iter_alternatives(made.of[0]))
        if UNPACKING.isdisjoint(self._models.get_model(made.by).acts):
            return False
        return any(CURSOR in here.resolve_labels(each) for each in made.of)


def iter_next_cursors(event: Event) -> Iterator[Value]:
    """Yield the cursors that an event puts into an answer."""
    if isinstance(event, Stored) and event.key is not None and is_next_cursor(event.key.text or ""):
        yield event.value
    elif isinstance(event, Called):
        yield from (value for name, value in event.named.items() if is_next_cursor(name))
    for each in event.values:
        yield from _iter_held_cursors(each, DEEPEST)


def _iter_held_cursors(value: Value, deep: int) -> Iterator[Value]:
    """Yield the values that an answer contains under the name of a cursor."""
    if isinstance(value.contents, ClientArguments):
        return
    for key, each in (value.contents or {}).items():
        if is_next_cursor(get_key_name(key)):
            yield each
        elif deep:
            yield from _iter_held_cursors(each, deep - 1)


def iter_inside(here: Occurrence, value: Value) -> Iterator[tuple[Occurrence, Value]]:
    """Yield a value and what it is made of, from the outside inwards."""
    pending, seen = [(here, value)], set[Term]()
    for number in range(MOST):
        if number >= len(pending):
            return
        at, each = pending[number]
        at, each = at.trace_source(each)
        if each.term not in seen:
            seen.add(each.term)
            yield at, each
            pending += [(at, one) for one in each.sources]


def _is_record(held: Mapping[Key, Value]) -> bool:
    """Return whether an object has several entries, each under a name: what is made of one alone has no parts to tell apart."""
    if isinstance(held, ClientArguments):
        return False
    names = [name_of(key) for key in held]
    return len(names) > 1 and all(isinstance(each, str) and each.isidentifier() for each in names)


def _find_text(record: Value) -> Text | None:
    """Return the expression that makes an object, None if it was made elsewhere, as by turning another into it."""
    match find_original_term(record.term):
        case ("new", Code() as code, Site() as site):
            return code.extract_text(site)
    return None
