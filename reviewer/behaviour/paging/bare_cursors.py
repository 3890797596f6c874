"""Cursors that are nothing but a place in something that may change until they come back.

A place is how many elements code leaves out, or from which row on it asks a database. A cursor that is made of one and of sizes
tells nothing of what it is a place in.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from reviewer.behaviour.effects.possible_changes import MUTATING
from reviewer.behaviour.paging.pages import BY_QUERY, SKIPPING, TIED
from reviewer.code import ir
from reviewer.code.acts import find_modelled_return
from reviewer.code.events import Awaited, Called, Cut, Occurrence, Sliced, Stored, Trace
from reviewer.code.models import Models
from reviewer.code.values import ConditionalValue, Made, Term, Value, find_original_term

# A place plus a number is still a place.
ADDING = frozenset({"+", "sum"})
PUTTING = frozenset({"text", "repr", "-", "*", "/", "//", "least", "greatest", "clamped", "joined"}) | ADDING
"""How numbers and texts are put together."""

RENDERING = frozenset({"text", "same text", "number", "receiver", "copied", "cloned", "sum", "difference", "product"})
"""What a function of a library gives that tells no more than its operands."""

# An encoding keeps what it encodes: a place in base64 is still a place.
WRITING = frozenset({"encodes", "serialises"})

# What only asks for the size of a list does not depend on its order.
MEASURING = frozenset({"length", "empty"})
NAMED = frozenset({"global", "library", "module"})
"""What no call changes, such as the engine that encodes a text."""

LOCKING = frozenset("lock try_lock read write borrow load load_full blocking_lock blocking_read read_recursive".split())
"""Methods that give what others may change meanwhile: of locks, and of what swaps values."""

BETWEEN = 2
"""Arguments of `islice(rows, stop)`, which leaves out nothing at the beginning."""

LARGEST = 200
"""Values that a cursor, or what is paged, is looked through for; what is made of more is data."""


DEEPEST = 8
"""How many fields of fields are told apart."""


class CursorTerm(NamedTuple):
    """Something of which a cursor is made, and whether a number is added to it or it to one."""

    term: Term
    is_added: bool


class CursorPage(NamedTuple):
    """What is left out of what: the terms that the place is made of; `over` is None where a database leaves them out."""

    occurrence: Occurrence
    place: frozenset[Term]
    over: Value | None = None


class ChangedCollections:
    """The collections of modules that some calls change, found when they are asked for."""

    def __init__(self, traces: list[Trace], models: Models) -> None:
        self._traces, self._models = traces, models

    @cached_property
    def terms(self) -> frozenset[Term]:
        """The terms of those that calls write into, or whose methods they call that do."""
        return frozenset(
            owner.term
            for trace in self._traces
            for each in trace.iter_occurrences(kinds=(Called, Stored))
            if (owner := self._find_owner(each)) is not None
        )

    def _find_owner(self, here: Occurrence) -> Value | None:
        match here.event:
            case Stored(owner=owner):
                return here.trace_source(owner)[1]
            case Called(followed=False, receiver=Value() as receiver) as event:
                is_changing = find_modelled_return(event, self._models) in MUTATING
                return here.trace_source(receiver)[1] if is_changing else None
        return None


class BareCursors:
    """Tells which cursors of a run are a place and nothing else."""

    def __init__(self, occurrences: list[Occurrence], models: Models, changed: ChangedCollections) -> None:
        self._models, self._changed = models, changed
        self._pages = [page for each in occurrences for page in self._iter_event_pages(each)]
        sizes = (each for each in occurrences if self._pages and isinstance(each.event, Cut | Sliced))
        self._sizes = frozenset(term for each in sizes for term in self._collect_terms(each, _find_size(each)))
        self._shared = frozenset(self._read_from_others(occurrences)) if self._pages else frozenset()

    def holds(self, here: Occurrence, cursor: Value) -> bool:
        """Return whether a cursor is a position in something that certainly may change."""
        return any(
            not is_tied(page.occurrence.event.code)
            and (page.over is None or self._changes(page.occurrence, page.over, set()))
            for page in self._iter_exact_pages(here, cursor)
        )

    def is_plain(self, here: Occurrence, cursor: Value) -> bool:
        """Return whether a cursor is the number of a place as anybody reads it: no text is encoded on the way to it."""
        return any(True for _ in self._iter_exact_pages(here, cursor)) and not self._is_encoded(here, cursor, set())

    def iter_pages(self, here: Occurrence, cursor: Value) -> Iterator[CursorPage]:
        """Yield the data in which a cursor is a position, whatever else it contains."""
        yield from self._iter_near(here, self._collect_cursor_parts(here, cursor))

    def _iter_exact_pages(self, here: Occurrence, cursor: Value) -> Iterator[CursorPage]:
        """Yield the data in which a cursor is a position and nothing else."""
        made_of = self._collect_cursor_parts(here, cursor)
        terms = frozenset(each.term for each in made_of)
        yield from (page for page in self._iter_near(here, made_of) if terms <= page.place | self._sizes)

    def _iter_near(self, here: Occurrence, made_of: list[CursorTerm]) -> Iterator[CursorPage]:
        for page in self._pages:
            if any(each.is_added and each.term in page.place for each in made_of) and _is_near(here, page.occurrence):
                yield page

    def _collect_cursor_parts(self, here: Occurrence, cursor: Value) -> list[CursorTerm]:
        """Return the parts that a cursor is made from; none where no page is cut."""
        return list(self._iter_parts(here, cursor, False, set())) if self._pages else []

    def _is_encoded(self, here: Occurrence, value: Value, seen: set[Term]) -> bool:
        here, value = here.trace_source(value)
        if value.term in seen or len(seen) > LARGEST:
            return len(seen) > LARGEST
        seen.add(value.term)
        inner = tuple((value.contents or {}).values())
        match value.meaning:
            case ConditionalValue(_, then, otherwise):
                inner = (then, otherwise)
            case Made(by, of):
                inner = (*of, *inner)
                # what is handed more than the name of a coding is an engine
                is_text = self._models.has_trait(by, "raw bytes") and all(each.constants is not None for each in of[1:])
                if "encodes" in self._models.get_model(by).acts and not is_text:
                    return True
        return any(self._is_encoded(here, each, seen) for each in inner)

    def _iter_event_pages(self, here: Occurrence) -> Iterator[CursorPage]:
        event = here.event
        if isinstance(event, Sliced) and event.low is not None:
            yield CursorPage(here, self._collect_terms(here, event.low), event.owner)
        elif isinstance(event, Called) and not event.followed:
            if find_modelled_return(event, self._models) in SKIPPING and event.receiver is not None:
                yield CursorPage(here, self._collect_terms(here, *event.arguments), event.receiver)
            elif find_modelled_return(event, self._models) == "between" and len(event.arguments) > BETWEEN:
                yield CursorPage(here, self._collect_terms(here, event.arguments[1]), event.arguments[0])
            elif (whole := self._find_paged(here, event)) is not None:
                yield CursorPage(here, self._collect_terms(here, *event.arguments), whole)
            elif any(BY_QUERY.search(text) for text in (event.path, *_iter_texts(event.values))):
                yield CursorPage(here, self._collect_terms(here, *event.values))

    def _find_paged(self, here: Occurrence, event: Called) -> Value | None:
        """Return the list of which a call takes one page out of all its pages: `rows.chunks(25).nth(page)`."""
        if event.receiver is None or find_modelled_return(event, self._models) != "nth":
            return None
        match here.trace_source(event.receiver)[1].meaning:
            case Made(by, (whole, *_)) if self._models.get_model(by).returns == "chunks":
                return whole
        return None

    def _collect_terms(self, here: Occurrence, *values: Value | None) -> frozenset[Term]:
        return frozenset(
            part.term for each in values if each is not None for part in self._iter_parts(here, each, False, set())
        )

    def _iter_parts(
        self, here: Occurrence, value: Value, is_added: bool, seen: set[CursorTerm]
    ) -> Iterator[CursorTerm]:
        """Yield the variable parts of a number or a text."""
        here, value = here.trace_source(value)
        part = CursorTerm(_get_key(here, value), is_added)
        if value.constants is not None or part in seen or len(seen) > LARGEST:
            return
        seen.add(part)
        inner = tuple((value.contents or {}).values())
        match value.meaning:
            case ConditionalValue(_, then, otherwise):
                inner = (then, otherwise)
            case Made(by, of) if by in PUTTING or self._renders(by):
                inner = (*of, *inner)
                is_added = is_added or by in ADDING
            case Made(by) if by in MEASURING or self._models.get_model(by).returns in MEASURING:
                return
        if not inner and not _is_named(part.term):
            yield part
        for each in (value.contents or {}).values():  # what is written beside a place tells what it is a place in
            yield from (CursorTerm(each.term, False),) if each.text is not None else ()
        for each in inner:
            yield from self._iter_parts(here, each, is_added, seen)

    def _renders(self, by: str) -> bool:
        row = self._models.get_model(by)
        return row.returns in RENDERING or not WRITING.isdisjoint(row.acts)

    def _read_from_others(self, occurrences: list[Occurrence]) -> Iterator[Term]:
        """Yield the results of awaits of code outside the project, and of values behind a lock."""
        awaited = {each.event.value.term for each in occurrences if isinstance(each.event, Awaited)}
        for each in occurrences:
            event = each.event
            if isinstance(event, Called) and not event.followed:
                is_locked = event.path.rpartition(".")[2] in LOCKING and event.receiver is not None
                if event.result.term in awaited or is_locked:
                    yield _get_key(each, event.result)
                if is_locked and event.receiver is not None:
                    yield _get_key(each, event.receiver)

    def _changes(self, here: Occurrence, over: Value, seen: set[Term]) -> bool:
        """Return whether a value certainly may differ at the next call: it is from outside, or other code adds to it."""
        here, over = here.trace_source(over)
        term, key = find_original_term(over.term), _get_key(here, over)
        if key in seen or over.constants is not None or len(seen) > LARGEST:
            return False
        seen.add(key)
        is_called = isinstance(term, tuple) and term[0] == "call"
        if key in self._shared or _begins_empty(over, term):
            return True
        if isinstance(term, tuple) and term[0] == "global" and over.contents and term in self._changed.terms:
            return True
        inner: tuple[Value, ...] = tuple((over.contents or {}).values())
        match over.meaning:
            case ConditionalValue(_, then, otherwise):
                inner = (then, otherwise)
            case Made(by, of) if by.startswith(".") and is_called and self._models.find_model(by) is None:
                return True
            case Made(by) if "lists directory" in self._models.get_model(by).acts:
                return True  # any program puts files there, and takes them away
            case Made(by, of):
                inner = (*of, *inner)
        return any(self._changes(here, each, seen) for each in inner)


def _get_key(here: Occurrence, value: Value, left: int = DEEPEST) -> Term:
    """Return which value it is, wherever it is handed: a field by that of which it is one."""
    here, value = here.trace_source(value)
    term = find_original_term(value.term)
    if isinstance(value.meaning, Made) and isinstance(term, tuple) and term[0] == "field" and left:
        return value.meaning.by, _get_key(here, value.meaning.of[0], left - 1)
    return term


def _find_size(here: Occurrence) -> Value | None:
    match here.event:
        case Sliced(high=high):
            return high
        case Cut(size=size):
            return size
    return None


def _iter_texts(values: tuple[Value, ...]) -> Iterator[str]:
    """Yield the texts that a call is handed, or that its operands are made of, such as a statement of SQL."""
    pending, left = list(values), LARGEST
    while pending and left:
        each = pending.pop()
        left -= 1
        if each.text is not None:
            yield each.text
        pending += each.meaning.of if isinstance(each.meaning, Made) else ()


def _is_near(one: Occurrence, other: Occurrence) -> bool:
    """Return whether of two events one happens in a function that leads to the other."""
    codes = [{here.event.code, *(place.code for place in here.build_call_path())} for here in (one, other)]
    return one.event.code in codes[1] or other.event.code in codes[0]


def _is_named(term: Term) -> bool:
    """Return whether a value is the same in each call: it has a name, or stands for one that is not there."""
    return isinstance(term, tuple) and (term[0] in NAMED or term[-1] == "default")


def _begins_empty(value: Value, term: Term) -> bool:
    """Return whether an object has nothing in it where the code makes it: who pages it fills it elsewhere."""
    if not isinstance(term, tuple) or value.contents:
        return False
    return term[0] == "new" or (term[0] == "global" and value.contents is not None)


def is_tied(code: ir.Code) -> bool:
    """Return whether a function speaks of versions, checksums or snapshots: it may know of changes between pages."""
    spoken = (each for statement in ir.iter_statements(code.body) for each in ir.iter_expressions(statement))
    names = (".".join(each.path) if isinstance(each, ir.Global) else _get_name(each) for each in spoken)
    return TIED.search(" ".join(names)) is not None


def _get_name(spoken: ir.Expression) -> str:
    match spoken:
        case ir.Read(variable=variable):
            return variable.name
        case ir.Field(name=name):
            return name
    return ""
