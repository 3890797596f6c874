"""Frameworks other than the SDK and FastMCP: how they are told tools, or find them, and what they answer."""

import json

import pytest
from test_typescript_tools import HANDLER, put, tools

from reviewer.files.discovery import discover_files
from reviewer.languages import read

TMCP = """import { McpServer } from "tmcp";
import * as v from "valibot";
const server = new McpServer({ name: "demo", version: "1" }, { adapter }).withContext<{ user: string }>();
"""
OPTIONS = "{ name: 'read', description: 'Read a file', schema: v.object({ path: v.string() }) }"
RUN = "async ({ path }) => ({ content: [] })"


@pytest.mark.parametrize(
    "source",
    [
        f"server.tool({OPTIONS}, {RUN});",
        f"import {{ defineTool }} from 'tmcp/tool';\nserver.tools([defineTool({OPTIONS}, {RUN})]);",
        f"const read = (on: McpServer<any, any>) => on.tool({OPTIONS}, {RUN});\nconst all = {{ read }};\n"
        "for (const name in all) all[name as keyof typeof all](server);",
        f"export function add(on: McpServer<any, any>) {{ on.tool({OPTIONS}, {RUN}); }}",
    ],
    ids=["one", "defined", "a loop over functions", "a function that nobody calls"],
)
def test_a_tool_of_tmcp(tmp_path, source):
    project = put(tmp_path, {"server.ts": TMCP + source})
    (tool,) = tools(project)
    assert (tool.name, tool.title, tool.description) == ("read", "Read a file", "Read a file")
    assert [each.name for each in tool.parameters] == ["path"]
    assert tool.handler is not None
    assert tool.conditions == ()
    assert project.servers[0].framework == "tmcp"


def test_a_tool_of_tmcp_that_is_only_listed_at_times(tmp_path):
    source = f"server.tool({{ ...{OPTIONS}, title: 'Read', enabled: () => isOn() }}, {RUN});"
    (tool,) = tools(put(tmp_path, {"server.ts": TMCP + source}))
    assert (tool.title, [each.text for each in tool.conditions]) == ("Read", ["enabled()"])


XMCP = {
    "package.json": json.dumps({"name": "demo", "dependencies": {"xmcp": "1.1.0", "zod": "4.1.0"}}),
    "src/tools/read.ts": "import { z } from 'zod';\nimport type { ToolMetadata } from 'xmcp';\n"
    "export const schema = { path: z.string() };\n"
    "export const metadata: ToolMetadata = { name: 'read-file', description: 'Read a file', annotations: { readOnlyHint: true } };\n"
    "export default async function read({ path }) { return path; }\n",
    "src/tools/more/bare.ts": "export default function bare() { return ''; }\n",
    "src/tools/helper.ts": "export const limit = 5;\n",
    "src/lib/none.ts": "export default function none() {}\n",
}


def test_the_tools_of_xmcp_are_files(tmp_path):
    project = put(tmp_path, {**XMCP, "xmcp.config.ts": "export default { stdio: true, template: { name: 'Demo' } };"})
    bare, found = tools(project)
    assert (found.name, found.description) == ("read-file", "Read a file")
    assert found.annotations == {"title": "read-file", "readOnlyHint": True}
    assert found.input_schema.document["$schema"].endswith("2020-12/schema")
    assert [each.name for each in found.parameters] == ["path"]
    assert (bare.name, bare.description, bare.annotations) == ("bare", "No description provided", {"title": "bare"})
    assert (project.servers[0].name, project.servers[0].framework) == ("Demo", "xmcp")


@pytest.mark.parametrize(
    ("paths", "expected"), [("'src/tools/more'", ["bare"]), ("false", []), ("undefined", ["bare", "read-file"])]
)
def test_where_xmcp_looks_for_tools(tmp_path, paths, expected):
    config = f"const config = {{ http: true, paths: {{ tools: {paths} }} }};\nexport default config;"
    assert [str(each.name) for each in tools(put(tmp_path, {**XMCP, "xmcp.config.ts": config}))] == expected


def test_a_tool_of_xmcp_whose_metadata_only_a_run_knows(tmp_path):
    files = {
        "xmcp.config.ts": "export default {};",
        "src/tools/a.ts": "export const metadata = load();\nexport default () => 1;",
    }
    (tool,) = tools(put(tmp_path, files))
    assert not isinstance(tool.name, str)
    assert next(iter(tool.iter_unreadable())).startswith("name: ")


