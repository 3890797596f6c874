"""What a guard says of the elements that it left out, and what of that an answer leaves out.

A guard bounds a list and gives an object beside it that says how much there is: its class has a field for the total or for a
hint, and one more of that kind. Whoever calls the guard has that object alone; what is not put into the answer there, the
client never learns.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reviewer.behaviour.answer_size.kept_lists import Kept
from reviewer.behaviour.arguments.inputs import is_length
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.progress.written import read_text
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code import ir
from reviewer.code.events import (
    Assigned,
    Called,
    Cut,
    Entered,
    Event,
    Occurrence,
    Returned,
    Sliced,
    Stored,
    Tested,
    Trace,
)
from reviewer.code.ir import Site
from reviewer.code.program import Program
from reviewer.code.values import (
    ABSENT,
    ELEMENT,
    NONE,
    Class,
    Instance,
    Key,
    Label,
    Made,
    Relation,
    Term,
    Value,
    name_of,
    strip_negations,
)
from reviewer.source import Text

NEEDED = frozenset({"total", "hint"})
"""The fields without which a client cannot tell what it lacks, and how to get at it."""

TOLD = ("total", "hint", "shown", "next_offset")
"""Those that a client is told, where a guard has them, what it needs most first."""

TELLING = frozenset({*TOLD, "remaining", "omitted", "truncated", "has_more", "next_cursor"})
"""The fields of an object that tells of what was left out, as guards have them."""


BESIDE = frozenset({"offset", "limit", "page", "returned", "message"})
"""Fields that such an object may have besides, where it is written down as a dict."""


def iter_lost_overflows(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield where what a guard says of the rest comes into no answer, or without its total, its hint, or with an empty one."""
    search = _OverflowSearch(trace, program)
    for each in trace.iter_occurrences(lambda event, _: search.may_lead(event), kinds=(Entered, Returned)):
        event = each.event
        if isinstance(event, Entered):
            yield from search.iter_untold(each, event)
            yield from search.iter_dropped(each, event)
        elif isinstance(event, Returned):
            for value in search.iter_objects(event.value):
                yield from search.iter_malformed(each, value)


class _OverflowObjects(NamedTuple):
    """What a function has of what a guard says: the objects, what is made of them, and what calls at some places give of it.

    `guard` is where the guard is called: what it gives beside a list is such an object, also where it may be none.
    """

    objects: set[Term]
    terms: set[Term]
    sites: set[Site]
    guard: Site

    def find_field(self, value: Value) -> str:
        """Return which field of such an object a value is, empty if it is none."""
        match value.term:
            case ("field" | "entry", owner, name) if owner in self.objects:
                return str(name[0] if isinstance(name, tuple) else name)
            case ("field", ("item", ("via", site, *_), _), str() as name) if site == self.guard and name in TELLING:
                return name
        return ""


