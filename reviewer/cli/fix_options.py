"""The command line's words about fixes: options, and what is told of what was done."""

import os
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reviewer.cli import output_options as writing
from reviewer.cli.streams import tell
from reviewer.files.discovery import CannotReviewError
from reviewer.records import dataclass
from reviewer.text.excerpts import format_count

PANEL = "Fixes"
"""The heading of these options in `--help`."""
_option = partial(typer.Option, rich_help_panel=PANEL)

FixOption = Annotated[bool, _option("--fix", help="Apply safe fixes to the files, then review what remains.")]
UnsafeOption = Annotated[
    bool, _option("--unsafe", help="With --fix, also apply fixes that may change what the server does.")
]
DryRunOption = Annotated[bool, _option("--dry-run", help="With --fix, print a unified diff instead of changing files.")]


@dataclass(frozen=True)
class Fixing:
    """What of it is asked for."""

    wanted: bool = False
    unsafe: bool = False
    dry: bool = False

    def validate(self, path: Path | None, live: str | None, outputs: list[writing.Output]) -> None:
        """Raise CannotReviewError for what does not go together."""
        if not self.wanted:
            if self.unsafe or self.dry:
                raise CannotReviewError(f"{'--unsafe' if self.unsafe else '--dry-run'}: requires --fix")
            return
        if live is not None or path is None:
            raise CannotReviewError(
                "--fix: give the path of a server's source or of tool definitions, and no --live: only files can be fixed"
            )
        if self.dry and (len(outputs) > 1 or outputs[0].format is not writing.Format.TEXT):
            raise CannotReviewError("--fix --dry-run: prints a diff, not a report; remove --format and --also")

    def fix_in_memory(self, reading: Any, flags: Any, before: Any, mark: Any) -> Any:
        """Fix what was read, in memory."""
        from reviewer.fixes import apply

        return apply.apply_fixes(reading, flags, before, mark, unsafe=self.unsafe)

    def _tell(self, done: Any) -> None:
        for finding, fix in [] if self.dry else done.made:
            tell(f"fixed {_format_place(finding, done.after)} {fix.title} ({finding.rule.slug})")
        for finding, why in done.undone:
            tell(f"not fixed: {_format_place(finding, done.after)} {why} ({finding.rule.slug})")
        count = len(done.made)
        told = f"{format_count(count, 'finding')} {'would be fixed' if self.dry else 'fixed'}"
        tell(told if count else "nothing to fix")
        if done.stopped:
            tell("--fix: stopped after many rounds; run it again for the rest")

    def print(self, done: Any, output: writing.Output) -> None:
        """Print what would be changed. Raises CannotReviewError where a line of it would be taken for a command."""
        from reviewer.fixes import write
        from reviewer.render.plain import escape_hidden

        self._tell(done)
        shown = write.format_diff(done.files)
        if output.file is None and os.environ.get("GITHUB_ACTIONS") == "true" and _is_command(shown):
            raise CannotReviewError(
                "--fix --dry-run: a line of the diff is a workflow command; write it to a file: --output"
            )
        if output.coloured:
            shown = "\n".join(map(escape_hidden, shown.split("\n")))
        writing.write(shown, output.file)

    def write(self, done: Any) -> None:
        """Write what was changed, and tell what could not be. Raises CannotReviewError."""
        from reviewer.fixes import write

        write.write(done.before.tree.root, done.files)
        self._tell(done)


def _is_command(shown: str) -> bool:
    """Return whether a runner would take a line for a command, wherever it begins."""
    return any("##[" in line or line.strip().startswith("::") for line in shown.replace("\r", "\n").split("\n"))


def _format_place(finding: Any, reading: Any) -> str:
    from reviewer.report.relocation import find_path_from_here

    return f"{find_path_from_here(finding.span.path, reading.tree.root)}:{finding.span.line}"
