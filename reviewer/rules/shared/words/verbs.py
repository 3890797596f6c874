"""What a tool does, in words: the verbs of the list `verbs`, the forms they come in, and where names have them."""

import re
from collections import Counter
from collections.abc import Iterable

from reviewer.caching import cache
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.text.patterns import pattern

_HISSES = pattern(r"(?:s|x|z|ch|sh|[^aeiou]o)$")
"""Verbs that take `-es`: `pushes`, `fixes`, `does`. `tattoos` has a vowel before the `o`."""

_SILENT_E = pattern(r"[^eoy]e$")
"""Verbs that lose their `e` before `-ing`; `see`, `hoe` and `dye` keep it."""

_DOUBLED = pattern(r"[^aeiou][aeiou][^aeiouwxy]$")
"""Verbs whose last letter is or may be doubled before `-ing`: `getting`, `cancelling`; `w`, `x` and `y` never are."""

_DOMAIN = pattern(r"[./:]|__")
"""What parts the domain of a tool's name from the operation: `task.create` of the guidelines, `mcp__server__tool` of Claude
Code."""

VOWELS = frozenset("aeiou")

VERB_MODIFIERS = frozenset("auto batch bulk force mass multi quick safe".split())
"""Words before a verb that say how it is done."""

Words = tuple[str, ...]


def is_verb(word: str) -> bool:
    """Return whether a lower-case word is a verb in its base form, as names use it: `get`, `summarise`."""
    return _collect_bases().get(word) in {word, re.sub(r"([iy])se$", r"\1ze", word)}


def is_noun_too(verb: str) -> bool:
    """Return whether a verb in its base form is as often a noun: `report`, `log`, `view`."""
    return verb in load_lexicon("nouns")


def stem_verb(word: str) -> str | None:
    """Return the base form of a verb in lower case: `creates`, `creating` and `create` give `create`; None if it is none."""
    return _collect_bases().get(word)


def find_shared_openings(names: Iterable[str]) -> frozenset[Words]:
    """Return the words that two or more of a server's tool names begin with: `browser` of `browser_click` and `browser_type`."""
    operations = [extract_operation(name) for name in dict.fromkeys(names)]
    counted = Counter(parts[:length] for parts in operations for length in range(1, len(parts)))
    return frozenset(opening for opening, count in counted.items() if count > 1)


def extract_operation(name: str) -> Words:
    """Return the words of a tool's name, of `object.operation` those of the last part."""
    return split_words(next((part for part in reversed(_DOMAIN.split(name)) if part), ""))


def find_verbs(name: str, shared: frozenset[Words] = frozenset()) -> tuple[str, ...]:
    """Return the verbs by which a tool's name says what is done.

    They stand at its beginning, after what it has in common with other names of the server (`shared`), or at its end; there a
    word that is as often a noun is none.
    """
    parts = extract_operation(name)
    found = []
    for at, part in enumerate(parts):
        if is_verb(part):
            found.append(part)
        if is_verb(part) or (part not in VERB_MODIFIERS and parts[: at + 1] not in shared):
            break
    last = parts[-1] if parts else ""
    return (*found, last) if is_verb(last) and not is_noun_too(last) and last not in found else tuple(found)


@cache
def _collect_bases() -> dict[str, str]:
    verbs = sorted(load_lexicon("verbs"))
    forms = {verb: _collect_forms(verb) for verb in verbs}
    again = {
        f"{prefix}{form}": f"{prefix}{verb}"
        for prefix in ("re", "un")
        for verb in verbs
        if len(verb) > 3
        for form in forms[verb]
    }
    return again | {form: verb for verb in verbs for form in forms[verb]} | {verb: verb for verb in verbs}


def _collect_forms(verb: str) -> tuple[str, ...]:
    """Write a verb as `it creates` and `creating` have it, in both spellings."""
    spellings = (verb, f"{verb[:-2]}se") if verb.endswith(("ize", "yze")) else (verb,)
    return tuple(form for each in spellings for form in (each, _format_third_person(each), *_collect_participles(each)))


def _format_third_person(verb: str) -> str:
    if verb.endswith("y") and verb[-2:-1] not in VOWELS:
        return f"{verb[:-1]}ies"
    return f"{verb}es" if _HISSES.search(verb) else f"{verb}s"


def _collect_participles(verb: str) -> tuple[str, ...]:
    """Return the form with `-ing`; where the last letter may be doubled, both ways to write it: `cancelling`, `canceling`."""
    if _SILENT_E.search(verb):
        return (f"{verb[:-1]}ing",)
    return (f"{verb}ing", f"{verb}{verb[-1]}ing") if _DOUBLED.search(verb) else (f"{verb}ing",)
