"""Names that select rules: a slug, a code, a section, or the first words of slugs or codes."""

from collections.abc import Iterator
from difflib import get_close_matches

from reviewer.caching import cache
from reviewer.rules import find_slugs, index_slugs_by_code, load
from reviewer.text.excerpts import quote_excerpt

MOST_SUGGESTED = 5
"""Names that are suggested instead of one that selects nothing: no more than fit on a line."""

LIKE = 0.7
"""How alike a suggested name is: below it, three of four letters of an everyday word make a rule."""


def select(name: str) -> tuple[str, ...]:
    """Return the slugs of the rules that a name selects; none if there are no such rules.

    A slug (`tool-name-style`), a code (`NAM-002`) and a section (`§6`, `6`) select what they name, and their first words
    (`tool-name`, `NAM`) all that begins with them.
    """
    return find_explicit_slugs(name) or _collect_first_words(name.rstrip("-"))


def find_explicit_slugs(name: str) -> tuple[str, ...]:
    """Return the slugs of the rules that a slug, a code, a section or the first word of codes (`NAM`) names."""
    return find_slugs(name) or find_slugs(f"§{name}") or _collect_family(name.rstrip("-"))


def _collect_family(name: str) -> tuple[str, ...]:
    begun = f"{name.upper()}-"
    return tuple(slug for slug, rule in load().items() if any(code.startswith(begun) for code in rule.codes))


def _collect_first_words(name: str) -> tuple[str, ...]:
    return tuple(slug for slug in load() if slug.startswith(f"{name.lower()}-"))


@cache
def collect_selectors() -> tuple[str, ...]:
    """Return every name that selects a rule: slugs, codes and sections first, then what several of them begin with."""
    exact = (*load(), *sorted(index_slugs_by_code()))
    sections = (code.removeprefix("§") for code in exact if code.startswith("§"))
    begun = sorted({words for name in exact for words in _iter_beginnings(name)} - set(exact))
    return (*exact, *sections, *begun)


def _iter_beginnings(name: str) -> Iterator[str]:
    words = name.split("-")
    return ("-".join(words[:end]) for end in range(1, len(words)))


def find_nearest(name: str) -> tuple[str, ...]:
    """Return slugs and codes like a name that selects nothing, the nearest first.

    Those in which a word begins with it; where there are none, the one that is spelt most like it.
    """
    exact = (*load(), *sorted(index_slugs_by_code()))
    wanted = name.lower()
    # Too many words begin with one given letter.
    holding = [each for each in exact if f"-{wanted}" in f"-{each.lower()}"] if len(wanted) > 1 else []
    if holding:
        return tuple(
            sorted(holding, key=lambda each: (not each.lower().startswith(wanted), len(each)))[:MOST_SUGGESTED]
        )
    spelt = {each.lower(): each for each in (*exact, *collect_selectors())}
    return tuple(spelt[each] for each in get_close_matches(wanted, spelt, n=1, cutoff=LIKE))


def format_unknown_rule(name: str) -> str:
    """Return a clause that says that a name selects no rule, with the nearest names that do."""
    near = find_nearest(name)
    return f"unknown rule {quote_excerpt(name)}" + (f"; did you mean {_format_either(near)}?" if near else "")


def _format_either(names: tuple[str, ...]) -> str:
    *first, last = (f"`{each}`" for each in names)
    return f"{', '.join(first)} or {last}" if first else last
