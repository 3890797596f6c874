"""The server mode as users of the TypeScript SDKs and of the MCP Inspector meet it: every tool, every kind of error.

    PYTHONPATH=. python evals/serve/clients/run.py [--only CLIENT] [--write evals/results/serve.md]

Installs the clients of package.json into a cache folder outside of the checkout (Node and npm are needed), starts
`mcp-review serve` as they do, over stdio and Streamable HTTP, and checks what their user gets to see. Exits with 1 if
anything is not as it should be, and with 2 if there is no Node.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))

from cases import ANSWER, HURRIED, LONG, UNKNOWN_TOOL, Case, cases, write  # noqa: E402

MARK = "<!-- clients: written by evals/serve/clients/run.py --write -->"
SERVE = [sys.executable, "-P", "-m", "reviewer", "serve"]
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", "")}
SECONDS = 300
MANY = 300
"""Files of the review whose progress is told: some seconds of work."""

PATIENT = ["--connect-timeout", "60000"]
"""What keeps the Inspector 2 from giving up on a machine that is busy: milliseconds."""

AT_ONCE = 2
"""Command lines of the Inspector that run at once."""


class Seen(NamedTuple):
    """What a client's user gets of a call: a text, whether it is said to be a failure, or what the client throws."""

    text: str = ""
    failed: bool = False
    structured: bool = False
    thrown: str | None = None


class Server(NamedTuple):
    """A server that a client is to speak with: one that it starts in a folder, or one at a URL."""

    folder: Path
    options: tuple[str, ...]
    url: str | None


class Result(NamedTuple):
    """How a client fared over a transport: what is wrong by case, progress that was told, whether a call was cancelled."""

    client: str
    transport: str
    wrong: list[tuple[Case, str]]
    cases: list[Case]
    told: list[Any] | None
    cancelled: bool | None


def installed() -> Path:
    """Install the clients, once for each package.json, and return the folder."""
    wanted = (HERE / "package.json").read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "mcp-review-evals" / f"clients-{sha256(wanted).hexdigest()[:12]}"
    if not (folder / "done").exists():
        print(f"installing the clients into {folder}", file=sys.stderr, flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_bytes(wanted)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True)
        (folder / "done").touch()
    shutil.copy(HERE / "speak.mjs", folder)  # beside node_modules, where its imports are found
    return folder


def by_sdk(version: str, clients: Path, server: Server, asked: list[Case]) -> tuple[list[Seen], Any, Any]:
    """Make calls by an SDK, all in one conversation."""
    started = {
        "command": SERVE[0],
        "args": [*SERVE[1:], *server.options],
        "cwd": str(server.folder),
        "env": ENVIRONMENT,
    }
    session = {
        **({"url": server.url} if server.url else {"stdio": started}),
        "calls": [{"tool": each.tool, "arguments": each.arguments} for each in asked],
        "long": LONG if not server.options else None,
    }
    done = _run([_node(clients), "speak.mjs", version], clients, json.dumps(session))
    if not done.stdout:
        raise SystemExit(f"{version}: {done.stderr[-2000:]}")
    answer = json.loads(done.stdout)
    return [Seen(**each) for each in answer["outcomes"]], answer["told"], answer["cancelled"]


def by_inspector(
    script: str, options: list[str], clients: Path, server: Server, asked: list[Case]
) -> tuple[list[Seen], Any, Any]:
    """Make calls by the Inspector's command line, each in a conversation of its own."""
    start = [_node(clients), str(clients / "node_modules" / script), "--cli", *options]
    start += [server.url, "--transport", "http"] if server.url else [*SERVE, *server.options]

    def one(case: Case) -> Seen:
        given = [
            f"{name}={each if isinstance(each, str) else json.dumps(each)}" for name, each in case.arguments.items()
        ]
        call = ["--method", "tools/call", "--tool-name", case.tool]
        done = _run([*start, *call, *(["--tool-arg", *given] if given else [])], server.folder)
        return _shown(done)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, asked)), None, None


def _shown(done: "subprocess.CompletedProcess[str]") -> Seen:
    try:
        result = json.loads(done.stdout)
        text = "\n".join(each["text"] for each in result["content"])
    except (ValueError, KeyError):
        return Seen(thrown=done.stdout + done.stderr)
    return Seen(text, result.get("isError") is True, "structuredContent" in result)


def _node(clients: Path) -> str:
    return str(clients / "node_modules" / ".bin" / "node")


def _run(command: list[str], folder: Path, given: str = "") -> "subprocess.CompletedProcess[str]":
    # In its own folder of settings, the Inspector leaves those of the user alone.
    environment = {**os.environ, **ENVIRONMENT, "MCP_CATALOG_PATH": str(folder / "none.json")}
    return subprocess.run(
        command, cwd=folder, env=environment, input=given, capture_output=True, text=True, timeout=SECONDS, check=False
    )


