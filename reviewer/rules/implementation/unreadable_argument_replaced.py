'''Invalid arguments are rejected, not replaced by a default.

A date that does not parse becomes no date, and the answer contains the rows of all times. A filter in broken JSON becomes no
filter, a number in words becomes the default. The call succeeds, and the model tells its user the answer to a different
question (CWE-20, CWE-754).

Reported if code parses the text of an argument, uses a constant or nothing if that fails, and continues, and no check later
rejects the replacement. Arguments that the schema restricts to numbers or to certain values are excluded if the SDK validates
them; the Rust SDKs do not, so an enum value is reported there, as a suggestion.

Bad:

```python
from datetime import date

from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def ropes_since(since: str) -> list[str]:
    """List the ropes that were bought since a day."""
    try:
        day = date.fromisoformat(since)  # flaw
    except ValueError:
        day = None
    return load_ropes(day)
```

Good:

```python
from datetime import date

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

mcp = MCPServer("ropes")

@mcp.tool()
def ropes_since(since: str) -> list[str]:
    """List the ropes that were bought since a day."""
    try:
        day = date.fromisoformat(since)
    except ValueError as error:
        raise ToolError(f"{since} is no day such as 2026-03-01") from error
    return load_ropes(day)
```
'''

from collections.abc import Iterator

from reviewer.facts import Dispatch, Handler, Server
from reviewer.facts.parts import Json
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.argument_uses import iter_arguments
from reviewer.rules.shared.acts.handler_effects import collect_distinct_acts, format_way
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Return an error that names the argument and the format it needs."


@rule(
    Severity.WARNING,
    cites=("CWE-20: improper input validation", "CWE-754: improper check for unusual or exceptional conditions"),
    absent="no tool's code was found",
)
def check(holder: Server | Dispatch) -> Iterator[Flaw]:
    """Yield a finding for each argument that is replaced by another value if it cannot be read, unless the schema
    rejects it first.
    """
    for handler, act in collect_distinct_acts(holder, "replaces unreadable"):
        forms = _collect_forms(holder, handler, str(act.about))
        is_checked = bool(forms) and not any(map(_is_text, forms))
        # no SDK of Rust checks what is sent against an enum that the code does not read as one
        is_kept = is_checked and act.text.span.path.endswith(".rs") and all("enum" in each for each in forms)
        if not is_checked or is_kept:
            message = f"an invalid `{act.about}` is silently replaced by another value: `{shorten_code(act.text)}`"
            yield Flaw(act.text, message + format_way(act, handler), HELP, cause=str(act.about), minor=is_kept)


def _collect_forms(holder: Server | Dispatch, handler: Handler, name: str) -> list[Json]:
    """Return the schemas of an argument of the tools that a function answers."""
    return [
        form
        for tool in (holder.tools if isinstance(holder, Server) else ())
        if tool.code is handler
        for part in iter_arguments(tool.arguments)
        if part.name == name
        for form in part.forms
    ]


def _is_text(form: Json) -> bool:
    """Return whether a schema lets any text pass: a number, or one of some values, is checked before by the SDKs of Python."""
    return form.get("type", "string") == "string" and "enum" not in form
