"""The function that dispatches tool calls returns failures as results with `isError`.

A model that knows why a call failed tries another path or fixes an argument. Many clients do not show a protocol error, a
success with an error text is taken for an answer, and a panic leaves the call without an answer. One function calls all tools,
so one wrong arm in it hides the reason for every tool.

Bad:

```rust
#[async_trait]
pub trait Tool: Send + Sync {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    fn input_schema(&self) -> Value;
    async fn call(&self, input: Value) -> anyhow::Result<Value>;
}

pub struct Pottery {
    tools: Vec<Arc<dyn Tool>>,
}

pub struct ListKilns;

#[async_trait]
impl Tool for ListKilns {
    fn name(&self) -> &str { "list_kilns" }
    fn description(&self) -> &str { "List the kilns." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": {} }) }
    async fn call(&self, _input: Value) -> anyhow::Result<Value> { Ok(json!({ "kilns": kilns().await? })) }
}

impl Pottery {
    pub fn new() -> Self {
        let tools: Vec<Arc<dyn Tool>> = vec![Arc::new(ListKilns)];
        Self { tools }
    }
}

impl ServerHandler for Pottery {
    async fn call_tool(&self, request: CallToolRequestParams, _: RequestContext<RoleServer>) -> Result<CallToolResult, McpError> {
        let tool = self.tools.iter().find(|tool| tool.name() == request.name).ok_or_else(|| unknown(&request.name))?;
        match tool.call(json!(request.arguments)).await {
            Ok(output) => Ok(CallToolResult::success(vec![Content::text(output.to_string())])),
            Err(error) => Err(McpError::internal_error(error.to_string(), None)), // flaw
        }
    }
}
```

Good:

```rust
#[async_trait]
pub trait Tool: Send + Sync {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    fn input_schema(&self) -> Value;
    async fn call(&self, input: Value) -> anyhow::Result<Value>;
}

pub struct Pottery {
    tools: Vec<Arc<dyn Tool>>,
}

pub struct ListKilns;

#[async_trait]
impl Tool for ListKilns {
    fn name(&self) -> &str { "list_kilns" }
    fn description(&self) -> &str { "List the kilns." }
    fn input_schema(&self) -> Value { json!({ "type": "object", "properties": {} }) }
    async fn call(&self, _input: Value) -> anyhow::Result<Value> { Ok(json!({ "kilns": kilns().await? })) }
}

impl Pottery {
    pub fn new() -> Self {
        let tools: Vec<Arc<dyn Tool>> = vec![Arc::new(ListKilns)];
        Self { tools }
    }
}

impl ServerHandler for Pottery {
    async fn call_tool(&self, request: CallToolRequestParams, _: RequestContext<RoleServer>) -> Result<CallToolResult, McpError> {
        let tool = self.tools.iter().find(|tool| tool.name() == request.name).ok_or_else(|| unknown(&request.name))?;
        match tool.call(json!(request.arguments)).await {
            Ok(output) => Ok(CallToolResult::success(vec![Content::text(output.to_string())])),
            Err(error) => Ok(CallToolResult::error(vec![Content::text(error.to_string())])),
        }
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import ActKind, Server
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code

ENDINGS: dict[ActKind, str] = {
    "fails protocol": "returns a tool's error as a protocol error",
    "succeeds in error": "returns a tool's error as a success",
    "panics": "panics if a tool returns an error",
    "answers unknown": "returns success for a tool that does not exist",
}


NO_TOOL = "Return a protocol error: the request itself is invalid."


@rule(
    Severity.WARNING,
    cites=("Tool trait: error handling", "MCP 2026-07-28 server/tools, Error Handling"),
    when=lambda server: server.entry is not None and not server.entry.generated,
    absent="no dispatcher was found that calls the tools",
)
def check(server: Server) -> Iterator[Flaw]:
    """Yield a finding for each place at which the entry point turns a tool's failure into something else than an error
    result.
    """
    for act in server.entry.failures if server.entry is not None else ():
        yield Flaw(
            act.text,
            f"`{server.entry.name if server.entry is not None else ''}` {ENDINGS[act.kind]}: `{shorten_code(act.text)}`",
            NO_TOOL if act.kind == "answers unknown" else "Return a result with `isError` and the text of the error.",
        )
