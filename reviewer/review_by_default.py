"""The group of commands in which reviewing needs no word of its own."""

from typing import Any

from typer.core import TyperGroup


class ReviewByDefault(TyperGroup):
    """Takes `mcp-review PATH` for `mcp-review review PATH`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `review` before what begins with neither a command nor an option of the group."""
        own = {name for each in self.params for name in each.opts}
        if args and args[0] not in self.commands and args[0].partition("=")[0] not in {"--help", *own}:
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
