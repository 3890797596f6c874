"""What `mcp-review catalog` reads from the source of published servers, beside what the running servers answer.

    python evals/catalog/run.py [--language rust] [--only PACKAGE ...] [--write evals/results/accuracy.md] [--faults 5]

Needs `uv` for the servers in `manifest.toml`, and cargo for those in `crates.toml`; what is installed, unpacked and answered
stays in the cache, so that a later run starts no server. Only the time that reading takes is measured, one server after the
other.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import crates
import place
from live import ask
from manifest import Server, UnavailableError, load
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


@dataclass(frozen=True)
class Origin:
    """Where the servers of a language come from: their list, and how one is built, read and told the versions it has.

    `named` tells whether reading is handed these versions; a Rust crate brings the lock file that has them.
    """

    manifest: str
    environment: Callable[[Server, Path], Path]
    source: Callable[[Server, Path], Path]
    versions: Callable[[Server, Path], dict[str, str]]
    named: bool = True


ORIGINS = {
    "python": Origin("manifest.toml", place.of_server, place.source, place.versions_of),
    "rust": Origin("crates.toml", crates.environment, crates.source, crates.versions, named=False),
}


def answer(server: Server, origin: Origin, cache: Path, refresh: bool) -> dict[str, Any]:
    """Return what a server answered, with the versions it ran with, and start it only if that is not kept yet."""
    kept = cache / "answers" / f"{server.key}.json"
    if refresh or not kept.exists():
        folder = origin.environment(server, cache)
        found = {"versions": origin.versions(server, cache), "python": server.python, "pages": ask(server, folder)}
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(found, indent=1), "utf-8")
    held: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    return held


def prepare(server: Server, origin: Origin, cache: Path, refresh: bool) -> Prepared:
    """Fetch what the comparison of a server needs."""
    try:
        if server.skip:
            raise UnavailableError(server.skip)
        given = answer(server, origin, cache, refresh)
        tools = [tool for page in given["pages"] for tool in page.get("tools", [])]
        sdk = {**given["versions"], **server.sdk, "python": given["python"]} if origin.named else {}
        prepared = Prepared(server, origin.source(server, cache), tools, sdk)
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
    parser.add_argument("--language", choices=list(ORIGINS), default="python", help="whose servers are compared")
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
    origin = ORIGINS[given.language]
    servers = load(Path(__file__).with_name(origin.manifest), given.only)
    with ThreadPoolExecutor(given.jobs) as pool:
        prepared = list(pool.map(partial(prepare, origin=origin, cache=cache, refresh=given.refresh), servers))
    rows = {"mcp-review": [compare(each, ours(shlex.split(given.command))) for each in prepared]}
    text = table(rows["mcp-review"], list(COLUMNS))
    if not given.no_peer and given.language == "python":
        reader = peer(cache)
        rows[PEER] = [compare(each, reader) for each in prepared]
        text += f"\n\n{PEER_ABOUT}\n\n{table(rows[PEER], PEER_COLUMNS)}"
    print(text)
    if given.faults:
        print(f"\n{faults(rows['mcp-review'], given.faults)}")
    if given.write:
        write(given.write, text, given.language)
    if given.json:
        given.json.write_text(json.dumps({name: record(each) for name, each in rows.items()}, indent=1), "utf-8")


if __name__ == "__main__":
    main()
