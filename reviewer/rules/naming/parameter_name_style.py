"""The parameters of a tool use one naming style.

A model that has filled in `userId` writes `includeDetails` next. If the parameter is named `include_details`, the call fails,
or the argument is silently ignored.

Departs from the original: it wants camelCase from everybody (`style = "camelCase"`, as the profile `validator-46` sets it),
which in Python and Rust no function has; what helps a model is that there is one style.
Departs from the original: it says of one tool twice that its style is mixed and that it is not camelCase, and shows no place;
here it is one finding, at the first parameter that is out of line, or at all of them if all are.
Departs from the original: it takes a single lower-case word for camelCase; such a word shows no style.

Bad:

```json
{"tools": [
  {
    "name": "get_user",
    "description": "Get a user by id",
    "inputSchema": {"type": "object", "properties": {
      "userId": {"type": "string"},
      "teamId": {"type": "string"},
      "include_details": {"type": "boolean"}  // flaw
    }}
  }
]}
```

Good:

```json
{"tools": [
  {
    "name": "get_user",
    "description": "Get a user by id",
    "inputSchema": {"type": "object", "properties": {
      "userId": {"type": "string"},
      "teamId": {"type": "string"},
      "includeDetails": {"type": "boolean"}
    }}
  }
]}
```
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Literal

from reviewer.facts import Part, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.literal_mode import collect_arguments
from reviewer.rules.shared.words.identifiers import format_names
from reviewer.rules.shared.words.styles import NameStyle, classify_style


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    literal: bool = declare_option(
        False, "Whether to check only top-level parameters, not the properties of objects.", formerly="letter"
    )
    style: Literal["consistent", "snake_case", "camelCase", "kebab-case"] = declare_option(
        "consistent", "The style; `consistent` uses the most frequent style among the parameters of the object."
    )


def _collect_objects(tool: Tool, options: Options) -> list[list[Part]]:
    """Return the parameters that show a style, those of one object together."""
    found: defaultdict[tuple[str, ...], list[Part]] = defaultdict(list)
    for part in collect_arguments(tool, options.literal):
        if not part.element and _find_style(part) is not None:
            found[part.path[:-1]].append(part)
    return list(found.values())


def _find_style(part: Part) -> NameStyle | None:
    return classify_style(part.name.strip("_"))


@rule(
    Severity.SUGGESTION,
    codes=("NAM-006",),
    cites=("tool definition rules: NAM-006",),
    when=lambda tool, options: bool(tool.arguments),
    absent="no tool takes a parameter that can be read",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each parameter name in another style than its siblings', or than the configured one."""
    for siblings in _collect_objects(tool, options):
        styles = [_find_style(part) for part in siblings]
        wanted = options.style if options.style != "consistent" else max(dict.fromkeys(styles), key=styles.count)
        odd = [part for part in siblings if _find_style(part) != wanted]
        if odd:
            than = "of most parameters" if options.style == "consistent" else "that is required"
            at = odd[0].path if len(odd) < len(siblings) and not options.literal else odd[0].path[:-1]
            names = format_names([part.name for part in odd])
            yield Flaw(
                tool.place(at),
                f"parameters of {tool.shown} are not {wanted}, the style {than}: {names}",
                f"Rename them to {wanted}.",
            )
            return
