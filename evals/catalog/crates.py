"""Published Rust servers: built by cargo as they were locked at their release, with the source of each beside."""

import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

from manifest import Server, UnavailableError
from place import last_line, once

SDKS = ("rmcp", "schemars", "rust-mcp-sdk", "rust-mcp-macros", "mcplease", "tower-mcp")
BUILD = {"CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0"}


def cargo(*arguments: str, **settings: str) -> None:
    """Run cargo, one job at a time unless the environment says otherwise."""
    env = {"CARGO_BUILD_JOBS": "1", **os.environ, **BUILD, **settings}
    try:
        subprocess.run(["cargo", "--quiet", *arguments], capture_output=True, text=True, check=True, env=env)
    except FileNotFoundError as error:
        raise SystemExit("cargo is not installed") from error
    except subprocess.CalledProcessError as error:
        said = [line for line in error.stderr.splitlines() if line.startswith("error")] or [error.stderr]
        raise UnavailableError(f"cargo {arguments[0]} failed: {last_line(said[0])}") from error


def environment(server: Server, cache: Path) -> Path:
    """Return a folder whose `bin` holds the server, built with the versions that its release was locked to."""

    def build(folder: Path) -> None:
        features = ["--no-default-features", "--features", ",".join(server.requirements)] if server.requirements else []
        command = [
            "install",
            "--debug",
            "--locked",
            "--root",
            str(folder),
            *features,
            f"{server.package}@{server.version}",
        ]
        cargo(*command, CARGO_TARGET_DIR=str(cache / "target"))

    return once(cache / "crates" / server.place, build)


def source(server: Server, cache: Path) -> Path:
    """Return the release's own files, which cargo unpacked to build them."""

    def copy(folder: Path) -> None:
        environment(server, cache)
        home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
        unpacked = sorted(home.glob(f"registry/src/*/{server.package}-{server.version}"))
        if not unpacked:
            raise UnavailableError("cargo keeps its source no longer")
        shutil.copytree(unpacked[0], folder)

    return once(cache / "sources" / f"{server.package}-{server.version}", copy)


def versions(server: Server, cache: Path) -> dict[str, str]:
    """Return the versions of the SDKs that a release is locked to; reading takes them from the same file."""
    return dict(_locked(source(server, cache) / "Cargo.lock"))


def _locked(lock: Path) -> Iterator[tuple[str, str]]:
    if not lock.is_file():
        raise UnavailableError("the release has no Cargo.lock, so that nothing says what it is built with")
    for package in tomllib.loads(lock.read_text("utf-8")).get("package", ()):
        if package["name"] in SDKS:
            yield package["name"], package["version"]
