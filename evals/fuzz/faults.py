"""What went wrong with a case, and by what two that are the same fault are told."""

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from reviewer import __file__ as reviewed_by

PACKAGE = str(Path(reviewed_by).parent)
Kind = Literal["crash", "hang", "memory", "death", "output"]
"""`death` is the end of a process without a word, `output` a broken promise of a format."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: its kind, what raised, where in our code, and the last lines of the traceback."""

    kind: Kind
    what: str
    where: str
    told: str

    @property
    def key(self) -> str:
        """What two of the same fault share."""
        return f"{self.kind} {self.what} {self.where}"

    @property
    def name(self) -> str:
        """The key as the name of a file."""
        return "-".join("".join(each if each.isalnum() else " " for each in self.key.lower()).split())[:100]


def of_exception(error: BaseException) -> Fault:
    """Return the fault that an exception is."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = "".join(traceback.format_exception(error)[-9:])[-2500:]
    if isinstance(error, MemoryError):
        return Fault("memory", "", _place([(each.filename, each.name) for each in frames]), lines)
    if type(error).__name__ == "BrokenOutputError":
        return Fault("output", ":".join(str(error).split(":")[:2]), "", str(error)[:500])
    return Fault("crash", type(error).__name__, _place([(each.filename, each.name) for each in frames]), lines)


def of_dump(kind: Kind, dump: str) -> Fault:
    """Return the fault of a process that was looked at from outside; `dump` is its stack, innermost first."""
    frames = []
    for line in dump.splitlines():
        if line.startswith('  File "'):
            frames.append((line.split('"')[1], line.rpartition(" in ")[2]))
    return Fault(kind, "", _place(frames[::-1]), "\n".join(dump.splitlines()[:25]))


def _place(frames: Sequence[tuple[str, str]]) -> str:
    """Name the innermost function of ours, given the frames outermost first."""
    own = [(file, function) for file, function in frames if file.startswith(PACKAGE)]
    if not own:
        return "outside"
    file, function = own[-1]
    return f"{Path(file).relative_to(PACKAGE).as_posix()}:{function}"