class _OverflowSearch:
    """A search for what guards of one run say."""

    def __init__(self, trace: Trace, program: Program) -> None:
        self._trace, self._program = trace, program
        self._telling: dict[Class, bool] = {}
        self._seen: set[object] = set()
        self._has_dicts = not trace.reaches(_has_telling_class, program)

    def may_lead(self, event: Entered) -> bool:
        """Return whether a call is of interest: what it runs may make such an object, or is handed one."""
        return event.trace.reaches(_has_class, self._program) or any(map(self._mentions_overflow, event.given.values()))

    def iter_dropped(self, here: Occurrence, call: Entered) -> Iterator[RunFinding]:
        """Yield a call of a guard if its caller puts too little of what it says into what that gives, or nothing."""
        inner = here.find_own_trace(self._trace)
        given = [each.value for each in call.trace.events if isinstance(each, Returned)]
        key = (call.code, call.at)
        if key in self._seen or not any(map(self._holds_object, given)):
            return
        self._seen.add(key)
        ends = [each for each in inner.events if isinstance(each, Returned | Stored)]
        is_handed_on = any(self._holds_object(each.value) for each in ends if isinstance(each, Returned))
        if is_handed_on and here.caller is not None:
            return  # it is handed on as it is: who calls this one has to tell of it
        held = self._get_held(inner, call.at)
        told = [each for each in ends if self._is_made_of(each.value, held)]
        if not told:
            yield from [RunFinding("drops overflow", here)] if not is_handed_on else ()
            return
        beside = (each.given.values() for each in inner.events if isinstance(each, Entered) and each.at in held.sites)
        if self._passes_by(
            call, [*(each.value for each in ends), *(value for given in beside for value in given if value.contents)]
        ):
            yield RunFinding("drops overflow", here, about=Text("list", here.event.text.span))
        elif self._leaves_idle(call, inner, [each.value for each in ends]):
            yield RunFinding("drops overflow", here, about=Text("kept", here.event.text.span))
        if is_handed_on:
            made = {one for each in ends for value in self.iter_objects(each.value) for one in value.classes}
            for name in (
                each for each in TOLD if any(each in self._program.list_unwritten_fields(one) for one in made)
            ):
                yield RunFinding("drops overflow", here, about=Text(name, told[0].text.span))
            return
        put = frozenset[str]().union(*(self._collect_keys(each.value, inner, held) for each in told))
        keys = put - frozenset(self._iter_taken_out(inner))
        fields = frozenset[str]().union(*map(self._collect_fields, given))
        for name in TOLD if put else ():
            if name in fields and name not in keys:
                yield RunFinding("drops overflow", here, about=Text(name, told[0].text.span))

    def iter_untold(self, here: Occurrence, call: Entered) -> Iterator[RunFinding]:
        """Yield where a guard gives a part of a list, and nothing of the rest, though it knows that there is one."""
        returned = [each for each in call.trace.events if isinstance(each, Returned)]
        if not any(self._holds_object(each.value) for each in returned):
            return
        bounds = frozenset(_iter_bounds(call.trace, self._program))
        for each in returned:
            parts = tuple((each.value.contents or {}).values())
            says_none = any(part.constants == ABSENT for part in parts) and not any(
                map(self._mentions_overflow, (each.value, *parts))
            )
            text = each.code.extract_text(each.given)
            if says_none and text.span not in self._seen and _is_known_longer(each, bounds):
                self._seen.add(text.span)
                yield RunFinding("says nothing of rest", Occurrence(each, here), text, Text("rest", text.span))

    def _passes_by(self, call: Entered, given: list[Value]) -> bool:
        """Return whether a list is answered with that a guard was given, and nothing of what the guard left of it."""
        lists = [one for each in call.given.values() if not each.constants for one in (each, *self._copy(each))]
        terms = {each.term for each in lists if not self._mentions_overflow(each)}
        held = [part for value in given for part in self._iter_beside(value)]
        ends = [each.value for each in call.trace.events if isinstance(each, Returned)]
        given_back = [each for value in ends for each in (value.contents or {}).values() if not each.constants]
        if all(each.term in call.given or self._mentions_overflow(each) for each in given_back):
            return False  # it shortens the list that it is given
        kept: set[Term] = {("via", call.at, each.term) for value in ends for each in self._iter_beside(value, 1)}
        if not kept or any(map(self._mentions_overflow, call.given.values())):
            return False  # it gives no list beside what it says of the rest, or only makes an answer of that
        return any(part.term in terms for part in held) and not any(self._is_kept(part, call, kept) for part in held)

    def _leaves_idle(self, call: Entered, inner: Trace, given: list[Value]) -> bool:
        """Return whether nothing is done with what a guard left of a list, and another list is answered with that is not cut."""
        wholes = [each.value for each in call.trace.events if isinstance(each, Returned)]
        parts = [pair for whole in wholes for pair in (whole.contents or {}).items()]
        told = {key for key, each in parts if self._holds_object(each)}
        left = [(key, each) for key, each in parts if key not in told]
        if not any(each.term not in call.given for _, each in left):
            return False  # it shortens the list that it is given, which is then the same
        if any(map(self._mentions_overflow, call.given.values())):
            return False  # it only makes an answer of what it is told of the rest
        own = frozenset[Label]().union(*(each.labels for each in wholes))
        if any(label.origin == "cut" and label not in own for value in given for label in value.labels):
            return False
        keys = frozenset(str(name_of(key)) for key, _ in left)
        kept = Kept(call.at, keys, frozenset(each.term for each in (*wholes, *(each for _, each in left))))
        if any(map(kept.is_used, (each for each in inner.events if each.at != call.at))):
            return False
        beside = (each for value in given for each in (value, *self._iter_beside(value)))
        return any(ELEMENT in (each.contents or {}) for each in beside)

    def _iter_beside(self, value: Value, deep: int = DEEPEST) -> Iterator[Value]:
        """Yield the values in a value, at any depth, except the information about the rest."""
        for each in (
            (*(value.contents or {}).values(), *value.ways) if deep and not self._mentions_overflow(value) else ()
        ):
            if not self._mentions_overflow(each):
                yield each
                yield from self._iter_beside(each, deep - 1)

    def _is_kept(self, value: Value, call: Entered, kept: set[Term]) -> bool:
        """Return whether a value is what a guard left of a list, or made of that."""
        pending = [value]
        for each in pending:
            if self._mentions_overflow(each) or each.constants or is_length(each):
                continue
            match each.term:
                case ("item" | "field" | "entry", ("via", Site() as site, *_), _) if site == call.at:
                    return True
            if each.term in kept:
                return True
            match each.term:
                case ("via", Site() as site, *_) if site == call.at and ELEMENT in (each.contents or {}):
                    return True  # a list that it gives
            pending += each.sources if len(pending) < MOST else ()
        return False

    def _copy(self, value: Value) -> tuple[Value, ...]:
        """Return the values of which a value is a copy."""
        is_copy = self._program.models.get_maker_model(value).returns in ("cloned", "copied")
        return value.meaning.of[:1] if is_copy and isinstance(value.meaning, Made) else ()

    def iter_malformed(self, here: Occurrence, value: Value) -> Iterator[RunFinding]:
        """Yield where an object is made whose hint is empty, or whose total is what is shown."""
        site = _find_creation_site(value, here.event)
        if site is None or not self._mentions_overflow(value) or value.contents is None:
            return
        held = {name_of(key): each for key, each in value.contents.items()}
        for name in self._collect_fields(value) & NEEDED:
            given = held.get(name)
            if given is None:
                continue
            origin, known = here.trace_source(given)
            empty = self._empty_at(here, given) if name == "hint" else None
            is_empty = empty is not None
            is_untrue = name == "total" and _is_untrue(given, held.get("shown"))
            is_untrue &= given.constant != (int, 0) or not any(map(self._is_new, held.values()))
            is_untrue = is_untrue and not self._is_of_before(here.event, site, here.find_own_trace(self._trace))
            is_given = empty is not None and empty.event is not here.event
            place = empty.event.text if empty is not None and is_given else here.event.code.extract_text(site)
            if (
                name == "hint"
                and known.text
                and not is_empty
                and (known.text, origin.event.text.span) not in self._seen
            ):
                self._seen.add((known.text, origin.event.text.span))
                yield RunFinding("hints at rest", origin, about=Text(known.text, origin.event.text.span))
            if (is_empty or is_untrue) and (name, place.span) not in self._seen:
                self._seen.add((name, place.span))
                yield RunFinding("says nothing of rest", here, place, Text(name, place.span))

    def _is_of_before(self, event: Event, made: Site, inner: Trace) -> bool:
        """Return whether a variable has the total since before the list was shortened: `let total = items.len();`."""
        said = _find_written(event.code, made, "total")
        if not isinstance(said, ir.Read):
            return False
        written = [each for each in ir.iter_statements(event.code.body) if isinstance(each, ir.Assign | ir.Call)]
        taken = [each.at.start for each in written if each.target == said.variable]
        return any(
            isinstance(each, Cut | Called)
            and any(start < each.at.start < made.start for start in taken)
            and (isinstance(each, Cut) or self._program.models.get_model(each.path).returns in SHORTENING)
            for each in inner.events
            if each.code is event.code
        )

    def _is_new(self, value: Value) -> bool:
        """Return whether a value is an object of a library that holds nothing: `Vec::new()`."""
        return (
            self._program.models.get_maker_model(value).returns == "new" and not value.contents and not value.constants
        )

    def _empty_at(self, here: Occurrence, value: Value, deep: int = DEEPEST) -> Occurrence | None:
        """Return the place where a text is created that is certainly empty, `""` or `String::new()`; None if it may not
        be.
        """
        here, value = here.trace_source(value)
        if value.text is not None:
            return here if not value.text.strip() else None
        returns = self._program.models.get_maker_model(value).returns
        if returns in COPYING and isinstance(value.meaning, Made) and deep:
            if not value.meaning.of:
                return here  # of nothing: `str()`
            origins = [self._empty_at(here, each, deep - 1) for each in value.meaning.of]
            return origins[0] if None not in origins else None
        return here if returns == "new" and not value.contents else None

    # what is an object that tells of the rest

    def iter_objects(self, value: Value, deep: int = DEEPEST) -> Iterator[Value]:
        """Yield the objects of that kind that a value is or holds."""
        if self._mentions_overflow(value) and not value.ways:
            yield value
        elif deep:
            for each in (*value.ways, *(value.contents or {}).values()):
                yield from self.iter_objects(each, deep - 1)

    def _mentions_overflow(self, value: Value) -> bool:
        return any(map(self._is_telling, value.classes)) or (self._has_dicts and bool(_collect_written_fields(value)))

    def _is_telling(self, made: Class) -> bool:
        if made not in self._telling:
            self._telling[made] = _is_telling(made, self._program)
        return self._telling[made]

    def _collect_fields(self, value: Value, deep: int = DEEPEST) -> frozenset[str]:
        made = (each for each in (*value.classes, *_iter_parts(value)) if self._is_telling(each))
        own = _collect_written_fields(value).union(*map(self._program.list_fields, made))
        inner = (*value.ways, *(value.contents or {}).values()) if deep and not own else ()
        return own.union(*(self._collect_fields(each, deep - 1) for each in inner))

    def _holds_object(self, value: Value, deep: int = DEEPEST) -> bool:
        """Return whether a value is such an object, or holds it as it is."""
        if self._mentions_overflow(value) or any(map(self._is_telling, _iter_parts(value))):
            return True
        inner = (*value.ways, *self._write(value).values()) if deep else ()
        return any(self._holds_object(each, deep - 1) for each in inner)

    # what is put into an answer

    def _get_held(self, inner: Trace, guard: Site) -> _OverflowObjects:
        """Return where a function keeps information about the rest: its objects, calls and terms, collected in order."""
        held = _OverflowObjects(set(), set(), set(), guard)
        for each in inner.events:
            held.objects.update(value.term for value in each.values if self._mentions_overflow(value))
            if isinstance(each, Entered) and any(self._is_made_of(value, held) for value in each.given.values()):
                held.sites.add(each.at)
            elif isinstance(each, Stored) and self._is_made_of(each.value, held):
                held.terms.add(each.owner.term)
        return held

    def _is_made_of(self, value: Value, held: _OverflowObjects, deep: int = DEEPEST) -> bool:
        """Return whether a value is made of such an object, and is more than whether there is one."""
        if isinstance(value.meaning, Relation):
            return False
        if self._mentions_overflow(value) or value.term in held.terms or held.find_field(value):
            return True
        match value.term:
            case ("via", Site() as site, *_) if site in held.sites:
                return True
        inner = (*value.sources, *self._write(value).values()) if deep else ()
        return any(self._is_made_of(each, held, deep - 1) for each in inner)

    def _write(self, value: Value) -> Mapping[Key, Value]:
        """Return the contents of a value, without the fields that serialising the object leaves out."""
        held = value.contents or {}
        unwritten = frozenset[str]().union(*map(self._program.list_unwritten_fields, value.classes)) if held else None
        return {key: each for key, each in held.items() if name_of(key) not in unwritten} if unwritten else held

    def _collect_keys(self, value: Value, inner: Trace, held: _OverflowObjects, deep: int = DEEPEST) -> frozenset[str]:
        """Return under which names something is put into an answer, as far as it is an object, and which fields it is."""
        if held.find_field(value):
            return frozenset((held.find_field(value),))
        written = self._write(value)
        own = frozenset(str(name_of(key)) for key in written) - frozenset(_iter_mistaken(written))
        beside = (*value.sources, *written.values()) if deep else ()
        found = own.union(*(self._collect_keys(each, inner, held, deep - 1) for each in beside))
        match value.term:
            case ("via", Site() as site, *_) if site in held.sites and ELEMENT in (value.contents or {}):
                return found | {*TOLD}  # a dict of the fields of such an object that are not absent, or of others
            case ("via", Site() as site, *_) if deep:
                for each in inner.events:
                    if isinstance(each, Entered) and each.at == site and each.trace.result is not None:
                        found |= self._collect_keys(each.trace.result, each.trace, held, deep - 1)
                        found |= _store(each.trace)
                        found -= frozenset(self._iter_taken_out(each.trace))
        return found

    def _iter_taken_out(self, trace: Trace) -> Iterator[str]:
        """Yield the keys that a function removes from a dict, or leaves out when it copies the entries of another."""
        for each in trace.events:
            match each:
                case Stored(key=Value(text=str() as name), value=value) if value is NONE:
                    yield name
                case Called() if self._program.models.get_model(each.path).returns == "removed" and each.arguments:
                    yield each.arguments[0].text or ""
                case Tested(value=Value() as test):
                    yield from _iter_passed_over(test)


