"""The scores as Markdown and as JSON."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manifest import Server
from scores import COLUMNS, Score

MARKS = {
    "python": ("<!-- accuracy: begin -->", "<!-- accuracy: end -->"),
    "rust": ("<!-- accuracy of Rust: begin -->", "<!-- accuracy of Rust: end -->"),
}
RATES = [column for column in COLUMNS if column not in ("live", "read")]
PEER_COLUMNS = ["live", "read", "found", "wrong", "desc", "raw", "params"]
ABOUT = """# Accuracy

`mcp-review catalog` says from a server's source alone which tools it has. Here that is compared with what published
servers answer: each release below is installed in an environment of its own, started over stdio with dummy settings,
and asked for `tools/list`. What is read is the release's own files, not that environment; the versions of the SDKs in
it are handed over.

```sh
pip install uv
python evals/catalog/run.py --write evals/results/accuracy.md
python evals/catalog/run.py --language rust --write evals/results/accuracy.md  # needs cargo
```

Answers, environments and sources stay in a cache; `--refresh` starts the servers again. What the columns count:

"""


@dataclass(frozen=True)
class Row:
    """One server's line: a score, or why there is none."""

    server: Server
    score: Score | None = None
    seconds: float = 0.0
    failure: str = ""

    @property
    def counted(self) -> bool:
        """Return whether the totals include the server."""
        return self.score is not None and not self.server.dynamic


def line(cells: Iterable[Any]) -> str:
    """Write one line of a Markdown table."""
    return f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |"


def remark(row: Row) -> str:
    """Say what a reader of the line has to know."""
    parts = ["not in the totals" if row.server.dynamic else "", row.server.note, row.failure]
    return "; ".join(part for part in parts if part)


def cells(row: Row, columns: list[str]) -> list[Any]:
    """Return the cells of a server's line."""
    name = f"{row.server.package} {row.server.version}"
    if row.score is None:
        return [name, *["–"] * (len(columns) + 1), remark(row)]
    return [name, *(row.score.counts[column] for column in columns), f"{row.seconds:.2f}", remark(row)]


def total(rows: list[Row]) -> Counter[str]:
    """Add up the servers whose tools are in their source."""
    return sum((row.score.counts for row in rows if row.counted and row.score), Counter())


def shares(rows: list[Row]) -> dict[str, float]:
    """Return for each column as a share of all live tools."""
    added = total(rows)
    return {column: added[column] / (added["live"] or 1) for column in RATES}


def means(rows: list[Row]) -> dict[str, float]:
    """Return the mean over servers of each column's share, so that a large server counts as much as a small one."""
    counts = [row.score.counts for row in rows if row.counted and row.score]
    return {column: sum(each[column] / (each["live"] or 1) for each in counts) / (len(counts) or 1) for column in RATES}


def percent(name: str, rates: dict[str, float], columns: list[str]) -> list[str]:
    """Return the cells of a line of shares."""
    return [name, *(f"{rates[column]:.1%}" if column in rates else "" for column in columns), "", ""]


def table(rows: list[Row], columns: list[str]) -> str:
    """Write the servers, their totals, and the shares both ways."""
    added = total(rows)
    counted = [row for row in rows if row.counted]
    header = ["server", *columns, "seconds", "remark"]
    seconds = f"{sum(row.seconds for row in counted):.2f}"
    lines = [
        header,
        ["---"] * len(header),
        *(cells(row, columns) for row in rows),
        [f"total of {len(counted)} servers", *(added[column] for column in columns), seconds, ""],
        percent("share of all tools", shares(rows), columns),
        percent("mean over servers", means(rows), columns),
    ]
    return "\n".join(line(each) for each in lines)


def faults(rows: list[Row], most: int) -> str:
    """List the first faults of each server."""
    listed = [(row.server.package, fault) for row in rows if row.score for fault in row.score.faults[:most]]
    return "\n".join(f"{package}: {fault}" for package, fault in listed)


def every(counts: Counter[str]) -> dict[str, int]:
    """Return all columns, those that are nought as well."""
    return {column: counts[column] for column in COLUMNS}


def record(rows: list[Row]) -> dict[str, Any]:
    """Return everything that was counted, for programs."""
    servers = [
        {"package": row.server.package, "version": row.server.version, "dynamic": row.server.dynamic}
        | ({"counts": every(row.score.counts), "faults": row.score.faults} if row.score else {"failure": row.failure})
        | {"seconds": round(row.seconds, 3)}
        for row in rows
    ]
    return {"servers": servers, "total": every(total(rows)), "share": shares(rows), "mean": means(rows)}


def introduction() -> str:
    """Write what stands before the tables in a page that does not exist yet."""
    meanings = "\n".join(f"- `{column}`: {meaning}" for column, meaning in COLUMNS.items())
    tables = "\n\n".join(f"## {language.title()}\n\n{begin}\n{end}" for language, (begin, end) in MARKS.items())
    return f"{ABOUT}{meanings}\n\n{tables}\n"


def write(page: Path, text: str, language: str) -> None:
    """Put the table of a language between its marks of a page."""
    begin, end = MARKS[language]
    before, _, rest = (page.read_text("utf-8") if page.exists() else introduction()).partition(begin)
    _, mark, after = rest.partition(end)
    if not mark:
        raise SystemExit(f"{page.name} lacks {begin} or {end}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")