FRAMEWORK = {
    "package.json": json.dumps({"name": "demo", "dependencies": {"mcp-framework": "0.2.22", "zod": "3.25.0"}}),
    "src/index.ts": "import { MCPServer } from 'mcp-framework';\nconst server = new MCPServer({ name: 'demo' });\nserver.start();\n",
}
CLASS = """import { MCPTool } from "mcp-framework";
import { z } from "zod";
class ReadTool extends MCPTool {
  name = "read";
  description = "Read a file";
  annotations = { readOnlyHint: true };
  schema = %s;
  async execute(input) { return input.path; }
}
export default ReadTool;
"""
OBJECT = {"type": "object", "properties": {"path": {"type": "string", "description": "A path"}}, "required": ["path"]}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("{ path: { type: z.string().min(1), description: 'A path' } }", OBJECT),
        ("z.object({ path: z.string().describe('A path') })", OBJECT),
        (
            "{ size: { type: z.number().int().optional(), description: 'Bytes' } }",
            {"type": "object", "properties": {"size": {"type": "number", "description": "Bytes"}}},
        ),
        (
            "z.object({ size: z.number().int().min(1).default(5).describe('Bytes'), kind: z.enum(['a']).optional() })",
            {
                "type": "object",
                "properties": {
                    "size": {"type": "integer", "minimum": 1, "default": 5, "description": "Bytes"},
                    "kind": {"type": "string", "enum": ["a"]},
                },
                "required": ["size"],
            },
        ),
    ],
)
def test_the_tools_of_mcp_framework_are_classes_in_files(tmp_path, schema, expected):
    files = {"src/tools/ReadTool.ts": CLASS % schema, "src/tools/base.ts": "export default class Base {}"}
    project = put(tmp_path, {**FRAMEWORK, **files})
    (tool,) = tools(project)
    assert (tool.name, tool.description, tool.annotations) == ("read", "Read a file", {"readOnlyHint": True})
    assert tool.input_schema.document == expected
    assert tool.handler is not None
    assert project.servers[0].framework == "mcp-framework"


@pytest.mark.parametrize("module", ["mcp-handler", "@vercel/mcp-adapter"])
def test_a_handler_of_requests_makes_a_server(tmp_path, module):
    source = f"import {{ createMcpHandler }} from '{module}';\nimport {{ z }} from 'zod';\n"
    source += f"const tools = [{{ name: 'read', schema: {{ path: z.string() }}, run: {HANDLER} }}];\n"
    source += "const handler = createMcpHandler(async server => {\n"
    source += "  tools.forEach((tool: any) => { server.tool(tool.name, 'Read a file', tool.schema, tool.run); });\n"
    source += "}, { serverInfo: { name: 'demo', version: '1' } });\nexport { handler as GET };"
    project = put(tmp_path, {"route.ts": source})
    (tool,) = tools(project)
    assert (tool.name, tool.conditions, project.servers[0].name) == ("read", (), "demo")


def test_the_converter_of_the_sdk(tmp_path):
    source = """import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { normalizeObjectSchema } from "@modelcontextprotocol/sdk/server/zod-compat.js";
import { toJsonSchemaCompat } from "@modelcontextprotocol/sdk/server/zod-json-schema-compat.js";
import { z } from "zod";
const server = new Server({ name: "demo", version: "1" }, {});
const all = [{ name: "read", schema: { path: z.string() } }];
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: all.map(({ name, schema }) => {
  const made = normalizeObjectSchema(schema);
  return { name, inputSchema: made ? toJsonSchemaCompat(made, { pipeStrategy: "input" }) : { type: "object" } };
}) }));
"""
    put(tmp_path, {"server.ts": source})
    (tool,) = tools(read(discover_files(tmp_path), {"zod": "4.1.0", "@modelcontextprotocol/sdk": "1.25.3"}))
    assert tool.input_schema.document["properties"] == {"path": {"type": "string"}}


def test_alternatives_of_one_name_are_one_tool(tmp_path):
    source = "import { FastMCP } from 'fastmcp';\nconst server = new FastMCP({ name: 'demo' });\n"
    source += "const told = { name: 'read', description: 'Read', execute: async () => '' };\n"
    source += "const tool = process.env.SHORT ? { ...told, description: 'R' } : told;\nserver.addTool(tool);"
    (tool,) = tools(put(tmp_path, {"server.ts": source}))
    assert (tool.name, tool.conditions) == ("read", ())
    assert "depends on `process.env.SHORT`" in next(iter(tool.iter_unreadable()))
