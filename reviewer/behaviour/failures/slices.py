"""Texts that are cut at a count of bytes, which may lie within a character."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from reviewer.behaviour.arguments.inputs import CLIENTS, find_origin, is_given, locate_input
from reviewer.behaviour.failures.panicking import collect_panicking_steps
from reviewer.behaviour.findings import RunFinding
from reviewer.behaviour.security.checks import CheckedStep, iter_parts
from reviewer.behaviour.values.names import split_words
from reviewer.behaviour.values.texts import DEEPEST
from reviewer.code.acts import collect_acts
from reviewer.code.events import Called, Carried, Occurrence, Sliced, Trace
from reviewer.code.library_types import find_type_names
from reviewer.code.models import Models
from reviewer.code.program import Program
from reviewer.code.values import ConditionalValue, Made, Negation, Relation, Term, Value, build_constant, get_term_head
from reviewer.text.patterns import pattern

BOUNDING = frozenset(
    "is_char_boundary is_ascii floor_char_boundary starts_with ends_with find chars char_indices all".split()
)
"""Methods that tell where characters lie, or that each is one byte."""

ASCII = pattern(
    r"hash|sha\d*|digest|uuid|hex|commit|\boid\b|\bids?\b|_ids?$|timestamp|date|time|\biso\b|token|key|nonce|b64|base64|version|ascii|rev\b",
    re.IGNORECASE,
)
"""How texts, or lists of them, are called that are made of plain letters and digits: cuts of them were no faults in any server
that was read."""

ADDRESS = pattern(r"(?:\b|_)ur[il]s?$", re.IGNORECASE)
"""How an address is called. What another host or a library calls so has its letters encoded; what a client gives may have any."""

MAKES_ASCII = pattern(
    r"to_rfc3339|\bhex\b|encode|uuid|sha\d|digest|blake|md5|strftime|to_hex|base64|nanoid|ulid|finalize|finish",
    re.IGNORECASE,
)
"""Functions that give texts of plain letters and digits."""

MEASURED = frozenset({"find", "boundary", "position", "offset", "byte"})
"""Words in the names of arguments for a position in a text, which some caller measured in the same text."""


def iter_slices(trace: Trace, program: Program) -> Iterator[RunFinding]:
    """Yield the cuts of texts at a count of bytes; `about` is the input that the text is, None if that is not seen."""
    for step in collect_panicking_steps(trace, program, is_answered=True):
        cut = cut_of(step, program)
        if cut is not None and _is_text(step, cut[0], program):
            owner, ends = cut
            is_past = _is_past_found(step, ends)
            is_counted = _is_counted(step, *cut, program)
            tells = partial(_tells_boundaries, models=program.models) if is_counted else _tells_of_each
            if not (is_past or is_counted or _is_counted_up(step, *cut, program)):
                continue
            if not is_past and all(_is_beside(step, owner, each, program.models) for each in ends):
                continue
            label = find_origin(step.occurrence, owner, program)
            is_address = (label is None or label.origin not in CLIENTS) and ADDRESS.search(
                _find_cut_name(step)
            ) is not None
            is_plain = _is_ascii(step, owner) or is_address or _is_read_by_places(step, owner, ends, program)
            if is_past or not (is_plain or step.was_asked(owner, tells) or _is_chosen(step, owner, ends)):
                yield RunFinding("slices", step.occurrence, about=locate_input(trace, step.event, label))


def _is_read_by_places(step: CheckedStep, owner: Value, ends: tuple[Value, ...], program: Program) -> bool:
    """Return whether a text is taken apart at places that are written down, and one of its parts is read as a number.

    So `20261127` is: who writes a day as eight digits has no letters there, and a text of any kind is not cut so.
    """
    return all(each.constant is not None for each in ends) and any(
        isinstance(part.term, tuple)
        and part.term[:2] == ("part", owner.term)
        and all(get_term_head(place) == "constant" for place in part.term[2:])
        and "parses" in collect_acts(call, program.models)
        for call in step.timeline.calls.values()
        for part in (call.receiver, *call.arguments)
        if part is not None
    )


def _is_chosen(step: CheckedStep, owner: Value, ends: tuple[Value, ...]) -> bool:
    """Return whether texts were chosen by how they begin, and no cut is behind that: `line[4..]` of those with `--- `."""
    places = {each.constant[1] for each in ends if each.constant is not None}
    beginnings = [
        each.meaning.of[1].text
        for each in step.iter_closure_results(owner)
        if isinstance(each.meaning, Made) and each.meaning.by.rpartition(".")[2] == "starts_with"
    ]
    return len(places) == len(ends) and any(
        text is not None and all(isinstance(each, int) and _is_within(text, each) for each in places)
        for text in beginnings
    )


def _is_within(text: str, place: int) -> bool:
    return place <= len(text.encode("utf-8", "surrogatepass")) and not _cuts_letter(text, place)


def _is_past_found(step: CheckedStep, ends: tuple[Value, ...]) -> bool:
    """Return whether a place lies within a letter that was found, so many bytes behind where that begins: `dash + 1`."""
    for each in ends:
        match each.meaning:
            case Made("+", (found, more)) if more.constant is not None and isinstance(more.constant[1], int):
                maker = step.find_maker(found)
                if maker is not None and maker.path.rpartition(".")[2] in ("find", "rfind") and maker.arguments:
                    sought = maker.arguments[0]
                    texts = [one.text for one in (sought, *(sought.contents or {}).values())]
                    if any(text is not None and _cuts_letter(text, more.constant[1]) for text in texts):
                        return True
    return False


def _cuts_letter(text: str, place: int) -> bool:
    """Return whether a count of bytes ends within a letter of a text."""
    written = text.encode("utf-8", "surrogatepass")
    return 0 < place < len(written) and written[place] & 0b1100_0000 == 0b1000_0000


def cut_of(step: CheckedStep, program: Program) -> tuple[Value, tuple[Value, ...]] | None:
    """Return the text that an event slices and the positions; None if it slices none, or cannot fail."""
    event = step.event
    if isinstance(event, Sliced):
        call = step.timeline.calls.get(event.at)
        ends = tuple(each for each in (event.low, event.high) if each is not None)
        return (event.owner, ends) if call is None else None  # of `text.get(..80)` nothing may be given
    if not isinstance(event, Called) or "cuts" not in collect_acts(event, program.models):
        return None
    place = event.find_argument(0)
    if event.receiver is None or place is None:
        return None
    if isinstance(place.meaning, Made) and place.meaning.by == "counted" and _is_range(place):
        low, _, *high = place.meaning.of
        return event.receiver, (low, *high)
    return event.receiver, (place,)


def _is_range(value: Value) -> bool:
    return get_term_head(value.term) == "range"


def _is_text(step: CheckedStep, owner: Value, program: Program) -> bool:
    if _is_bytes(step, owner, program.models):
        return False
    _, value = step.occurrence.trace_source(owner)
    kinds = value.library_types
    if value.things:
        return len(kinds) == len(value.things) and all(
            each.rpartition(".")[2] in find_type_names("text") for each in kinds
        )
    model = program.models.get_maker_model(value)
    return (model.returns == "pieces" and model.path.startswith(".")) or _is_given_as_text(step, owner, program.models)


def _is_given_as_text(step: CheckedStep, value: Value, models: Models, deep: int = DEEPEST) -> bool:
    """Return whether a method gave a value that gives a text of whatever it is called on, here or where it is handed over.

    What a test chooses between has one type: where one of it is a text, so is the other.
    """
    made = (each for some in step.timeline.makers.values() for at, each in some if at < step.place)
    said = (each.result for each in made if _says_text(each, models))
    if any(value.term in (part.term for part in (each, *each.ways)) for each in said):
        return True
    for at, closure in step.timeline.closures:
        given = [known for known, each in closure.given.items() if at < step.place and each.term == value.term]
        ends = [each.receiver for each in closure.trace.events if isinstance(each, Called) and _says_text(each, models)]
        if any(each is not None and each.term in given for each in ends):
            return True
    if deep and any(_is_given_as_text(step, each, models, deep - 1) for each in value.ways):
        return True
    handed = step.find_handover(value)
    return handed is not None and _is_given_as_text(*handed, models)


def _says_text(call: Called, models: Models) -> bool:
    return models.has_trait(call.path, "surely text")


def _is_bytes(step: CheckedStep, value: Value, models: Models) -> bool:
    """Return whether a value is what a method gave that gives bytes, here or where it is handed over."""
    maker = step.find_giver(value)
    if maker is not None and models.has_trait(maker.path, "raw bytes"):
        return True
    if maker is not None and maker.receiver is not None and maker.receiver.duplicate != value.duplicate:
        return _is_bytes(step, maker.receiver, models)  # a copy of the bytes
    handed = step.find_handover(value)
    return handed is not None and _is_bytes(*handed, models)


def _is_counted(step: CheckedStep, owner: Value, ends: tuple[Value, ...], program: Program) -> bool:
    """Return whether all places count bytes with no regard to the text, but the beginning."""
    counting = _Counting(("length", step.occurrence.trace_source(owner)[1].term), {}, program)
    asked = [each for each in ends if step.occurrence.trace_source(each)[1].constant != (int, 0)]
    return bool(asked) and all(counting.classify_number(step.occurrence, each) == "count" for each in asked)


def _is_counted_up(step: CheckedStep, owner: Value, ends: tuple[Value, ...], program: Program) -> bool:
    """Return whether a place is one that a loop counts up by hand, before anybody looked at what lies there."""
    if step.timeline.indexed.get(owner.term, step.place) < step.place:
        return False
    counting = _Counting(("length", step.occurrence.trace_source(owner)[1].term), {}, program)
    found = (each for each in ends if counting.classify_number(step.occurrence, each) != "count")
    next_counting = counting._replace(counters=step.timeline.carried)
    return any(next_counting.classify_number(step.occurrence, each) == "count" for each in found)


class _Counting(NamedTuple):
    """What places in a text are: `counters` are the values that a loop carries on, `length` is how long the text is."""

    length: Term
    counters: Mapping[Term, Carried | None]
    """None for one that is being looked into: where it is a count before a round, it is one after."""
    program: Program

    def classify_number(self, here: Occurrence, value: Value, deep: int = 8) -> str:
        """Return `count` for a number, an argument or what is made of these, `length` for that of the text, else nothing.

        How long another text is tells where that one ends, which may have been looked for.
        """
        counter = self.counters.get(value.term)
        if counter is None and value.term in self.counters:
            return "count"
        looking = self._replace(counters={**self.counters, value.term: None}) if counter is not None else self
        here, value = here.trace_source(value)
        if value.constants is not None and not isinstance(value.meaning, Made):
            return "count" if all(kind is int for kind, _ in value.constants) else ""
        if is_given(here, value):
            label = find_origin(here, value, self.program)
            return "count" if label is not None and MEASURED.isdisjoint(split_words(label.name)) else ""
        if not deep:
            return ""
        match value.meaning:
            case Made("length", (text,)):
                return "length" if ("length", here.trace_source(text)[1].term) == self.length else ""
            case Made(by, of) if by in ARITHMETIC:
                inner = of
            case ConditionalValue(_, then, otherwise):
                inner = (then, otherwise)
            case None if counter is not None:
                inner = (counter.first, counter.after)
            case _:
                return ""
        found = [looking.classify_number(here, each, deep - 1) for each in inner]
        return "" if "" in found else "count" if "count" in found else "length"


# A place that is calculated may lie within a character.
ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "least", "greatest", "clamped"})


INDEXED = pattern(r"(\w+)(?:\[[^\[\]]*\])+$")
"""What a text is taken of: `ids` in `found.ids[0][..8]`."""


def _find_cut_name(step: CheckedStep) -> str:
    """Return the last name of what is cut, as it is written."""
    return re.split(r"\[|\.(?=\w+\()", str(step.event.text))[0].rpartition(".")[2]


def _is_ascii(step: CheckedStep, owner: Value) -> bool:
    """Return whether a text is made of plain letters and digits, by its name or by what made it."""
    indexed = INDEXED.search(str(step.event.text))
    if ASCII.search(_find_cut_name(step)) is not None or (indexed is not None and ASCII.search(indexed[1])):
        return True
    _, value = step.occurrence.trace_source(owner)
    if isinstance(value.constants, frozenset) and all(str(each).isascii() for _, each in value.constants):
        return True
    names = [each.meaning.by for each in iter_parts(value) if isinstance(each.meaning, Made)]
    return any(MAKES_ASCII.search(each) or ASCII.search(each.rpartition(".")[2]) for each in names)


def _is_beside(step: CheckedStep, owner: Value, place: Value, models: Models) -> bool:
    """Return whether a place is the beginning, or lies right before or behind a byte that tests told to be ASCII.

    Such a byte is a character of its own.
    """
    if place.constant == (int, 0):
        return True
    keys = [place.term]
    match place:
        case Value(meaning=Made("+", (before, Value(constant=(_, 1))))):
            keys.append(before.term)
        case Value(constant=(_, int() as number)):
            keys.append(build_constant(number - 1).term)
    if any(_is_plain(step, ("item", owner.term, each)) for each in keys):
        return True
    handed = step.find_handover(owner) if place.constant is not None else None
    if handed is not None and _is_beside(*handed, place, models):
        return True
    alike = _list_alike(owner, models)
    return bool(alike) and all(_is_beside(step, each, place, models) for each in alike)


def _list_alike(text: Value, models: Models) -> Sequence[Value]:
    """Return the texts whose letters a text has at the same places, but for some that gave way to ASCII; empty if there are none.

    A copy has them, one in which letters give way to as many bytes of ASCII, and what a test chooses between two of these.
    """
    match text.meaning:
        case ConditionalValue(_, then, otherwise):
            return (then, otherwise)
        case Made(by, (original, *_)) if models.get_model(by).returns == "same text":
            return (original,)
        case Made(by, (original, old, new)) if "replaces" in models.get_model(by).acts:
            is_as_long = old.text is not None and new.text is not None and len(old.text.encode()) == len(new.text)
            return (original,) if is_as_long and (new.text or "").isascii() else ()
    return ()


def _is_plain(step: CheckedStep, byte: Term) -> bool:
    """Return whether tests told of a byte that it is one of ASCII."""
    facts = step.event.facts
    fact = facts.get(byte)
    if fact is not None and 0 <= fact.interval.low <= fact.interval.high < 128 and not fact.interval.unsure:
        return True
    if fact is not None and fact.equal and all(kind is str and str(each).isascii() for kind, each in fact.equal):
        return True
    if any(
        facts[each.term].truth and _is_of_both_ends(each, byte)
        for each in step.iter_known_conditions()
        if each.term in facts
    ):
        return True
    return any(
        isinstance(each.meaning, Made)
        and each.meaning.by.rpartition(".")[2].startswith("is_ascii")
        and [part.term for part in each.meaning.of] == [byte]
        and facts[each.term].truth
        for each in step.iter_known_conditions()
        if each.term in facts
    )


def _is_of_both_ends(test: Value, byte: Term) -> bool:
    """Return whether a test says that the first byte of a text is its last, as only one of ASCII can be, and speaks of one."""
    match test.meaning:
        case Relation("==", left, Value() as right) if byte in (left.term, right.term):
            keys = [
                each.term[2] for each in (left, right) if isinstance(each.term, tuple) and each.term[:1] == ("item",)
            ]
            owners = {each.term[1] for each in (left, right) if isinstance(each.term, tuple)}
            return len(keys) == 2 and len(owners) == 1 and build_constant(0).term in keys and any(map(_is_last, keys))
    return False


def _is_last(key: Term) -> bool:
    match key:
        case ("-", ("length", _), ("constant", _, 1)):
            return True
    return False


ENDING = frozenset({"starts_with", "ends_with", "find"})
"""Those methods that tell of one place in a text only, which is none that is counted up from round to round."""


def _tells_of_each(test: Value) -> bool:
    """Return whether a condition tells where all characters lie."""
    return any(
        isinstance(each.meaning, Made) and each.meaning.by.rpartition(".")[2] in BOUNDING - ENDING
        for each in iter_parts(test)
    )


def _tells_boundaries(test: Value, models: Models) -> bool:
    """Return whether a condition tells where characters lie: by a method that does, or by a part that is there if they do.

    How many there are, compared with a number, says nothing of that.
    """
    return not _counts_letters(test, models) and any(
        get_term_head(each.term) == "part"
        or (isinstance(each.meaning, Made) and each.meaning.by.rpartition(".")[2] in BOUNDING)
        or _is_of_letter(each)
        for each in iter_parts(test)
    )


def _counts_letters(test: Value, models: Models) -> bool:
    """Return whether a test compares with a number how many characters there are: `text.chars().count() > 200`."""
    match test.meaning:
        case Relation("<" | "<=" | "==", left, Value() as right):
            sides = ((left, right), (right, left))
            return any(other.constants is not None and _is_count(one, models) for one, other in sides)
        case Negation(operand):
            return _counts_letters(operand, models)
    return False


def _is_count(value: Value, models: Models) -> bool:
    match value.meaning:
        case Made(by, (Value(meaning=Made(letters)), *_)) if by.rpartition(".")[2] in ("count", "length"):
            return models.has_trait(letters, "letters")
    return False


def _is_of_letter(test: Value) -> bool:
    """Return whether a test asks for a letter of a text, one that is ASCII: `text.chars().next() == Some('"')`."""
    match test.meaning:
        case Relation("==", left, Value() as right):
            sides = ((left, right), (right, left))
            return any(get_term_head(one.term) == "element" and (other.text or "é").isascii() for one, other in sides)
    return False
