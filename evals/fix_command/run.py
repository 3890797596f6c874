"""What `--fix --unsafe` does, tried on trees: does all parse, is each finding gone, did any other come, are other bytes kept?

    python evals/fix_command/run.py [--trees FOLDER] [--catalogs FOLDER]... [--only WORD]
        [--faults] [--write evals/results/fix-command.md]

The trees are our examples and the clean servers of evals/checklist, its mutants whose rule has fixes, the cases of the tests of
such rules, and five real servers if FOLDER holds them (`TREES` names them). Files of tool definitions are those of the cases, and
what servers answered if a FOLDER holds it, laid out in several ways, as it is and with faults put in (`documents.py`). Each is
copied, fixed and written as by the command line, and read again from the disk. What is counted is counted here anew: the
program's own word that a fix holds is not taken.
Exits with 1 if something is not as it should be. (evals/fixes is another thing: commits by which people fixed something.)
"""

import argparse
import ast
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "evals/checklist"), str(ROOT / "tests"), str(Path(__file__).parent)]

import documents  # noqa: E402
import mdtest  # noqa: E402
import mutation  # noqa: E402
import tree_sitter_rust  # noqa: E402
from tree_sitter import Language, Parser  # noqa: E402

from reviewer.config import Flags  # noqa: E402
from reviewer.files.discovery import CannotReviewError  # noqa: E402
from reviewer.fixes import apply, write  # noqa: E402
from reviewer.fixes.edits import add_fixes  # noqa: E402
from reviewer.pipeline import read, run_rules  # noqa: E402
from reviewer.report.model import Finding, Report, digest_finding  # noqa: E402
from reviewer.rules import load  # noqa: E402

TREES = (
    "blind2/mcp-oceanbase",
    "blind2/video-editing-mcp",
    "blind2/zotero-mcp",
    "blind2rs/matpb+google-mcp-rs",
    "blind3rs/nicholaswilde+aria2-mcp-rs",
)
PROFILES = {"object": "object-operation", "trait": "tool-trait"}
BEGIN, END = "<!-- {}: written by evals/fix_command/run.py --write -->", "<!-- end of {} -->"


@dataclass(frozen=True)
class Subject:
    """A tree to be fixed: what puts it into a folder, the flags of the review, and the file that is reviewed, if one is."""

    group: str
    name: str
    put: Callable[[Path], object]
    flags: Flags
    file: str = ""


@dataclass
class Tally:
    """What came of some trees."""

    trees: int = 0
    offered: int = 0
    fixed: int = 0
    cured: int = 0
    undone: int = 0
    stayed: int = 0
    heavier: int = 0
    revealed: int = 0
    files: int = 0
    broken: int = 0
    strayed: int = 0
    faults: list[str] = field(default_factory=list)

    def row(self, group: str) -> str:
        """Return the row of the table."""
        numbers = (
            self.trees,
            self.offered,
            self.fixed,
            self.cured,
            self.undone,
            self.stayed,
            self.heavier,
            self.revealed,
        )
        return f"| {group} | {' | '.join(map(str, (*numbers, self.files, self.broken, self.strayed)))} |"


COLUMNS = (
    *(
        "trees",
        "number",
        "findings with a fix",
        "fixed",
        "gone by another fix",
        "undone",
        "fixed and still found",
        "new findings, as severe",
    ),
    *("new findings, less severe", "files changed", "that do not parse", "with other bytes changed"),
)
HEADER = f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}"


def subjects(trees: Path | None, folders: list[Path]) -> Iterator[Subject]:
    """Yield every tree and every file of definitions."""
    for path in sorted((ROOT / "examples").iterdir()):
        if path.name.endswith(("-python", "-rust")):
            for profile in ("core", "validator-46"):
                yield Subject("examples", f"{path.name} {profile}", copying(path), Flags(profile))
    for path in sorted(mutation.CLEAN.iterdir()):
        if path.is_dir():
            yield Subject("clean servers", path.name, copying(path), Flags("validator-46"))
    for each in mutation.load():
        if not each.harmless and any(load()[slug].fixes for slug in each.slugs if slug in load()):
            profile = PROFILES.get(each.server.rpartition("_")[2], "action-dispatch")
            yield Subject("mutants", each.id, mutating(each), Flags(profile))
    yield from cases()
    for name in TREES if trees is not None else ():
        if trees is not None and (trees / name).is_dir():
            for profile in ("core", "validator-46"):
                yield Subject("real servers", f"{name} {profile}", copying(trees / name), Flags(profile))
    yield from definitions(folders)


