"""The programs that read a server's source: ours, and the peer that it is compared with."""

import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manifest import UnavailableError
from place import environment, last_line

PEER = "mcpolish==0.1.1"
PEER_PYTHON = "3.13"


@dataclass(frozen=True)
class Reading:
    """The tools that a program read, and how long it took."""

    tools: list[dict[str, Any]]
    seconds: float


Reader = Callable[[Path, dict[str, str]], Reading]


def timed(command: list[str]) -> Reading:
    """Run a program that prints tools as JSON."""
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    try:
        return Reading(json.loads(done.stdout)["tools"], seconds)
    except ValueError as error:
        raise UnavailableError(f"not read, exit code {done.returncode}: {last_line(done.stderr)}") from error


def ours(command: list[str]) -> Reader:
    """Return a reader that is told the versions that the live server ran with."""

    def read(source: Path, sdk: dict[str, str]) -> Reading:
        pins = [word for name, version in sdk.items() for word in ("--sdk", f"{name}=={version}")]
        return timed([*command, "catalog", str(source), "--format", "json", *pins])

    return read


def peer(cache: Path) -> Reader:
    """Return a reader that runs the peer in its own environment."""

    def read(source: Path, sdk: dict[str, str]) -> Reading:
        folder = environment(cache, PEER.replace("==", "-"), PEER_PYTHON, [PEER])
        return timed([str(folder / "bin" / "python"), str(Path(__file__).with_name("peer.py")), str(source)])

    return read
