"""A newcomer's machine: a home with nothing in it, a copy of an example server, and what was typed and shown there."""

import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/notes-python"
IDENTITY = ("-c", "user.name=newcomer", "-c", "user.email=newcomer@example.com", "-c", "init.defaultBranch=main")
OURS = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "FORCE_COLOR", "NO_COLOR", "MCP_REVIEW_DEBUG")
"""What this machine may have set and a newcomer's has not."""
LONGEST = 300.0
"""Seconds that one command may take; installing over a slow network is the longest."""
SHOWN = 24
"""Lines of a screen: those of a terminal as it opens."""


class BrokenPromiseError(Exception):
    """Something that the documents promise did not happen."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that was typed: its words, exit code, standard output, standard error, and seconds by the clock."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str
    seconds: float

    @property
    def lines(self) -> list[str]:
        """The lines of the standard output."""
        return self.out.splitlines()

    @property
    def screen(self) -> str:
        """Return what stands on a terminal of 24 lines at the end: the prompt, or what is left of it, and the output."""
        name = Path(self.words[0]).name
        shown = [f"$ {' '.join((name, *self.words[1:]))}", *self.err.splitlines(), *self.lines]
        return "\n".join(shown[-SHOWN:])


@dataclass
class Newcomer:
    """Somebody at a machine on which nothing of ours is installed. `home` is empty at first."""

    home: Path
    typed: list[Command] = field(default_factory=list)

    @property
    def server(self) -> Path:
        """The newcomer's own server, a checkout."""
        return self.home / "notes-python"

    @property
    def bin(self) -> Path:
        """Where the newcomer's environment has its commands."""
        return self.home / ".venv/bin"

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables of a machine on which nothing was set. Package clients keep their settings and caches."""
        kept = {name: value for name, value in os.environ.items() if name not in OURS and not name.startswith("XDG_")}
        cache = {"PIP_CACHE_DIR": os.environ.get("PIP_CACHE_DIR", str(Path.home() / ".cache/pip"))}
        return kept | cache | {"HOME": str(self.home), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def settle(self) -> None:
        """Lay the newcomer's server out as a git repository with one commit."""
        shutil.copytree(EXAMPLE, self.server)
        self.type("git", "init", "-q", where=self.server)
        self.commit("Add the server")
        self.type("git", "tag", "laid-out")

    def commit(self, subject: str) -> None:
        """Commit all that is in the server's folder."""
        self.type("git", "add", "--all", where=self.server)
        self.type("git", *IDENTITY, "commit", "-qm", subject, where=self.server)

    def reset(self) -> None:
        """Take back whatever was changed or committed in the server's folder since it was laid out."""
        self.type("git", "reset", "-q", "--hard", "laid-out")
        self.type("git", "clean", "-fdq")

    def type(
        self,
        *words: str | Path,
        where: Path | None = None,
        code: int | None = 0,
        seconds: float = LONGEST,
        **variables: str,
    ) -> Command:
        """Run a command as the newcomer. Raises BrokenPromiseError if it exits with another code than `code`, if one is given."""
        texts = tuple(map(str, words))
        start = time.perf_counter()
        done = subprocess.run(
            texts,
            cwd=where or self.server,
            env=self.environment | variables,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        command = Command(texts, done.returncode, done.stdout, done.stderr, time.perf_counter() - start)
        self.typed.append(command)
        if code is not None and command.code != code:
            raise BrokenPromiseError(
                f"`{' '.join(texts)}` exited with {command.code}, not {code}: {command.err.strip()[-400:]}"
            )
        return command

    def shows(self, command: str, screen: str) -> None:
        """Note what a command shows where that is not the end of what it printed: the beginning of a page, a terminal itself."""
        self.typed.append(Command(tuple(command.split()), 0, screen.rstrip("\n"), "", 0.0))

    def review(self, *options: str | Path, code: int | None = 1) -> Command:
        """Run `mcp-review` in the server's folder. The example has errors, so the exit code is 1 unless `code` is another."""
        return self.type(self.bin / "mcp-review", *options, code=code)


def validate(held: bool, promise: str) -> None:
    """Raise BrokenPromiseError with the promise unless it held."""
    if not held:
        raise BrokenPromiseError(promise)


FINDING = re.compile(
    r"(?P<path>\S+?):(?P<line>\d+):(?P<column>\d+) (?P<severity>error|warning|suggestion) (?P<rule>[a-z0-9-]+) .+"
)
"""A finding's line in the text report, piped."""


def findings(command: Command) -> list[re.Match[str]]:
    """Return the finding lines of a text report."""
    return [found for line in command.lines if (found := FINDING.fullmatch(line))]
