"""Which of the code that a tool reaches a judge is shown, and what is said of the rest."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from reviewer.facts import CodePiece
from reviewer.judge.quotes import locate_in_text, normalize_text
from reviewer.source import Span

FIRST = 5_000
"""Characters of code that are shown at first: some 1,600 tokens.

That is all that tools of small servers reach (git, sqlite, kubectl: 2,000 to 4,500 in the middle); of large ones it is the own
function, what it hands the call on to, and what these change, read and check. With 8,000 a server of 50 tools took a tenth more.
"""

DECISIVE = 10_000
"""Characters for the functions that a question depends on: without them it cannot be answered, and asking again costs
more.
"""

NEXT = 24_000
"""Characters for who could not decide by the first: what was left out there, and as much of the rest as there is room for."""

HEADS = 1_200
"""Characters of the heads of functions that are not shown in full."""

CUT = 1_500
"""Characters: of a function that is longer than what is left, the beginning is shown if there is as much room as this."""

NAMED = 60
"""Names of functions that are not shown, and of what is called outside of the project."""


class CodeSlice(NamedTuple):
    """What is shown of some code: `pieces` as a judge sees them, `rest` what is said of all else, None if nothing is."""

    pieces: list[dict[str, str]]
    rest: dict[str, Any] | None
    is_whole: bool


def slice_code(reached: Sequence[CodePiece], decisive: Collection[Span] = (), *, more: bool = False) -> CodeSlice:
    """Cut the code that a tool reaches; `more` for who could not decide by what is shown at first.

    After the tool's own function come those that hold the `decisive` places.
    """
    first, *others = reached
    turning = [each for each in others if any(each.span.holds(place) for place in decisive)]
    further = [each for each in others if each not in turning]
    chosen, left = _choose_pieces([first, *turning], DECISIVE if turning else FIRST)
    beside, out = _choose_pieces(further, FIRST - sum(map(len, chosen.values())), is_begun=True)
    chosen, left = chosen | beside, left + out
    if more:
        further = [*(each for each in further if each in left), *(each for each in further if each not in left)]
        chosen, left = _choose_pieces([first, *turning, *further], NEXT)
    heads, unshown = _choose_heads([each for each in reached if each not in chosen])
    shown = [{"at": _format_place(each), "source": chosen[each]} for each in reached if each in chosen]
    whole = [each for each in reached if each in chosen]
    outside = dict.fromkeys(name for each in whole for name in each.outside)
    unfollowed = dict.fromkeys(name for each in whole for name in each.unfollowed)
    rest = {
        "functions": [f"{each.name} ({_format_place(each)})" for each in unshown[:NAMED]],
        "more functions": max(len(unshown) - NAMED, 0),
        "calls that were not followed": list(unfollowed)[:NAMED],
        "outside of the project": list(outside)[:NAMED],
    }
    told = {key: value for key, value in rest.items() if value}
    return CodeSlice([*shown, *heads], told or None, not left)


def _choose_pieces(
    reached: Sequence[CodePiece], most: int, *, is_begun: bool = False
) -> tuple[dict[CodePiece, str], list[CodePiece]]:
    """Return the texts of the pieces for which there is room, and those that are not shown in full."""
    chosen: dict[CodePiece, str] = {}
    left: list[CodePiece] = []
    room = most
    for number, each in enumerate(reached):
        text = each.text
        if len(text) > room:
            left.append(each)
            if (number or is_begun) and room < CUT:
                continue
            text = f"{text[:room].rpartition(chr(10))[0]}\n…"
        chosen[each] = text
        room -= len(text)
    return chosen, left


def _choose_heads(left: Iterable[CodePiece]) -> tuple[list[dict[str, str]], list[CodePiece]]:
    """Return the heads of functions, as far as there is room for them, and the functions of which not even that is shown."""
    heads: list[dict[str, str]] = []
    unshown: list[CodePiece] = []
    room = HEADS
    for each in left:
        if each.signature is None or len(each.signature) > room:
            unshown.append(each)
            continue
        heads.append({"at": _format_place(each), "head": str(each.signature)})
        room -= len(each.signature)
    return heads, unshown


def _format_place(piece: CodePiece) -> str:
    return f"{piece.span.path}:{piece.span.line}"


def locate_quote(reached: Iterable[CodePiece], quote: str | None, lines: Callable[[str], list[str]]) -> Span | None:
    """Return where a quote of code stands in the source, None if it is of none of the pieces."""
    wanted = normalize_text(quote or "")
    for part in (part for each in reached for part in each.parts) if wanted else ():
        if wanted in normalize_text(part):
            return locate_in_text(part, wanted, lines(part.span.path))
    return None
