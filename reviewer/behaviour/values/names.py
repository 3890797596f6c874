"""The words that names are made of."""

from reviewer.caching import cache_latest
from reviewer.text.patterns import pattern

# `HTTPServer`, `maxRows` and `v2` are split between an acronym and a word, at a capital, and before digits.
_PARTS = pattern(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


@cache_latest(maxsize=8192)
def split_words(name: str) -> frozenset[str]:
    """Return the lower-case words that a name is made of."""
    return frozenset(part.lower() for part in _PARTS.findall(name))


TEXT_WORDS = frozenset(
    "text body content string str json html md markdown raw payload output stdout stderr diff patch snippet transcript "
    "serialized rendered preview message summary description excerpt readme dump line log report".split()
)
"""Last words of names that one text has, and no list."""


def names_a_text(name: str) -> bool:
    """Return whether a name, `content_md`, is that of a single text."""
    return name.lower().rpartition("_")[2] in TEXT_WORDS


def names_many(name: str) -> bool:
    """Return whether a name, `found_rows`, is that of many things."""
    last = name.rpartition("_")[2].lower()
    return (last.endswith("s") and not last.endswith("ss")) or last in MANY


MANY = frozenset("found data list all children".split())
"""Last words of names that a list has and that are no plural."""


SECRETS = frozenset("token secret password passwd passphrase passcode apikey".split())
"""Last words of names of variables that hold a credential. `AUTH` and `CREDENTIALS` are switches and paths as often."""

KEYS = frozenset("api access secret private auth service subscription master signing encryption admin".split())
"""What stands before `KEY` where that opens something."""

NO_SECRETS = frozenset(
    "use require enable disable allow has show verify check max min public csrf page next cursor continuation".split()
)
"""Words by which a name is that of a switch, of a number, or of what anybody may see."""


@cache_latest(maxsize=8192)
def names_credential(name: str) -> bool:
    """Return whether a name of a variable of the environment, `TRELLO_API_KEY`, is that of a credential."""
    said = [part.lower() for part in _PARTS.findall(name)]
    while said and said[-1].isdigit():
        said.pop()
    if not said or not NO_SECRETS.isdisjoint(said):
        return False
    return said[-1] in SECRETS or (said[-1] == "key" and len(said) > 1 and said[-2] in KEYS)
