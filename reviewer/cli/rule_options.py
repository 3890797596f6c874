"""The command line's options on rules, and all that the caller says of them and of the configuration."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from reviewer.cli.completions import complete_profile_names, complete_rule_names
from reviewer.failures import CannotReviewError
from reviewer.rules import Severity

PANEL = "Rules"
"""The heading of these options in `--help`."""
_option = partial(typer.Option, rich_help_panel=PANEL)

ProfileOption = Annotated[
    str | None,
    _option(
        metavar="PROFILE",
        help="The guideline to review against; detected if not given.",
        autocompletion=complete_profile_names,
    ),
]
SelectOption = Annotated[
    list[str] | None,
    _option(
        metavar="RULES",
        help="Run only these rules: slugs, codes, sections or their first words, separated by commas.",
        autocompletion=complete_rule_names,
    ),
]
IgnoreOption = Annotated[
    list[str] | None,
    _option(metavar="RULES", help="Skip these rules, named as in --select.", autocompletion=complete_rule_names),
]
FailOnOption = Annotated[
    Severity | None,
    _option(
        metavar="SEVERITY",
        help="The lowest severity that makes the exit code 1: error, warning or suggestion (default: error).",
    ),
]


class RuleChoices(NamedTuple):
    """What the caller says of configuration and rules."""

    config: Path | None = None
    isolated: bool = False
    exclude: list[str] | None = None
    sdk: list[str] | None = None
    profile: str | None = None
    select: list[str] | None = None
    ignore: list[str] | None = None
    fail_on: Severity | None = None

    def build_flags(self, **others: Any) -> Any:
        """Return the flags that these options, and others, come to. Raises CannotReviewError."""
        from reviewer.config import Flags, parse_versions

        if self.select and not _split_names(self.select):
            raise CannotReviewError("--select: name a rule, as in --select tool-name-style")
        return Flags(
            profile=self.profile,
            select=_split_names(self.select),
            ignore=_split_names(self.ignore),
            fail_on=self.fail_on.value if self.fail_on else None,
            config=self.config,
            sdk=parse_versions(self.sdk or ()),
            exclude=tuple(self.exclude or ()),
            isolated=self.isolated,
            **others,
        )


def _split_names(values: list[str] | None) -> tuple[str, ...]:
    return tuple(name.strip() for value in values or () for name in value.split(",") if name.strip())
