"""What a tool answers with as it got it, however much it is: replies, files, what commands and databases give."""

import re
from collections.abc import Iterator
from dataclasses import field, replace

from reviewer.behaviour.answer_size.cuts import iter_answers
from reviewer.behaviour.arguments.inputs import CLIENTS
from reviewer.behaviour.failures.outside import asks_outside, is_outside
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.results.answers import collect_entered_calls
from reviewer.behaviour.security.checks import is_field
from reviewer.behaviour.security.checks import iter_parts as made_of
from reviewer.behaviour.values.texts import format_constant, iter_parts
from reviewer.code.events import Called, Carried, Entered, Occurrence, Returned, Tested, Trace, translate_labels
from reviewer.code.ir import Code, Site
from reviewer.code.models import ActName, Model
from reviewer.code.program import Program
from reviewer.code.state import infer_constants, infer_failure, infer_interval, infer_truth
from reviewer.code.values import (
    ELEMENT,
    ConditionalValue,
    Made,
    Origin,
    Relation,
    Term,
    Value,
    find_original_term,
    strip_negations,
)
from reviewer.facts import ActKind
from reviewer.records import dataclass
from reviewer.text.patterns import pattern

TEXTS: dict[Origin, ActKind] = {
    "file": "answers whole file", "command": "answers whole output", "network": "answers whole page"
}  # fmt: skip

WHOLE = frozenset[ActKind]({*TEXTS.values(), "answers whole object", "answers whole list"})
"""What this analysis may tell, for the list of analyses, which runs it if a rule asks for one of them."""

SOURCES = frozenset[Origin]({*TEXTS, "database"})
"""From where something comes that is as long as others made it."""

READING = frozenset[ActName](
    {
        "network",
        "reads file",
        "opens file",
        "lists directory",
        "runs command",
        "reads database",
        "executes sql",
        "reads body",
    }
)
"""What a function does that gives what it read, and not whether something is there, or how large it is."""

FEW = frozenset[ActName]({"reads few rows", "samples", "elicits"})
"""What one does that gives little: so many rows as it says, what a person or a model writes."""

LISTED = frozenset({"elements", "values", "mapped", "filtered", "sorted", "turned", "flattened", "numbered", "chained"})
"""What functions return that go through the elements of what they are given."""

GIVING = frozenset(
    {
        *LISTED, "text", "same text", "copied", "cloned", "taken", "receiver", "argument", "sure", "or else", "pieces", "filled",
        "gathered", "entered", "or failure", "without reason", "reason told",
    }
)  # fmt: skip
"""What functions return that give all of what they are given, as it is or in another form."""

TOGETHER = frozenset({"text", "joined", "+", "|", "%"})
"""How a value is made that has all of what it is made of."""

OF_TEXT = frozenset({"text", "content", "body", "stdout", "output"})
"""The fields of a reply, and of a program that ended, that hold all that they gave. What it says of a failure is short."""

BOUND = pattern(
    r"limit|(?:per_?|\b)page|page_?size|max_?results|max_?(?:count|items|rows|records)|top_?k|\btop\b|\bsize\b|\bcount\b|\brows\b"
    r"|\bfirst\b|\bhead\b|\btail\b|num_?results|\bnum\b|offset|cursor|since|\bfields?\b|--lines|^-n\d*$",
    re.IGNORECASE,
)
"""What stands in a request, a command or a statement that says how much it gives."""

TOLD_OF_FILES = frozenset(
    "exists isfile isdir islink getsize getmtime samefile stat is_file is_dir is_symlink existsSync statSync lstatSync".split()
)
"""Functions that read a file system and give a number, or whether something is so."""

# Only these give rows.
SELECT = pattern(r"^\s*(?:SELECT|WITH)\b", re.IGNORECASE)
AGGREGATE = pattern(
    r"\bcount\s*\(|\bgroup\s+by\b|\bmax\s*\(|sqlite_(?:master|schema)|information_schema|system_schema|\bpg_\w+",
    re.IGNORECASE,
)
"""What stands in a statement that gives few rows, or what a database tells of itself."""

SIZE = pattern(r"size|\blen\b|length|count", re.IGNORECASE)
"""What a function or a field is called that tells how large something is."""

DEEPEST = 16
"""Values inside values that an answer is looked through for: a block, a text, a list, an object, each by way of a helper."""

MOST = 600
"""Values that all answers of a tool are looked through for. More is an object that was put together field by field."""


