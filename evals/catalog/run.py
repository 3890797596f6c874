"""What `mcp-review catalog` reads from the source of published servers, beside what the running servers answer.

    python evals/catalog/run.py [--only PACKAGE ...] [--write docs/accuracy.md] [--faults 5]

Needs `uv`. The servers are in `manifest.toml`; what is installed, unpacked and answered stays in the cache, so that a
later run starts no server. Only the time that reading takes is measured, one server after the other.
"""

import argparse
import json
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from live import ask
from manifest import Server, UnavailableError, load
from place import environment, source, versions
from readers import PEER, Reader, ours, peer
from scores import COLUMNS, score
from table import PEER_COLUMNS, Row, faults, record, table, write

CACHE = Path.home() / ".cache" / "mcp-review" / "catalog"
COMMAND = shlex.quote(str(Path(sys.executable).with_name("mcp-review")))


PEER_ABOUT = f"What the linter `{PEER}` extracts from the same sources; it does not say what it could not read:"


@dataclass(frozen=True)
class Prepared:
    """A server with its source and its answer at hand, or the reason why not."""

    server: Server
    source: Path
    tools: list[dict[str, Any]]
    sdk: dict[str, str]
    failure: str = ""


def answer(server: Server, cache: Path, refresh: bool) -> dict[str, Any]:
    """Give what a server answered, with the versions it ran with, and start it only if that is not kept yet."""
    kept = cache / "answers" / f"{server.key}.json"
    if refresh or not kept.exists():
        required = [server.pin, *server.requirements]
        place = environment(cache, server.place, server.python, required, server.override)
        found = {"versions": versions(place), "python": server.python, "pages": ask(server, place)}
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(found, indent=1), "utf-8")
    held: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    return held


def prepare(server: Server, cache: Path, refresh: bool) -> Prepared:
    """Fetch what the comparison of a server needs."""
    try:
        if server.skip:
            raise UnavailableError(server.skip)
        given = answer(server, cache, refresh)
        tools = [tool for page in given["pages"] for tool in page.get("tools", [])]
        sdk = {**given["versions"], **server.sdk, "python": given["python"]}
        prepared = Prepared(server, source(server, cache), tools, sdk)
    except UnavailableError as error:
        prepared = Prepared(server, cache, [], {}, f"not started: {error}")
    print(f"{server.pin}: {prepared.failure or f'{len(prepared.tools)} tools'}", file=sys.stderr, flush=True)
    return prepared


def compare(prepared: Prepared, reader: Reader) -> Row:
    """Read a server's source and score what was read."""
    if prepared.failure:
        return Row(prepared.server, failure=prepared.failure)
    try:
        reading = reader(prepared.source, prepared.sdk)
    except UnavailableError as error:
        return Row(prepared.server, failure=str(error))
    return Row(prepared.server, score(prepared.tools, reading.tools), reading.seconds)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="PACKAGE", help="compare these servers alone")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where to keep what is fetched")
    parser.add_argument("--command", default=COMMAND, help="how our own program is called")
    parser.add_argument("--refresh", action="store_true", help="start the servers again")
    parser.add_argument("--no-peer", action="store_true", help=f"leave out {PEER}")
    parser.add_argument("--jobs", type=int, default=2, help="servers to install and start at a time")
    parser.add_argument("--faults", type=int, default=0, metavar="N", help="list the first faults of each server")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables into a Markdown page")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was counted")
    return parser.parse_args()


def main() -> None:
    """Prepare the servers, read each, and print, write or record what came of it."""
    given = arguments()
    cache = given.cache.resolve()
    servers = load(Path(__file__).with_name("manifest.toml"), given.only)
    with ThreadPoolExecutor(given.jobs) as pool:
        prepared = list(pool.map(partial(prepare, cache=cache, refresh=given.refresh), servers))
    rows = {"mcp-review": [compare(each, ours(shlex.split(given.command))) for each in prepared]}
    text = table(rows["mcp-review"], list(COLUMNS))
    if not given.no_peer:
        reader = peer(cache)
        rows[PEER] = [compare(each, reader) for each in prepared]
        text += f"\n\n{PEER_ABOUT}\n\n{table(rows[PEER], PEER_COLUMNS)}"
    print(text)
    if given.faults:
        print(f"\n{faults(rows['mcp-review'], given.faults)}")
    if given.write:
        write(given.write, text)
    if given.json:
        given.json.write_text(json.dumps({name: record(each) for name, each in rows.items()}, indent=1), "utf-8")


if __name__ == "__main__":
    main()
