"""Times reviews of generated servers of growing size, and tells by which power of the size the time grows.

    python evals/speed/growth.py [--kinds tools branches rust-branches typescript-dispatcher] [--runs 1]

The servers are written to a temporary folder. Processor time (user) of the whole command, the least of the runs.
"""

import argparse
import math
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

TOOL = '''
@mcp.tool()
async def {name}(note: str, limit: int = 20) -> list[dict]:
    """Returns the notes of section {number} that contain a text, newest first. Example: {name}(note="milk")."""
    found = await load({number}, note)
    if limit < 1:
        raise ValueError("limit: give 1 or more")
    return [shown(each) for each in found[: min(limit, 100)]]
'''

HELPERS = '''
async def load(section: int, note: str) -> list[dict]:
    """Read a section."""
    async with aiosqlite.connect("notes.db") as db:
        rows = await db.execute_fetchall("select id, body from notes where section = ? and body like ?", (section, note))
    return [{"id": row[0], "body": row[1]} for row in rows]


def shown(note: dict) -> dict:
    """Return what a client sees of a note."""
    return {"id": note["id"], "body": note["body"][:200]}
'''

PYTHON_TOOLS = '"""Notes."""\n\nimport aiosqlite\nfrom mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("notes")\n'


def python_tools(size: int) -> dict[str, str]:
    """Return a server of some tools, each a function that calls two helpers."""
    tools = "".join(TOOL.format(name=f"find_notes_{number}", number=number) for number in range(size))
    return {"server.py": PYTHON_TOOLS + HELPERS + tools + '\n\nif __name__ == "__main__":\n    mcp.run()\n'}


def python_branches(size: int) -> dict[str, str]:
    """Return a server of one tool that does one of some actions, each by a function of its own."""
    names = [f"notes.find_{number}" for number in range(size)]
    functions = "".join(
        f"\n\nasync def find_{number}(params: dict) -> list[dict]:\n"
        f'    found = await load({number}, params["note"])\n'
        f'    return [shown(each) for each in found[: min(int(params.get("limit", 20)), 100)]]\n'
        for number in range(size)
    )
    arms = "".join(
        f'        case "{name}":\n            return await find_{number}(params)\n' for number, name in enumerate(names)
    )
    literal = ", ".join(f'"{name}"' for name in names)
    tool = (
        f"\n\n@mcp.tool()\nasync def notes(action: Literal[{literal}], params: dict) -> list[dict]:\n"
        '    """Finds notes by one of several actions."""\n    match action:\n'
        f'{arms}        case _:\n            raise ValueError(f"unknown action {{action}}")\n'
    )
    head = PYTHON_TOOLS.replace("import aiosqlite\n", "from typing import Literal\n\nimport aiosqlite\n")
    return {"server.py": head + HELPERS + functions + tool + '\n\nif __name__ == "__main__":\n    mcp.run()\n'}


RUST_HEAD = """use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ErrorData as McpError, ServerHandler, ServiceExt, model::*, schemars, tool, tool_handler, tool_router};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, schemars::JsonSchema)]
struct Asked {
    /// What to do.
    action: String,
    /// What the action takes.
    params: Value,
}

struct Notes {
    tool_router: rmcp::handler::server::router::tool::ToolRouter<Self>,
}

fn load(section: u32, note: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(format!("section-{section}.txt")).unwrap_or_default();
    text.lines().filter(|line| line.contains(note)).map(|line| json!({"body": line})).collect()
}
"""

RUST_TAIL = """
#[tool_handler]
impl ServerHandler for Notes {
    fn get_info(&self) -> ServerInfo {
        ServerInfo { capabilities: ServerCapabilities::builder().enable_tools().build(), ..Default::default() }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let notes = Notes { tool_router: Notes::tool_router() };
    notes.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}
"""


