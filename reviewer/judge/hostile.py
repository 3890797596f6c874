"""Text of strangers, made harmless to show to a judge: what cannot be seen is spelled out, and nothing else is changed."""

from typing import Any

from reviewer.rules.shared.words.hidden import INVISIBLE


def escape_invisible(text: str) -> str:
    """Return a text with what cannot be seen written as `\\u{200B}`."""
    return INVISIBLE.sub(lambda found: f"\\u{{{ord(found[0]):04X}}}", text)


def escape_texts(value: Any) -> Any:
    """Spell out what cannot be seen in every text of a JSON value."""
    match value:
        case str():
            return escape_invisible(value)
        case dict():
            return {escape_invisible(str(key)): escape_texts(each) for key, each in value.items()}
        case list() | tuple():
            return [escape_texts(each) for each in value]
    return value
