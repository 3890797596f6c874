"""The `claude` command: whoever is logged in there judges without a key of the API.

It is started with nothing but the question: in an empty folder, without tools, servers, settings or hooks of the place where the
review runs, which may be a stranger's checkout.
"""

import asyncio
import contextlib
import json
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from shutil import which
from typing import Any

from reviewer.caching import cache
from reviewer.judge.backends.pool import Ask, UnreachedError, iter_replies
from reviewer.judge.prices import CostBudget
from reviewer.judge.replies import Reply, Usage
from reviewer.judge.requests import ModelRequest, Sends, Sent
from reviewer.judge.settings import JudgeSettings

COMMAND = "claude"

AT_ONCE = 4
"""Half as many as over the API: each is a process of its own."""

MOST_SAID = 200
"""Characters of an error message that are kept."""


def build_cli_sender(judge_settings: JudgeSettings, cost_budget: CostBudget) -> Sends:
    """Make a backend that starts the command once for each request."""

    @asynccontextmanager
    async def opening() -> AsyncIterator[Ask]:
        with contextlib.ExitStack() as stack:

            async def ask(request: ModelRequest) -> Reply:
                return _parse_reply(*await _run(request, judge_settings, create_folder()))

            @cache
            def create_folder() -> str:
                made = tempfile.TemporaryDirectory(prefix="mcp-review-", ignore_cleanup_errors=True)
                return stack.enter_context(made)

            yield ask

    def send(requests: Sequence[Sent]) -> Iterator[tuple[Sent, Reply]]:
        return iter_replies(opening, requests, cost_budget, at_once=AT_ONCE, seconds=judge_settings.seconds)

    return send


def build_arguments(request: ModelRequest, judge_settings: JudgeSettings) -> list[str]:
    """Return the arguments: one answer without tools, of a form, by a model, and nothing of the user's own kept or loaded."""
    effort = () if judge_settings.effort == "none" else ("--effort", judge_settings.effort)
    return [
        *("-p", "--safe-mode", "--strict-mcp-config", "--tools", "", "--no-session-persistence"),
        *("--output-format", "json", "--json-schema", json.dumps(request.form)),
        *("--system-prompt", request.system, "--model", judge_settings.asked, *effort),
    ]


async def _run(request: ModelRequest, judge_settings: JudgeSettings, folder: str) -> tuple[int, bytes, bytes]:
    program = which(COMMAND)
    if program is None:
        raise UnreachedError(f"the command `{COMMAND}` is not on PATH", everywhere=True)
    try:
        started = await asyncio.create_subprocess_exec(
            program,
            *build_arguments(request, judge_settings),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            start_new_session=True,
        )
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UnreachedError(f"`{COMMAND}` cannot be started: {why}", everywhere=True) from None
    try:
        out, err = await started.communicate(request.user.encode())
        return started.returncode or 0, out, err
    finally:
        if started.returncode is None:  # out of time, or interrupted
            await _end(started)


async def _end(started: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(started.pid, signal.SIGKILL)
        else:
            started.kill()
    await started.wait()


def _parse_reply(code: int, out: bytes, err: bytes) -> Reply:
    try:
        result = json.loads(out)
    except (ValueError, RecursionError):
        result = None
    if not isinstance(result, dict):
        raise UnreachedError(
            f"`{COMMAND}` returns no JSON (exit code {code}{_format_said(err.decode('utf-8', 'replace'))})"
        )
    usage, model = _read_usage(result), _format_model(result)
    document = result.get("structured_output")
    if code or result.get("is_error"):
        said = result.get("result")
        why = f"`{COMMAND}` fails (exit code {code}{_format_said(said if isinstance(said, str) else '')})"
        if usage == Usage():
            raise UnreachedError(why)
        return Reply(failure=why, model=model, usage=usage)
    if not isinstance(document, dict):
        return Reply(failure="the reply does not have the requested structure", model=model, usage=usage)
    return Reply(document, model=model, usage=usage)


def _format_said(text: str) -> str:
    lines = text.strip().splitlines()
    return f": {lines[0][:MOST_SAID]}" if lines else ""


def _format_model(result: dict[str, Any]) -> str:
    used = result.get("modelUsage")
    return ", ".join(map(str, used)) if isinstance(used, dict) and used else "unknown"


def _read_usage(result: dict[str, Any]) -> Usage:
    used, cost = result.get("usage"), result.get("total_cost_usd")
    counts = used if isinstance(used, dict) else {}
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    tokens = [each if isinstance(each := counts.get(name), int) else 0 for name in names]
    paid = float(cost) if isinstance(cost, int | float) and any(tokens) else None
    return Usage(tokens[0], tokens[1], tokens[2], tokens[3], paid)
