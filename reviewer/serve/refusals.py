"""Why a call is refused: a code for programs, a sentence for people, and what to do next."""

from typing import Literal

RefusalCode = Literal[
    "busy",
    "cannot_review",
    "cursor_invalid",
    "cursor_stale",
    "failed",
    "invalid_arguments",
    "path_outside_roots",
    "too_large",
    "too_slow",
    "unknown_rule",
]


class RefusalError(Exception):
    """A call that cannot be answered; `message` says what is wrong, `then` what the caller may do about it."""

    def __init__(self, code: RefusalCode, message: str, then: str) -> None:
        super().__init__(message)
        self.code, self.message, self.then = code, message, then

    @property
    def text(self) -> str:
        """The code, what is wrong, and what to do about it: all that a client is told."""
        end = "" if self.message.endswith(("?", ".")) else "."
        return f"{self.code}: {self.message}{end} {self.then}"
