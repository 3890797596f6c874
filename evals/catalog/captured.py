"""What `mcp-review catalog` reads from checkouts, beside what their servers answered once.

    python evals/catalog/captured.py CAPTURES --sources FOLDER [--only SERVER ...] [--faults 5]

CAPTURES has a JSON file for each server: `server`, `repo`, `commit`, `subfolder`, `sdk` (the versions that it ran with),
`catalog` (`static` if the tools are declared in its source) and the `tools` that it listed. FOLDER has the checkouts, called
`owner+name` or `owner+name@COMMIT` with the first twelve digits of the commit. No server is started. For servers that are
cumbersome to install; the others are measured by `run.py`.
"""

import argparse
import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from manifest import UnavailableError
from readers import ours
from scores import COLUMNS, score
from table import line

COMMAND = shlex.quote(str(Path(sys.executable).with_name("mcp-review")))
SHOWN = [*COLUMNS]


def find_checkout(folder: Path, capture: dict[str, Any]) -> Path:
    """Return where the source of a captured server lies."""
    name = capture["repo"].replace("/", "+")
    exact = folder / f"{name}@{(capture.get('commit') or '')[:12]}"
    return (exact if exact.is_dir() else folder / name) / (capture.get("subfolder") or "")


def iter_captures(folder: Path, only: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the captures of servers that listed tools."""
    for file in sorted(folder.glob("*.json")):
        capture = json.loads(file.read_text("utf-8"))
        if capture["tools"] and (not only or capture["server"] in only):
            yield capture


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("captures", type=Path)
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--command", default=COMMAND)
    parser.add_argument("--faults", type=int, default=0, help="differences shown for each server")
    given = parser.parse_args()
    total: Counter[str] = Counter()
    read = ours(shlex.split(given.command))
    print(line(["server", *SHOWN, "seconds", "remark"]))
    print(line(["---"] * (len(SHOWN) + 3)))
    for capture in iter_captures(given.captures, given.only):
        source = find_checkout(given.sources, capture)
        if not source.is_dir():
            continue
        is_static = capture.get("catalog", "static").startswith("static")
        remark = "" if is_static else "not in the totals; its tools are known at run time only"
        try:
            reading = read(source, capture["sdk"])
        except UnavailableError as error:
            print(line([capture["server"], *["–"] * (len(SHOWN) + 1), str(error)]))
            total.update(live=len(capture["tools"]) if is_static else 0)
            continue
        found = score(capture["tools"], reading.tools)
        total.update(found.counts if is_static else {})
        print(line([capture["server"], *(found.counts[each] for each in SHOWN), f"{reading.seconds:.2f}", remark]))
        for fault in found.faults[: given.faults]:
            print(f"    {fault}")
    print(line(["**all**", *(total[each] for each in SHOWN), "", ""]))


if __name__ == "__main__":
    main()
