"""Names and words that fit anything, and what tells what is meant by them."""

from itertools import pairwise

from reviewer.caching import cache_latest
from reviewer.facts import Tool
from reviewer.facts.parts import Part
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.identifiers import split_words, to_singular
from reviewer.rules.shared.words.likeness import READING
from reviewer.rules.shared.words.verbs import stem_verb
from reviewer.source import Text

KEYS = frozenset("key name field property attribute column option setting variable id path cell operator".split())
"""Names beside which a `value` is the value of that."""

OF_SOMETHING = frozenset(
    "attr attribute body conf config configuration content context detail element entry field item opt option prop property "
    "response result setting val value variable".split()
)
"""Names that the name of a tool explains: `content` of `write_file`; not where it only reads, as `get_file` does.

`data` of it may still be anything."""

FEW = 3
"""Words that give a context, of which one more makes it plain."""

KEYWORDS = frozenset("properties items additionalProperties prefixItems anyOf oneOf allOf $defs definitions".split())
"""The keys of a path that are JSON Schema's own, and not names that the author gave to what is around."""


def collect_ambiguous(said: tuple[str, ...]) -> list[str]:
    """Return the words that fit anything."""
    return [word for word in said if {word, to_singular(word)} & load_lexicon("ambiguous")]


def clear(said: tuple[str, ...]) -> bool:
    """Return whether any of some words gives a context."""
    return any(
        _means(word)
        and (stem_verb(word) is None or (before not in ("", "to") and to_singular(word) in load_lexicon("nouns")))
        for before, word in pairwise(("", *said))
    )


def is_scant(said: tuple[str, ...]) -> bool:
    """Return whether no more than a few of some words give a context."""
    return len({word for word in said if _means(word)}) <= FEW


@cache_latest(maxsize=8192)
def _means(word: str) -> bool:
    return not word.isdigit() and not any(
        each in load_lexicon(name) for each in (word, to_singular(word)) for name in ("ambiguous", "vague")
    )


def is_ambiguous(name: tuple[str, ...]) -> bool:
    """Return whether no word of a name is clearer than the others."""
    return bool(name) and len(collect_ambiguous(name)) == len([word for word in name if not word.isdigit()])


def is_bounded(part: Part) -> bool:
    """Return whether the schema says what may be filled in."""
    return any(part.find_keyword(keyword) is not None for keyword in ("enum", "const", "properties", "oneOf")) or any(
        True for _ in part.iter_forms_of("boolean")
    )


def lacks_context(part: Part, tool: Tool, beside: frozenset[str]) -> bool:
    """Return whether nothing around a name says what is meant."""
    around = tuple(word for key in part.path[:-1] if key not in KEYWORDS for word in split_words(key))
    name = {to_singular(word) for word in split_words(part.name)}
    called = split_words(tool.name) if isinstance(tool.name, Text) else ()
    reads = not READING.isdisjoint(called[:1])
    paired = {"value", "val", "content"} & name and KEYS & beside - ({"id", "path"} if reads else frozenset())
    called = called if name <= OF_SOMETHING and not reads else ()
    return not paired and not clear(around) and not clear(called)


def repeats(said: str, name: str) -> bool:
    """Return whether a text speaks of its parameter by the words of its name: `New type for the variable` of `new_type`."""
    return bool({to_singular(word) for word in split_words(said)} & {to_singular(word) for word in split_words(name)})