COPYING = frozenset({"text", "same text", "cloned", "copied"})
"""What models say of functions that give a text which says what that does which they are given."""

SHORTENING = frozenset({"shortened", "drained", "removed", "split off", "retained", "emptied"})
"""What models call functions that take elements out of the list that they are called on."""

MOST = 40
"""Values that are searched for the parts of one, where values share their parts. The tests of the rules have up to 4."""


def _collect_written_fields(value: Value) -> frozenset[str]:
    """Return the fields of a dict or of JSON that tells of the rest and holds nothing else; none of what is an answer itself."""
    names = frozenset(str(name_of(key)) for key in value.contents or {})
    told = names & TELLING
    return names if len(told) > 1 and not told.isdisjoint(NEEDED) and names <= TELLING | BESIDE else frozenset()


def _find_written(code: ir.Code, made: Site, name: str) -> ir.Expression | None:
    """Return the value that a field gets where an object is constructed, None if that is not seen."""
    for each in ir.iter_calls(code.body):
        if each.at == made:
            return next((one.value for one in each.arguments if one.name == name), None)
    for statement in ir.iter_statements(code.body):
        for part in ir.iter_expressions(statement):
            if isinstance(part, ir.Record) and part.at == made:
                return next((value for key, value in part.entries if read_text(key) == name), None)
    return None


