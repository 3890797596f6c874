"""Rust projects made for a test, and what is read from them."""

from pathlib import Path
from textwrap import dedent

from reviewer.facts import Handler, Project, Server
from reviewer.files.discovery import discover_files
from reviewer.languages.rust import behaviour
from reviewer.languages.rust.project.items import RustItems
from reviewer.source import Span


def review(root: Path, servers: tuple[Server, ...] = (), **files: str) -> Project:
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".rs")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), "utf-8")
    return behaviour.read(RustItems(discover_files(root).select_suffix(".rs")), servers)


def arms(project: Project) -> dict[str, Handler]:
    return {arm.name: arm for dispatch in project.dispatches for arm in dispatch.arms}


def bounded(project: Project) -> dict[str, list[bool]]:
    """Tell of each way out of each arm whether it passes `respond`."""
    return {name: ["respond" in way.through for way in arm.exits] for name, arm in arms(project).items()}


def dispatching(body: str) -> str:
    return f"""
async fn run(client: Client, action: &str, params: Value) -> Result<Value, ToolError> {{
    match action {{
{body}
        other => Err(ToolError::Unknown(other.into())),
    }}
}}
"""


def server(path: str = "server.rs") -> tuple[Server, ...]:
    return (Server(None, "rust", "rmcp", Span(path, 1, 1, 1, 1)),)


HANDLER = """
impl ServerHandler for Books {
    async fn call_tool(&self, request: Request, context: Context) -> Result<CallToolResult, McpError> {
        BODY
    }
}
"""

CAUGHT = """
async fn dispatch_tool(params: Value) -> Result<Value, ToolError> {{
    let result = AssertUnwindSafe(run(params)).catch_unwind().await;
    {handled}
}}
fn text_of(payload: Box<dyn Any + Send>) -> String {{
    payload.downcast_ref::<String>().cloned().unwrap_or_default()
}}
fn generic(payload: Box<dyn Any + Send>) -> ToolError {{
    tracing::error!("{{payload:?}}");
    ToolError::Internal("tool handler panicked".into())
}}
"""

GUARD = "pub fn respond(action: &str, value: Value) -> Value { value }\n"
