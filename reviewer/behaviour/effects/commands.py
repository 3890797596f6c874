"""Commands that code runs: those that surely change something, and those that are whatever the caller says."""

from enum import Enum
from itertools import product

from reviewer.behaviour.effects.programs import SHELLS, must_change
from reviewer.behaviour.values.texts import DEEPEST, JOINING, MOST, format_constant, is_text
from reviewer.code.events import Called, Occurrence
from reviewer.code.models import Models
from reviewer.code.state import NOTHING, infer_constants
from reviewer.code.values import ClientArguments, ConditionalValue, Made, Value
from reviewer.text.patterns import pattern


class Gap(Enum):
    """A word that the code does not write: only a run tells it, or it is an argument of the call as it was given."""

    UNKNOWN = "unknown"
    GIVEN = "given"


Word = str | Gap
Command = tuple[Word, ...]

NEXT = pattern(r"&&|\|\|?|;|\n")
"""What stands between two commands of a line."""


def runs(occurrence: Occurrence, acts: frozenset[str], models: Models) -> bool:
    """Return whether a command is run that changes something, or that the caller gives."""
    if "runs command" not in acts:
        return False
    return any(_changes(each) or _is_given(each) for each in collect_commands(occurrence, models))


def collect_commands(occurrence: Occurrence, models: Models) -> list[Command]:
    """Return the commands that a call may run, word by word."""
    event = occurrence.event
    assert isinstance(event, Called)
    named = event.named.get(models.get_model(event.path).keyword)
    given = event.arguments if named is None else (named, *event.arguments)
    if event.receiver is not None and event.receiver.contents:
        given = (event.receiver, *given)  # an object that was told its words before
    words = [_collect_words(occurrence, each, models, DEEPEST, whole=number == 0) for number, each in enumerate(given)]
    return _collect_one_after_another(words)


def _collect_one_after_another(parts: list[list[Command]]) -> list[Command]:
    found: list[Command] = [()]
    for each in parts:
        found = [(*before, *after) for before, after in product(found, each)][:MOST]
    return found


def _collect_words(occurrence: Occurrence, value: Value, models: Models, deep: int, *, whole: bool) -> list[Command]:
    """Return the words that a value may stand for; a text is several where it is the `whole` command."""
    here, value = occurrence.trace_source(value)
    constants = infer_constants(value, here.event.facts)
    if constants is not None:
        return [_split(format_constant(each), whole=whole) for _, each in sorted(constants, key=repr)[:MOST]]
    if not deep:
        return [(Gap.UNKNOWN,)]
    if value.contents:
        held = [_collect_words(here, each, models, deep - 1, whole=False) for each in value.contents.values()]
        return _collect_one_after_another(held)
    match value.meaning:
        case ConditionalValue(then=then, otherwise=otherwise):
            sides = (_collect_words(here, each, models, deep - 1, whole=whole) for each in (then, otherwise))
            return [each for side in sides for each in side][:MOST]
        case Made("element", (owner,)) if here.trace_source(owner)[1].contents:
            return _collect_words(here, owner, models, deep - 1, whole=False)
        case Made(".join", (separator, joined)) if here.trace_source(joined)[1].contents:
            return _collect_together(here, _with(here, separator, joined), models, deep - 1, whole=whole)
        case Made(by, of) if by in JOINING or is_text(by, models):
            return _collect_together(here, of, models, deep - 1, whole=whole)
        case Made(by, of) if of and models.get_model(by).returns == "pieces":
            return _collect_words(here, of[0], models, deep - 1, whole=True)
    return [(Gap.GIVEN if is_given(here, value) else Gap.UNKNOWN,)]


def _with(here: Occurrence, separator: Value, joined: Value) -> tuple[Value, ...]:
    """Return the elements of a sequence with a separator between each two."""
    held = list((here.trace_source(joined)[1].contents or {}).values())
    return tuple(part for each in held for part in (separator, each))[1:]


MARKS = {Gap.UNKNOWN: "\0", Gap.GIVEN: "\1"}
"""What stands for a gap in a text that is split into words."""


def _split(text: str, *, whole: bool) -> Command:
    """Return the words of a text with marks for its gaps; a word with a gap in it is unknown."""
    words = NEXT.sub(r" \g<0> ", text).split(" ") if whole else [text]
    return tuple(_get_word(each) for each in words if each)


def _get_word(text: str) -> Word:
    if text == MARKS[Gap.GIVEN]:
        return Gap.GIVEN
    return text if not any(mark in text for mark in MARKS.values()) else Gap.UNKNOWN


def _collect_together(
    here: Occurrence, parts: tuple[Value, ...], models: Models, deep: int, *, whole: bool
) -> list[Command]:
    """Return the words of a text that is made of parts; those of a sequence in it stand side by side."""
    texts = [""]
    for each in parts:
        inner = _collect_words(here, each, models, deep, whole=False)
        joined = [" ".join(MARKS[word] if isinstance(word, Gap) else word for word in words) for words in inner]
        texts = [before + after for before, after in product(texts, joined)][:MOST]
    return [_split(each, whole=whole) for each in texts]


BESIDE = frozenset({"self", "cls", "ctx", "context"})
"""Parameters of a handler that no client fills in."""


def is_given(occurrence: Occurrence, value: Value) -> bool:
    """Return whether a value is an argument of the call, or a part of one, of which no test says what it may be."""
    here, value = occurrence.trace_source(value)
    fact = here.event.facts.get(value.term, NOTHING)
    if fact.equal is not None or fact.within:
        return False
    match value.meaning:
        case Made(by, of) if of and (by in ("element", "item") or by.startswith(".")):
            return is_given(here, of[0])
    if isinstance(value.contents, ClientArguments):
        return True
    return isinstance(value.term, tuple) and value.term[:1] == ("argument",) and value.term[1] not in BESIDE


def _collect_segments(command: Command) -> list[Command]:
    """Return the commands of a line, one after another."""
    found: list[list[Word]] = [[]]
    for word in command:
        if isinstance(word, str) and NEXT.fullmatch(word) is not None:
            found.append([])
        else:
            found[-1].append(word)
    return [tuple(each) for each in found if each]


def _changes(command: Command) -> bool:
    """Return whether a command certainly changes something, by its words up to the first unknown one."""
    return any(must_change(collect_known_words(each)) for each in _collect_segments(command))


def collect_known_words(command: Command) -> tuple[str, ...]:
    """Return the words of a command up to the first that is not known."""
    known: list[str] = []
    for word in command:
        if isinstance(word, str):
            known.append(word)
        elif not known or not known[-1].startswith("-"):  # what is not known after an option is its value
            break
    return tuple(known)


def _is_given(command: Command) -> bool:
    """Return whether a program, or what a shell is to run, is what the caller says."""
    for each in _collect_segments(command):
        if each[0] is Gap.GIVEN:
            return True
        if each[0] in SHELLS and Gap.GIVEN in each[2:3]:
            return True
    return False
