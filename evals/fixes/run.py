"""Real commits that mend a fault: does a rule find it before, and is it silent after?

    python evals/fixes/run.py MIRRORS [--write evals/results/fixes.md]

`fixes.toml` names the commits; MIRRORS holds git directories named `owner+name` or `owner+name/repo`, or bare `owner+name.git`.
A commit counts as told if one of its rules finds something in the commit's parent that it no longer finds in the commit itself.
Fixes whose repository is not at hand are said to be left out. Exits with 1 if a fix is not told and `fixes.toml` has no `why`.
"""

import argparse
import subprocess
import sys
import tarfile
import tomllib
from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import reviewer
from reviewer import Flags
from reviewer.report.model import Finding

HERE = Path(__file__).parent
HEADER = "| commit | fault | profile | before | after | |\n| --- | --- | --- | --- | --- | --- |"
MARK = "<!-- fixes: written by evals/fixes/run.py --write -->"


@dataclass(frozen=True)
class Fix:
    """One commit, what it mends, the rules that are about it and the profile that has them; `why` says why none tells it."""

    repository: str
    commit: str
    fault: str
    rules: list[str]
    profile: str = "core"
    why: str = ""


def listed() -> list[Fix]:
    """Read the commits."""
    return [Fix(**each) for each in tomllib.loads((HERE / "fixes.toml").read_text("utf-8"))["fix"]]


def mirror(mirrors: Path, repository: str) -> Path | None:
    """Find the git directory of a repository."""
    name = repository.replace("/", "+")
    candidates = (mirrors / name / "repo", mirrors / name / ".git", mirrors / name, mirrors / f"{name}.git")
    return next((each for each in candidates if (each / "HEAD").exists()), None)


def found(git: Path, commit: str, fix: Fix) -> list[Finding]:
    """Review the tree of a commit for what its rules find."""
    packed = subprocess.run(["git", "-C", str(git), "archive", commit], check=True, capture_output=True).stdout
    with TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(packed)) as tree:
            tree.extractall(folder, filter="data")
        return list(reviewer.review(folder, Flags(profile=fix.profile, select=tuple(fix.rules))).findings)


def gone(before: list[Finding], after: list[Finding]) -> list[Finding]:
    """Return the findings that are no more, wherever their lines have moved to."""
    left = Counter((each.rule.slug, each.span.path, each.message) for each in after)
    missing = []
    for each in before:
        key = (each.rule.slug, each.span.path, each.message)
        left[key] -= 1
        if left[key] < 0:
            missing.append(each)
    return missing


def row(fix: Fix, before: list[Finding], after: list[Finding]) -> str:
    """Return a row of the table."""
    mended = gone(before, after)
    places = "; ".join(f"`{each.rule.slug}` at {each.span.path}:{each.span.line}" for each in mended[:3]) or "nothing"
    left = f"{len(after)} of the same rule left elsewhere" if after else "silent"
    said = "told" if mended else f"not told: {fix.why or 'nobody knows why'}"
    return f"| {fix.repository} {fix.commit[:8]} | {fix.fault} | {fix.profile} | {places} | {left} | {said} |"


def written(page: Path, table: str) -> None:
    """Put the table into a page, under its mark."""
    head, _, _ = page.read_text("utf-8").partition(MARK)
    page.write_text(f"{head}{MARK}\n\n{table}\n", "utf-8")


def main() -> None:
    """Try every fix whose repository is at hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a Markdown page")
    given = parser.parse_args()
    rows, unexplained = [], 0
    for fix in listed():
        git = mirror(given.mirrors, fix.repository)
        if git is None:
            print(f"left out, not at hand: {fix.repository}", file=sys.stderr)
            continue
        before, after = (found(git, commit, fix) for commit in (f"{fix.commit}^", fix.commit))
        rows.append(row(fix, before, after))
        unexplained += not gone(before, after) and not fix.why
    table = "\n".join([HEADER, *rows])
    print(table)
    if given.write:
        written(given.write, table)
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
