"""Commands whose options stand under headings in `--help`, without the library that draws boxes."""

from typing import Any

from typer.core import TyperCommand

OTHER = "Other"
"""The heading of options that have none of their own."""

WIDEST_FIRST = 26
"""Characters of an option and its value beside which its help begins; a longer one stands on a line of its own."""


class GroupedOptions(TyperCommand):
    """A command that lists its options by the `rich_help_panel` they name, in the order of their first ones."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then each group of options."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                heading = "Arguments" if param.param_type_name == "argument" else OTHER
                panels.setdefault(getattr(param, "rich_help_panel", None) or heading, []).append(record)
        for heading, records in panels.items():
            with formatter.section(heading):
                formatter.write_dl(records, col_max=WIDEST_FIRST)