def _store(trace: Trace) -> frozenset[str]:
    return frozenset(
        each.key.text
        for each in trace.events
        if isinstance(each, Stored) and each.key is not None and each.key.text is not None and each.value is not NONE
    )


def _is_untrue(total: Value, shown: Value | None) -> bool:
    """Return whether a total is what is shown, or a number that somebody wrote down."""
    return (shown is not None and shown.term == total.term) or total.constant is not None


def _iter_mistaken(written: Mapping[Key, Value]) -> Iterator[str]:
    """Yield `total` if it is told by the field of such an object that says how many are shown."""
    for key, value in written.items():
        match value.term:
            case ("field" | "entry", _, "shown" | ("shown",)) if name_of(key) == "total":
                yield "total"


def _iter_passed_over(test: Value) -> Iterator[str]:
    """Yield the key that a test leaves out which looks at each key of a dict: `if key != "hint"`."""
    asked, is_kept = strip_negations(test)
    match asked.meaning:
        case Relation("==", left, Value() as right) if not is_kept:
            yield from (each.text for each in (left, right) if each.text is not None and each.text in TELLING)


def _iter_parts(value: Value) -> Iterator[Class]:
    """Yield the classes of what a value holds, as its declared type says: a tuple of a list and an object."""
    inner = (part for each in value.things if isinstance(each, Instance) for part in each.parts)
    return (each.of for each in inner if each is not None and isinstance(each.of, Class))


