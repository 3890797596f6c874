"""What an agent with the skill makes of real servers, beside what `mcp-review` alone says of them.

    python evals/agent/run.py prepare TRIAL NAME=PATH [NAME=PATH ...] [--without-cli]
    python evals/agent/run.py compare TRIAL [--write evals/results/agents.md]

`prepare` gives each server a folder TRIAL/NAME: a copy of the server (PATH is a folder, or a bare git directory, where
`:FOLDER` names a part of its newest commit), the portable skill, an `mcp-review` that takes down how it is called, and BRIEF.md.
Start a fresh agent in each with the one sentence that is printed, and nothing else. Who knows how many tokens it took writes the
number into TRIAL/NAME/tokens; else it is told how many it was at least. `compare` then says which sections the agent named, which
findings it kept, dropped or added, which questions it answered, and what it called. With `--without-cli` there is no command: the
agent must say that nothing was reviewed.
"""

import argparse
import shlex
import shutil
import stat
import subprocess
import sys
import tarfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from comparison import Agents, agents, document, write
from entry_point import command

from reviewer.handbook import pages

MEASURED = ".measured"
BRIEF = """# Brief

Review the MCP server in `server/` (below this folder) as the skill in `skill/mcp-tool-checklist/SKILL.md` says: read it whole,
then follow it step by step. The command is `{command}`{missing}. Write your report into `report.md` in this folder, and nothing
else into it. Change nothing below `server/`, and run, build or install nothing of it. Look for no other copy of the server, of
its reviews or of the command. When `report.md` is written, you are done.
"""
MISSING = " (if it is not there, the skill says what then; in this place nothing can be installed)"


def prepared(trial: Path, name: str, source: str, *, cli: bool = True) -> Path:
    """Prepare the folder of one agent, and take down what the command alone says of the server."""
    folder = trial / name
    if folder.exists():
        raise SystemExit(f"{folder}: there is a trial already")
    copied(source, folder / "server")
    pages.main(["--portable", str(folder / "skill")])
    measured = trial / MEASURED / name
    measured.mkdir(parents=True)
    (measured / "server").write_text(fingerprint(folder / "server"))
    (measured / "alone").write_text(said(folder, measured / "cache-of-nobody"), "utf-8")
    entry_point = folder / "bin/mcp-review"
    if cli:
        entry_point.parent.mkdir()
        called = shlex.join([sys.executable, str(Path(__file__).with_name("entry_point.py")), str(measured)])
        entry_point.write_text(f'#!/bin/sh\nexec {called} "$@"\n', "utf-8")
        entry_point.chmod(entry_point.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    brief = BRIEF.format(command=entry_point.relative_to(folder), missing="" if cli else MISSING)
    (folder / "BRIEF.md").write_text(brief, "utf-8")
    return folder


def copied(source: str, target: Path) -> None:
    """Copy a server: a folder, or the newest commit of a git directory, of which `:FOLDER` may name a part."""
    path, _, part = source.partition(":")
    if (Path(path) / "HEAD").exists() and (Path(path) / "objects").exists():
        asked = ["git", "-C", path, "archive", f"HEAD:{part}" if part else "HEAD"]
        packed = subprocess.run(asked, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=BytesIO(packed)) as tree:
            tree.extractall(target, filter="data")
    elif Path(source).is_dir():
        shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv", "target"))
    else:
        raise SystemExit(f"{source}: no folder, and no git directory")


def said(folder: Path, cache: Path) -> str:
    """Return the text report on the server of a folder, with the verdicts that a cache remembers."""
    asked, environment = command(cache)
    asked += ["server", "--judge", "host"]  # named as the agent names it: its lines begin with that
    done = subprocess.run(asked, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.strip())
    return done.stdout


def fingerprint(folder: Path) -> str:
    """Tell the state of a tree by the names and contents of its files."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sha256(b"\0".join(str(each.relative_to(folder)).encode() + each.read_bytes() for each in files)).hexdigest()


def compared(trial: Path) -> list[Agents]:
    """Compare every agent of a trial."""
    rows = []
    for measured in sorted((trial / MEASURED).iterdir()):
        folder = trial / measured.name
        untouched = fingerprint(folder / "server") == (measured / "server").read_text()
        # Verdicts on what the agent itself wrote are worth nothing.
        after = said(folder, measured / "cache") if untouched else (measured / "alone").read_text("utf-8")
        rows.append(agents(folder, measured, after, untouched=untouched))
    return rows


def main() -> None:
    """Prepare a trial, or compare what came of it."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = arguments.add_subparsers(required=True, dest="part")
    preparing, comparing = parts.add_parser("prepare"), parts.add_parser("compare")
    for each in (preparing, comparing):
        each.add_argument("trial", type=Path)
    preparing.add_argument("servers", nargs="+", metavar="NAME=PATH")
    preparing.add_argument("--without-cli", action="store_true")
    comparing.add_argument("--write", type=Path)
    given = arguments.parse_args()
    if given.part == "prepare":
        for name, _, source in (each.partition("=") for each in given.servers):
            folder = prepared(given.trial.resolve(), name, source, cli=not given.without_cli)
            print(f"Read {folder}/BRIEF.md and do what it says, from the folder {folder}.")
        return
    rows = compared(given.trial.resolve())
    print(document(rows))
    if given.write is not None:
        write(given.write, document(rows, whole=False))


if __name__ == "__main__":
    main()
