"""The command line's options on what is read: paths, or standard input, which files of them, by which configuration."""

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from reviewer.files.discovery import CannotReviewError

PANEL = "Files"
"""The heading of these options in `--help`."""
_option = partial(typer.Option, rich_help_panel=PANEL)

STANDARD_INPUT = Path("-")

PathsArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[PATH]...",
        help="Folders of source, source files, or JSON or YAML files of tools; `-` is standard input.",
    ),
]
StdinOption = Annotated[
    Path | None,
    _option("--stdin-filename", metavar="NAME", help="With `-`: the file name to assume for standard input."),
]
PathArgument = Annotated[Path, typer.Argument(metavar="PATH", help="The folder of the server's source.")]
ExcludeOption = Annotated[
    list[str] | None,
    _option(
        metavar="PATTERN",
        help="Exclude files by a pattern as in a .gitignore in PATH, in addition to those of the configuration; repeatable.",
    ),
]
ConfigOption = Annotated[
    Path | None, _option(metavar="FILE", help="The configuration file; searched for if not given.")
]
IsolatedOption = Annotated[bool, _option("--isolated", help="Ignore configuration files.")]
CacheOption = Annotated[
    bool,
    _option(
        "--cache/--no-cache", help="Answer a review of unchanged files from the user's cache folder, and keep new ones."
    ),
]
SdkOption = Annotated[
    list[str] | None,
    _option(
        metavar="NAME==VERSION", help="The version of a framework that the server runs with; detected if not given."
    ),
]


class GivenPaths(NamedTuple):
    """What is to be reviewed. `typed` is the name of the file that standard input is taken for."""

    paths: tuple[Path, ...] = ()
    typed: Path | None = None

    @classmethod
    def from_options(cls, paths: list[Path] | None, typed: Path | None) -> "GivenPaths":
        """Make it of what the caller says. Raises CannotReviewError for what does not go together."""
        named = tuple(paths or ())
        if STANDARD_INPUT not in named:
            if typed is not None:
                raise CannotReviewError(
                    "--stdin-filename: requires `-`, standard input: mcp-review - --stdin-filename NAME"
                )
            return cls(named)
        if len(named) > 1:
            raise CannotReviewError("-: standard input is reviewed alone; remove the other paths")
        if typed is None:
            raise CannotReviewError("-: give a file name to assume for standard input: --stdin-filename server.py")
        return cls((typed,), typed)

    @property
    def path(self) -> Path | None:
        """The only path, None if there is none."""
        return self.paths[0] if self.paths else None

    @property
    def named(self) -> tuple[str, ...]:
        """The paths for those who read of them elsewhere: `.` is the name of the folder."""
        if self.typed is not None:
            return (f"{self.typed} (standard input)",)
        return tuple(
            str(each) if each.name not in ("", "..") else each.resolve().name or str(each) for each in self.paths
        )

    @property
    def several(self) -> bool:
        """Whether there is more than one path."""
        return len(self.paths) > 1

    def validate(self, options: Mapping[str, bool]) -> None:
        """Raise CannotReviewError for an option that was given and needs one path on the disk."""
        wanted = next((option for option, given in options.items() if given), None)
        if wanted is not None and (self.several or self.typed is not None):
            given = "standard input" if self.typed is not None else f"{len(self.paths)} paths"
            raise CannotReviewError(f"{wanted}: requires a single path, not {given}")

    def read_stdin(self) -> bytes | None:
        """Read standard input, if it is what is reviewed; no more than is too much for any file."""
        if self.typed is None:
            return None
        from reviewer.inputs.documents import LARGEST

        if sys.stdin is None:  # it was closed when the process began
            raise CannotReviewError("standard input: cannot be read: closed")
        return sys.stdin.buffer.read(LARGEST + 1)
