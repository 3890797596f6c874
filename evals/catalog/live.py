"""Asks a server that it starts for its tools, in plain JSON-RPC: a typed client refuses a page for one bad tool."""

import contextlib
import itertools
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from manifest import Server, UnavailableError
from place import last_line

PROTOCOL = "2025-11-25"
"""What is asked for, unless the manifest says that a server answers to an older one alone."""

SECONDS = 90
METHOD_NOT_FOUND = -32601


class Conversation:
    """Requests to a server that runs, and its answers."""

    def __init__(self, process: "subprocess.Popen[str]"):
        assert process.stdin
        assert process.stdout
        self.to: IO[str] = process.stdin
        self.of: IO[str] = process.stdout
        self.ids = itertools.count(1)

    def send(self, **message: Any) -> None:
        """Write one message."""
        self.to.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.to.flush()

    def messages(self) -> Iterator[dict[str, Any]]:
        """Read messages and pass over what a server prints beside them."""
        for line in self.of:
            with contextlib.suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict):
                    yield message

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask and wait for the answer; whatever the server asks meanwhile is refused."""
        wanted = next(self.ids)
        self.send(id=wanted, method=method, params=params)
        for message in self.messages():
            if "method" in message and "id" in message:
                self.send(id=message["id"], error={"code": METHOD_NOT_FOUND, "message": "Not supported"})
            elif message.get("id") == wanted:
                return result(message)
        raise UnavailableError(f"ended before it answered {method}")


def result(message: dict[str, Any]) -> dict[str, Any]:
    """Return the result that an answer holds."""
    held = message.get("result")
    if not isinstance(held, dict):
        raise UnavailableError(f"answered with an error: {json.dumps(message.get('error'))[:160]}")
    return held


def pages(server: Conversation, protocol: str) -> Iterator[dict[str, Any]]:
    """Ask for the list of tools, page by page."""
    server.request(
        "initialize",
        protocolVersion=protocol,
        capabilities={},
        clientInfo={"name": "mcp-review-eval", "version": "1"},
    )
    server.send(method="notifications/initialized")
    page = server.request("tools/list")
    yield page
    while page.get("nextCursor"):
        page = server.request("tools/list", cursor=page["nextCursor"])
        yield page


def surroundings(server: Server, scripts: Path, folder: str) -> dict[str, str]:
    """Return the few variables that a server is started with, the same on every machine."""
    return {
        "PATH": os.pathsep.join([str(scripts), os.defpath]),
        "HOME": folder,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
        **server.env,
    }


def kill(process: "subprocess.Popen[str]") -> None:
    """End a server and whatever it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def started(server: Server, scripts: Path, folder: str, errors: IO[str]) -> Iterator[Conversation]:
    """Run a server for at most the time that it is given."""
    process = subprocess.Popen(
        [str(scripts / server.command[0]), *server.command[1:]],
        cwd=folder,
        env=surroundings(server, scripts, folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    timer = threading.Timer(SECONDS, kill, [process])
    began = time.monotonic()
    timer.start()
    try:
        yield Conversation(process)
    except (OSError, UnavailableError) as error:
        if time.monotonic() - began < SECONDS:
            raise
        raise UnavailableError(f"no answer within {SECONDS} s") from error
    finally:
        timer.cancel()
        kill(process)
        process.wait()


def explained(error: Exception, errors: IO[str]) -> str:
    """Say what went wrong, with the last line that the server wrote about it."""
    said = error.strerror or "system error" if isinstance(error, OSError) else str(error)
    errors.seek(0)
    last = last_line(errors.read())
    return f"{said}: {last}" if last else said


def ask(server: Server, environment: Path) -> list[dict[str, Any]]:
    """Start a server in a folder of its own and give the pages of its list of tools."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
    ):
        for name, text in server.files.items():
            Path(folder, name).write_text(text, "utf-8")
        try:
            with started(server, environment / "bin", folder, errors) as conversation:
                return list(pages(conversation, server.protocol or PROTOCOL))
        except (OSError, UnavailableError) as error:
            raise UnavailableError(explained(error, errors)) from error
