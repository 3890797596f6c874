"""The server mode, reviewed by ourselves and under load: `evals/results/serve.md` has the result.

    PYTHONPATH=. python evals/serve/run.py [--peers FOLDER] [--write evals/results/serve.md]

Starts `mcp-review serve` as users do and speaks with it by the SDK's own client. FOLDER holds the commands of peers that are
installed (`node_modules/.bin`); without it they are said to be left out. Exits with 1 if anything is not as it should be.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import anyio
from mcp import Client

import reviewer
from reviewer import Flags
from reviewer.inputs.live_target import build_target
from reviewer.pipeline import read_live, run_rules
from reviewer.report.model import Report

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from serve.conversation import EXAMPLES, SERVER, children, is_running, large, launched, started  # noqa: E402

MARK = "<!-- measures: written by evals/serve/run.py --write -->"
SOURCE = ROOT / "reviewer" / "serve"
CALLS = 200
FILES = 3000
OURS = ("server-initialize", "ping", "tools-list", "server-sse-multiple-streams", "dns-rebinding-protection")
"""The scenarios of the conformance suite that ask for no tool, prompt or resource of its own reference server."""


class Measure(NamedTuple):
    """One line of the result."""

    what: str
    outcome: str
    good: bool


def own_review() -> Iterator[Measure]:
    """Review the server mode from source, and against what it answers live."""
    for profile in ("core", "action-dispatch"):
        report = reviewer.review(SOURCE, Flags(profile=profile))
        yield Measure(f"our review from source, `{profile}`", said(report), profile != "core" or spotless(report))
    command = f"{sys.executable} -P -m reviewer serve"
    asked = build_target(command, [f"PYTHONPATH={ROOT}"], (), 60)
    flags = Flags(profile="core")
    report, _ = run_rules(read_live(asked, flags, SOURCE, in_ci=True), flags)
    yield Measure("our review live, against its source, `core`", said(report), spotless(report))


def said(report: Report) -> str:
    """Say the verdict, the score and what was found."""
    found = ", ".join(sorted({f"`{each.rule.slug}`" for each in report.findings})) or "no findings"
    return f"{report.maturity.score}/100, {report.verdict}; {found}"


def spotless(report: Report) -> bool:
    """Return whether nothing was found and nothing is lacking."""
    return report.maturity.score == 100 and not report.findings and not report.broken


def paths(folder: Path, count: int) -> list[str]:
    """Write servers, and name their folders."""
    for number in range(count):
        (folder / f"s{number}").mkdir()
        (folder / f"s{number}" / "server.py").write_text(SERVER, "utf-8")
    return [f"s{number}" for number in range(count)]


async def in_flight(
    client: Client, asked: list[str], processes: Callable[[], int]
) -> tuple[float, list[float], int, int]:
    """Send a review of each path at once: seconds in all, seconds of each, answers that are right, processes at most."""
    took: list[float] = []
    right = most = 0

    async def one(path: str) -> None:
        nonlocal right
        began = time.monotonic()
        result = await client.call_tool("review-server", {"path": path}, read_timeout_seconds=300)
        took.append(time.monotonic() - began)
        right += not result.is_error and result.structured_content["report"]["version"] == 1

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, processes())
            await anyio.sleep(0.1)

    began = time.monotonic()
    async with anyio.create_task_group() as watching:
        watching.start_soon(watch)
        async with anyio.create_task_group() as group:
            for path in asked:
                group.start_soon(one, path)
        watching.cancel_scope.cancel()
    return time.monotonic() - began, took, right, most


def load() -> Iterator[Measure]:
    """Two hundred calls in flight, for one path and for twenty, over both transports."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        twenty = paths(folder, 20)
        for label, asked in (("one path", twenty[:1] * CALLS), ("20 paths", twenty * (CALLS // 20))):
            yield told(f"{CALLS} calls in flight over stdio, {label}", anyio.run(over_stdio, folder, asked))
            with over_http(folder) as (url, process):
                yield told(f"{CALLS} calls in flight over HTTP, {label}", anyio.run(at, url, process.pid, asked))


async def over_stdio(folder: Path, asked: list[str]) -> tuple[float, list[float], int, int]:
    """Speak with a server that was started for this."""
    async with started(cwd=folder) as client:
        [server] = children(os.getpid())
        return await in_flight(client, asked, lambda: len(children(server)))


async def at(url: str, process: int, asked: list[str]) -> tuple[float, list[float], int, int]:
    """Speak with a server at a URL."""
    async with Client(url) as client:
        return await in_flight(client, asked, lambda: len(children(process)))


@contextmanager
def over_http(folder: Path) -> Iterator[tuple[str, Any]]:
    """Serve a folder on a free port."""
    with launched("--http", "127.0.0.1:0", cwd=folder) as process:
        try:
            yield process.stderr.readline().split()[-1], process
        finally:
            process.terminate()


def told(what: str, outcome: tuple[float, list[float], int, int]) -> Measure:
    """Say what became of calls in flight."""
    seconds, took, right, most = outcome
    middle = sorted(took)[len(took) // 2]
    text = f"{right} answered in {seconds:.1f} s; median {middle:.1f} s; at most {most} process{'es' * (most > 1)}"
    return Measure(what, text, right == CALLS and most <= 2)


def size() -> Iterator[Measure]:
    """A tree of three thousand files: the command line, the first page, the next, a client that cancels."""
    with TemporaryDirectory() as name:
        tree = large(Path(name) / "tree", FILES)
        (tree / "m0.py").write_text(faulty(150), "utf-8")
        began = time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "reviewer", str(tree), "--no-cache"], cwd=ROOT, check=False, capture_output=True
        )
        yield Measure(f"{FILES} files, `mcp-review PATH`", f"{time.monotonic() - began:.1f} s", True)
        yield from anyio.run(pages, tree)


def faulty(count: int) -> str:
    """Write a server that much is found in."""
    tools = (f"@mcp.tool()\ndef list_things_{number}(a, b): ...\n" for number in range(count))
    return "from mcp.server import MCPServer\nmcp = MCPServer('faulty')\n" + "".join(tools)


async def pages(tree: Path) -> list[Measure]:
    """Ask for pages of a large review, and cancel one."""
    beats: list[float] = []

    async def beat(done: float, _total: float | None, _message: str | None) -> None:
        beats.append(done)

    async with started(cwd=tree.parent) as client:
        [server] = children(os.getpid())
        asked = {"path": "tree", "limit": 100}
        began = time.monotonic()
        first = await client.call_tool("review-server", asked, progress_callback=beat)
        seconds = time.monotonic() - began
        page = first.structured_content["page"]
        text = f"{seconds:.1f} s, {len(beats)} progress notifications; {len(first.content[0].text):,} characters, "
        text += f"{page['returned']} of {page['total']} findings"
        found = [Measure(f"{FILES} files, the first page", text, beats == sorted(set(beats)))]
        began = time.monotonic()
        further = await client.call_tool("review-server", {**asked, "cursor": page["next_cursor"]})
        text = f"{time.monotonic() - began:.2f} s, {len(further.content[0].text):,} characters"
        found.append(Measure(f"{FILES} files, the next page", text, not further.is_error))
        with anyio.move_on_after(2):
            await client.call_tool("review-server", asked)
        began = time.monotonic()
        idle = await gone(lambda: children(server))
        text = f"its process was gone after {time.monotonic() - began:.1f} s"
        return [*found, Measure("a client that cancels within a review", text, idle)]


async def gone(left: Callable[[], list[int]]) -> bool:
    """Wait ten seconds at most until no process is left."""
    with anyio.move_on_after(10):
        while left():
            await anyio.sleep(0.05)
    return not left()


CALL = """\
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"review-server","arguments":{"path":"tree"}}}
"""


def deaths() -> Iterator[Measure]:
    """A client that dies within a review, and a server that does."""
    with TemporaryDirectory() as name:
        large(Path(name) / "tree", FILES)
        for what in ("client", "server"):
            with launched(cwd=Path(name)) as process:
                process.stdin.write(CALL)
                process.stdin.flush()
                while not (workers := children(process.pid)):
                    time.sleep(0.05)
                time.sleep(1)
                if what == "client":
                    process.stdin.close()
                else:
                    process.kill()
                began = time.monotonic()
                everyone = [process.pid, *workers]
                idle = anyio.run(gone, lambda everyone=everyone: [each for each in everyone if is_running(each)])
                text = f"no process was left after {time.monotonic() - began:.1f} s"
                yield Measure(f"a {what} that dies within a review", text if idle else "a process was left", idle)
                process.kill()


def peers(folder: Path | None) -> Iterator[Measure]:
    """Ask others: the protocol's own conformance suite, and a linter of definitions."""
    commands = {name: folder / name if folder else None for name in ("conformance", "mcpgrade")}
    with over_http(EXAMPLES) as (url, _):
        suite, linter = commands["conformance"], commands["mcpgrade"]
        if suite and suite.exists():
            passed = [scenario(suite, url, each) for each in OURS]
            text = f"{sum(each[0] for each in passed)} checks passed, {sum(each[1] for each in passed)} failed"
            yield Measure(
                f"`@modelcontextprotocol/conformance`: {', '.join(OURS)}", text, not any(each[1] for each in passed)
            )
        else:
            yield Measure("`@modelcontextprotocol/conformance`", "left out: not at hand", True)
        if linter and linter.exists():
            yield Measure("`mcpgrade`", anyio.run(graded, linter, url), True)
        else:
            yield Measure("`mcpgrade`", "left out: not at hand", True)


def scenario(command: Path, url: str, name: str) -> tuple[int, int]:
    """Run one scenario: checks that passed and failed."""
    result = subprocess.run(
        [command, "server", "--url", url, "--scenario", name], capture_output=True, text=True, timeout=120, check=False
    )
    found = re.search(r"Passed: (\d+)/\d+, (\d+) failed", result.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 1)


async def graded(command: Path, url: str) -> str:
    """Have the definitions graded."""
    async with Client(url) as client:
        tools = [each.model_dump(by_alias=True, exclude_none=True) for each in (await client.list_tools()).tools]
    with TemporaryDirectory() as name:
        snapshot = Path(name) / "tools.json"
        snapshot.write_text(json.dumps({"tools": tools}), "utf-8")
        result = subprocess.run(
            [command, "--snapshot", snapshot], capture_output=True, text=True, timeout=120, check=False
        )
    grade = re.search(r"\b(\d+)/100", result.stdout)
    findings = re.search(r"findings: (.*)", result.stdout)
    return f"{grade[0] if grade else 'no grade'}; {findings[1].replace(' · ', ', ') if findings else 'no findings'}"


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, metavar="FOLDER", help="where the commands of peers are")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a Markdown page")
    given = parser.parse_args()
    measures = []
    for part in (own_review(), peers(given.peers), load(), size(), deaths()):
        for each in part:
            print(f"{'' if each.good else 'WRONG '}{each.what}: {each.outcome}", flush=True)
            measures.append(each)
    if given.write:
        head, _, _ = given.write.read_text("utf-8").partition(MARK)
        rows = "".join(f"| {each.what} | {each.outcome} |\n" for each in measures)
        given.write.write_text(f"{head}{MARK}\n\n| measure | outcome |\n| --- | --- |\n{rows}", "utf-8")
    sys.exit(0 if all(each.good for each in measures) else 1)


if __name__ == "__main__":
    main()
