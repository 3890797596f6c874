"""How long a pull request takes: 20 changed files in a repository of 3,000, which this command makes itself.

python evals/diff/speed.py [--files 3000] [--changed 20] [--runs 3]

The repository holds our own clean servers over and over, each among ten times as many files of ordinary code. Seconds are those
that the processor worked for the whole command, user and system.
"""

import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

CLEAN = Path(__file__).parent.parent / "checklist/clean"
SERVERS = ("python_fastmcp", "rust_router")
GIT = ("git", "-c", "user.name=eval", "-c", "user.email=eval@localhost", "-c", "commit.gpgsign=false")


def ordinary(number: int, language: str) -> str:
    """Return a file of ordinary code, about a hundred lines, of which no tool knows; one in twenty speaks of limits."""
    bound = "limit" if number % 20 == 0 else "weight"
    if language == "py":
        return "".join(
            f"def job_{number}_{part}(items: list[str], {bound}: int) -> list[str]:\n"
            f'    """Take part {part} of the items."""\n'
            f"    found = []\n    for each in items:\n        if each and len(found) < {bound}:\n"
            f'            found.append(each.strip() + "{part}")\n    return found\n\n\n'
            for part in range(12)
        )
    return "".join(
        f"/// Takes part {part} of the items.\npub fn job_{number}_{part}(items: &[String], {bound}: usize) -> Vec<String> {{\n"
        f"    let mut found = Vec::new();\n    for each in items {{\n        if found.len() < {bound} {{\n"
        f'            found.push(format!("{{each}}{part}"));\n        }}\n    }}\n    found\n}}\n\n'
        for part in range(12)
    )


def make(folder: Path, files: int, servers: int) -> None:
    """Write a repository of so many files, with so many copies of our servers among them, and commit it."""
    count = 0
    for number in range(servers):
        own = SERVERS[number % len(SERVERS)]
        for source in sorted((CLEAN / own).rglob("*")):
            if source.is_file():
                target = folder / f"server_{number}" / source.relative_to(CLEAN / own)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
                count += source.suffix in (".py", ".rs")
    for number in range(count, files):
        suffix = ("py", "rs")[number % 2]
        target = folder / f"library/part_{number % 60}/job_{number}.{suffix}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(ordinary(number, suffix), "utf-8")
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "the base")


def change(folder: Path, changed: int) -> None:
    """Change so many files on a branch: half of them servers' own, and commit it."""
    git(folder, "checkout", "-q", "-b", "change")
    own = sorted(each for each in folder.glob("server_*/**/*") if each.suffix in (".py", ".rs") and each.stat().st_size)
    others = sorted((folder / "library").rglob("job_*"))
    step = max(1, len(own) // (changed // 2))
    for path in [*own[::step][: changed // 2], *others[:: len(others) // (changed - changed // 2)]][:changed]:
        comment = "#" if path.suffix == ".py" else "//"
        path.write_text(path.read_text("utf-8") + f"\n{comment} A remark that was not there.\n", "utf-8")
    commit(folder, "the change")


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder."""
    subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, message: str) -> None:
    """Commit all that is there."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)


def worked(folder: Path, *options: str) -> float:
    """Return the seconds that the processor works for one run of the command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "reviewer", str(folder), "--profile", "core", "--no-cache", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(files: int, changed: int, servers: int, runs: int) -> list[tuple[str, float]]:
    """Return the median seconds of a plain review, of one against a base, and of one where no file changed."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        make(folder, files, servers)
        change(folder, changed)
        forms: dict[str, tuple[str, ...]] = {
            "the work tree alone": (),
            f"`--diff main`, {changed} files changed": ("--diff", "main"),
            "`--diff HEAD`, no file changed": ("--diff", "HEAD"),
        }
        return [
            (name, statistics.median(worked(folder, *options) for _ in range(runs))) for name, options in forms.items()
        ]


def table(rows: list[tuple[str, float]]) -> str:
    """Render the rows."""
    return "| review | seconds |\n| --- | --- |\n" + "".join(f"| {name} | {each:.2f} |\n" for name, each in rows)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("files", 3000), ("changed", 20), ("servers", 10), ("runs", 3)):
        arguments.add_argument(f"--{name}", type=int, default=default)
    given = arguments.parse_args()
    print(table(measured(given.files, given.changed, given.servers, given.runs)), end="")


if __name__ == "__main__":
    main()
