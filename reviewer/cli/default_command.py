"""The group of commands in which reviewing needs no word of its own."""

import os
from difflib import get_close_matches
from typing import Any

from typer.core import TyperGroup

from reviewer.failures import CannotReviewError
from reviewer.text.patterns import pattern

WORD = pattern(r"\w[\w-]*")
"""What may be meant for a command: neither an option nor plainly a path."""


class ReviewByDefault(TyperGroup):
    """Takes `mcp-review PATH` for `mcp-review review PATH`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `review` before what begins with neither a command nor an option of the group.

        Raises CannotReviewError for a word that is nearly a command, where no file has that name.
        """
        own = {name for each in self.params for name in each.opts} | set(ctx.help_option_names)
        if args and args[0] not in self.commands and args[0].partition("=")[0] not in own:
            near = get_close_matches(args[0], [*self.commands, *own], n=1) if WORD.fullmatch(args[0]) else ()
            if near and not os.path.lexists(args[0]):
                raise CannotReviewError(
                    f"`{args[0]}`: no such command, file or folder; did you mean `mcp-review {near[0]}`?"
                )
            args = ["review", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Complete to a command, or to an option of `mcp-review review`; a shell itself completes to paths."""
        found: list[Any] = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("-"):
            review = self.commands["review"]
            with review.make_context("review", [], parent=ctx, resilient_parsing=True) as context:
                known = {each.value for each in found}
                found += [each for each in review.shell_complete(context, incomplete) if each.value not in known]
        return found
