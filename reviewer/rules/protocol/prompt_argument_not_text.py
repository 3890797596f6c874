"""Prompt arguments are read as strings.

The protocol sends them as strings, including numbers and flags. `as_i64` of a string returns nothing: a required argument is
missing in every call, and an optional one always has its default.

Bad:

```rust
impl ServerHandler for Kiln {
    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResult, McpError> {
        let cone = request.arguments.and_then(|given| given.get("cone")?.as_i64()).unwrap_or(6); // flaw
        Ok(plan(cone))
    }
}

#[tool_router]
impl Kiln {
    #[tool(description = "Fire the kiln")]
    async fn fire(&self) -> String { String::new() }
}
```

Good:

```rust
impl ServerHandler for Kiln {
    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResult, McpError> {
        let cone = request.arguments.and_then(|given| given.get("cone")?.as_str()?.parse().ok()).unwrap_or(6);
        Ok(plan(cone))
    }
}

#[tool_router]
impl Kiln {
    #[tool(description = "Fire the kiln")]
    async fn fire(&self) -> String { String::new() }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.acts.reached import has_code
from reviewer.rules.shared.words.identifiers import shorten_code

HELP = "Read a string and parse it: `.as_str()?.parse().ok()`."


@rule(
    Severity.ERROR,
    cites=("MCP 2026-07-28 server/prompts, GetPromptRequestParams",),
    when=has_code,
    absent="no server's code was found",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield one finding for the prompt arguments that are read as something else than text."""
    found = [each for each in project.prompt_faults if each.kind == "argument"]
    if found:
        shown = f"`{shorten_code(found[0].text)}`"
        message = f"{shown} is always `None`: prompt arguments are strings, even numbers"
        yield Flaw(found[0].text, message, HELP, related=tuple(each.text.span for each in found[1:]))