def definitions(folders: list[Path]) -> Iterator[Subject]:
    """Yield what servers answered, in one layout after the other, and with faults in all of them."""
    every = list(documents.LAYOUTS)
    for number, (name, tools) in enumerate(documents.catalogs(folders)):
        layout = every[number % len(every)]
        for profile in ("core", "validator-46"):
            yield answering("definitions of servers", name, tools, layout, profile)
        for layout in every:
            yield answering("the same with faults", name, documents.faulty(tools), layout, "core")


def answering(group: str, name: str, tools: list[Any], layout: str, profile: str) -> Subject:
    """Lay tools out as a file."""
    file = layout.replace(".", "-tools.")
    put = laying({file: documents.LAYOUTS[layout]({"tools": tools})})
    return Subject(group, f"{name} {layout} {profile}", put, Flags(profile), file)


def cases() -> Iterator[Subject]:
    """Yield the projects of the tests of rules that have fixes, reviewed by that rule alone."""
    for slug, rule in load().items():
        file = ROOT / "tests/rules" / rule.section.folder / f"{slug}.md"
        for case in mdtest.cases(file.read_text("utf-8")) if rule.fixes else ():
            for number, project in enumerate(case.projects):
                name, flags = f"{slug}: {case.title} {number}", Flags("core", (slug,))
                if any(name.endswith((".py", ".rs")) for name in project):
                    yield Subject("cases of tests", name, laying(unpromised(project)), flags)
                elif len(project) == 1 and next(iter(project)).endswith((".json", ".yaml")):
                    yield Subject("definitions of tests", name, laying(unpromised(project)), flags, next(iter(project)))


def unpromised(project: dict[str, str]) -> dict[str, str]:
    """Take what the files of a case promise out of them."""
    return {
        name: "\n".join(mdtest.PROMISE.sub("", line) for line in text.split("\n")) for name, text in project.items()
    }


def copying(path: Path) -> Callable[[Path], object]:
    """Copy a tree."""
    left = ignore_patterns(".git", "node_modules", "target", ".venv", "*.png", "*.jpg", "*.gif", "*.mp4")
    return lambda folder: copytree(path, folder, ignore=left, symlinks=True)


def mutating(mutant: mutation.Mutant) -> Callable[[Path], object]:
    """Copy a server with a fault."""
    return lambda folder: mutation.apply(mutant, folder)


def laying(project: dict[str, str]) -> Callable[[Path], object]:
    """Write some files."""

    def put(folder: Path) -> None:
        for name, text in project.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8", newline="")

    return put


def tried(subject: Subject, tally: Tally) -> None:
    """Fix a tree and count what came of it."""
    with TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        subject.put(root)
        try:
            reading = read(root / subject.file, subject.flags)
            before = run_rules(reading, subject.flags)[0]
        except CannotReviewError:
            return  # the case of a test that holds no server
        tally.trees += 1
        offered = [each for each in add_fixes(before, reading).findings if each.fix is not None]
        done = apply.apply_fixes(reading, subject.flags, unsafe=True)
        written = {path: (root / path).read_bytes() for path, _, _ in done.files}
        write.write(root, done.files)
        after = run_rules(read(root / subject.file, subject.flags), subject.flags)[0]
        count(subject, tally, done, before, after)
        account(subject, tally, done, offered, after)
        for path, old in written.items():
            of_file(subject, tally, path, old, (root / path).read_bytes(), done)


def count(subject: Subject, tally: Tally, done: apply.Fixed, before: Report, after: Report) -> None:
    """Compare what is found before and after."""
    targets = Counter(digest_finding(finding) for finding, _ in done.made)
    then, now = (Counter(map(digest_finding, every(report))) for report in (before, after))
    weights = {digest_finding(each): each.severity for each in every(after)}
    lightest = [finding.severity for finding, _ in done.made]
    tally.fixed += len(done.made)
    tally.undone += len(done.undone)
    tally.faults += [f"{subject.name}: undone: {each.rule.slug}: {why}" for each, why in done.undone]
    for each, number in targets.items():
        if now[each] > then[each] - number:
            tally.stayed += 1
            tally.faults.append(f"{subject.name}: stays")
    order = list(type(lightest[0])) if lightest else []
    for each, number in (now - then).items():
        heavy = order.index(weights[each]) <= min(map(order.index, lightest)) if lightest else True
        tally.heavier += number if heavy else 0
        tally.revealed += 0 if heavy else number
        name = next(found.rule.slug for found in every(after) if digest_finding(found) == each)
        tally.faults.append(f"{subject.name}: new finding: {name}{' (as severe)' if heavy else ''}")


