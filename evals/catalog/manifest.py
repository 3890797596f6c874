"""The servers of the comparison, as `manifest.toml` and `crates.toml` list them."""

import hashlib
import json
import tomllib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

NOT_ASKED = ("note", "skip", "dynamic", "sdk")


class UnavailableError(Exception):
    """A server that cannot be installed, started or read, with one line that says why."""


@dataclass(frozen=True)
class Server:
    """A published server, what it runs with and how it is started; the requirements of a crate are its features."""

    package: str
    version: str
    command: tuple[str, ...]
    python: str = ""
    requirements: tuple[str, ...] = ()
    override: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    sdk: dict[str, str] = field(default_factory=dict)
    note: str = ""
    skip: str = ""
    dynamic: bool = False
    protocol: str = ""

    @property
    def pin(self) -> str:
        """Name the release, as an installer takes it."""
        return f"{self.package}=={self.version}"

    @property
    def key(self) -> str:
        """Name the release and the question, so that a changed entry of the manifest is asked anew."""
        asked = {name: value for name, value in asdict(self).items() if name not in NOT_ASKED}
        if not self.protocol:
            del asked["protocol"]
        return f"{self.package}-{self.version}-{digest(asked)}"

    @property
    def place(self) -> str:
        """Name what is installed, whichever way it is started."""
        return f"{self.package}-{self.version}-{digest([self.python, self.requirements, self.override])}"


def digest(value: Any) -> str:
    """Shorten a value to a few characters that change with it."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]


def server(entry: dict[str, Any]) -> Server:
    """Make a server of an entry, whose key `with` is a word of the language."""
    entry = dict(entry)
    return Server(
        command=tuple(entry.pop("command", ())),
        requirements=tuple(entry.pop("with", ())),
        override=tuple(entry.pop("override", ())),
        **entry,
    )


def load(path: Path, only: list[str]) -> list[Server]:
    """List the servers of a manifest, or those of them that are named, as `package` or `package==version`."""
    servers = [server(entry) for entry in tomllib.loads(path.read_text("utf-8"))["server"]]
    unknown = set(only) - {each.package for each in servers} - {each.pin for each in servers}
    if unknown:
        raise SystemExit(f"not in {path.name}: {', '.join(sorted(unknown))}")
    return [each for each in servers if not only or {each.package, each.pin} & set(only)]
