"""What a tool's name says that it does to the world, and what its text says of it."""

import re

from reviewer.caching import cache_latest
from reviewer.rules.shared.acts.destruction import READING
from reviewer.rules.shared.lexicon import load_lexicon
from reviewer.rules.shared.words.english import extract_words
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.verbs import stem_verb
from reviewer.text.patterns import pattern

FINAL = frozenset("delete destroy purge erase wipe drop".split())
"""Verbs of names after which something is gone for good."""

LOSS = FINAL | frozenset(
    "deletion deletes destruction destructive removal permanent permanently irreversible irreversibly irrevocable "
    "irrevocably unrecoverable recoverable undone undo restore recover lost lose loses loss gone forever trash trashed "
    "clear cleared empty empties overwrite overwrites overwritten cascade cascades cascading "
    "uninstall terminate kill deprovision disruptive".split()
)
"""Words that tell a loss. That something is removed leaves open whether it is only taken out of a list."""

SPOKEN_OF = frozenset("preview status history dry info help schema estimate simulate stats result results".split())
"""Words after a verb with which a name speaks of what is done and does not do it."""

TAKING = LOSS | frozenset("remove reset cancel revoke replace truncate shutdown stop discard evict flush prune".split())
"""Words that warn of something that will not be there any more."""

REMARK = pattern(r"\b(?:note|important|warning|caution)\s*:|\bside[ -]effect", re.IGNORECASE)
"""A remark about an effect counts whatever its verb is: no list has all the words for effects."""

NEGATED = pattern(r"\b(?:can(?:not|'t)|never|no)\b[^.]{0,20}\b(?:revert|recover|restor|undo|roll)", re.IGNORECASE)
"""A loss told by what cannot be done afterwards, with a few words between: "cannot easily be restored"."""


def find_effect_verb(name: str) -> str | None:
    """Return the verb by which a name says that something is otherwise after the call; None if it does not, or only reads."""
    said = split_words(name)
    for at, word in enumerate(said):
        if word in load_lexicon("effects"):
            after = set(said[at + 1 :])
            thing = word in load_lexicon("nouns") and (
                after & READING or (at > 0 and not after)
            )  # `post_list`, `data_set`
            return None if thing or after & SPOKEN_OF else word
        if word in READING:
            return None
    return None


@cache_latest(maxsize=8192)
def stem_verbs(text: str) -> frozenset[str]:
    """Return the base forms of the verbs of a text, and its other words as they stand."""
    found = set()
    for word in extract_words(text):
        found |= {
            word,
            stem_verb(word) or stem_verb(word.removesuffix("d")) or stem_verb(word.removesuffix("ed")) or word,
        }
    return frozenset(found)


def tells_effect(text: str, verb: str) -> bool:
    """Return whether a text says that something is changed, in whatever words."""
    said = stem_verbs(text)
    told = verb in said or said & (load_lexicon("effects") | load_lexicon("effect_nouns")) or REMARK.search(text)
    return bool(told) or tells_loss(text)


def tells_loss(text: str) -> bool:
    """Return whether a text says that something is lost."""
    return bool(stem_verbs(text) & LOSS) or NEGATED.search(text) is not None


def warns(text: str) -> bool:
    """Return whether a text warns that something will not be there any more."""
    return bool(stem_verbs(text) & TAKING) or tells_loss(text)