def account(subject: Subject, tally: Tally, done: apply.Fixed, fixable: list[Finding], after: Report) -> None:
    """Say of every fix that was offered what became of it: made, undone, or not needed any more once others were made."""
    offered, slugs = Counter(map(digest_finding, fixable)), {digest_finding(each): each.rule.slug for each in fixable}
    told = Counter(digest_finding(finding) for finding, _ in [*done.made, *done.undone])
    left, now = offered - told, Counter(map(digest_finding, every(after)))
    tally.offered += offered.total()
    for each, number in left.items():
        stays = min(number, now[each])
        tally.cured += number - stays
        tally.stayed += stays
        what = "offered, neither made nor undone" if stays else "gone by another fix"
        tally.faults.append(f"{subject.name}: {what}: {slugs[each]}")


def every(report: Report) -> list[Finding]:
    """Return all findings of a report."""
    return [each for part in report.sections for each in part.findings]


def of_file(subject: Subject, tally: Tally, path: str, old: bytes, new: bytes, done: apply.Fixed) -> None:
    """Look whether a file parses, and whether it is what it was but for the edits, each spliced in here by itself."""
    tally.files += 1
    mark = old[:3] if old.startswith(b"\xef\xbb\xbf") else b""
    data = old[len(mark) :]
    for batch in done.passes:
        edits = {(each.start, each.end, each.text) for _, fix in batch for each in fix.edits if each.span.path == path}
        for start, end, text in sorted(edits, reverse=True):
            data = data[:start] + text.encode() + data[end:]
    if mark + data != new:
        tally.strayed += 1
        tally.faults.append(f"{subject.name}: {path}: other bytes")
    if path.endswith((".json", ".yaml")):
        of_document(subject, tally, path, (old, new), done)
    elif parses(path, old) and not parses(path, new):
        tally.broken += 1
        tally.faults.append(f"{subject.name}: {path}: does not parse")


def of_document(subject: Subject, tally: Tally, path: str, sides: tuple[bytes, bytes], done: apply.Fixed) -> None:
    """Look whether a document says what it said but for what was to be mended."""
    try:
        old, new = (documents.value(path, data) for data in sides)
    except ValueError:
        tally.broken += 1
        tally.faults.append(f"{subject.name}: {path}: does not parse")
        return
    mends = [finding.mend() for finding, _ in done.made if finding.mend is not None]
    wanted = [rewrite for mend in mends if mend is not None for rewrite in mend.rewrites]
    strange = [delta for delta in documents.differences(old, new) if not documents.is_wanted(delta, wanted)]
    tally.strayed += bool(strange)
    tally.faults += [f"{subject.name}: says something else: {'.'.join(delta[0])}" for delta in strange]


def parses(path: str, data: bytes) -> bool:
    """Ask Python itself, and the grammar for Rust."""
    if path.endswith(".rs"):
        return not Parser(Language(tree_sitter_rust.language())).parse(data).root_node.has_error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except (SyntaxError, ValueError):
        return False
    return True


def fixing_rules() -> Iterator[str]:
    """Yield a row for each rule that has fixes."""
    for slug, rule in load().items():
        if rule.fixes:
            yield f"| [{slug}](rules/{slug}.md) | {' or '.join(rule.fixes)} |"


def written(page: Path, name: str, table: str) -> None:
    """Put a table between its marks."""
    begin, end = BEGIN.format(name), END.format(name)
    head, _, rest = page.read_text("utf-8").partition(begin)
    page.write_text(f"{head}{begin}\n{table}\n{end}{rest.partition(end)[2]}", "utf-8")


def main() -> None:
    """Fix every tree and print or write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=Path, metavar="FOLDER", help="where the real servers lie")
    parser.add_argument(
        "--catalogs", type=Path, metavar="FOLDER", action="append", default=[], help="where answers of servers lie"
    )
    parser.add_argument("--only", default="", metavar="WORD", help="the trees whose group or name has this in it")
    parser.add_argument("--faults", action="store_true", help="list what is undone and what is not as it should be")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="PAGE",
        help="put the table into a Markdown page, and the rules that have fixes into docs/fixes.md",
    )
    given = parser.parse_args()
    tallies: dict[str, Tally] = {}
    for subject in subjects(given.trees, given.catalogs):
        if given.only in f"{subject.group} {subject.name}":
            tried(subject, tallies.setdefault(subject.group, Tally()))
    table = "\n".join([HEADER, *(tally.row(group) for group, tally in tallies.items())])
    print(table)
    if given.faults:
        print(*(each for tally in tallies.values() for each in tally.faults), sep="\n")
    if given.write:
        written(given.write, "figures", table)
        written(ROOT / "docs/fixes.md", "rules", "\n".join(["| rule | fix |", "| --- | --- |", *fixing_rules()]))
    wrong = sum(each.stayed + each.heavier + each.broken + each.strayed for each in tallies.values())
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
