"""Which parts of a message are code: what stands between backticks, although what is quoted may hold backticks of its own."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator


def iter_quoted_parts(message: str) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a message in order, each with whether it is code.

    As in CommonMark, backticks open code that as many backticks close. Beyond it, they open where no word is before them and
    close where none is behind: messages quote source as it is, and a backtick within a word is part of what they quote. So is
    what stands between backticks in it: "`query("SELECT `id` FROM note")`" is one part.
    Backticks without a partner are text. The time is linear in the length of the message.
    """
    runs = list(re.finditer("`+", message))
    closing: defaultdict[int, list[int]] = defaultdict(list)
    for run in runs:
        if not _is_word(message[run.end() : run.end() + 1]):
            closing[len(run[0])].append(run.start())
    outer = _find_outer(message, runs)
    at = 0
    for run in runs:
        ends = closing[len(run[0])]
        nearest = bisect_right(ends, run.start())
        if run.start() < at or nearest == len(ends) or _is_word(message[max(0, run.start() - 1) : run.start()]):
            continue
        end = outer.get(run.start(), ends[nearest])
        yield False, message[at : run.start()]
        yield True, message[run.end() : end]
        at = end + len(run[0])
    yield False, message[at:]


def _find_outer(message: str, runs: list[re.Match[str]]) -> dict[int, int]:
    """Return where the single backticks close that hold others, which surely open: no word is before them, and one behind."""
    found: dict[int, int] = {}
    waiting: list[tuple[int, bool]] = []
    for run in runs:
        before, behind = (
            _is_word(each)
            for each in (message[max(0, run.start() - 1) : run.start()], message[run.end() : run.end() + 1])
        )
        if len(run[0]) != 1 or (before and behind):
            continue
        if not before and (behind or not waiting):
            waiting.append((run.start(), len(waiting) > 0))
        elif waiting:
            start, is_inner = waiting.pop()
            if not is_inner:
                found[start] = run.start()
    return found


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
