"""How servers in TypeScript declare tools, each form as a small server of our own, and what is read of it."""

import pytest

from reviewer.facts import Schema
from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.source import Opaque

IMPORTS = """import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
"""
MCP = IMPORTS + "const server = new McpServer({ name: 'demo', version: '1' });\n"
LOW = IMPORTS + "const server = new Server({ name: 'demo', version: '1' }, {});\n"
LISTING = "server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: %s }));\n"
CONFIG = "{ description: 'Read a file', inputSchema: { path: z.string() } }"
HANDLER = "async ({ path }) => ({ content: [] })"
SCHEMA = "{ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }"
ENTRY = "{ name: 'read', description: 'Read a file', inputSchema: " + SCHEMA + " }"

FORMS = {
    "registerTool": MCP + f"server.registerTool('read', {CONFIG}, {HANDLER});",
    "tool": MCP + f"server.tool('read', 'Read a file', {{ path: z.string() }}, {HANDLER});",
    "names of constants": MCP
    + f"const NAME = 're' + 'ad';\nconst config = {CONFIG};\nserver.registerTool(NAME, config, {HANDLER});",
    "a template": MCP + f"const kind = 'ad';\nserver.registerTool(`re${{kind}}`, {CONFIG}, {HANDLER});",
    "an enumeration": MCP + f"enum Names {{ Read = 'read' }}\nserver.registerTool(Names.Read, {CONFIG}, {HANDLER});",
    "a loop over objects": MCP
    + f"const tools = [{{ name: 'read', config: {CONFIG}, run: {HANDLER} }}];\n"
    + "for (const { name, config, run } of tools) server.registerTool(name, config, run);",
    "forEach over entries": MCP
    + f"Object.entries({{ read: {CONFIG} }}).forEach(([name, config]) => server.registerTool(name, config, {HANDLER}));",
    "a function that is handed the server": MCP
    + f"function register(on: McpServer) {{ on.registerTool('read', {CONFIG}, {HANDLER}); }}\nregister(server);",
    "a function that nobody calls": IMPORTS
    + f"export function register(on: McpServer) {{ on.registerTool('read', {CONFIG}, {HANDLER}); }}",
    "a class": IMPORTS
    + "class Demo {\n  private server: McpServer;\n  constructor() { this.server = new McpServer({ name: 'demo' }); this.add(); }\n"
    + f"  private add() {{ this.server.registerTool('read', {CONFIG}, {HANDLER}); }}\n}}\nnew Demo();",
    "a class that is derived": IMPORTS
    + "class Demo extends McpServer {\n  constructor() { super({ name: 'demo', version: '1' }); }\n"
    + f"  add() {{ this.registerTool('read', {CONFIG}, {HANDLER}); }}\n}}\nnew Demo().add();",
    "tools that are classes": MCP
    + "abstract class Base { abstract name: string; install(on: McpServer) { on.registerTool(this.name, this.config, this.run); } "
    + f"config = {CONFIG}; run = {HANDLER}; }}\nclass Read extends Base {{ name = 'read'; }}\nnew Read().install(server);",
    "another order of arguments": MCP
    + "const tool = (name: string, shape: object, text: string, run: any) =>\n"
    + "  server.registerTool(name, { description: text, inputSchema: { ...shape } }, run);\n"
    + f"tool('read', {{ path: z.string() }}, 'Read a file', {HANDLER});",
    "a schema": MCP
    + f"server.registerTool('read', {{ ...{CONFIG}, inputSchema: z.object({{ path: z.string() }}) }}, {HANDLER});",
    "a shape that is extended": MCP
    + "const Base = z.object({ more: z.string() });\n"
    + f"server.tool('read', 'Read a file', Base.extend({{ path: z.string() }}).omit({{ more: true }}).shape, {HANDLER});",
    "a callback": IMPORTS
    + "import express from 'express';\nconst app = express();\napp.post('/mcp', async () => {\n"
    + f"  const server = new McpServer({{ name: 'demo' }});\n  server.registerTool('read', {CONFIG}, {HANDLER});\n}});",
    "a list": LOW + LISTING % f"[{ENTRY}]",
    "a list that is spread": LOW + f"const files = [{ENTRY}];\n" + LISTING % "[...files, ...[].concat([])]",
    "a list that is mapped": LOW + f"const files = [{ENTRY}];\n" + LISTING % "files.map(({ _meta, ...rest }) => rest)",
    "parsed entries": LOW + f"const read = ToolSchema.parse({ENTRY});\n" + LISTING % "Object.values({ read })",
    "a map": LOW + f"const tools = new Map();\ntools.set('read', {ENTRY});\n" + LISTING % "[...tools.values()]",
    "the inner server": MCP
    + f"server.server.setRequestHandler(ListToolsRequestSchema, () => ({{ tools: [{ENTRY}] }}));",
}
"""Each declares a tool `read` that takes a path."""


