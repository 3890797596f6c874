"""How much a task repeats of what a tool says of itself: a model that matches words would choose right without understanding."""

import re
from collections.abc import Collection

from reviewer.judge.quotes import normalize_text
from reviewer.rules.shared.words.identifiers import split_words

COMMON = frozenset(
    "a an the and or but nor if then than so as at by for from in into of off on onto out over to up down with without within "
    "about after again all also any anything are be been before being between both can cannot could did do does doing done each "
    "every few had has have having he her here him his how i is it its itself just let like may me might more most much must my "
    "need needs no not now once one only other our own please same she should some something such that their them there these "
    "they thing things this those through too under until us very want wants was we were what when where whether which while who "
    "whom whose why will would you your yours "
    "show shows give gives get gets tell tells list lists find finds make makes see look looking"
    " take use using used return returns".split()
)
"""Words that nearly every sentence has, and those by which anybody asks anybody for anything: they tell no tool from another."""

ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ions", "ion", "ers", "er", "ed", "es", "ly", "s", "e", "y")
"""Endings of inflected and derived words, the longer first."""

SHORTEST_STEM = 3
"""Letters that are left of a word whose ending is cut off."""


def extract_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a text that say something, those within names of code too, in their order."""
    found = (word for name in re.findall(r"\w+", text) for word in split_words(name))
    lowered = (word.lower() for word in found)
    return tuple(stem(word) for word in lowered if word not in COMMON and (len(word) > 1 or word.isdigit()))


def stem(word: str) -> str:
    """Cut off an ending, so that `commits` and `committed` are one word. Two words may become one: that drops a task too many."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word.removesuffix(ending)
            break
    doubled = len(word) > SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeiou"
    return word[:-1] if doubled else word


def measure_overlap(task: str, told: str, allowed: Collection[str]) -> float:
    """Return the part of a task's words that a tool says of itself, of those that are not `allowed`; 0 if none is left."""
    own = [each for each in extract_stems(task) if each not in allowed]
    known = set(extract_stems(told))
    return sum(each in known for each in own) / len(own) if own else 0.0


def names(task: str, name: str) -> bool:
    """Return whether a task has a tool's name: as it is written, or as its words one after the other."""
    parts = split_words(name)
    if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", task) and (len(parts) > 1 or not name.isalpha()):
        return True
    spoken = r"[\W_]+".join(map(re.escape, parts))
    return len(parts) > 1 and re.search(rf"(?<!\w){spoken}(?!\w)", normalize_text(task), re.IGNORECASE) is not None
