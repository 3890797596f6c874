"""Text of strangers, made harmless to show to a judge: what cannot be seen is spelled out, and nothing else is changed."""

import re
import unicodedata
from typing import Any

INVISIBLE = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ue000-\uf8ff\U000f0000-\U0010ffff\ud800-\udfff]"
)
"""Control, bidi, zero-width, filler, tag and private characters. U+FE0F, which makes an emoji of a sign, is left alone."""


def spelled(text: str) -> str:
    """Give a text with what cannot be seen written as `\\u{200B}`."""
    return INVISIBLE.sub(lambda found: f"\\u{{{ord(found[0]):04X}}}", text)


def hidden(text: str) -> list[str]:
    """Name what cannot be seen in a text, each once, in order: `U+200B ZERO WIDTH SPACE`."""
    found = dict.fromkeys(INVISIBLE.findall(text))
    return [f"U+{ord(each):04X} {unicodedata.name(each, 'unnamed')}".strip() for each in found]


def harmless(value: Any) -> Any:
    """Spell out what cannot be seen in every text of a JSON value."""
    match value:
        case str():
            return spelled(value)
        case dict():
            return {spelled(str(key)): harmless(each) for key, each in value.items()}
        case list() | tuple():
            return [harmless(each) for each in value]
    return value
