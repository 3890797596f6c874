"""Cursors that code gives out: what in them differs between two identical calls, and which are a place and nothing else."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain

from reviewer.behaviour.paging.bare_cursors import BareCursors, ChangedCollections
from reviewer.behaviour.paging.composed_cursors import is_composed
from reviewer.behaviour.paging.pages import is_next_cursor, makes_cursor
from reviewer.behaviour.values.callers import find_outermost
from reviewer.code import ir
from reviewer.code.events import Assigned, Called, Event, Occurrence, Returned, Sliced, Stored, Trace
from reviewer.code.models import NO_ROW, Models
from reviewer.code.parts import is_unordered
from reviewer.code.values import (
    ELEMENT,
    ConditionalValue,
    Made,
    Term,
    Value,
    find_original_term,
    get_key_name,
    get_term_head,
)
from reviewer.facts import Cursor
from reviewer.source import Span, Text
from reviewer.text.patterns import pattern

DIFFERING = frozenset({"time", "random", "identity"})
"""Where a value comes from that is another in each call, or in each run."""

# The label of what has no order of its own, such as a set, and comes in another one each time.
ORDER = frozenset({"order"})
COUNTING = frozenset({"length", "empty"})
"""What tells of elements only how many there are."""

ENUMERATING = frozenset(
    {
        "elements",
        "collected",
        "mapped",
        "filtered",
        "numbered",
        "zipped",
        "chained",
        "element",
        "nth",
        "cut",
        "skipped",
        "split off",
    }
)
"""What models call functions that give the elements of something in the order in which that has them."""

FILLING = frozenset({"appended", "extended"})
"""What models call functions that put elements behind those of a list."""

LARGEST = 200
"""Values that a cursor is looked through for; one that is made of more is data."""
STEPS = 12
"""How many functions a list is followed through that give its elements."""
DEEPEST = 3
"""How deep answers are looked through for a cursor: a result holds the content, which holds the page."""


def iter_made_cursors(
    traces: Iterable[Trace], models: Models, following: Mapping[ir.Code, frozenset[str]]
) -> Iterator[Cursor]:
    """Yield the cursors that functions give out which no other of them enters; what is wrong with several is told once.

    `following` names the keys of the next cursor by functions that call them otherwise.
    """
    usual = _CursorSites(is_next_cursor)
    told: set[tuple[Span | None, ...]] = set()
    found = find_outermost(traces)
    changed = ChangedCollections(found, models)
    for trace in found:
        own = following.get(trace.code, frozenset())
        written = _CursorSites(partial(_is_among, own)) if own else usual
        for each in _iter_cursors(trace, models, written, changed):
            key = tuple(part.span if part else None for part in (each.unstable, each.bare, each.plain, each.composed))
            if key not in told:
                told.add(key)
                yield each


def _is_among(own: frozenset[str], name: str) -> bool:
    return name in own or is_next_cursor(name)


def _iter_cursors(
    trace: Trace, models: Models, written: "_CursorSites", changed: ChangedCollections
) -> Iterator[Cursor]:
    """Yield the cursors that are given out, each with what differs in it between two identical calls, if anything does."""
    occurrences = list(trace.iter_occurrences())
    bare = BareCursors(occurrences, models, changed)
    calls: dict[Term, Text] = {}
    for each in occurrences:
        for value, text in _iter_made(each.event):
            calls.setdefault(find_original_term(value.term), text)
    ordered = {term for each in occurrences for term in _put_in_order(each, models)}
    views = dict(view for each in occurrences for view in _iter_views(each, models))
    mixed = dict(put for each in occurrences for put in _put_as_it_comes(each, models, ordered, views, calls))
    mixed |= {term: text for each in occurrences for term, text in _iter_scattered(each, models) if term not in ordered}
    slices = defaultdict[Term, list[tuple[Occurrence, Value]]](list)
    for each in occurrences:
        if isinstance(each.event, Sliced):
            slices[_get_slice_term(each.event)].append((each, each.event.owner))
    seen: set[tuple[Term, tuple[ir.Site, ...]]] = set()
    composed: set[Term] = set()
    for each in occurrences:
        for value in _iter_given_out(each, written):
            here, source = each.trace_source(value)
            # Where two lists are paged in one place, what they are made of differs.
            made = source.term, tuple(around.event.at for around in here.iter_outwards())[1:]
            if made not in seen and source.constants is None:
                seen.add(made)
                differing = chain(
                    _Sources(models, ordered, views, calls, mixed, slices).iter_varying_calls(here, source),
                    *(
                        _Sources(models, ordered, views, calls, mixed).iter_varying_calls(
                            page.occurrence, page.over, ORDER
                        )
                        if page.over is not None
                        else _iter_unordered_rows(page.occurrence.event, models)
                        for page in bare.iter_pages(here, source)
                    ),
                )
                unstable = next(differing, None)
                is_bare, is_plain = bare.holds(here, source), bare.is_plain(here, source)
                place = _get_text(each, source, calls, written) if is_bare or is_plain else None
                yield Cursor(each.event.text, unstable, place if is_bare else None, place if is_plain else None)
        for value in _iter_answered(each, written):
            here, source = each.trace_source(value)
            if source.term not in composed and is_composed(here, source, models):
                composed.add(source.term)
                if not bare.holds(here, source) and not bare.is_plain(here, source):
                    yield Cursor(each.event.text, composed=_get_text(each, source, calls, written))


def _get_text(occurrence: Occurrence, cursor: Value, calls: Mapping[Term, Text], written: "_CursorSites") -> Text:
    """Return the code that makes a cursor: the call, else the expression under its name."""
    if isinstance(cursor.meaning, ConditionalValue):
        ways = [each for each in (cursor.meaning.then, cursor.meaning.otherwise) if each.constants is None]
        return _get_text(occurrence, ways[0], calls, written) if ways else occurrence.event.text
    event = occurrence.event
    before = [each for each in written[event.code] if each.start < event.at.end]
    return calls.get(find_original_term(cursor.term)) or event.code.extract_text(before[-1] if before else event.at)


class _CursorSites(dict[ir.Code, tuple[ir.Site, ...]]):
    """Where functions give something the name of a cursor; `names_cursor` tells which names are."""

    def __init__(self, names_cursor: Callable[[str], bool]) -> None:
        super().__init__()
        self.names_cursor = names_cursor

    def __missing__(self, code: ir.Code) -> tuple[ir.Site, ...]:
        found = self[code] = tuple(self._iter_written(code))
        return found

    def _iter_written(self, code: ir.Code) -> Iterator[ir.Site]:
        for statement in ir.iter_statements(code.body):
            if isinstance(statement, ir.Assign) and self.names_cursor(statement.target.name):
                yield statement.value.at
            for each in ir.iter_expressions(statement):
                for key, value in each.entries if isinstance(each, ir.Record) else ():
                    is_key = isinstance(key, ir.Constant) and self.names_cursor(str(key.value))
                    if is_key and not isinstance(value, ir.Read):
                        yield value.at


def _iter_made(event: Event) -> Iterator[tuple[Value, Text]]:
    """Yield the values that an event makes, with their code."""
    match event:
        case Called():
            yield event.result, event.text
        case Assigned():
            yield event.value, event.text
        case Returned():
            yield event.value, event.code.extract_text(event.given)


def _put_in_order(occurrence: Occurrence, models: Models) -> Iterator[Term]:
    """Yield the values that a call sorts by their elements alone, and the elements."""
    event = occurrence.event
    if isinstance(event, Called) and "orders" in models.get_model(event.path).acts:
        if event.receiver is not None:
            yield find_original_term(occurrence.trace_source(event.receiver)[1].term)
        for each in (*event.arguments[:1], *((event.receiver,) if event.receiver is not None else ())):
            yield from (find_original_term(element.term) for element in (each.contents or {}).values())


def _get_slice_term(event: Sliced) -> Term:
    """Return the term of the part that is taken of a sequence."""
    ends = (each.term if each is not None else None for each in (event.low, event.high))
    return ("part", event.owner.term, *ends)


def _iter_scattered(occurrence: Occurrence, models: Models) -> Iterator[tuple[Term, Text]]:
    """Yield the elements of what has no order where a call makes a sequence of it, with the call: `list(names)`."""
    event = occurrence.event
    if isinstance(event, Called) and models.get_model(event.path).returns in ENUMERATING:
        for each in (*event.arguments, *((event.receiver,) if event.receiver is not None else ())):
            here, source = occurrence.trace_source(each)
            if is_unordered(source) and ELEMENT in (source.contents or {}):
                yield find_original_term(here.trace_source((source.contents or {})[ELEMENT])[1].term), event.text


def _iter_views(occurrence: Occurrence, models: Models) -> Iterator[tuple[Term, Term]]:
    """Yield the iterators over a list that a call returns, with the list: `names.iter()`."""
    event = occurrence.event
    if isinstance(event, Called) and event.receiver is not None and models.get_model(event.path).returns in ENUMERATING:
        _, receiver = occurrence.trace_source(event.receiver)
        if not is_unordered(receiver):
            yield find_original_term(event.result.term), find_original_term(receiver.term)


def _put_as_it_comes(
    occurrence: Occurrence,
    models: Models,
    ordered: set[Term],
    views: Mapping[Term, Term],
    calls: Mapping[Term, Text],
) -> Iterator[tuple[Term, Text]]:
    """Yield the lists into which elements are put in an order that nothing fixes, with where."""
    event = occurrence.event
    match event:
        case Called(receiver=Value() as filled) if (puts := models.get_model(event.path).returns) in FILLING:
            given = event.arguments if puts == "extended" else ()
        case Stored(owner=filled, key=None):  # a comprehension
            given = ()
        case Stored(owner=filled) if _keeps_insertion_order(filled, models):
            given = ()
        case _:
            return
    loops = [each for each in event.iter_outwards() if each.condition == "loop" and each.value is not None]
    come = [each.value for each in loops if each.value and not _is_made_in_each_round(filled, event.code, each.at)]
    come += given
    sources = _Sources(models, ordered, views, calls, {})
    for each in come:
        here, value = occurrence.trace_source(each)
        if is_unordered(value) or next(sources.iter_varying_calls(here, value, ORDER), None) is not None:
            yield find_original_term(occurrence.trace_source(filled)[1].term), event.text
            return


def _is_made_in_each_round(filled: Value, code: ir.Code, loop: ir.Site) -> bool:
    """Return whether each round of a loop makes a list of its own: the order of the rounds is not that of its elements."""
    match find_original_term(filled.term):
        case ("new", made, ir.Site() as at, *_) if made is code:
            found = (each for each in ir.iter_statements(code.body) if isinstance(each, ir.Loop) and each.at == loop)
            inside = (each for whole in found for each in ir.iter_statements(whole.body))
            return any(isinstance(each, ir.Assign) and each.value.at == at for each in inside)
    return False


def _keeps_insertion_order(filled: Value, models: Models) -> bool:
    """Return whether something is a dictionary that the function makes, and its entries stay in the order in which they are put.

    The same literal of JSON sorts its keys in Rust.
    """
    is_made = get_term_head(find_original_term(filled.term)) == "new" and filled.library_types == ["dict"]
    return is_made and models.has_trait("dict", "insertion order")


def _iter_given_out(occurrence: Occurrence, written: _CursorSites) -> Iterator[Value]:
    """Yield the values that are given out as cursors: under such a name, or by a function that says so."""
    event = occurrence.event
    match event:
        case Assigned(value=value) if event.at in written[event.code]:
            yield value
        case Returned() if makes_cursor(event.code.name):
            yield event.value
    yield from _iter_answered(occurrence, written)


def _iter_answered(occurrence: Occurrence, written: _CursorSites) -> Iterator[Value]:
    """Yield the values that stand under the name of a cursor in what is answered: nothing encodes them later."""
    event = occurrence.event
    match event:
        case Called():
            yield from (value for name, value in event.named.items() if written.names_cursor(name))
            if len(event.arguments) > 1 and written.names_cursor(event.arguments[0].text or ""):
                yield event.arguments[1]
        case Stored() if event.key is not None and written.names_cursor(event.key.text or ""):
            yield event.value
    for value in event.values:
        yield from _iter_held(value, written, DEEPEST)


def _iter_held(value: Value, written: _CursorSites, deep: int) -> Iterator[Value]:
    """Yield the values that an object contains under the name of a cursor."""
    for key, each in (value.contents or {}).items():
        if written.names_cursor(get_key_name(key)):
            yield each
        elif deep:
            yield from _iter_held(each, written, deep - 1)


def _get_picked_of(term: Term) -> Term:
    """Return any element of a list, of the term of one that stands at a place in it; None of another term."""
    term = find_original_term(term)
    return find_original_term(term[1]) if isinstance(term, tuple) and len(term) > 1 and term[0] == "item" else None


QUERY = pattern(r"^\s*(?:WITH\b.*)?\bSELECT\b(?!\s+(?:COUNT|SUM|MAX|MIN|AVG|EXISTS)\s*\()", re.IGNORECASE | re.DOTALL)
"""A statement that gives rows, and not one number that it makes of them."""

ORDERED = pattern(r"\bORDER\s+BY\b(?!\s+RAND)|\bLIMIT\s+1\s*;?\s*$", re.IGNORECASE)
"""What gives rows an order, or only one of them."""


def _is_unordered_query(value: Value) -> bool:
    """Return whether a text is a query whose rows come in whatever order the database likes."""
    text = value.text
    return text is not None and QUERY.search(text) is not None and ORDERED.search(text) is None


def _iter_unordered_rows(event: Event, models: Models) -> Iterator[Text]:
    """Yield a query that is asked for the rows from a place on, if it gives them no order."""
    if isinstance(event, Called) and "executes sql" in models.get_model(event.path).acts:
        if any(map(_is_unordered_query, event.values)):
            yield event.text


class _Sources:
    """Looks through what a value is made of."""

    def __init__(
        self,
        models: Models,
        ordered: set[Term],
        views: Mapping[Term, Term],
        calls: Mapping[Term, Text],
        mixed: Mapping[Term, Text],
        slices: Mapping[Term, list[tuple[Occurrence, Value]]] | None = None,
    ) -> None:
        self._models, self._ordered, self._views, self._calls, self._mixed = models, ordered, views, calls, mixed
        self._slices = slices or {}
        self._seen: set[Term] = set()

    def iter_varying_calls(
        self,
        occurrence: Occurrence,
        value: Value,
        differing: frozenset[str] = DIFFERING | ORDER,
        *,
        is_any: bool = False,
    ) -> Iterator[Text]:
        """Yield the calls of which a value is made that give something else each time; `is_any` is for any element of some."""
        here, value = occurrence.trace_source(value)
        if value.term in self._seen or len(self._seen) > LARGEST:
            return
        self._seen.add(value.term)
        made = value.meaning
        is_put = isinstance(made, Made) and "orders" in self._models.get_model(made.by).acts
        is_put = is_put or self._is_in_order(find_original_term(value.term))
        own, picked_of = find_original_term(value.term), _get_picked_of(value.term)
        if is_put or picked_of in self._ordered:
            differing -= ORDER
        elif differing >= ORDER and not is_any and (own in self._mixed or picked_of in self._mixed):
            yield self._mixed.get(own) or self._mixed[picked_of]
        elif differing >= ORDER:
            for inner, sliced in self._slices.get(picked_of, ()):
                yield from self.iter_varying_calls(inner, sliced, ORDER)
        yield from self._iter_parts(here, value, differing)
        for key, each in (value.contents or {}).items():
            yield from self.iter_varying_calls(here, each, differing, is_any=key == ELEMENT)

    def _is_in_order(self, term: Term) -> bool:
        """Return whether a list was put in order, or has the elements of one that was: what they are made of no longer counts."""
        for _ in range(STEPS):
            if term in self._ordered:
                return True
            is_part = isinstance(term, tuple) and term[:1] == ("part",)
            term = find_original_term(term[1]) if isinstance(term, tuple) and is_part else self._views.get(term)
        return False

    def _iter_parts(self, here: Occurrence, value: Value, differing: frozenset[str]) -> Iterator[Text]:
        if isinstance(value.meaning, ConditionalValue):
            for each in (value.meaning.then, value.meaning.otherwise):
                yield from self.iter_varying_calls(here, each, differing)
        if not isinstance(value.meaning, Made):
            return
        by, operands, _ = value.meaning
        model = self._models.get_model(by)
        is_differing = "counts" in model.acts or not differing.isdisjoint(model.labels)
        if by == "address" or is_differing or any(map(self._counts, operands)):
            yield self._place(value.term, here)
        if differing >= ORDER and "executes sql" in model.acts and any(map(_is_unordered_query, operands)):
            yield self._place(value.term, here)
        if model.returns in COUNTING or "network" in model.labels:
            return  # what a service answers is its own matter, whatever it was asked with
        if differing >= ORDER and any(is_unordered(here.trace_source(each)[1]) for each in operands):
            if by == "element" or model.returns in ENUMERATING:
                yield self._place(value.term, here)
        is_asked = model is NO_ROW and by.startswith(
            "."
        )  # what another object makes of its arguments is its own matter
        for at, each in enumerate(operands[:1] if is_asked else operands):
            # what is looked up in a dictionary by its key does not depend on the order of the others
            is_looked_in = by == "item" and at == 0 and _keeps_insertion_order(here.trace_source(each)[1], self._models)
            yield from self.iter_varying_calls(here, each, differing - ORDER if is_looked_in else differing)

    def _counts(self, value: Value) -> bool:
        """Return whether a value is a counter that all calls share."""
        return any("counts" in self._models.get_model(each).acts for each in value.library_types)

    def _place(self, term: Term, here: Occurrence) -> Text:
        """Return the call that made a value, or else where that is seen."""
        return self._calls.get(find_original_term(term), here.event.text)
