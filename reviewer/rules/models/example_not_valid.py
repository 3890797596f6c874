'''Examples and defaults are valid against their own schema.

A model copies an example, and a client fills in a default. If the schema rejects the value, the first call fails although the
caller did what the schema suggests. Usually the schema has changed and the example has not: a field was renamed, made required,
or given bounds.

Bad:

```python
from mcp.server import MCPServer
from pydantic import BaseModel, ConfigDict, Field

mcp = MCPServer("tracker")

class TaskCreateInput(BaseModel):  # flaw
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ship it"}]})

    title: str = Field(examples=["Ship it"])
    priority: int = Field(3, le=4, examples=["high"])  # flaw

@mcp.tool(name="task.create")
def task_create(input: TaskCreateInput) -> str:
    """Create a task."""
```

Good:

```python
from mcp.server import MCPServer
from pydantic import BaseModel, ConfigDict, Field

mcp = MCPServer("tracker")

class TaskCreateInput(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Ship it"}]})

    title: str = Field(examples=["Ship it"])
    priority: int = Field(3, le=4, examples=[2])

@mcp.tool(name="task.create")
def task_create(input: TaskCreateInput) -> str:
    """Create a task."""
```
'''

import json
from collections.abc import Iterator

from reviewer.facts import Schema, Tool
from reviewer.records import dataclass
from reviewer.rules import Flaw, Severity, declare_option, rule
from reviewer.rules.shared.values.instances import Misfit, UncheckedValue, iter_misfits, shows
from reviewer.rules.shared.words.identifiers import shorten_code
from reviewer.source import Opaque, Span


@dataclass(frozen=True)
class Options:
    """What a profile may set."""

    null_default: bool = declare_option(
        False, "Whether to report a null default that the type does not allow, as in Python's `x: str = None`."
    )


def _iter_schemas(tool: Tool) -> Iterator[Schema]:
    for schema in (tool.input_schema, tool.output_schema):
        if isinstance(schema, Schema) and not schema.absent:
            yield schema


def _place(tool: Tool, schema: Schema, misfit: Misfit | UncheckedValue) -> Span:
    keys = (*misfit.keys, "examples")
    if schema is tool.input_schema:
        return tool.place(keys)
    return next((found for at in range(len(keys), 0, -1) if (found := schema.places.get(keys[:at]))), tool.place())


@rule(
    Severity.WARNING,
    cites=("authoring guidelines: input models", "JSON Schema 2020-12, Validation, 9.2 and 9.5"),
    when=lambda tool, options: any(shows(schema.document) for schema in _iter_schemas(tool)),
    absent="no schema has an example or a default",
)
def check(tool: Tool, options: Options) -> Iterator[Flaw | Opaque]:
    """Yield a finding for each example and default that its own schema rejects."""
    for schema in _iter_schemas(tool):
        for misfit in iter_misfits(schema.document):
            if schema.hides(*misfit.keys) or (
                misfit.value is None and misfit.kind == "default" and not options.null_default
            ):
                continue
            whose = f"of `{misfit.name}`" if misfit.name else "of the entire object"
            if isinstance(misfit, UncheckedValue):
                reason = f"the {misfit.kind} {whose} of {tool.shown} was not checked against its schema: {misfit.why}"
                yield Opaque(reason, _place(tool, schema, misfit))
                continue
            shown = shorten_code(json.dumps(misfit.value, default=str, ensure_ascii=False))
            message = f"{misfit.kind} `{shown}` {whose} of {tool.shown} is not valid against its schema: {misfit.why}"
            yield Flaw(_place(tool, schema, misfit), message, "Use a value that the schema accepts, or fix the schema.")