def put(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return read(discover_files(folder))


def tools(project):
    return [tool for server in project.servers for tool in server.tools]


@pytest.mark.parametrize("source", FORMS.values(), ids=FORMS)
def test_form(tmp_path, source):
    (tool,) = tools(put(tmp_path, {"server.ts": source}))
    assert (tool.name, tool.description) == ("read", "Read a file")
    assert [each.name for each in tool.parameters] == ["path"]
    assert tool.conditions == ()
    assert isinstance(tool.input_schema, Schema)
    assert tool.input_schema.document["properties"] == {"path": {"type": "string"}}
    assert tool.input_schema.document["required"] == ["path"]


def test_texts_know_their_place(tmp_path):
    (tool,) = tools(put(tmp_path, {"server.ts": MCP + f"server.tool(\n  'read',\n  'Read a file', {HANDLER});"}))
    assert (tool.name.span.line, tool.name.span.column) == (7, 3)
    assert (tool.description.span.line, tool.description.span.column) == (8, 3)


def test_several_files(tmp_path):
    files = {
        "package.json": '{"name": "demo", "imports": {"#lib/*": "./dist/lib/*"}}',
        "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", /* our own */ "paths": {"@/*": ["src/*"],}}}',
        "src/index.ts": MCP + "import { register } from './tools/index.js';\nregister(server);",
        "src/tools/index.ts": "import * as all from '@/all';\nimport type { McpServer } from 'x';\n"
        + "export function register(server: McpServer) { for (const each of Object.values(all)) each(server); }",
        "src/all.ts": "export * from './read';\nexport { write as put } from './write.js';",
        "src/read.ts": "import { z, NAME } from '#lib/shared.js';\nexport const read = (server) =>\n"
        + f"  server.registerTool(NAME, {CONFIG}, {HANDLER});",
        "src/write.ts": f"import {{ z }} from 'zod';\nexport function write(server) {{ server.tool('write', {HANDLER}); }}",
        "src/lib/shared.ts": "export { z } from 'zod';\nexport const NAME = 'read';",
        "src/read.test.ts": MCP + f"server.tool('tested', {HANDLER});",
        "dist/index.js": MCP + f"server.tool('built', {HANDLER});",
    }
    assert [str(each.name) for each in tools(put(tmp_path, files))] == ["write", "read"]


@pytest.mark.parametrize(
    ("around", "condition"),
    [
        ("if (process.env.WRITE) { %s }", "process.env.WRITE"),
        ("if (!process.env.READ_ONLY) { %s }", "!(process.env.READ_ONLY)"),
        ("function add() { if (process.env.OFF) return; %s }\nadd();", "!(process.env.OFF)"),
        ("[1].filter(() => process.env.ON).forEach(() => { %s });", "[1].filter(() => process.env.ON)"),
        ("process.env.A && process.env.B ? (() => { %s })() : null;", "process.env.B"),
    ],
)
def test_a_condition(tmp_path, around, condition):
    (tool,) = tools(put(tmp_path, {"server.ts": MCP + around % f"server.tool('read', {HANDLER});"}))
    assert tool.conditions[-1].text == condition


def test_what_is_not_registered(tmp_path):
    source = f"const on = false;\nif (on) server.tool('off', {HANDLER});\nserver.tool('gone', {HANDLER}).disable();\n"
    source += "if (!process.env.KEY) throw new Error('no key');\n"
    assert [
        str(each.name) for each in tools(put(tmp_path, {"a.ts": MCP + source + f"server.tool('on', {HANDLER});"}))
    ] == ["on"]


def test_what_cannot_be_read_is_named(tmp_path):
    source = MCP + "import { readFileSync } from 'fs';\nimport { limit } from './none.js';\n"
    source += f"server.tool('read', readFileSync('a.md', 'utf8'), {{ path: z.string().max(limit), of: z.nativeEnum(limit) }}, {HANDLER});"
    (tool,) = tools(put(tmp_path, {"server.ts": source}))
    assert isinstance(tool.description, Opaque)
    assert [each.name for each in tool.parameters] == ["path", "of"]
    assert [each.path for each in tool.input_schema.holes] == ["properties.path.maxLength", "properties.of.enum"]


def test_names_of_a_configuration_are_assumed(tmp_path):
    source = MCP + f"server.tool(process.env.NAME ?? 'read', 'Read ' + (process.env.WHAT || 'a file'), {HANDLER});"
    (tool,) = tools(put(tmp_path, {"server.ts": source}))
    assert tool.name == "read"
    assert [(each.path, each.assumed) for each in tool.assumptions][:1] == [("name", True)]