Speaks = Callable[[Path, Server, list[Case]], tuple[list[Seen], Any, Any]]
CLIENTS: dict[str, tuple[str, Speaks]] = {
    "sdk-v1": ("TypeScript SDK 1", partial(by_sdk, "v1")),
    "sdk-v2": ("TypeScript SDK 2", partial(by_sdk, "v2")),
    "inspector-v1": ("Inspector 1, `--cli`", partial(by_inspector, "inspector-v1/cli/build/cli.js", [])),
    "inspector-v2": (
        "Inspector 2, `--cli`",
        partial(by_inspector, "inspector-v2/clients/launcher/build/index.js", PATIENT),
    ),
}


def fault(case: Case, seen: Seen) -> str | None:
    """Say what is wrong with what a user sees; None if it is as it should be."""
    shown = seen.thrown if seen.thrown is not None else seen.text
    if case.expected == UNKNOWN_TOOL:
        told = seen.thrown is not None and re.search(r"unknown tool|tool_not_found|not found", seen.thrown)
        return None if told else f"no error of the protocol: {shown[:200]}"
    if seen.thrown is not None:
        return f"thrown: {seen.thrown[:200]}"
    if case.expected == ANSWER:
        return None if seen.structured and not seen.failed else f"no answer: {shown[:200]}"
    if seen.structured or not seen.failed or not seen.text.startswith(f"{case.expected}: "):
        return f"not the error: {shown[:200]}"
    return None


@contextmanager
def serving(folder: Path, transport: str, *options: str) -> Iterator[Server]:
    """Have a server for a transport."""
    if transport == "stdio":
        yield Server(folder, options, None)
        return
    command = [*SERVE, "--http", "127.0.0.1:0", *options]
    with subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            yield Server(folder, options, process.stderr.readline().split()[-1])
        finally:
            process.terminate()


def tried(name: str, transport: str, clients: Path, folder: Path) -> Result:
    """Have a client make every call over a transport."""
    title, speaks = CLIENTS[name]
    asked = [each for each in cases() if not each.typed or name.startswith("sdk")]
    hurried = [each for each in asked if each.expected == HURRIED]
    others = [each for each in asked if each.expected != HURRIED]
    with serving(folder, transport) as server:
        seen, told, cancelled = speaks(clients, server, others)
    with serving(folder, transport, "--timeout", "0.001") as server:
        late, _, _ = speaks(clients, server, hurried)
    every = [*zip(others, seen, strict=True), *zip(hurried, late, strict=True)]
    wrong = [(case, said) for case, each in every if (said := fault(case, each)) is not None]
    return Result(title, transport, wrong, [case for case, _ in every], told, cancelled)


def row(result: Result) -> list[str]:
    """Write the figures of a result: answers, errors, progress, whether a call was cancelled."""
    wrong = {id(case) for case, _ in result.wrong}
    answers = [case for case in result.cases if case.expected == ANSWER]
    errors = [case for case in result.cases if case.expected != ANSWER]
    right = (sum(id(each) not in wrong for each in group) for group in (answers, errors))
    counts = [f"{count} of {len(group)}" for count, group in zip(right, (answers, errors), strict=True)]
    told = "not asked for" if result.told is None else f"{len(result.told)} notifications"
    cancelled = {None: "not tried", True: "yes", False: "no"}[result.cancelled]
    return [result.client, result.transport, *counts, told, cancelled]


def is_right(result: Result) -> bool:
    """Return whether all was as it should be: cases, and progress that increases."""
    steps = [each["progress"] for each in result.told or ()]
    return not result.wrong and steps == sorted(set(steps)) and result.cancelled is not False and result.told != []


def print_cases(results: list[Result]) -> None:
    """Print each case by client and transport: `ok`, or what is wrong."""
    for case in cases():
        outcomes = []
        for each in results:
            said = next((text for other, text in each.wrong if other == case), None)
            ran = case in each.cases
            outcomes.append(f"{each.client} {each.transport}: {said or ('ok' if ran else 'cannot be sent')}")
        print(f"{case.tool}, {case.name} ({case.expected}): " + "; ".join(outcomes))


HEAD = ["client", "transport", "answers shown", "errors readable", "progress", "cancelled"]


def main() -> None:
    """Try every client."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=CLIENTS, help="try this client alone; repeatable")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a Markdown page")
    given = parser.parse_args()
    missing = [each for each in ("node", "npm") if shutil.which(each) is None]
    if missing:
        print(f"{' and '.join(missing)} not found: install Node.js 18 or newer to try these clients", file=sys.stderr)
        sys.exit(2)
    clients = installed()
    results = []
    with TemporaryDirectory() as name:
        write(Path(name), MANY)
        for client in given.only or CLIENTS:
            for transport in ("stdio", "HTTP"):
                results.append(tried(client, transport, clients, Path(name)))
                print(f"{'' if is_right(results[-1]) else 'WRONG '}{', '.join(row(results[-1]))}", flush=True)
    print_cases(results)
    if given.write:
        rows = "\n".join(f"| {' | '.join(each)} |" for each in (HEAD, ["---"] * len(HEAD), *map(row, results)))
        before, _, after = given.write.read_text("utf-8").partition(MARK)
        _, heading, rest = after.partition("\n## ")
        given.write.write_text(f"{before}{MARK}\n\n{rows}\n{heading}{rest}", "utf-8")
    sys.exit(0 if all(map(is_right, results)) else 1)


if __name__ == "__main__":
    main()
