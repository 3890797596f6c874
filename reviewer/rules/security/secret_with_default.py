'''Secret parameters have no default.

A default is published to every client in `tools/list`, and is visible in the source. A working secret is then known to
everybody who can list the tools; a default that does not work teaches that the parameter can be left out.

Departs from the original: null, an empty text and a reference such as `${API_KEY}` give nothing away; what is no secret for its
name or its type (`secret-in-parameters`) may have a default.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("weather")

@mcp.tool()
def forecast(
    city: str,
    api_key: str = "wx-4f2a9c",  # flaw
) -> str:
    """Give the weather of tomorrow."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("weather")

@mcp.tool()
def forecast(city: str, api_key: str | None = None) -> str:
    """Give the weather of tomorrow."""
```
'''

from collections.abc import Iterator
from typing import Any

from reviewer.facts import Part, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.fixes import build_schema_rewrite, plan_rewrite
from reviewer.rules.shared.literal_mode import collect_arguments, is_secret
from reviewer.rules.shared.values.limits import format_part
from reviewer.text.patterns import pattern

REFERENCE = pattern(r"\$\{?\w+\}?|\{\{?[\w. ]+\}?\}|env:\w+|%\w+%")
"""How a default names the place of a secret: `$NAME`, `${NAME}`, `{{name}}`, `env:NAME`, `%NAME%`. The secret is not in it."""

WAYS = frozenset("none null auto automatic env environment default basic bearer digest oauth oauth2".split())
"""What stands for a way to authenticate, not for a secret."""


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    bare_key: bool = declare_option(False, "Whether a parameter named just `key` may hold a secret.")
    literal: bool = declare_option(
        False, "Whether to apply the original rule literally, without the departures listed above.", formerly="letter"
    )


def _takes_secret(part: Part, tool: Tool, options: Options) -> bool:
    return is_secret(part, tool, literal=options.literal, bare_key=options.bare_key)


@rule(
    Severity.ERROR,
    codes=("SEC-008",),
    cites=("tool definition rules: SEC-008",),
    when=lambda tool, options: any(
        _takes_secret(part, tool, options) for part in collect_arguments(tool, options.literal)
    ),
    absent="no tool takes a secret that can be read",
    fixes=("unsafe",),
)
def check(tool: Tool, options: Options) -> Iterator[Flaw]:
    """Yield a finding for each secret that the schema discloses."""
    for part in collect_arguments(tool, options.literal):
        given = "default" in part.schema if options.literal else _shows_secret(part.find_keyword("default"))
        if _takes_secret(part, tool, options) and given:
            message = (
                f"{format_part(part)} of {tool.shown} takes a secret and has a default, which every client can read"
            )
            help = "Remove the default, read the secret from the environment, and rotate it if it was a real one."
            drop = build_schema_rewrite(tool, "drop", part.path, ("default",))
            fix_plan = plan_rewrite("remove the default from the schema", drop, safe=False)
            yield Flaw(tool.place((*part.path, "default")), message, help, fix_plan=fix_plan)


def _shows_secret(default: Any) -> bool:
    if isinstance(default, str):
        given = default.strip()
        return bool(given) and given.lower() not in WAYS and not REFERENCE.fullmatch(given)
    return isinstance(default, list | dict) and any(
        map(_shows_secret, default.values() if isinstance(default, dict) else default)
    )
