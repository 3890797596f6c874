"""Environments to run servers in and the published source of each, both kept in the cache."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from manifest import Server, UnavailableError

SDKS = ("mcp", "fastmcp", "pydantic")
FOLDERS = re.compile(r"(?<![\w:/])(?:/[\w.+@~-]+)+/")


def uv(*arguments: str) -> str:
    """Run uv and give what it prints."""
    try:
        done = subprocess.run(["uv", "--quiet", *arguments], capture_output=True, text=True, check=True)
    except FileNotFoundError as error:
        raise SystemExit("uv is not installed: pip install uv") from error
    except subprocess.CalledProcessError as error:
        raise UnavailableError(f"uv {arguments[0]} failed: {last_line(error.stderr)}") from error
    return done.stdout


def last_line(text: str) -> str:
    """Return the last line that says something, shortened and without the folders of this machine."""
    lines = [line.strip(" │╰╯─▶|+-") for line in text.splitlines()]
    return next((FOLDERS.sub("", line)[:160] for line in reversed(lines) if line), "")


def once(folder: Path, fill: Callable[[Path], None]) -> Path:
    """Fill a folder unless an earlier run did; one that broke off left no mark, and its folder is filled anew."""
    mark = folder.with_name(f"{folder.name}.complete")
    if not mark.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        fill(folder)
        mark.touch()
    return folder


def environment(cache: Path, name: str, python: str, requirements: Iterable[str], override: Iterable[str] = ()) -> Path:
    """Return an environment of its own with requirements installed, whatever they ask of a package that is overridden."""

    def install(folder: Path) -> None:
        uv("venv", "--python", python, str(folder))
        overrides = folder / "overrides.txt"
        overrides.write_text("\n".join(override), "utf-8")
        uv("pip", "install", "--python", str(folder), "--overrides", str(overrides), *requirements)

    return once(cache / "environments" / name, install)


def of_server(server: Server, cache: Path) -> Path:
    """Return the environment of a server."""
    required = [server.pin, *server.requirements]
    return environment(cache, server.place, server.python, required, server.override)


def source(server: Server, cache: Path) -> Path:
    """Return the release's own files, without what it depends on."""

    def unpack(folder: Path) -> None:
        uv("pip", "install", "--no-deps", "--python", server.python, "--target", str(folder), server.pin)

    return once(cache / "sources" / f"{server.package}-{server.version}", unpack)


def versions_of(server: Server, cache: Path) -> dict[str, str]:
    """Return the versions of the SDKs that a server's environment has."""
    folder = of_server(server, cache)
    listed = json.loads(uv("pip", "list", "--format", "json", "--python", str(folder)))
    return {each["name"]: each["version"] for each in listed if each["name"] in SDKS}
