"""Identifiers as the words they are made of, and code as a message shows it."""

from collections.abc import Iterable, Sequence

from reviewer.caching import cache_latest
from reviewer.text.patterns import pattern

_PARTS = pattern(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
"""Where a name's words end: at a change of case, at digits, at any sign. `HTTPServer` is two words. Letters of other scripts,
which may have no case, are one each stretch."""


@cache_latest(maxsize=8192)
def split_words(name: str) -> tuple[str, ...]:
    """Split a name into lower-case words: `userId`, `user_id` and `user.id` give `("user", "id")`; letters of other scripts
    stand for themselves."""
    return tuple(part.lower() for part in _PARTS.findall(name))


def shorten_code(code: str, most: int = 60) -> str:
    """Return a piece of code in one line of at most so many characters, for a message."""
    line = " ".join(code.split())
    return line if len(line) <= most else line[: most - 3] + "..."


def format_rest(count: int, noun: str) -> str:
    """Return how a list ends that names some of several: ` (and 2 more tools)`; empty if there are no others."""
    return f" (and {count} more {noun}{'s' if count > 1 else ''})" if count > 0 else ""


def format_sharing(others: int) -> str:
    """Return how a message ends whose code other tools run, too, so that one fix is for all; empty if none does."""
    return f" (shared by {others} other tool{'s' if others > 1 else ''})" if others > 0 else ""


def format_places(message: str, others: int) -> str:
    """Return a message with how many other places have the same fault, each of which needs its fix; these are listed beside."""
    told = f"also at {others} other place{'s' if others > 1 else ''}"
    return f"{message[:-1]}; {told})" if message.endswith((" other tool)", " other tools)")) else f"{message} ({told})"


def to_singular(word: str) -> str:
    """Return the singular of an English noun, as far as its ending tells: `categories`, `boxes`, `items`."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word if len(word) < 4 or word.endswith(("ss", "us", "is")) else word.removesuffix("s")


def contains_word(text: str, name: str) -> bool:
    """Return whether a name stands in a text as a word, in whatever case."""
    said, wanted = text.lower(), name.lower()
    start = said.find(wanted) if wanted else -1
    while start >= 0:
        around = said[start - 1 : start] + said[start + len(wanted) : start + len(wanted) + 1]
        if not any(letter.isalnum() or letter == "_" for letter in around):
            return True
        start = said.find(wanted, start + 1)
    return False


def format_items(told: Iterable[str], most: int) -> str:
    """Return the first few of what is told, with how many more there are: `a, b and 3 more`."""
    every = list(told)
    rest = len(every) - most
    return ", ".join(every[:most]) + (f" and {rest} more" if rest > 0 else "")


def format_names(names: Sequence[str], most: int = 4) -> str:
    """Return the first few of some names for a message."""
    return ", ".join(f"`{name}`" for name in names[:most]) + (" and more" if len(names) > most else "")
