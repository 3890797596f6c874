"""Characters that cannot be seen: which of them a text has a use for, which hide something, which are left over.

What a script or an emoji needs is taken out first; whatever is left of the unseen has no use where it stands.
"""

import re
import unicodedata

from reviewer.text.patterns import pattern

INVISIBLE = pattern(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ue000-\uf8ff\U000f0000-\U0010ffff\ud800-\udfff]"
)
"""Control, bidi, zero-width, filler, tag and private characters. U+FE0F, which makes an emoji of a sign, is left alone."""

_HIDING = pattern(
    "[\u001b\u009b\u180b-\u180f\u200b-\u200d\u202a-\u202e\u2060-\u206f\ufe00-\ufe0e\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""What takes no width, turns the order of what is seen, spells in tags or selectors, or steers a terminal."""

_RIGHT_TO_LEFT = pattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""The blocks of Unicode with scripts that run from right to left: Hebrew to Arabic Extended, their presentation forms, and the
planes' parts that are kept for such scripts."""

_DIRECTING = pattern("[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]")
"""What a text of mixed direction may need; not the overrides, which no writer does."""

_SIGNS = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_NEEDED = pattern(
    "\\A\ufeff"  # where a file begins
    "|\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f"  # the flag of a region
    f"|(?<=[{_SIGNS}\ufe0f])\u200d(?=[{_SIGNS}])"  # an emoji of several
    "|(?<=[\u0600-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc])[\u200c\u200d]"  # scripts that join letters
    "|(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff])\u200b"  # scripts without spaces
    "|(?<=[\u1820-\u18aa])[\u180b-\u180f]"  # Mongolian
    "|(?<=[\u00a1-\u167f\u2010-\u2027\u2030-\u205f\u2070-\ud7ff\uf900-\ufaff\U0001f000-\U0001faff])[\ufe00-\ufe0e]"
    "(?![\ufe00-\ufe0f])"  # one form of a sign
    "|(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"  # one form of an ideograph
)


def find_hiding_characters(text: str) -> list[str]:
    """Return the characters that hide something, each once, in order."""
    return list(dict.fromkeys(_HIDING.findall(_format_useless(text))))


def find_stray_characters(text: str) -> list[str]:
    """Return the characters that cannot be seen and hide nothing: controls, soft hyphens, private ones; each once, in order."""
    return [each for each in dict.fromkeys(INVISIBLE.findall(_format_useless(text))) if not _HIDING.match(each)]


def decode_tags(text: str) -> str:
    """Return the plain letters that the tag characters of a text spell; empty if there are none."""
    tags = re.findall("[\U000e0020-\U000e007e]", _format_useless(text))
    return "".join(chr(ord(each) - 0xE0000) for each in tags)


def format_characters(characters: list[str], most: int = 3) -> str:
    """Name characters for a message: `U+200B ZERO WIDTH SPACE, U+E0041 TAG LATIN CAPITAL LETTER A and more`."""
    names = [f"U+{ord(each):04X} {unicodedata.name(each, '')}".strip() for each in characters]
    return ", ".join(names[:most]) + (" and more" if len(names) > most else "")


SHOWN = frozenset({"title", "description"})
"""Texts that are only shown: nothing else goes by them."""


def are_useless(text: str, characters: list[str]) -> bool:
    """Return whether a text has no use for any of some characters wherever they stand in it; a private one may mean something."""
    left = _format_useless(text)
    return all(left.count(each) == text.count(each) and unicodedata.category(each) != "Co" for each in characters)


def _format_useless(text: str) -> str:
    """Take out of a text what its scripts and emoji need."""
    if text.isascii():
        return text
    left = _NEEDED.sub("", text)
    return _DIRECTING.sub("", left) if _RIGHT_TO_LEFT.search(left) else left
