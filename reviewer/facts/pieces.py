"""The parts of a project's code that a tool's call reaches, piece by piece, for a judge."""

from reviewer.records import dataclass
from reviewer.source import Span, Text


@dataclass(frozen=True, slots=True)
class CodePiece:
    """A function that a tool's call reaches, or a constant that such a function reads.

    `parts` are the parts of its source that a call can reach, in order, each with its place; `signature` is its head,
    None for a constant. `outside` names the library functions that it calls, without those of the language, and
    `unfollowed` the project functions that it calls and that were not followed.
    """

    name: str
    span: Span
    parts: tuple[Text, ...]
    signature: Text | None = None
    outside: tuple[str, ...] = ()
    unfollowed: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Its source; where something is left out stands `…`."""
        return "…".join(self.parts)
