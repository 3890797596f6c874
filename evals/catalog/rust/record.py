"""Builds the fixture of an SDK with each of its versions and records what it answers to `tools/list`.

    python evals/catalog/rust/record.py [rmcp | rust-mcp-sdk] [VERSION ...]

The answers go to `tests/languages/rust/answers/SDK-VERSION.json`, one line a tool; the tests compare with them what is read
from the fixture's source, and need no cargo. Builds go to CARGO_TARGET_DIR, or beside the copy of the fixture.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ANSWERS = HERE.parents[2] / "tests" / "languages" / "rust" / "answers"
PLACE = '"=0.0.0"'
SERVING = '"macros", "server"'
"""How the manifests of the fixtures say a version, and what they ask of rust-mcp-sdk."""


@dataclass(frozen=True)
class Fixture:
    """A crate that declares tools in all ways of an SDK.

    `versions` has one for each way in which the SDK wrote schemas; `parts` says from which version on it can compile a part of
    the fixture, and `asked` what a version needs to be asked for beside what the manifest says.
    """

    folder: str
    versions: tuple[str, ...]
    parts: dict[str, tuple[int, int]]
    asked: Callable[[tuple[int, int]], str] = lambda version: ""


def protocol(version: tuple[int, int]) -> str:
    """Name the feature for the newest protocol, which versions before 0.8 have to be asked for."""
    return "2025_03_26" if version < (0, 5) else "2025_06_18" if version < (0, 8) else ""


FIXTURES = {
    "rmcp": Fixture(
        "rmcp",
        ("0.3.2", "0.8.5", "0.12.0", "1.5.0", "3.3.0", "3.9.0"),
        {"since-0-4": (0, 4), "since-0-7": (0, 7), "since-0-17": (0, 17)},
    ),
    "rust-mcp-sdk": Fixture(
        "sdk",
        ("0.4.7", "0.7.4", "0.8.3", "0.10.0", "1.1.0", "2.0.0"),
        {"since-0-5": (0, 5), "since-0-7": (0, 7), "since-0-8": (0, 8), "since-1-0": (1, 0)},
        protocol,
    ),
}


class BuildError(Exception):
    """The fixture does not build; the text is the compiler's last line that names an error."""


def answers(fixture: Fixture, version: str) -> dict[str, Any]:
    """Build a fixture with a version of its SDK, run it, and give what it prints."""
    major, minor = (int(part) for part in version.split(".")[:2])
    parts = [name for name, since in fixture.parts.items() if (major, minor) >= since]
    asked = fixture.asked((major, minor))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "fixture")
        shutil.copytree(HERE / fixture.folder, copy, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
        manifest = copy / "Cargo.toml"
        text = manifest.read_text("utf-8").replace(PLACE, f'"={version}"')
        manifest.write_text(text.replace(SERVING, f'{SERVING}, "{asked}"' if asked else SERVING), "utf-8")
        command = ["cargo", "run", "--quiet", "--features", ",".join(parts)]
        run = subprocess.run(command, cwd=copy, capture_output=True, text=True, env=os.environ, check=False)
    if run.returncode != 0:
        errors = [line for line in run.stderr.splitlines() if line.startswith("error")]
        raise BuildError(errors[-1] if errors else run.stderr.strip()[-200:])
    found = json.loads(run.stdout)
    return {server: sorted(tools, key=lambda tool: str(tool["name"])) for server, tools in sorted(found.items())}


def written(found: dict[str, Any]) -> str:
    """Write answers with one line a tool."""
    parts = []
    for server, tools in found.items():
        lines = ",\n".join(json.dumps(tool, sort_keys=True, ensure_ascii=False) for tool in tools)
        parts.append(f"{json.dumps(server)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(words: list[str]) -> int:
    """Record each version; 1 if one does not build."""
    if {"-h", "--help"} & set(words):
        print(__doc__)
        return 0
    if shutil.which("cargo") is None:
        print("cargo is not installed: the recorded answers stay as they are")
        return 1
    ANSWERS.mkdir(parents=True, exist_ok=True)
    chosen = [name for name in FIXTURES if name in words] or list(FIXTURES)
    wanted = [word for word in words if word not in FIXTURES]
    failed = 0
    for name in chosen:
        for version in wanted or FIXTURES[name].versions:
            try:
                found = answers(FIXTURES[name], version)
            except BuildError as error:
                print(f"{name} {version}: {error}")
                failed = 1
                continue
            (ANSWERS / f"{name}-{version}.json").write_text(written(found), "utf-8")
            print(f"{name} {version}: {sum(len(tools) for tools in found.values())} tools")
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
