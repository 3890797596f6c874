"""Cases as files: one beside the notes on it, several in a folder that is named for the way they are tried in."""

from pathlib import Path

from cases import Case

WAYS_OF_A_FILE = ("review", "command")
PIPE = ".pipe"
"""What the name of a file ends in that stands for a named pipe."""


def save(case: Case, stem: Path) -> Path:
    """Write a case; return the file, or the folder if there are several or they are no project."""
    if len(case.files) == 1 and case.way in WAYS_OF_A_FILE and not case.pipes:
        ((path, data),) = case.files.items()
        file = stem.with_name(stem.name + Path(path).suffix)
        file.write_bytes(data)
        return file
    for path, data in case.files.items():
        target = stem / case.way / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    for path in case.pipes:  # git keeps no pipes, so a file stands for each
        target = stem / case.way / f"{path}{PIPE}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    return stem


def saved(path: Path) -> Case:
    """Read a case that was saved."""
    if path.is_file():
        return Case("review", {f"server{path.suffix}": path.read_bytes()})
    (way,) = path.iterdir()
    found = {each.relative_to(way).as_posix(): each for each in sorted(way.rglob("*")) if each.is_file()}
    files = {path: each.read_bytes() for path, each in found.items() if not path.endswith(PIPE)}
    return Case(way.name, files, tuple(path.removesuffix(PIPE) for path in found if path.endswith(PIPE)))
