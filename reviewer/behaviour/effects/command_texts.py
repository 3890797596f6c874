"""The texts that a command is handed for another program to read: a shell, an interpreter, a database; and its options."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from reviewer.behaviour.effects.interpreters import Handed, Word, iter_handed_words, iter_loose_words
from reviewer.behaviour.effects.programs import SHELLS
from reviewer.behaviour.values.texts import DEEPEST, MOST, TextPiece, collect_compositions, goes_on
from reviewer.code.acts import find_modelled_argument
from reviewer.code.events import Called, Occurrence
from reviewer.code.library_types import find_types
from reviewer.code.models import Model, Models
from reviewer.code.values import ELEMENT, ConditionalValue, Library, Made, Value
from reviewer.facts import Sink

ComposedText = tuple[TextPiece, ...]


class ReadText(NamedTuple):
    """A text that a program reads, what it is for that, and the name of the program; empty for a plain shell."""

    sink: Sink
    by: str
    text: ComposedText
    option: str = ""
    does: str = ""


class _Word(NamedTuple):
    """A word of a command part by part, and whether it stands for any number of words."""

    text: ComposedText
    many: bool = False
    is_path: bool = False
    """Whether it is an absolute path, which is no option."""


def iter_read_texts(
    here: Occurrence, event: Called, model: Model, acts: frozenset[str], models: Models
) -> Iterator[list[ReadText]]:
    """Yield the texts that a command is handed for another program to read, those together that one word may be."""
    given = find_modelled_argument(event, model)
    shell = event.named.get("shell")
    if "runs shell" in acts or (shell is not None and shell.constant == (bool, True)):
        if given is not None:
            lines = collect_compositions(here, given, models)
            yield [ReadText("command line", "", text) for text in lines]
            for word in _iter_listed_words(event, given):
                behind = collect_compositions(here, word, models)
                joined = [(*line, line[-1]._replace(text=" "), *text) for line in lines[:1] if line for text in behind]
                yield [ReadText("command line", "", text) for text in joined]
        return
    words = [
        each
        for each in (event.receiver, given if model.keyword in event.named else None, *event.arguments)
        if each is not None and not any(isinstance(thing, Library) for thing in each.things)
    ]
    found = list[ReadText]()
    for command in _join(_collect_words(here, each, models, DEEPEST) for each in words):
        seen = [_build_word(each) for each in command]
        found += [
            ReadText(each.sink, _name_reader(each), _get_text(command, each.words)) for each in iter_handed_words(seen)
        ]
        for each in iter_loose_words(seen):
            if not command[each.place].is_path:
                yield [ReadText("option", each.by, command[each.place].text, each.option, each.does)]
    if found:
        yield found


def _iter_listed_words(event: Called, program: Value | None) -> Iterator[Value]:
    """Yield the words that a list holds which a call is handed beside the program: a shell reads all in one line."""
    for each in event.arguments:
        if each is not program and not find_types("array").isdisjoint(each.library_types):
            yield from (each.contents or {}).values()


def _name_reader(read: Handed) -> str:
    return "" if read.by in SHELLS else read.by


def _join(parts: Iterator[list[tuple[_Word, ...]]]) -> list[tuple[_Word, ...]]:
    """Return the commands that parts may be one after another."""
    found: list[tuple[_Word, ...]] = [()]
    for each in parts:
        found = [(*before, *after) for before, after in product(found, each)][:MOST]
    return found


def _collect_words(here: Occurrence, value: Value, models: Models, deep: int) -> list[tuple[_Word, ...]]:
    """Return the words that a value may be: those that it holds, or itself as one."""
    here, value = here.trace_source(value)
    if deep and value.contents and not goes_on(value):
        held = value.contents.items()
        return _join(
            _collect_repeated_words(here, each, models)
            if key == ELEMENT
            else _collect_words(here, each, models, deep - 1)
            for key, each in held
        )
    match value.meaning if deep and value.constants is None else None:
        case ConditionalValue(test, then, otherwise):
            return [
                tuple(_get_under(word, test, holds) for word in words)
                for each, holds in ((then, True), (otherwise, False))
                if each.failure is None
                for words in _collect_words(here, each, models, deep - 1)
            ][:MOST]
        case Made("joined", of):
            return [words for each in of for words in _collect_words(here, each, models, deep - 1)][:MOST]
    is_many = not find_types("array").isdisjoint(value.library_types)
    is_path = any(each.origin == "absolute path" for each in here.resolve_labels(value))
    return [(_Word(text, is_many, is_path),) for text in collect_compositions(here, value, models)]


def _collect_repeated_words(here: Occurrence, value: Value, models: Models) -> list[tuple[_Word, ...]]:
    return [(_Word(text, many=True),) for text in collect_compositions(here, value, models)]


def _get_under(word: _Word, test: Value, holds: bool) -> _Word:
    return word._replace(text=tuple(part._replace(under=(*part.under, (test, holds))) for part in word.text))


def _build_word(word: _Word) -> Word:
    parts = [each.text for each in word.text]
    known = next((place for place, part in enumerate(parts) if part is None), len(parts))
    begins = "".join(part or "" for part in parts[:known])
    return Word(begins if known == len(parts) and not word.many else None, begins, word.many)


def _get_text(command: tuple[_Word, ...], words: slice) -> ComposedText:
    """Return words of a command as one text."""
    found: list[TextPiece] = []
    for word in command[words]:
        if found:
            found.append(found[-1]._replace(text=" "))
        found += word.text
    return tuple(found)
