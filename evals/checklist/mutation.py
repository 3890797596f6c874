"""Faults put into clean servers, one at a time: what is changed, which rule must say so, and where.

`mutants/` has a Markdown page for each rule. Its title is the rule, each heading below a mutant: `## SERVER: NAME`. A `diff`
fence after ``In `PATH`:`` changes a file of the clean server: hunks of whole lines, set apart by `@@`, each of which has to apply
exactly once. A fence after ``New file `PATH`:`` is a file that the server does not have. A line that ends on `# flaw` (`//` in
Rust) is one on which the finding is expected (the comment itself is not written). Where it is no changed line, a fence after
``Found in `PATH` where this ends:`` names it by a text that ends on it and occurs once. A mutant says besides:

- `Nothing is found.`: it has no fault, but a form that the rule could take for one.
- ``Found instead: `SLUG`, ..``: other rules that may report the same fault.
- ``Found too: `SLUG`, ..``: what may rightly be reported besides.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

HERE = Path(__file__).parent
CLEAN = HERE / "clean"
MUTANTS = HERE / "mutants"
FLAW = re.compile(r" *(?:#|//) flaw$", re.MULTILINE)
FENCE = re.compile(
    r"^(?P<does>In|New file|Found in) `(?P<path>[^`\n]+)`[^`\n]*:\n\n(?P<ticks>`{3,})\w+\n(?P<body>.*?)\n(?P=ticks)$",
    re.MULTILINE | re.DOTALL,
)
Marker = tuple[str, str]


class BadMutantError(Exception):
    """A mutant does not fit its server: an edit does not apply exactly once, or no expected line can be found."""


@dataclass(frozen=True)
class Edit:
    """One change of one file, of whole lines; without `old` the file is new."""

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


def load() -> list[Mutant]:
    """Return all mutants, by rule."""
    listed = [each for page in sorted(MUTANTS.glob("*.md")) for each in parse(page.read_text("utf-8"))]
    twice = {name for name, times in Counter(each.id for each in listed).items() if times > 1}
    if twice:
        raise BadMutantError(f"named twice: {', '.join(sorted(twice))}")
    return listed


def parse(page: str) -> Iterator[Mutant]:
    """Yield the mutants of a page."""
    title, *parts = re.split(r"^## (?=\w+: )", page, flags=re.MULTILINE)
    rule = title.removeprefix("# ").strip()
    for part in parts:
        heading, _, body = part.partition("\n")
        server, _, name = heading.partition(": ")
        fences = list(FENCE.finditer(body))
        said = FENCE.sub("", body)
        is_clean = "Nothing is found." in said
        if said.strip() and not (is_clean or "Found " in said):
            raise BadMutantError(f"{rule}/{server}/{name}: cannot be read: {said.strip()}")
        yield Mutant(
            rule,
            server,
            name,
            tuple(edit for each in fences if each["does"] != "Found in" for edit in _edits(each)),
            frozenset() if is_clean else frozenset((rule, *_slugs("Found instead", said))),
            frozenset(_slugs("Found too", said)),
            tuple((each["path"], each["body"]) for each in fences if each["does"] == "Found in"),
        )


def _slugs(what: str, said: str) -> list[str]:
    """Return the rules that a mutant names after some words."""
    found = re.search(rf"{what}: ([^.]*)\.", said)
    return re.findall(r"`([^`]+)`", found[1]) if found else []


def _edits(fence: re.Match[str]) -> Iterator[Edit]:
    """Yield what a fence changes: a new file, or each hunk."""
    if fence["does"] == "New file":
        yield Edit(fence["path"], None, fence["body"])
        return
    for hunk in re.split(r"^@@\n", fence["body"] + "\n", flags=re.MULTILINE):
        lines = hunk.removesuffix("\n").split("\n")
        old, new = ([each[1:] for each in lines if each[:1] != other] for other in "+-")
        yield Edit(fence["path"], "\n".join(old), "\n".join(new))


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
        places += [Place(name, number) for number, line in enumerate(text.split("\n"), 1) if FLAW.search(line)]
        path.write_text(FLAW.sub("", text), "utf-8")
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
