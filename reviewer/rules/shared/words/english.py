"""The words that a text speaks, and whether it is English, which is all that the word lists know."""

import re

from reviewer.caching import cache_latest

LATIN = 0x250
"""Letters from here on are of other scripts."""

ENGLISH = frozenset("the a an of to and or in for with by from is are this that it on as at be not if all its".split())
"""Words that nearly every English sentence has. A text is foreign only with more of `FOREIGN` than of these: `de la Cruz` is
two."""

FOREIGN = frozenset(
    "de la el los las una uno para por que como "
    "und oder der das dem ein eine einen für mit von zu ist nicht auf wird "
    "les du et dans pour avec sur une aux qui "
    "gli della delle che è nel "
    "dos não uma em ao "
    "het een van voor niet".split()
)
"""Words of Spanish, German, French, Italian, Portuguese and Dutch that nearly every sentence has."""


@cache_latest(maxsize=8192)
def is_english(text: str) -> bool:
    """Return whether a text is not clearly of another language or script."""
    letters = [] if text.isascii() else [letter for letter in text if letter.isalpha()]
    if sum(ord(letter) >= LATIN for letter in letters) * 4 > len(letters):
        return False
    said = re.findall(r"[^\W\d_]+", text.lower())
    foreign = sum(word in FOREIGN for word in said)
    return foreign < 2 or foreign <= sum(word in ENGLISH for word in said)


@cache_latest(maxsize=8192)
def extract_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, without those that are part of an identifier: `start_date`, `OpenAI`."""
    found = re.findall(r"(?<![\w@#/])[A-Za-z]+(?![\w@/])", text)
    return tuple(word.lower() for word in found if word.islower() or word.istitle() or word.isupper())