def rust_branches(size: int) -> dict[str, str]:
    """Return a server of one tool that does one of some actions, each by a function of its own."""
    functions = "".join(
        f"\nasync fn find_{number}(params: &Value) -> Result<Value, McpError> {{\n"
        f'    let note = params["note"].as_str().ok_or_else(|| McpError::invalid_params("note: missing", None))?;\n'
        f'    let limit = params["limit"].as_u64().unwrap_or(20).min(100) as usize;\n'
        f"    Ok(json!(load({number}, note).into_iter().take(limit).collect::<Vec<_>>()))\n}}\n"
        for number in range(size)
    )
    arms = "".join(
        f'            "notes.find_{number}" => find_{number}(&asked.params).await,\n' for number in range(size)
    )
    tool = (
        '\n#[tool_router]\nimpl Notes {\n    #[tool(description = "Finds notes by one of several actions.")]\n'
        "    async fn notes(&self, Parameters(asked): Parameters<Asked>) -> Result<CallToolResult, McpError> {\n"
        "        let found = match asked.action.as_str() {\n"
        f'{arms}            other => Err(McpError::invalid_params(format!("unknown action {{other}}"), None)),\n'
        "        }?;\n        Ok(CallToolResult::structured(found))\n    }\n}\n"
    )
    manifest = '[package]\nname = "notes"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]\nrmcp = "0.8"\n'
    return {"Cargo.toml": manifest, "src/main.rs": RUST_HEAD + functions + tool + RUST_TAIL}


SCRIPT_HEAD = """import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });

async function load(section: number, note: string): Promise<string[]> {
  const found = await fetch(`https://example.org/${section}?note=${encodeURIComponent(note)}`);
  if (!found.ok) throw new Error(`section ${section}: ${found.status}`);
  return (await found.json()) as string[];
}
"""

SCRIPT_TAIL = """
server.setRequestHandler(CallToolRequestSchema, async (request) => answer(request.params));

await server.connect(new StdioServerTransport());
"""


def script_dispatcher(size: int) -> dict[str, str]:
    """Return a server of some tools whose calls one function takes, with the parameters of the request."""
    functions = "".join(
        f"\nasync function find{number}(args: any) {{\n  const found = await load({number}, args.note);\n"
        '  return { content: [{ type: "text", text: found.slice(0, 20).join("\\n") }] };\n}\n'
        for number in range(size)
    )
    shape = 'inputSchema: { type: "object", properties: { note: { type: "string" } }, required: ["note"] }'
    tools = "".join(
        f'  {{ name: "find_{number}", description: "Finds notes of section {number} by a text.", {shape} }},\n'
        for number in range(size)
    )
    arms = "".join(
        f'    case "find_{number}":\n      return await find{number}(params.arguments);\n' for number in range(size)
    )
    answer = (
        "\nasync function answer(params: any) {\n  if (!params.arguments) params.arguments = {};\n"
        f"  switch (params.name) {{\n{arms}"
        "    default:\n      throw new Error(`unknown tool ${params.name}`);\n  }\n}\n"
    )
    listed = f"\nserver.setRequestHandler(ListToolsRequestSchema, async () => ({{ tools: [\n{tools}] }}));\n"
    manifest = '{"name": "notes", "type": "module", "dependencies": {"@modelcontextprotocol/sdk": "^1.20.0"}}\n'
    return {"package.json": manifest, "index.ts": SCRIPT_HEAD + functions + answer + listed + SCRIPT_TAIL}


KINDS: dict[str, tuple[Callable[[int], dict[str, str]], tuple[int, ...]]] = {
    "tools": (python_tools, (10, 100, 300, 1000)),
    "branches": (python_branches, (50, 100, 200, 400)),
    "rust-branches": (rust_branches, (50, 100, 200, 400)),
    "typescript-dispatcher": (script_dispatcher, (50, 100, 200, 400)),
}


def main() -> None:
    """Print a table of each kind."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--most", type=int, default=1000, help="leave out what is larger")
    asked = parser.parse_args()
    print("| kind | size | seconds | power |\n| --- | --- | --- | --- |")
    for kind in asked.kinds:
        make, sizes = KINDS[kind]
        before: tuple[int, float] | None = None
        for size in (each for each in sizes if each <= asked.most):
            seconds = min(_seconds(make(size)) for _ in range(asked.runs))
            power = math.log(seconds / before[1]) / math.log(size / before[0]) if before else math.nan
            print(f"| {kind} | {size} | {seconds:.2f} | {'' if before is None else f'{power:.2f}'} |", flush=True)
            before = (size, seconds)


def _seconds(files: dict[str, str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([sys.executable, "-m", "reviewer", folder, "--no-cache"], check=False, stdout=subprocess.DEVNULL)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


if __name__ == "__main__":
    main()
