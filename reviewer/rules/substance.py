"""What a text says of its own: without placeholders, sentences that stand twice, and the name that it stands at."""

import re
from functools import lru_cache

from reviewer.rules.words import words

SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
PLACEHOLDER = re.compile(
    r"""\W*(?:
        (?:todo|tbd|tba|fixme|xxx|wip|placeholder|lorem\ ipsum)\b.*
        | (?:n/?a|none|null|nil|undefined|unknown|test|foo|bar|asdf|description|a\ description|some\ text)
        | (?:no|missing|empty)\ (?:description|docstring|documentation|docs?|text|help)(?:\ (?:yet|given|provided|available|here))?
        | (?:add|insert|write|put|enter|fill\ in|your)\ (?:an?\ |the\ |your\ )?(?:description|docstring|documentation|text)(?:\ here)?
        | describe\ (?:me|this|it|here|this\ \w+)
        | description\ (?:goes\ |comes\ )?(?:here|of\ \w+)
        | to\ be\ (?:done|described|written|documented|determined|added|defined)
        | coming\ soon
    )\W*""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


@lru_cache(maxsize=8192)
def substance(text: str, name: str = "") -> str:
    """Give the text without what says nothing: empty if nothing is left, or if it is only the name in other letters."""
    kept: dict[str, str] = {}
    for sentence in SENTENCE.split(text.strip()):
        key = " ".join(re.findall(r"\w+", sentence.casefold()))
        if key and not PLACEHOLDER.fullmatch(sentence):
            kept.setdefault(key, sentence)
    if len(kept) == 1 and name and words(next(iter(kept))) == words(name):
        return ""
    if len(kept) == len([each for each in SENTENCE.split(text.strip()) if re.search(r"\w", each)]):
        return text.strip()
    return " ".join(kept.values())
