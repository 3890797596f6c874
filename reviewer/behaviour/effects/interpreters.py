"""Which words of a command a program hands on, to a shell, an interpreter or a database, and which it may take for options.

The programs are rows of `reviewer/code/libraries/programs.toml`. What a program only runs as a command of its own (`docker exec`,
`sudo`) is followed into that.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from reviewer.caching import cache
from reviewer.facts import Sink
from reviewer.records import dataclass
from reviewer.text.patterns import pattern


class Word(NamedTuple):
    """A word of a command: its text if all of that is written, else None; what is written of its beginning."""

    text: str | None
    begins: str = ""
    many: bool = False
    """Whether it represents any number of words."""


class Handed(NamedTuple):
    """The words that a program hands on, and the name of what reads them, empty for a plain shell."""

    sink: Sink
    by: str
    words: slice


class Loose(NamedTuple):
    """A word that a program takes for an option if it is one: its place, the program, such an option and what that does."""

    place: int
    by: str
    option: str
    does: str


@dataclass(frozen=True, slots=True)
class ProgramRow:
    """A row of the table: what its fields mean is said there."""

    names: tuple[str, ...]
    hands: Literal["shell", "code", "statement", "command", "takes"]
    source: str
    after: str = ""
    under: tuple[str, ...] = ()
    valued: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    skips: int = 0
    all: bool = False
    one: bool = False
    option: str = ""
    does: str = ""
    before: int = 0
    beside: int = 0


SINKS: dict[str, Sink] = {"shell": "command line", "code": "code", "statement": "statement"}

COMMANDS = 4
"""How many commands run one another in one: `sudo docker exec … sh -c` are three."""

ASSIGNMENT = pattern(r"\w+=.*")
"""What may stand before the name of a program: a variable of its environment."""


@cache
def load_programs() -> dict[str, list[ProgramRow]]:
    """Return the rows about programs, by the programs' names."""
    text = files("reviewer.code").joinpath("libraries", "programs.toml").read_text("utf-8")
    found = defaultdict[str, list[ProgramRow]](list)
    for row in tomllib.loads(text)["program"]:
        held: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
        for name in held["names"]:
            found[name].append(ProgramRow(**held))
    return dict(found)


def iter_handed_words(words: Sequence[Word], first: int = 0, deep: int = COMMANDS) -> Iterator[Handed]:
    """Yield the words of a command that it hands on, as far as what stands before them is written."""
    for each in load_programs().get(_get_program_name(words[first].text), ()) if first < len(words) else ():
        for start in _iter_starts(each, words, first + 1) if each.hands != "takes" else ():
            if each.hands == "command":
                if deep:
                    yield from iter_handed_words(words, _find_command(each, words, start), deep - 1)
            elif start < len(words):
                is_all = each.all or (not each.after and not each.one)
                by = " ".join(
                    _get_program_name(word.text)
                    for word in words[first:start]
                    if word.text and _names_program(word.text, each)
                )
                yield Handed(SINKS[each.hands], by, slice(start, None if is_all else start + 1))


def iter_loose_words(words: Sequence[Word], first: int = 0, deep: int = COMMANDS) -> Iterator[Loose]:
    """Yield the words of a command that are not known, and that a program takes for options if they are such."""
    program = _get_program_name(words[first].text) if first < len(words) else ""
    for each in load_programs().get(program, ()):
        if each.hands == "command" and deep:
            for start in _iter_starts(each, words, first + 1):
                yield from iter_loose_words(words, _find_command(each, words, start), deep - 1)
        for under in (each.under or ("",)) if each.hands == "takes" else ():
            behind = _find_operand(each, words, first + 1, tuple(under.split()))
            found = list(_iter_operands(each, words, behind)) if behind is not None else []
            for number, place in enumerate(found):
                is_meant = number >= each.before and len(found) > each.beside and not (each.one and number)
                if is_meant and words[place].text is None and not words[place].begins:
                    yield Loose(place, f"{program} {under}".strip(), each.option, each.does)


def _iter_operands(program: ProgramRow, words: Sequence[Word], start: int) -> Iterator[int]:
    """Yield the places of the operands up to where no option is taken any more. What may be the value of an option is none."""
    for place in range(start, len(words)):
        if words[place].many or words[place].text in ("--", "--end-of-options"):
            return
        if not words[place].begins.startswith("-") and not _may_be_value(program, words[place - 1]):
            yield place


def _may_be_value(program: ProgramRow, before: Word) -> bool:
    """Return whether the word behind one may be its value: behind an option without its own that is not known to take none."""
    return before.begins.startswith("-") and "=" not in before.begins and before.text not in program.plain


def _find_command(program: ProgramRow, words: Sequence[Word], start: int) -> int:
    """Return the place of the command that a program runs."""
    start = _count_past_options(program, words, start)
    while start < len(words) and ASSIGNMENT.fullmatch(words[start].begins):
        start += 1
    return start


@cache
def _get_pattern(text: str) -> re.Pattern[str]:
    return pattern(text)


def _get_program_name(text: str | None) -> str:
    name = (text or "").replace("\\", "/").rpartition("/")[2]
    return name.lower().removesuffix(".exe") if name.lower().endswith(".exe") else name


def _names_program(text: str, program: ProgramRow) -> bool:
    """Return whether a word tells which program reads what is handed on, and by which subcommand."""
    return _get_program_name(text) in program.names or any(text in each.split() for each in program.under)


def _iter_starts(program: ProgramRow, words: Sequence[Word], first: int) -> Iterator[int]:
    """Yield the places where what a program hands on begins."""
    for under in program.under or ("",):
        start = _find_operand(program, words, first, tuple(under.split()))
        if start is None:
            continue
        if not program.after:
            yield from _iter_operand_ends(program, words, start)
            continue
        for place in range(start, len(words)):
            if words[place].many:
                break
            option, equal, _ = words[place].begins.partition("=")
            if _get_pattern(program.after).fullmatch(option):
                yield place if equal else place + 1
                if program.all:
                    break


def _find_operand(program: ProgramRow, words: Sequence[Word], start: int, under: tuple[str, ...]) -> int | None:
    """Return the place behind the subcommand, None if it is another."""
    for each in under:
        start = _count_past_options(program, words, start)
        if start >= len(words) or words[start].text != each:
            return None
        start += 1
    return start


def _iter_operand_ends(program: ProgramRow, words: Sequence[Word], start: int) -> Iterator[int]:
    """Yield the place behind the operands that a program takes for itself."""
    for _ in range(program.skips):
        start = _count_past_options(program, words, start)
        if start >= len(words) or words[start].many:
            return
        start += 1
    yield start if program.skips else _count_past_options(program, words, start)


def _count_past_options(program: ProgramRow, words: Sequence[Word], start: int) -> int:
    """Return the place of the first word from one on that is no option, nor the value of one."""
    while start < len(words) and words[start].begins.startswith("-") and not words[start].many:
        start += 2 if words[start].text in program.valued else 1
        if words[start - 1].text == "--":
            break
    return start
