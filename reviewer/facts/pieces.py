"""What of a project's code a call of a tool reaches, piece by piece, for whoever is to judge by it."""

from reviewer.records import dataclass
from reviewer.source import Span, Text


@dataclass(frozen=True, slots=True)
class CodePiece:
    """A function that a call of a tool reaches, or a constant that such a function reads.

    `parts` are its source without what no call of the tool comes to, in order, each with its place; `signature` is its head,
    None of a constant. `outside` names what it calls of libraries, those of its language left out, and `unfollowed` what it calls
    of the project and nobody followed.
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
