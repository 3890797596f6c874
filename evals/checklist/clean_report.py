"""What is clean, and what a review finds in it: no error and no warning in the whole report, wherever it stands.

Clean are the servers of `clean/`, the mutants without a violation, and the examples that were written without faults.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from mutation import CLEAN, Mutant, apply
from reviewing import found, servers
from tally import Seen

BEGIN, END = "<!-- clean: begin -->", "<!-- clean: end -->"
LOUD = ("error", "warning")
EXAMPLES = Path(__file__).parent.parent.parent / "examples"
WITHOUT_FAULTS = ("bookmarks-rust",)
"""The others, `notes-python` and `tools`, were written with faults in them, to show how a report looks."""
KINDS = ("clean servers", "examples without faults", "mutants without a violation")


@dataclass(frozen=True)
class Reviewed:
    """A clean tree: of which kind, what is found in it, and which rules may rightly speak of something else in it."""

    kind: str
    name: str
    findings: tuple[Seen, ...]
    also: frozenset[str] = frozenset()

    @property
    def loud(self) -> list[Seen]:
        """Return the errors and warnings, those that are right left out."""
        return [each for each in self.findings if each.severity in LOUD and each.slug not in self.also]

    @property
    def right(self) -> list[Seen]:
        """Return the errors and warnings that speak of something else in it, and are right."""
        return [each for each in self.findings if each.severity in LOUD and each.slug in self.also]


def review_all(mutants: Iterable[Mutant]) -> Iterator[Reviewed]:
    """Review everything that is clean."""
    for server in servers():
        yield Reviewed(KINDS[0], server, tuple(found(CLEAN / server, server)))
    for name in WITHOUT_FAULTS:
        yield Reviewed(KINDS[1], name, tuple(found(EXAMPLES / name, name)))
    for each in mutants:
        if each.harmless:
            with TemporaryDirectory() as folder:
                root = Path(folder) / each.server
                apply(each, root)
                yield Reviewed(KINDS[2], each.id, tuple(found(root, each.server)), each.also)


def table(reviewed: list[Reviewed]) -> str:
    """Write a line for each kind."""
    lines = ["| clean | reviewed | errors | warnings | rightly found |", "| --- | --- | --- | --- | --- |"]
    for kind in KINDS:
        chosen = [each for each in reviewed if each.kind == kind]
        loud = [seen.severity for each in chosen for seen in each.loud]
        right = sum(len(each.right) for each in chosen)
        lines.append(f"| {kind} | {len(chosen)} | {loud.count('error')} | {loud.count('warning')} | {right} |")
    return "\n".join(lines)


def faults(reviewed: Iterable[Reviewed]) -> str:
    """List the errors and warnings."""
    return "\n".join(
        f"{seen.severity} {each.name}: {seen.slug} {seen.path}:{seen.line} {seen.message}"
        for each in reviewed
        for seen in each.loud
    )