@pytest.mark.parametrize(
    "source",
    [
        "const f = () => f();\nf();",
        "while (true) { }",
        "for (let i = 0; ; i++) { server.tool('x' + i, async () => ({})); if (i > 1) break; }",
        "const a: any[] = []; a.push(a); JSON.stringify(a); server.tool('b', z.lazy(() => a as any) as any, async () => ({}));",
        "class A extends A {}\nnew A();",
        "class A extends B {}\nclass B extends A {}\nserver.tool('read', async () => { new A(); return { content: [] }; });",
        "server.tool(",
        "server.tool();\nserver.registerTool();\nserver.setRequestHandler(ListToolsRequestSchema, null);",
        "import { x } from './server.js';\nexport const x = x;\nexport * from './server.js';",
        "const { a, ...[b] } = ;",
    ],
)
def test_odd_code_raises_nothing(tmp_path, source):
    put(tmp_path, {"server.ts": MCP + source})


def test_ignores(tmp_path):
    source = MCP + "// mcp-review: ignore[tool-without-title] none is needed\n"
    source += f"server.tool('read', {HANDLER}); // mcp-review: ignore[purpose-not-told] it is plain\n"
    project = put(tmp_path, {"server.ts": source})
    assert [(each.slugs[0], each.covers.line) for each in project.ignores] == [
        ("tool-without-title", 7),
        ("purpose-not-told", 7),
    ]


BUNDLE = "function a(b){return b}" * 20_000 + MCP.replace("\n", "")


@pytest.mark.parametrize("name", ["dist/index.js", "index.mjs"])
def test_a_bundle_is_named_and_not_read(tmp_path, name):
    project = put(tmp_path, {name: BUNDLE + f"server.tool('read', {HANDLER});"})
    assert (project.servers, [each.span.path for each in project.broken]) == ((), [name])
    project = put(tmp_path, {"src/index.ts": MCP + f"server.tool('read', {HANDLER});"})
    assert ([str(each.name) for each in tools(project)], project.broken) == (["read"], ())


@pytest.mark.parametrize("data", [b"var a = 1;\n" * 2**20, b"\xff\xfe\x00 // mcp"], ids=["too large", "not UTF-8"])
def test_what_no_server_in_another_language_has_a_part_in(tmp_path, data):
    (tmp_path / "page.js").write_bytes(data)
    server = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('a')\n@mcp.tool()\ndef read(): ...\n"
    assert put(tmp_path, {"server.py": server}).broken == ()
    (tmp_path / "server.py").unlink()
    assert [each.span.path for each in put(tmp_path, {}).broken] == ["page.js"]


FAST = "import { FastMCP } from 'fastmcp';\nimport { z } from 'zod';\nconst server = new FastMCP({ name: 'demo', version: '1.0.0' });\n"
ADDED = "{ name: 'read', description: 'Read a file', parameters: %s, execute: async ({ path }) => path }"


@pytest.mark.parametrize(
    "source",
    [
        FAST + f"server.addTool({ADDED});",
        FAST + f"server.addTools([{ADDED}]);",
        FAST + f"function add(on: FastMCP) {{ on.addTool({ADDED}); }}\nadd(server);",
        "import type { FastMCP } from 'fastmcp';\nimport { z } from 'zod';\n"
        + f"export function add(on: FastMCP) {{ on.addTool({ADDED}); }}",
    ],
    ids=["one", "a list", "a function", "a function that nobody calls"],
)
def test_a_tool_of_fastmcp(tmp_path, source):
    (tool,) = tools(put(tmp_path, {"server.ts": source % "z.object({ path: z.string() })"}))
    assert (tool.name, tool.description) == ("read", "Read a file")
    assert [each.name for each in tool.parameters] == ["path"]
    assert tool.handler is not None


@pytest.mark.parametrize(
    ("release", "given", "expected"),
    [
        ("4.0.0", "z.object({})", {"additionalProperties": False}),
        ("3.35.0", "z.object({})", {}),
        ("3.35.0", "undefined", {"additionalProperties": False}),
    ],
)
def test_the_schema_of_fastmcp_by_release(tmp_path, release, given, expected):
    put(tmp_path, {"server.ts": FAST + f"server.addTool({ADDED % given});"})
    (tool,) = tools(read(discover_files(tmp_path), {"fastmcp": release, "zod": "4.1.0"}))
    document = {key: each for key, each in tool.input_schema.document.items() if key != "$schema"}
    assert document == {"type": "object", "properties": {}, **expected}