def _iter_bounds(trace: Trace, program: Program) -> Iterator[Term]:
    """Yield up to what a function cuts lists."""
    for each in trace.events:
        if isinstance(each, Sliced) and each.high is not None:
            yield each.high.term
        elif isinstance(each, Called) and program.models.get_model(each.path).returns in ("cut", "shortened"):
            yield from (given.term for given in each.arguments)


def _is_known_longer(event: Returned, bounds: frozenset[Term]) -> bool:
    """Return whether tests told that a list is longer than what it is cut to."""
    for term, fact in event.facts.items():
        match term:
            case ("<=" | "<", ("length", _), bound) if fact.truth is False and bound in bounds:
                return True
            case ("<=" | "<", bound, ("length", _)) if fact.truth and bound in bounds:
                return True
    return False


def _is_telling(made: Class, program: Program) -> bool:
    """Return whether the objects of a class tell of the rest, by its fields."""
    fields = frozenset(program.list_fields(made)) & TELLING
    return len(fields) > 1 and not fields.isdisjoint(NEEDED)


def _has_telling_class(trace: Trace, program: Program) -> bool:
    """Return whether a function has an object of a class for what is left out: dicts are then what is made of those."""
    parts = (
        part for each in trace.events for value in each.values for part in (value, *(value.contents or {}).values())
    )
    return any(_is_telling(each, program) for part in parts for each in (*part.classes, *_iter_parts(part)))


def _has_class(trace: Trace, _program: Program) -> bool:
    """Return whether a function makes objects of classes of the project by itself, or such dicts, or gives them on."""
    ends = (each.value for each in trace.events if isinstance(each, Assigned | Returned))
    parts = [part for each in ends for part in (each, *(each.contents or {}).values())]
    return any(part.classes for part in parts) or any(map(_collect_written_fields, parts))


def _find_creation_site(value: Value, event: Event) -> Site | None:
    """Return where the function of an event made an object, None if it did not."""
    match value.term:
        case ("new", code, Site() as site, *_) if code is event.code:
            return site
    return None
