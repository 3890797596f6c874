"""Faults put into clean servers, one at a time: what is changed, which rule must say so, and where.

A mutant is data: edits of a clean server that each apply exactly once. In the new text `⚑` marks a line on which the finding
is expected (the mark itself is not written); where that line is not among the edited ones, `at` names it by a text that ends on
it and occurs once.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from shutil import copytree

HERE = Path(__file__).parent
CLEAN = HERE / "clean"
MUTANTS = HERE / "mutants"
FLAG = "⚑"
FLAGGED = re.compile(rf" *(?:# )?{FLAG}")
RawEdit = tuple[str, str | None, str]
Marker = tuple[str, str]


class BadMutantError(Exception):
    """A mutant does not fit its server: an edit does not apply exactly once, or no expected line can be found."""


@dataclass(frozen=True)
class Edit:
    """One change of one file; without `old` the file is new."""

    path: str
    old: str | None
    new: str


@dataclass(frozen=True)
class Place:
    """Where a finding is expected: a line of a file, counted from one."""

    path: str
    line: int


@dataclass(frozen=True)
class Mutant:
    """A clean server with one fault, or with another clean form of the same thing if there are no `slugs`.

    Any of the `slugs` may report the fault; `also` may be reported besides. `rule` is the slug that the mutant is counted
    under.
    """

    rule: str
    server: str
    name: str
    edits: tuple[Edit, ...]
    slugs: frozenset[str]
    also: frozenset[str] = frozenset()
    at: tuple[Marker, ...] = ()

    @property
    def id(self) -> str:
        """Name the mutant."""
        return f"{self.rule}/{self.server}/{self.name}"

    @property
    def language(self) -> str:
        """Name the language of the server."""
        return self.server.partition("_")[0]

    @property
    def harmless(self) -> bool:
        """Return whether nothing may be found."""
        return not self.slugs


def _block(text: str) -> str:
    """Take away the line ends that only set a block apart from its quotes."""
    return text[1:].removesuffix("\n") if text.startswith("\n") else text


def _edits(edits: Iterable[RawEdit]) -> tuple[Edit, ...]:
    return tuple(Edit(path, old if old is None else _block(old), _block(new)) for path, old, new in edits)


def _markers(at: Marker | tuple[Marker, ...]) -> tuple[Marker, ...]:
    """Return one marker as several, and several as they are."""
    return (at,) if at and isinstance(at[0], str) else at


def mutant(
    rule: str,
    server: str,
    name: str,
    *edits: RawEdit,
    at: Marker | tuple[Marker, ...] = (),
    instead: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
) -> Mutant:
    """Make a faulty mutant. `instead` are other rules that may report the same fault."""
    return Mutant(rule, server, name, _edits(edits), frozenset((rule, *instead)), frozenset(also), _markers(at))


def harmless(rule: str, server: str, name: str, *edits: RawEdit, also: tuple[str, ...] = ()) -> Mutant:
    """Make a mutant without a fault, of a form that `rule` could take for one; `also` may rightly speak of something else."""
    return Mutant(rule, server, name, _edits(edits), frozenset(), frozenset(also))


def load() -> list[Mutant]:
    """Return all mutants, by section and language."""
    names = [f"mutants.{path.parent.name}.{path.stem}" for path in sorted(MUTANTS.glob("*/*.py"))]
    listed = [each for name in names for each in import_module(name).MUTANTS]
    twice = {name for name, times in Counter(each.id for each in listed).items() if times > 1}
    if twice:
        raise BadMutantError(f"named twice: {', '.join(sorted(twice))}")
    return listed


def _edited(mutated: Mutant, edit: Edit, path: Path) -> str:
    if edit.old is None:
        if path.exists():
            raise BadMutantError(f"{mutated.id}: {edit.path} is there already")
        return edit.new + "\n"
    if not path.exists():
        raise BadMutantError(f"{mutated.id}: there is no {edit.path}")
    before = path.read_text("utf-8")
    if (times := before.count(edit.old)) != 1:
        raise BadMutantError(f"{mutated.id}: the old text occurs {times} times in {edit.path}: {edit.old!r}")
    return before.replace(edit.old, edit.new)


def apply(mutated: Mutant, folder: Path) -> list[Place]:
    """Write the mutated server into `folder` and give the places where a finding is expected.

    Raises BadMutantError if an edit does not apply exactly once, or a place is named that is not there.
    """
    copytree(CLEAN / mutated.server, folder, dirs_exist_ok=True)
    for edit in mutated.edits:
        path = folder / edit.path
        text = _edited(mutated, edit, path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    places = []
    for name in dict.fromkeys(edit.path for edit in mutated.edits):
        path = folder / name
        text = path.read_text("utf-8")
        places += [Place(name, number) for number, line in enumerate(text.split("\n"), 1) if FLAG in line]
        path.write_text(FLAGGED.sub("", text), "utf-8")
    places += [_found(mutated, folder, *marker) for marker in mutated.at]
    if bool(places) is mutated.harmless:
        raise BadMutantError(f"{mutated.id}: {len(places)} places are named")
    return places


def _found(mutated: Mutant, folder: Path, name: str, marker: str) -> Place:
    """Find the line on which a text ends that occurs once."""
    before, _, after = (folder / name).read_text("utf-8").partition(marker)
    if marker in after or not after:
        raise BadMutantError(f"{mutated.id}: {marker!r} is not once in {name}")
    return Place(name, before.count("\n") + marker.count("\n") + 1)
