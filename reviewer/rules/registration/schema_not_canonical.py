'''Tools with an `action` parameter take exactly `action`, `params`, `fields`, `limit` and `cursor`.

An agent that has learned one domain's tool can call every other one: the arguments of an action go into `params`, and the rest
means the same everywhere. A sixth argument, or one of another type, has to be learned for this one tool.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("item")

@mcp.tool()
def item(
    action: str,
    page: int = 1,  # flaw
    params: dict | None = None,
    fields: list[str] | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> str:
    """Items."""
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("item")

@mcp.tool()
def item(
    action: str,
    params: dict | None = None,
    fields: list[str] | None = None,
    limit: int = 20,
    cursor: str | None = None,
) -> str:
    """Items."""
```
'''

from collections.abc import Iterator

from reviewer.facts import Project, Schema, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.actions import CANONICAL, find_wrapper, iter_dispatching_tools, read_properties
from reviewer.rules.shared.values.shapes import collect_type_names, locate_argument
from reviewer.rules.shared.words.identifiers import format_names
from reviewer.source import Span, Text

WANTED = {
    "action": ({"string"}, "a string"),
    "params": ({"object"}, "an object"),
    "fields": ({"string[]"}, "a list of strings"),
    "limit": ({"integer", "number"}, "an integer"),
    "cursor": ({"string"}, "a string"),
}
MOST = 3
"""Arguments too many that are named one by one, each at its place."""

HELP = "Take exactly `{ action: string, params?: object, fields?: string[], limit?: integer, cursor?: string }`."


@rule(
    Severity.ERROR,
    cites=("checklist §5",),
    when=lambda project: any(iter_dispatching_tools(project)),
    absent="no tool takes an action's name",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each argument that is missing, extra or of another type than the canonical schema has."""
    for tool in iter_dispatching_tools(project):
        if isinstance(tool.input_schema, Schema):
            yield from _iter_deviations(tool, tool.input_schema)


def _iter_deviations(tool: Tool, schema: Schema) -> Iterator[Flaw]:
    unread = {hole.path for hole in schema.holes}
    if unread & {"", "properties", "required", "type"}:
        return
    given = read_properties(tool)
    around = find_wrapper(tool)
    if around is not None:
        yield Flaw(
            _place(tool, around),
            f"`{tool.name}` takes its `action` inside `{around}`, not as an argument of its own",
            HELP,
        )
        return
    lacking = [name for name in CANONICAL if name not in given and f"properties.{name}" not in unread]
    extra = [name for name in given if name not in WANTED]
    many = extra if len(extra) > MOST else []
    said = [f"lacks {format_names(lacking)}"] if lacking else []
    said += [f"has {len(many)} arguments besides the canonical five: {format_names(many)}"] if many else []
    if said:
        yield Flaw(_get_tool(tool), f"the input of `{tool.name}` {' and '.join(said)}", HELP)
    for name in extra if not many else ():
        yield Flaw(_place(tool, name), f"`{tool.name}` takes `{name}` besides the five canonical arguments", HELP)
    for name in WANTED:
        if name in given and not any(path.startswith(f"properties.{name}") for path in unread):
            yield from _iter_type_flaws(tool, schema, name)
    needed = schema.document.get("required", [])
    if "action" in given and "action" not in needed:
        yield Flaw(_place(tool, "action"), f"`{tool.name}` does not require its `action`", HELP)
    for name in sorted(WANTED.keys() & set(needed) - {"action"}):
        yield Flaw(_place(tool, name), f"`{tool.name}` requires `{name}`, which must be optional", HELP)


def _iter_type_flaws(tool: Tool, schema: Schema, name: str) -> Iterator[Flaw]:
    allowed, wanted = WANTED[name]
    found = collect_type_names(schema.document["properties"][name], schema.document) - {"null"}
    if not found <= allowed | ({"any"} if name == "params" else set()):
        yield Flaw(_place(tool, name), f"`{name}` of `{tool.name}` is {' or '.join(sorted(found))}, not {wanted}", HELP)


def _get_tool(tool: Tool) -> Text | Span:
    return tool.name if isinstance(tool.name, Text) else tool.span


def _place(tool: Tool, name: str) -> Text | Span:
    return locate_argument(tool, name) or _get_tool(tool)
