"""A document → what fits into one answer: a page of its rows, the fields that were asked for, long values as previews."""

import base64
import binascii
import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from secrets import token_bytes
from typing import Any, NamedTuple

from reviewer.judge.hostile import escape_texts
from reviewer.records import dataclass
from reviewer.serve.refusals import RefusalError

PageRow = dict[str, Any]

DEFAULT_LIMIT = 20
"""As the checklist, §1, has it: this server keeps to what it checks."""

MOST_ROWS = 100
"""The maximum of the checklist, §1: a larger limit is clamped."""

MOST_ANSWER = 40_000
"""Characters of JSON in one answer: some ten thousand tokens."""

LONG = 1_500
"""Characters of JSON from which a value is given as a preview, unless its field is asked for by name."""

PREVIEW = 300
"""Within the 500 characters of the checklist, §3, and enough to see what it is."""

PAGE = 400
"""Characters that are left for where a page stands."""


class Whole(NamedTuple):
    """The call that gives a long value whole, and the command that does where it is too long for any answer."""

    tool: str
    parameters: PageRow
    command: str


class AskedRows(NamedTuple):
    """What a caller asks of a list: rows at most, the place to go on from, the fields of each row (none: all).

    Long values of `entire` fields are given without being asked for by name.
    """

    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    fields: Sequence[str] = ()
    entire: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Cursors:
    """Seals places in lists: a cursor is of use for this server process, for the same question, and for nothing else."""

    _key: bytes = field(default_factory=lambda: token_bytes(32))

    def seal(self, name: str, start: int, question: str) -> str:
        """Make the cursor that leads to a row of a document."""
        place = f"{name}:{start}"
        sealed = self._get_seal(place, question) + place.encode()
        return base64.urlsafe_b64encode(sealed).decode().rstrip("=")

    def open(self, cursor: str, question: str) -> tuple[str, int]:
        """Return the document's name and the row. Raises RefusalError for what was not sealed here, for this question."""
        try:
            sealed = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
            seal, place = sealed[:16], sealed[16:].decode()
        except (ValueError, binascii.Error):
            seal, place = b"", ""
        if not hmac.compare_digest(seal, self._get_seal(place, question)):
            raise RefusalError(
                "cursor_invalid",
                "the cursor is not one that this server gave for these arguments",
                "Give `next_cursor` of the page before with the same arguments (`limit` may differ), or leave `cursor` out.",
            )
        name, _, start = place.rpartition(":")
        return name, int(start)

    def _get_seal(self, place: str, question: str) -> bytes:
        return hmac.digest(self._key, f"{place}\0{question}".encode("utf-8", "surrogatepass"), "sha256")[:16]


def encode_question(*arguments: Any) -> str:
    """Write what a list depends on in one way."""
    return json.dumps(arguments)


def fit_rows(
    rows: Sequence[PageRow], start: int, asked: AskedRows, spare: int, whole: Callable[[PageRow, str], Whole]
) -> list[PageRow]:
    """Return as many rows from `start` on as are asked for and fit, and one in any case. Harmless to show."""
    most = min(max(asked.limit, 1), MOST_ROWS)
    taken: list[PageRow] = []
    for row in rows[start : start + most]:
        shown = _fit_row(_choose(row, asked.fields), (*asked.fields, *asked.entire), spare, partial(whole, row))
        spare -= measure_length(shown)
        if taken and spare < 0:
            break
        taken.append(shown)
    return taken


def _choose(row: PageRow, fields: Sequence[str]) -> PageRow:
    return escape_texts({key: each for key, each in row.items() if not fields or key in fields})  # type: ignore[no-any-return]


def _fit_row(row: PageRow, named: Sequence[str], spare: int, whole: Callable[[str], Whole]) -> PageRow:
    """Return previews for long values that were not requested by name, and for the longest ones until the row fits."""
    shown = {
        key: _get_preview(each, whole(key)) if key not in named and measure_length(each) > LONG else each
        for key, each in row.items()
    }
    for key in sorted(named, key=lambda key: -measure_length(row.get(key))):
        if measure_length(shown) > max(spare, MOST_ANSWER // 2 - PAGE) and measure_length(row.get(key)) > LONG:
            shown[key] = _get_preview(row[key], Whole("command line", {"command": whole(key).command}, ""))
    return shown


def _get_preview(value: Any, whole: Whole) -> PageRow:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return {
        "_truncated": True,
        "characters": len(text),
        "preview": text[:PREVIEW],
        "full_action": whole.tool,
        "full_params": whole.parameters,
    }


def measure_length(value: Any) -> int:
    """Measure a value as JSON, in characters."""
    return len(json.dumps(value, ensure_ascii=False))
