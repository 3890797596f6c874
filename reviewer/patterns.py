"""Regular expressions of rules, compiled when they are first used: a review of one server needs a third of them."""

import re
from typing import Any, cast


class _Pattern:
    """Stands for a pattern; its methods are those of the compiled one, which is made when the first is asked for."""

    def __init__(self, text: str, flags: int) -> None:
        self._given = text, flags

    def __getattr__(self, name: str) -> Any:
        """Give what is asked for, and keep it for the next time."""
        found = self.__dict__[name] = getattr(re.compile(*self._given), name)
        return found


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Give what is used as `re.compile(text, flags)` is; that it is wrong shows at its first use."""
    return cast("re.Pattern[str]", _Pattern(text, flags))
