"""A server with a history that is known: faults put in and taken out again, among changes that mean nothing.

The sources carry marks that are taken away when they are written: `⚑7⚑` stands at the end of a line where fault 7 shows.
"""

import random
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "checklist"))
from mutation import CLEAN, FLAW, Mutant  # its folder is no package

FLAG = "⚑"
MARK = re.compile(f"{FLAG}(\\d+){FLAG}")
FUNCTION = re.compile(r"(?:async )?def \w+|(?:pub(?:\(\w+\))? )?(?:async )?fn \w+")
MOST_EDITS = 3


@dataclass
class History:
    """The sources by path, the faults that are in them by number, and the edits that put each in."""

    server: str
    chance: random.Random
    files: dict[str, str] = field(default_factory=dict)
    planted: dict[int, Mutant] = field(default_factory=dict)
    _edits: dict[int, list[tuple[str, str | None, str]]] = field(default_factory=dict)
    _moved: dict[str, str] = field(default_factory=dict)
    _count: int = 0

    def __post_init__(self) -> None:
        """Begin with the clean server."""
        root = CLEAN / self.server
        for path in sorted(each for each in root.rglob("*") if each.is_file()):
            self.files[path.relative_to(root).as_posix()] = path.read_text("utf-8")

    def write(self, folder: Path) -> None:
        """Write all files, and nothing else, into a folder."""
        for path in [each for each in folder.rglob("*") if each.is_file() and ".git" not in each.parts]:
            path.unlink()
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(MARK.sub("", text), "utf-8")

    def marks(self) -> dict[tuple[str, int], list[int]]:
        """Return the faults that show on each line."""
        return {
            (name, number): [int(each) for each in MARK.findall(line)]
            for name, text in self.files.items()
            for number, line in enumerate(text.split("\n"), 1)
            if FLAG in line
        }

    def plant(self, fault: Mutant) -> bool:
        """Put a fault in, if all its edits apply exactly once."""
        number = self._count + 1
        made = dict(self.files)
        edits = []
        for edit in fault.edits:
            path = self._moved.get(edit.path, edit.path)
            tagged = FLAW.sub(f"{FLAG}{number}{FLAG}", edit.new)
            if (edit.old is None) == (path in made) or (edit.old is not None and made[path].count(edit.old) != 1):
                return False
            made[path] = made[path].replace(edit.old, tagged) if edit.old is not None else f"{tagged}\n"
            edits.append((edit.path, edit.old, tagged))
        for name, marker in fault.at:
            path = self._moved.get(name, name)
            if made.get(path, "").count(marker) != 1:
                return False
            before, _, after = made[path].partition(marker)
            rest, end, below = after.partition("\n")
            made[path] = f"{before}{marker}{rest}{FLAG}{number}{FLAG}{end}{below}"
        self._count, self.files = number, made
        self.planted[number], self._edits[number] = fault, edits
        return True

    def fix(self, number: int) -> bool:
        """Take a fault out, if what was put in still stands as it was."""
        made = dict(self.files)
        for name, old, new in reversed(self._edits[number]):
            path = self._moved.get(name, name)
            if old is None:
                made.pop(path, None)
            elif made.get(path, "").count(new) == 1:
                made[path] = made[path].replace(new, old)
            else:
                return False
        self.files = {name: text.replace(f"{FLAG}{number}{FLAG}", "") for name, text in made.items()}
        del self.planted[number]
        return True

    def disguise(self) -> str:
        """Make one change that means nothing, and name it."""
        change = self.chance.choice(
            (self._comment, self._reorder, self._move, self._trailing_comment, self._blank_lines, self._rename)
        )
        change()
        return change.__name__.strip("_").replace("_", "-")

    def _sources(self) -> list[str]:
        return [name for name in self.files if name.endswith((".py", ".rs"))]

    def _changed(self, change: Callable[[str, str], str]) -> None:
        """Change one source."""
        name = self.chance.choice(self._sources())
        self.files[name] = change(self.files[name], "#" if name.endswith(".py") else "//")

    def _comment(self) -> None:
        """Write comments above some functions."""

        def change(text: str, comment: str) -> str:
            blocks = _blocks(text)
            return "".join(
                f"{comment} What follows is used by others.\n{each}"
                if FUNCTION.match(each) and self.chance.random() < 0.5
                else each
                for each in blocks
            )

        self._changed(change)

    def _reorder(self) -> None:
        """Put the functions of a file into another order."""

        def change(text: str, _comment: str) -> str:
            blocks = _blocks(text)
            places = [place for place, each in enumerate(blocks) if FUNCTION.match(each) and each.endswith("\n\n")]
            shuffled = self.chance.sample(places, len(places))
            order = dict(zip(places, shuffled, strict=True))
            return "".join(blocks[order.get(place, place)] for place in range(len(blocks)))

        self._changed(change)

    def _move(self) -> None:
        """Move all into a folder, or back."""
        inside = all(name.startswith("service/") for name in self.files)
        old = set(self._moved) | set(self.files) if not self._moved else set(self._moved)
        self.files = {
            name.removeprefix("service/") if inside else f"service/{name}": text for name, text in self.files.items()
        }
        self._moved = {} if inside else {name: f"service/{name}" for name in old}

    def _trailing_comment(self) -> None:
        """Write a comment at the end of lines where faults show, but for those within texts."""
        for name, text in self.files.items():
            lines = text.split("\n")
            for place, line in enumerate(lines):
                quoted = "\n".join(lines[:place]).count('"""') % 2 or '"' in line
                if FLAG in line and not quoted and line.rstrip().endswith(FLAG) and self.chance.random() < 0.5:
                    bare, mark = line[: line.index(FLAG)], line[line.index(FLAG) :]
                    lines[place] = f"{bare}  {'#' if name.endswith('.py') else '//'} noted{mark}"
            self.files[name] = "\n".join(lines)

    def _blank_lines(self) -> None:
        """Put more lines at the beginning."""

        def change(text: str, comment: str) -> str:
            return f"{comment} One\n{comment} Two\n{text}" if not text.startswith(("#!", "//!")) else text

        self._changed(change)

    def _rename(self) -> None:
        """Give a local variable of one function another name."""

        def change(text: str, _comment: str) -> str:
            blocks = _blocks(text)
            for place in self.chance.sample(range(len(blocks)), len(blocks)):
                block = blocks[place]
                for name in re.findall(r"\n +(?:let )?(\w+) = ", block) if FUNCTION.match(block) else ():
                    if not re.search(rf"[.\"'{{]{name}\b|\b{name}(?:=|\"|')|\b{name}:", block):
                        blocks[place] = re.sub(rf"\b{name}\b", f"{name}_here", block)
                        return "".join(blocks)
            return text

        self._changed(change)


def _blocks(text: str) -> list[str]:
    """Cut a text before each line that begins a declaration at the margin and follows an empty one."""
    return re.split(r"(?<=\n\n)(?=[^\s})\]])", text)
