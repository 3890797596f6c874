"""What a text says of its own: without placeholders, sentences that stand twice, and the name that it stands at.

Nothing that is put into a text without saying anything adds a word to its substance.
"""

import re

from reviewer.caching import cache_latest
from reviewer.rules.shared.words.identifiers import split_words
from reviewer.rules.shared.words.placeholders import without_placeholders
from reviewer.text.patterns import pattern

BREAK = pattern(r"((?<=[.!?…])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)\s+|\n+)", re.IGNORECASE)
"""Where a sentence ends; the dots of "e.g.", "i.e." and "vs." end none."""

ARTICLES = frozenset("a an the this that its".split())
"""Words that a name lacks where a text repeats it: "The user id" says no more than `user_id`."""

SPEAKING_OF_IT = ARTICLES | frozenset(
    "parameter param argument arg field property value input required optional string str integer int float boolean bool "
    "array object".split()
)
"""What a text may add to a parameter's name without saying more than the schema does."""

MOST_BESIDE = 12
"""A text with so many more words than a name says something."""


def extract_substance(text: str, name: str = "") -> str:
    """Return the text without what says nothing: empty if nothing is left, or if it is only the name in other letters."""
    said = _format_substance(text)
    return "" if said and name and is_name(said, name) else said


@cache_latest(maxsize=32768)
def _format_substance(text: str) -> str:
    pieces = BREAK.split(text.strip())
    kept = _collect_once([without_placeholders(piece) for piece in pieces[::2]])
    # What lost its end does not run into the next sentence.
    lost = [bool(each) and each[-1] != whole[-1] for each, whole in zip(kept, pieces[::2], strict=True)]
    ends = [whole[-1] if cut and whole[-1] in ".!?…" else "" for whole, cut in zip(pieces[::2], lost, strict=True)]
    gaps = [*(end + gap for end, gap in zip(ends, pieces[1::2], strict=False)), ""]
    if kept == pieces[::2]:
        said = text.strip()
    else:
        said = "".join(piece + gap for piece, gap in zip(kept, gaps, strict=True) if piece).strip()
    return said if re.search(r"\w", said) else ""


def count_sentences(text: str) -> int:
    """Count the sentences of a text; what has no end, as an entry of a list, is part of one."""
    pieces = [each for each in BREAK.split(text.strip())[::2] if re.search(r"\w", each)]
    ended = sum(1 for each in pieces if each.rstrip()[-1] in ".!?…")
    return ended + (1 if pieces and pieces[-1].rstrip()[-1] not in ".!?…" else 0)


def extract_openings(text: str) -> tuple[str, ...]:
    """Return the first sentence of a text; if it is repeated, the next as well, because either may be the repetition."""
    said = [sentence for piece in BREAK.split(text.strip())[::2] if (sentence := without_placeholders(piece))]
    keys = [_collect_key(sentence) for sentence in said]
    found = []
    for at, key in enumerate(keys):
        if key not in keys[:at]:
            found.append(said[at])
            if key not in keys[at + 1 :]:
                break
    return tuple(found)


def _collect_key(sentence: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", sentence.casefold()))


def _collect_once(sentences: list[str]) -> list[str]:
    """Empty the sentences that say what another one says word for word, alone or, if it is no single word, among others."""
    keys = [_collapse_repetition(_collect_key(sentence)) for sentence in sentences]
    said = [f" {' '.join(key)} " if key else "" for key, _ in keys]
    whole = "\n".join(dict.fromkeys(each for each in said if each))
    kept: list[str] = []
    seen: set[str] = set()
    for sentence, (key, whole_words), line in zip(sentences, keys, said, strict=True):
        if line and (line in seen or (len(key) > 1 and whole.count(line) > 1)):
            kept.append("")
        else:
            kept.append(sentence if whole_words else _get_first(sentence, len(key)))
        seen.add(line)
    return kept


def _collapse_repetition(key: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """Return the words that a sentence says, and whether it says them once only."""
    for length in range(1, len(key) // 2 + 1 if len(set(key)) * 2 <= len(key) else 0):
        if len(key) % length == 0 and key == key[:length] * (len(key) // length):
            return key[:length], False
    return key, True


def _get_first(sentence: str, count: int) -> str:
    """Return the first few words of a sentence, as they stand there."""
    ends = [word.end() for word in re.finditer(r"\w+", sentence)]
    return sentence[: ends[count - 1]]


def is_name(said: str, name: str) -> bool:
    """Return whether a text gives a name's words and no others that say anything."""
    spoken = split_words(said)
    if len(spoken) > len(split_words(name)) + MOST_BESIDE:
        return False
    plain = tuple(word for word in spoken if word not in ARTICLES)
    return (
        spoken == split_words(name)
        or plain == split_words(name)
        or _collect_meant(plain) in ((), _collect_meant(split_words(name)))
    )


def _collect_meant(said: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in said if word not in SPEAKING_OF_IT)
