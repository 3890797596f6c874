"""Whether a text says what something does: by a verb anywhere, or at its beginning."""

import re
from collections.abc import Iterator

from reviewer.rules.shared.words.english import extract_words
from reviewer.rules.shared.words.verbs import is_noun_too, stem_verb
from reviewer.text.patterns import pattern

IMPERATIVE = pattern(
    r"(?:^\W*+|(?<!\W)[^\w.!?:;\n]*+[.!?:;\n]\W*+)([a-z]{2,})[ \t]+"
    r"(?:the|an?|all|any|every|each|one|your|this|these|up|out|back|forward|to the|whether)\b",
    re.IGNORECASE,
)
"""How a sentence begins whose first word is a verb, if that is no word of those below.

It begins where a stretch of other characters does, and takes that whole: begun at each of 90,000 dots, it would look through all
the rest from there.
"""

DRESSING = pattern(r"^(?:<\w+>|[\W_])*")
"""What may stand before the first word: marks, a tag."""

OPENING = pattern(r"([a-z]+)(?![\w/@])(?:\s+([a-z]+))?")
"""The first two words of a text; what ends in `_`, `/` or `@` is part of an identifier."""

LITTLE = frozenset(
    "manage handle process perform execute support provide help allow enable work interact operate do use run access control "
    "deal make let give offer assist maintain administer integrate connect".split()
)
"""Verbs that leave open what is done."""

OTHERS = frozenset(
    "in on at for from with by of to as if is are was be and or not only all when while this that these there it its into "
    "over under per via after before like than but you we here now just also both how what where why so about during since "
    "until without within upon up out one any the".split()
)
"""Words that may stand before an article at the beginning of a sentence and are no verbs: "In the list", "Not all"."""


SENTENCE = pattern(r"[.!?:;\n]\s|[\n(—–]|\s-\s")
"""Where another thought begins: a bracket, a colon or a dash does as well as a full stop."""

BEFORE_VERBS = frozenset(
    "to and or can could will would shall should may might must that which who you we it they this tool server then also let "
    "lets helps help not only either".split()
)
"""Words behind which a word is a verb that is elsewhere as often a noun."""

ARTICLES = frozenset("the a an all any every each this these its their one".split())
"""Words before which a word is a verb that is elsewhere as often a noun: of "sheet record of the herbarium" `record` is
none."""

FIRST = pattern(r"[\W_]*([a-z]*)")
"""The first word, behind marks of Markdown, which are no letters."""


ASIDE = pattern(
    r"(?:^|(?<=[.!?;\n])\s*)(?:use\s+(?:this|it)\s+(?:tool\s+)?(?:when|if|where|before|after|only)|(?:then|first|next),?\s+\w|call\s|see\s|prefer\s"
    r"|(?:for\s+)?examples?\b|e\.g\.|for\s+instance\b|(?:takes|needs|accepts)\s+no\b)(?:[^.!?\n]|[.!?](?!\s|$))*[.!?]?",
    re.IGNORECASE,
)
"""A sentence about the call: when it is due, what is called beside it, how one looks, what it does not take."""


def without_asides(text: str) -> str:
    """Return the text about the tool itself, without sentences about the call; the whole text if there are no others."""
    rest = ASIDE.sub(" ", text).strip()
    return rest or text


def does_something(text: str) -> bool:
    """Return whether a text has a verb: one of the list, or a word that stands where verbs stand.

    Within a sentence, a word that is as often a noun is one: `Sheet search endpoint`.
    """
    first = FIRST.match(text.lower())
    if (first is not None and stem_verb(first[1])) or any(_is_verb(begin) for begin in IMPERATIVE.finditer(text)):
        return True
    return any(
        (verb := stem_verb(word)) is not None
        and (not before or not is_noun_too(verb) or before in BEFORE_VERBS or behind in ARTICLES)
        for sentence in SENTENCE.split(text)
        for before, word, behind in _iter_neighbours(extract_words(sentence))
    )


def _iter_neighbours(said: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield each word with those before and behind it."""
    return zip(("", *said), said, (*said[1:], ""), strict=False)


def does_something_clear(text: str) -> bool:
    """Return whether a text has a verb that says what is done, or begins a sentence with a word that no list knows."""
    if any(verb not in LITTLE for word in extract_words(text) if (verb := stem_verb(word)) is not None):
        return True
    return any(_is_verb(begin) and stem_verb(begin[1].lower()) is None for begin in IMPERATIVE.finditer(text))


def begins_with_verb(text: str) -> bool:
    """Return whether the first word of a text is a verb."""
    bare = DRESSING.sub("", text)
    begin = IMPERATIVE.match(bare)
    opening = OPENING.match(bare.lower())
    first, second = opening.groups("") if opening is not None else ("", "")
    aside = first.endswith("ly") or first in ("batch", "bulk")  # `Safely creates`
    return (begin is not None and _is_verb(begin)) or bool(stem_verb(first) or (aside and stem_verb(second)))


def _is_verb(begin: re.Match[str]) -> bool:
    return begin[1].lower() not in OTHERS
