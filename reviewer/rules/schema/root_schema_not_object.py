"""The root of an input schema is an object.

The protocol requires `type: object` at the root of an input schema. In Rust, enums, newtypes, options, lists and `()` have
none: since 1.8, rmcp panics on them when the router is created; before, it sends a schema that clients reject.

Departs from the original: a `type` that JSON Schema does not know is said once, as a schema that is not valid.

Bad:

```rust
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "action")]
enum Order { Dig { row: u32 }, Water }

#[tool_router]
impl Garden {
    #[tool(description = "Carry out an order")]
    async fn order(&self, Parameters(order): Parameters<Order>) -> String { String::new() } // flaw
}
```

Good:

```rust
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "action")]
enum Order { Dig { row: u32 }, Water }

#[derive(Deserialize, JsonSchema)]
struct Orders {
    #[serde(flatten)]
    order: Order,
}

#[tool_router]
impl Garden {
    #[tool(description = "Carry out an order")]
    async fn order(&self, Parameters(orders): Parameters<Orders>) -> String { String::new() }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project, Tool
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.definitions import find_argument_schema
from reviewer.rules.shared.fixes import build_schema_rewrite, plan_rewrite
from reviewer.rules.shared.literal_mode import LiteralMode
from reviewer.rules.shared.values.validity import is_type
from reviewer.rules.shared.words.identifiers import shorten_code


def _collect_tools(project: Project) -> list[Tool]:
    return [tool for server in project.servers for tool in server.tools if find_argument_schema(tool) is not None]


@rule(
    Severity.ERROR,
    codes=("SCH-005",),
    cites=("tool definition rules: SCH-005", "checklist §5", "MCP 2026-07-28 server/tools, inputSchema"),
    when=lambda project, options: (
        bool(_collect_tools(project)) or any(fact.trap == "root no object" for fact in project.registration_pitfalls)
    ),
    absent="no tool has an input schema that can be read",
    fixes=("safe",),
)
def check(project: Project, options: LiteralMode) -> Iterator[Flaw]:
    """Yield a finding for each input that is not an object: by a type that the SDK converts, or by its schema."""
    trapped = [fact for fact in project.registration_pitfalls if fact.trap == "root no object"]
    for fact in trapped:
        yield Flaw(
            fact.span,
            f"the schema of `{shorten_code(fact.cause or '')}`, which tool `{fact.name}` takes, "
            "has no `type: object` at its root",
            "Use a struct with named fields; embed an enum with `#[serde(flatten)]`. A tool without arguments needs no struct.",
        )
    for tool in _collect_tools(project):
        schema = find_argument_schema(tool)
        if schema is None or schema.hides("type") or any(tool.span.holds(fact.span) for fact in trapped):
            continue
        kind = schema.document.get("type")
        if kind is None or (kind != "object" and (options.literal or is_type(kind))):
            said = "has no `type`" if kind is None else f"is of type `{kind}`"
            at = tool.place(("type",) if kind is not None else ())
            set_type = build_schema_rewrite(tool, "set key", (), "object", "type")
            fix_plan = (
                plan_rewrite('set `"type": "object"`', set_type)
                if kind is None and schema.document.get("properties")
                else None
            )
            help = 'Set `"type": "object"` at its root.'
            yield Flaw(at, f"the input schema of {tool.shown} {said}", help, tool, fix_plan)
