'''Tools return values of their declared return type.

The SDK derives an output schema from the return type and validates each answer against it. A function that declares a list but
returns a string has already done its work when validation fails: the model gets a validation error instead of the answer, and
calls again. Values from helpers and decorators, and `None` when nothing was found, count as well.

Bad:

```python
from mcp.server import MCPServer

mcp = MCPServer("kiln")
firings = {"1": {"cone": 6}}

@mcp.tool()
def find_firing(id: str) -> dict[str, int]:
    """Give a firing."""
    if id not in firings:
        return f"No firing {id}"  # flaw
    return firings[id]
```

Good:

```python
from mcp.server import MCPServer

mcp = MCPServer("kiln")
firings = {"1": {"cone": 6}}

@mcp.tool()
def find_firing(id: str) -> dict[str, int] | str:
    """Give a firing."""
    if id not in firings:
        return f"No firing {id}"
    return firings[id]
```
'''

from collections.abc import Iterator

from reviewer.facts import FunctionOutcome, Json, OutcomeKind, Schema, Server, Tool
from reviewer.facts.parts import list_types
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import format_sharing, shorten_code

SAID: dict[OutcomeKind, str] = {
    "text": "a string", "number": "a number", "truth": "a boolean", "nothing": "None", "list": "a list", "mapping": "a dict",
}  # fmt: skip
SUITING: dict[OutcomeKind, frozenset[str]] = {
    "text": frozenset({"string"}),
    "number": frozenset({"number", "integer", "boolean"}),
    "truth": frozenset({"boolean", "number", "integer"}),
    "nothing": frozenset({"null"}),
    "list": frozenset({"array"}),
    "mapping": frozenset({"object"}),
    "model": frozenset({"object"}),
}
"""The types of a schema that a kind of value fits, also where the SDK makes one of the other: a number of true."""

PARSED = frozenset({"number", "integer", "boolean"})
"""Types that pydantic reads from a text (`"3"`, `"true"`): such an answer passes, or fails, only as it runs."""

HELP = "Return the declared type on every path, or change the declaration; report failures by an exception."


@rule(
    Severity.WARNING,
    cites=("MCP 2026-07-28 server/tools, Output Schema",),
    when=lambda server: any(_find_schema(tool) is not None for tool in server.tools),
    absent="no tool has an output schema that is made of its return type",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each returned value that the output schema rejects; tools that return the same expression
    share one.
    """
    found: dict[object, tuple[Tool, FunctionOutcome, list[Tool]]] = {}
    for tool in server.tools:
        schema = _find_schema(tool)
        first = next(
            (each for each in _collect_outcomes(tool) if schema and _is_refused(each, schema, server.framework)), None
        )
        if first is not None:
            found.setdefault((first.inner or first.text).span, (tool, first, []))[2].append(tool)
    for tool, first, tools in found.values():
        yield Flaw(first.text, _format_message(tool, first, len(tools) - 1), HELP, tool)


def _collect_outcomes(tool: Tool) -> tuple[FunctionOutcome, ...]:
    return tuple(tool.handler.outcomes) if tool.handler is not None else ()


def _format_message(tool: Tool, found: FunctionOutcome, more: int) -> str:
    returns = tool.handler.returns if tool.handler is not None else None
    declared = f"`{shorten_code(returns.text)}`" if returns is not None and returns.text is not None else "another type"
    given = f"an object of `{found.name}`" if found.kind == "model" else SAID[found.kind]
    if found.element:
        given = f"a list of objects of `{found.element}`"
    by = ""
    if found.inner is not None:
        by = f" by `{shorten_code(found.inner)}` ({found.inner.span.path}:{found.inner.span.line})"
    checks = (
        "the SDK rejects the answer" if returns is None or returns.later is None else "newer SDKs reject the answer"
    )
    return f"{tool.shown} is declared to return {declared} but returns {given}{by}: {checks}{format_sharing(more)}"


def _find_schema(tool: Tool) -> Schema | None:
    """Return the schema that answers are held against, None if there is none or a part cannot be read."""
    given = tool.output_schema
    if given is None or (isinstance(given, Schema) and given.absent):
        returns = tool.handler.returns if tool.handler is not None else None
        given = returns.later if returns is not None else None
    return given if isinstance(given, Schema) and not given.absent and not given.hides() else None


def _is_refused(found: FunctionOutcome, schema: Schema, framework: str) -> bool:
    document = schema.document
    form = document
    is_wrapped = document.get("x-fastmcp-wrap-result") is True or (
        framework == "mcp" and str(document.get("title", "")).endswith("Output")
    )
    properties = document.get("properties")
    if is_wrapped and isinstance(properties, dict) and properties.keys() == {"result"}:
        form = properties["result"]
    forms = list(_iter_forms(form, document))
    if not forms or any(not list_types(each) for each in forms):
        return False  # it may be anything, or cannot be told
    allowed = {kind for each in forms for kind in list_types(each)}
    if found.kind == "model" and "object" in allowed:
        return framework == "mcp" and all("properties" not in each for each in forms if "object" in list_types(each))
    if found.parses and PARSED & allowed:
        return False
    if found.element and "array" in allowed:
        arrays = [each for each in forms if "array" in list_types(each)]
        return framework == "mcp" and all(_refuses_objects(each.get("items"), document) for each in arrays)
    return SUITING[found.kind].isdisjoint(allowed)


def _refuses_objects(form: object, document: Json) -> bool:
    """Return whether a schema takes no object with fields: it may be a dict, or nothing of the kind."""
    forms = list(_iter_forms(form, document))
    return all(list_types(each) and ("object" not in list_types(each) or "properties" not in each) for each in forms)


def _iter_forms(form: object, document: Json, deep: int = 5) -> Iterator[Json]:
    """Yield the alternatives of a schema, each without a reference; an empty one where it cannot be told."""
    if not isinstance(form, dict) or not deep:
        yield {}
        return
    reference = form.get("$ref")
    if isinstance(reference, str):
        definitions = document.get("$defs", {})
        yield from _iter_forms(definitions.get(reference.rpartition("/")[2]), document, deep - 1)
    elif "anyOf" in form or "oneOf" in form:
        for each in form.get("anyOf") or form.get("oneOf") or [{}]:
            yield from _iter_forms(each, document, deep - 1)
    else:
        yield form