def iter_whole_answers(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the sources that a tool returns as a whole, if nothing cuts them and no test checks their size.

    If a tool cuts a part of its answer it is unknown which, and nothing is yielded.
    """
    if READING.isdisjoint(trace.acts) and not trace.leads_to(asks_outside, program):
        return
    given = [each for each in iter_answers(trace) if infer_failure(each.value, each.facts) is not True]
    if any(label.origin == "cut" for each in given for label in each.value.labels):
        return
    search = _WholeAnswerSearch(trace, program)
    for each in given:
        search.look(Occurrence(each), each.value, _Derivation())
    if search.found and not any(map(_asks_how_much, trace.iter_occurrences(kinds=(Tested,)))):
        yield from search.found.values()


@dataclass(frozen=True, slots=True)
class _Derivation:
    """How an answer was made of what it has all of.

    `is_listed` tells that the elements are gone through, `is_parsed` that it was read as an object, `is_body` that it is what a
    reply holds, and not the reply.
    """

    deep: int = DEEPEST
    is_listed: bool = False
    is_parsed: bool = False
    is_body: bool = False

    def follow_call(self, row: Model) -> "_Derivation":
        """Return how it was made of what a library's function is given."""
        return replace(
            self,
            is_listed=self.is_listed or row.returns in LISTED,
            is_parsed=self.is_parsed or not {"parses", "serialises"}.isdisjoint(row.acts),
            is_body=self.is_body or "reads body" in row.acts,
        )

    def follow_part(self, name: str) -> "_Derivation":
        """Return how it was made of what an element, an entry or a field of is taken."""
        if name == "element":
            return replace(self, is_listed=True)
        is_text = name.rpartition(".")[2] in OF_TEXT
        return replace(self, is_parsed=self.is_parsed or not is_text, is_body=self.is_body or is_text)


@dataclass
class _WholeAnswerSearch:
    """A search for what some answers have all of."""

    trace: Trace
    program: Program
    found: dict[tuple[ActKind, Site], RunFinding] = field(default_factory=dict)
    seen: set[tuple[Term, int, _Derivation]] = field(default_factory=set)
    made: dict[int, tuple[dict[Term, Carried], dict[Term, Called]]] = field(default_factory=dict)

    def look(self, here: Occurrence, value: Value, way: _Derivation) -> None:
        """Search for the source that a value contains as a whole."""
        here, value = here.trace_source(value)
        key = (value.term, id(here.caller), replace(way, deep=0))
        if value.failure is not None or value.constants is not None or not way.deep:
            return
        if key in self.seen or len(self.seen) >= MOST:
            return
        self.seen.add(key)
        is_object = bool(value.classes)
        way = replace(way, deep=way.deep - 1, is_parsed=way.is_parsed or is_object)
        meaning = value.meaning
        row = self.program.models.find_model(meaning.by) if isinstance(meaning, Made) else None
        if row is not None and not SOURCES.isdisjoint(row.labels):
            self._take(here, value, way.follow_call(row), row)
        elif value.contents:
            for part, each in value.contents.items():
                self.look(here, each, replace(way, is_listed=way.is_listed or part == ELEMENT))
        elif isinstance(meaning, ConditionalValue):
            known = infer_truth(meaning.test, here.event.facts)
            for each, holds in ((meaning.then, True), (meaning.otherwise, False)):
                if known is not (not holds):
                    self.look(here, each, way)
        elif isinstance(meaning, Made):
            self._look_through(here, value, meaning, row, way)
        elif not self._goes_on(here, value, way):
            self._enter(here, value, way)

    def _look_through(self, here: Occurrence, value: Value, made: Made, row: Model | None, way: _Derivation) -> None:
        """Search the values that a value was made from as a whole."""
        of: tuple[Value, ...] = ()
        if made.by in TOGETHER:
            of = made.of
        elif row is not None and _gives(row):
            of, way = made.of[:3], way.follow_call(row)
        elif made.by in ("element", "item") or is_field(value):
            of, way = made.of[:1], way.follow_part(made.by)
        for each in of:
            self.look(here, each, way)

    def _goes_on(self, here: Occurrence, value: Value, way: _Derivation) -> bool:
        """Search the values that a loop leaves for its next iteration, or the library call without a row that returned
        the value.
        """
        trace = here.find_own_trace(self.trace)
        if id(trace) not in self.made:
            carried = {each.value.term: each for each in trace.events if isinstance(each, Carried)}
            calls = {each.result.term: each for each in trace.events if isinstance(each, Called) and not each.followed}
            self.made[id(trace)] = carried, calls
        carried, calls = self.made[id(trace)]
        if value.term in carried:
            self.look(here, carried[value.term].first, way)
            self.look(here, carried[value.term].after, way)
            return True
        call = calls.get(value.term)
        if call is None or not is_outside(call, self.program):
            return False
        self._note(
            here, (*call.named, *_iter_written(here, *call.values)), call.values, (call.code, call.at), way, "database"
        )
        return True

    def _enter(self, here: Occurrence, value: Value, way: _Derivation) -> None:
        """Search the results of the project's function that returned a value."""
        for call, inner in collect_entered_calls(self.trace, here, value):
            if isinstance(call.event, Entered):
                origins = call.event.labels
                if call.origins is not None:
                    origins = {label: translate_labels(labels, call.origins) for label, labels in origins.items()}
                for each in inner.events:
                    if isinstance(each, Returned) and infer_failure(each.value, each.facts) is not True:
                        self.look(Occurrence(each, call, origins), each.value, way)

    def _take(self, here: Occurrence, value: Value, way: _Derivation, row: Model) -> None:
        """Note what a function of a library read."""
        is_reply = "any status" in row.acts and not way.is_body
        is_few = not FEW.isdisjoint(row.acts) or row.path.rpartition(".")[2] in TOLD_OF_FILES
        if READING.isdisjoint(row.acts) or is_few or is_reply:
            return
        source = next(each for each in row.labels if each in SOURCES)
        written = tuple(_iter_written(here, value))
        if source == "database" and (not any(map(SELECT.search, written)) or any(map(AGGREGATE.search, written))):
            return
        match find_original_term(value.term):
            case (str(), Code() as code, Site() as at, *_):
                self._note(here, written, (value,), (code, at), way, source)

    def _note(
        self, here: Occurrence, written: tuple[str, ...], asked: tuple[Value, ...], place: tuple[Code, Site], way: _Derivation,
        source: Origin,
    ) -> None:  # fmt: skip
        """Note what was read at a place, unless what it was asked for says how much."""
        is_object = way.is_parsed or source == "database"
        if any(map(BOUND.search, written)) or (is_object and source in ("file", "command")):
            return  # what a server keeps, or a program writes for others, is read as an object that somebody knows
        kind: ActKind = (
            "answers whole list" if way.is_listed else "answers whole object" if is_object else TEXTS[source]
        )
        code, at = place
        is_asked = any(each.origin in CLIENTS for value in asked for each in here.resolve_labels(value))
        event = next(
            (each for each in here.find_own_trace(self.trace).events if (each.code, each.at) == place), here.event
        )
        text = code.extract_text(at)
        self.found.setdefault(
            (kind, at), RunFinding(kind, replace(here, event=event), text, text if is_asked else None)
        )


def _gives(row: Model) -> bool:
    """Return whether a function gives all of what it is given, and no image or the like as a text."""
    if "encodes" in row.acts:
        return False
    return row.returns in GIVING or (
        row.returns == "unknown" and not {"reads body", "parses", "decodes"}.isdisjoint(row.acts)
    )


def _iter_written(here: Occurrence, *values: Value) -> Iterator[str]:
    """Yield the constants and the names of what something was asked with."""
    for at, part in (each for value in values for each in iter_parts(here, value)):
        yield from (format_constant(each) for _, each in infer_constants(part, at.event.facts) or ())
        yield from (str(key[0]) if isinstance(key, tuple) else str(key) for key in part.contents or ())


def _asks_how_much(here: Occurrence) -> bool:
    """Return whether a test asks how much there is of what was read, and not only whether there is anything."""
    for value in here.event.values:
        test, _ = strip_negations(value)
        if (
            isinstance(test.meaning, Relation)
            and test.meaning.operator in ("<", "<=")
            and test.meaning.right is not None
        ):
            sides = (test.meaning.left, test.meaning.right)
            are_numbers = all(infer_interval(each, here.event.facts).high > 1 for each in sides)
            if are_numbers and any(_is_size(here, part) for side in sides for part in made_of(side)):
                return True
    return False


def _is_size(here: Occurrence, value: Value) -> bool:
    """Return whether a value tells how large something is that was read."""
    made = value.meaning
    return (
        isinstance(made, Made)
        and SIZE.search(made.by) is not None
        and any(label.origin in SOURCES for each in (value, *made.of) for label in here.resolve_labels(each))
    )
