"""Regular expressions, compiled when they are first used: a review of one server needs a third of some six hundred."""

import re
from typing import Any, AnyStr, Generic, cast


class _Pattern(Generic[AnyStr]):
    """Stands for a pattern; its methods are those of the compiled one, which is made when the first is asked for."""

    def __init__(self, text: AnyStr, flags: int) -> None:
        self._given: tuple[AnyStr, int] = text, flags
        self.pattern: AnyStr = text

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the compiled pattern, compiling the pattern at the first use."""
        if "_compiled" not in self.__dict__:
            self.__dict__["_compiled"] = re.compile(*self._given)
        found = self.__dict__[name] = getattr(self.__dict__["_compiled"], name)
        return found


def build_word_pattern(word: bytes, after: bytes = rb"\b") -> re.Pattern[bytes]:
    r"""Return a pattern of a word that stands by itself, with what follows it.

    It begins with the word and looks back for `\b`: a pattern that begins with that is tried at each byte. Where functions are
    called, looked for so, took a tenth of the review of the MCP python-sdk.
    """
    word = re.escape(word)
    return re.compile(word + rb"(?<=\b" + word + rb")" + after)


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a stand-in for `re.compile(text, flags)` that compiles, and fails for a wrong pattern, at its first use."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))
