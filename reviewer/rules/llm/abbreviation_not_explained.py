"""Abbreviations in parameter names are explained in the description.

`dst` means destination to one reader and daylight saving time to another. A model that has to guess fills in the wrong value,
and nothing corrects it.

Bad:

```json
[
  {
    "name": "get-user",
    "description": "Gets a profile.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "uid": { // flaw
          "type": "string",
          "description": "The uid"
        }
      }
    }
  }
]
```

Good:

```json
[
  {
    "name": "get-user",
    "description": "Gets a profile.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "uid": {
          "type": "string",
          "description": "The unique user identifier"
        }
      }
    }
  }
]
```

Departs from the original: names are split into words (`userCfg`), what lies within an object is looked at too, and an
abbreviation is explained by a word of its own long form only, in any of its forms, not by any of a list of common words.
`max`, `info`, `sync`, `config` and `doc` are words by now. What everybody knows (`id`, `url`, `json`) is explained by any
description that says more than the name, and needs none unless a profile asks for it. A profile may accept that a text says
in other words what the parameter is (`qty`: "Number of shares").

A judge is asked where a name has a word without a vowel that no list knows (`mtx`), and of a text in another language than
English.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Literal

from reviewer.caching import cache
from reviewer.facts import Tool
from reviewer.facts.parts import Part
from reviewer.records import dataclass
from reviewer.rules import Flaw, Question, Severity, declare_option, rule
from reviewer.rules.shared.asking import MOST
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.literal_mode import collect_arguments
from reviewer.rules.shared.values.meanings import collect_lines
from reviewer.rules.shared.words.english import ENGLISH, is_english
from reviewer.rules.shared.words.identifiers import format_names, split_words
from reviewer.rules.shared.words.substance import SPEAKING_OF_IT, extract_substance, is_name
from reviewer.text.patterns import pattern

STEM = 6
"""So many letters tell a word apart from others, whatever its ending."""

TELLING = 2
"""So many words of content say what a parameter is, whatever it is called."""
HOLLOW = (
    ENGLISH
    | SPEAKING_OF_IT
    | frozenset("how what which where when who why many much most one ones given use used some any goes".split())
)
"""Words that say nothing of a thing by themselves."""

STRANGE = pattern(r"[b-df-hj-np-tv-xz]{2,5}")
"""A word that cannot be pronounced, because it has no vowel."""


EXPLAINS = frozenset(
    "identifier number string configuration environment source destination directory function argument context request response"
    " error message value length index count user group organization repository package library database table column"
    " image document reference property parameter option format version timestamp timezone".split()
)
"""By the letter, words of a description that say what is short for what."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    literal: bool = declare_option(
        False, "Whether to check only names that consist of a single abbreviation.", formerly="letter"
    )
    known: Literal["accepted", "described"] = declare_option(
        "accepted", "Whether common abbreviations such as `id` and `url` need an explanation, too."
    )
    explained: Literal["long-form", "any-words"] = declare_option(
        "long-form",
        "What explains an abbreviation: its long form, or any words that say what the parameter is, "
        "in its description or in the tool's.",
    )


@cache
def _collect_long_forms() -> dict[str, tuple[str, ...]]:
    lines = (line.partition(": ") for line in load_lexicon("abbreviations"))
    return {short: tuple(long.split()) for short, _, long in lines}


@cache
def _collect_abbreviations(name: str) -> tuple[str, ...]:
    """Return the abbreviations in a name."""
    all_of_them = _collect_long_forms().keys() | load_lexicon("known_abbreviations")
    return tuple(word for word in dict.fromkeys(split_words(name)) if {word, word.removesuffix("s")} & all_of_them)


def _iter_unexplained_abbreviations(part: Part, options: Options) -> Iterator[str]:
    """Yield the abbreviations in a name that neither its description nor the rest of the name explains."""
    said = extract_substance(part.description)
    spoken = {word for each in (said, part.name) for word in split_words(each) if len(word) > 2}
    described = not options.literal and (options.known == "accepted" or bool(said and not is_name(said, part.name)))
    for word in _collect_abbreviations(part.name):
        long = _collect_long_forms().get(word) or _collect_long_forms().get(word.removesuffix("s"), ())
        told = any(one[:STEM] in each for one in long for each in spoken) if long else described
        if not told:
            yield word


def _is_told_in_words(part: Part, tool: Tool) -> bool:
    """Return whether the description of a parameter, or its line in the tool's, says what it is in words of its own."""
    hollow = HOLLOW | {form for word in split_words(part.name) for form in (word, word.removesuffix("s"), f"{word}s")}
    return any(len(set(split_words(line)) - hollow) >= TELLING for line in collect_lines(part, tool))


@rule(
    Severity.SUGGESTION,
    codes=("LLM-010",),
    cites=("tool definition rules: LLM-010",),
    when=lambda tool, options: bool(tool.arguments),
    absent="no tool takes a parameter that can be read",
    judged=True,
)
def check(tool: Tool, options: Options) -> Iterator[Flaw | Question]:
    """Yield a finding for each abbreviation without its long form, and a question for each that no list has."""
    yield from _iter_flaws(tool, options)
    for part, short in islice(_iter_unsure(tool, options), MOST):
        message = (
            f"parameter `{part.name}` of {tool.shown} uses the abbreviation {format_names(short)} without explaining it"
        )
        help = "Spell it out in the description."
        yield Question(tool.place(part.path), tool, message, help, frozenset({"schema"}), part.name)


def _iter_unsure(tool: Tool, options: Options) -> Iterator[tuple[Part, list[str]]]:
    """Yield the parameters of whose names no list tells what is short for what, with the words in question."""
    for part in tool.arguments:
        if part.element or not (_collect_strange(part.name) or _collect_abbreviations(part.name)):
            continue
        said = extract_substance(part.description, part.name)
        if not said:
            continue
        short = (
            list(_iter_unexplained_abbreviations(part, options))
            if not is_english(said)
            else _collect_strange(part.name)
        )
        if short:
            yield part, short


@cache
def _collect_strange(name: str) -> list[str]:
    """Return the words of a name that have no vowel, if no list knows them."""
    known = _collect_long_forms().keys() | load_lexicon("known_abbreviations")
    return [
        word
        for word in dict.fromkeys(split_words(name))
        if STRANGE.fullmatch(word) and not {word, word.removesuffix("s")} & known
    ]


def _iter_flaws(tool: Tool, options: Options) -> Iterator[Flaw]:
    for part in collect_arguments(tool, options.literal):
        if (
            part.element
            or not _collect_abbreviations(part.name)
            or (options.literal and len(split_words(part.name)) > 1)
        ):
            continue
        if options.literal and any(each in part.description.lower() for each in EXPLAINS):
            continue
        if options.known == "accepted" and not part.description.strip():
            continue  # which is a flaw of its own
        if options.explained == "any-words" and _is_told_in_words(part, tool):
            continue
        short = list(_iter_unexplained_abbreviations(part, options))
        if short and is_english(extract_substance(part.description)):
            yield Flaw(
                tool.place(part.path),
                f"parameter `{part.name}` of {tool.shown} uses the abbreviation {format_names(short)} without explaining it",
                "Spell it out in the description.",
            )
