"""Builds the fixture with each version of rmcp and records what it answers to `tools/list`.

    python evals/catalog/rust/record.py [VERSION ...]

The answers go to `tests/languages/rust/answers/rmcp-VERSION.json`, one line a tool; the tests compare with them what is read
from the fixture's source, and need no cargo. Builds go to CARGO_TARGET_DIR, or beside the copy of the fixture.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ANSWERS = HERE.parents[2] / "tests" / "languages" / "rust" / "answers"
VERSIONS = ("0.3.2", "0.8.5", "0.12.0", "1.5.0", "3.3.0", "3.9.0")
"""One for each way in which rmcp wrote schemas since it makes them with schemars 1."""

FEATURES = {"since-0-4": (0, 4), "since-0-7": (0, 7), "since-0-17": (0, 17)}
PLACE = '"=0.0.0"'


class BuildError(Exception):
    """The fixture does not build; the text is the compiler's last line that names an error."""


def features(version: str) -> list[str]:
    """Name the parts of the fixture that a version of rmcp can compile."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return [name for name, since in FEATURES.items() if (major, minor) >= since]


def answers(version: str) -> dict[str, Any]:
    """Build the fixture with a version of rmcp, run it, and give what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "fixture")
        shutil.copytree(HERE / "fixture", copy, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
        manifest = copy / "Cargo.toml"
        manifest.write_text(manifest.read_text("utf-8").replace(PLACE, f'"={version}"'), "utf-8")
        command = ["cargo", "run", "--quiet", "--features", ",".join(features(version))]
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


def main(versions: list[str]) -> int:
    """Record each version; 1 if one does not build."""
    if shutil.which("cargo") is None:
        print("cargo is not installed: the recorded answers stay as they are")
        return 1
    ANSWERS.mkdir(parents=True, exist_ok=True)
    failed = 0
    for version in versions or VERSIONS:
        try:
            found = answers(version)
        except BuildError as error:
            print(f"rmcp {version}: {error}")
            failed = 1
            continue
        (ANSWERS / f"rmcp-{version}.json").write_text(written(found), "utf-8")
        print(f"rmcp {version}: {sum(len(tools) for tools in found.values())} tools")
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
