"""What of a server's tools hangs on a test, or on a value that only a run knows: it is there, with its condition, and named."""

from test_typescript_tools import ENTRY, HANDLER, LISTING, LOW, MCP, put, tools


def test_a_table_of_tools_that_a_test_chooses(tmp_path):
    source = (
        LOW + f"const few = {{ read: {ENTRY} }};\nconst many = {{ ...few, list: [{ENTRY.replace('read', 'more')}] }};\n"
    )
    source += "const TABLE = process.env.MODE !== 'few' ? many : few;\nfunction flatten() {\n  const all = [];\n"
    source += "  for (const each of Object.values(TABLE)) { if (Array.isArray(each)) all.push(...each); else all.push(each); }\n"
    source += "  return all;\n}\n" + LISTING % "flatten()"
    found = {str(each.name): each.conditions for each in tools(put(tmp_path, {"server.ts": source}))}
    assert set(found) == {"read", "more"}
    assert [each.text for each in found["more"]] == ["process.env.MODE !== 'few'"]


def test_a_set_that_an_unknown_list_fills(tmp_path):
    source = "class Domains {\n  private on = new Set<string>();\n  constructor(given: string) {\n"
    source += "    if (!given) { ['read'].forEach(each => this.on.add(each)); return; }\n"
    source += "    given.split(',').map(each => each.trim()).forEach(each => { this.on.add(each); });\n  }\n"
    source += "  has(name: string) { return this.on.has(name); }\n}\nimport yargs from 'yargs';\n"
    source += "const domains = new Domains(yargs(process.argv).parseSync().domains);\n"
    source += f"for (const name of ['read', 'write', 'drop']) if (domains.has(name)) server.tool(name, {HANDLER});"
    found = {str(each.name): each.conditions for each in tools(put(tmp_path, {"server.ts": MCP + source}))}
    assert set(found) == {"read", "write", "drop"}
    assert all(found["write"])


def test_a_set_that_is_filled_in_full(tmp_path):
    source = "const on = new Set<string>();\n['read'].forEach(each => on.add(each));\n"
    source += f"for (const name of ['read', 'write']) if (on.has(name)) server.tool(name, {HANDLER});"
    assert [(str(each.name), each.conditions) for each in tools(put(tmp_path, {"server.ts": MCP + source}))] == [
        ("read", ())
    ]


def test_a_shape_with_more_in_one_case(tmp_path):
    source = (
        "const base = { path: z.string() };\nconst given = process.env.PAGES ? { page: z.number(), ...base } : base;\n"
    )
    source += f"server.registerTool('read', {{ inputSchema: z.object(given).passthrough() }}, {HANDLER});"
    (tool,) = tools(put(tmp_path, {"server.ts": MCP + source}))
    assert {each.name for each in tool.parameters} == {"path", "page"}
    assert [(each.path, each.assumed) for each in tool.input_schema.holes] == [("properties.page", True)]


def test_a_schema_that_a_test_chooses(tmp_path):
    source = "const base = { path: z.string() };\nconst make = (more) => more ? z.object({ ...base, page: z.number() }) : z.object(base);\n"
    source += f"server.registerTool('read', {{ inputSchema: make(process.env.MORE) }}, {HANDLER});"
    (tool,) = tools(put(tmp_path, {"server.ts": MCP + source}))
    assert {each.name for each in tool.parameters} == {"path", "page"}


def test_a_schema_of_which_nothing_is_known_says_why(tmp_path):
    source = f"import {{ shape }} from './none.js';\nserver.tool('read', z.object(shape).passthrough(), {HANDLER});"
    (tool,) = tools(put(tmp_path, {"server.ts": MCP + source}))
    assert list(tool.iter_unreadable()) == ["inputSchema: `./none.js` is not there"]


def test_types_are_no_tools(tmp_path):
    files = {
        "all.ts": f"export interface Tool {{ name: string }}\nexport type Tools = Tool[];\nexport const read = {ENTRY};",
        "server.ts": LOW + "import * as all from './all.js';\n" + LISTING % "Object.values(all)",
    }
    (server,) = put(tmp_path, files).servers
    assert ([str(each.name) for each in server.tools], server.unreadable) == (["read"], ())


SHARED = """import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { handle } from "elsewhere";
export function makeApp(options) {
  const make = (info) => async () => { const server = new McpServer(info); options.register(server); return server; };
  return { inner: { fetch(request) { return handle(make({ name: options.name, version: '1' }), request); } } };
}
"""
APP = (
    "import { makeApp } from '../shared.js';\nimport { z } from 'zod';\n"
    "const app = makeApp({ name: '%s', register(server) { server.registerTool('%s', { inputSchema: {} }, async () => ({ content: [] })); } });\n"
    "export default app.inner;\n"
)


def test_servers_that_one_factory_makes_are_told_apart(tmp_path):
    project = put(tmp_path, {"shared.ts": SHARED, "apps/a.ts": APP % ("A", "read"), "apps/b.ts": APP % ("B", "write")})
    found = {str(each.name): [str(tool.name) for tool in each.tools] for each in project.servers}
    assert found == {"A": ["read"], "B": ["write"]}


def test_a_server_that_is_made_twice_is_one(tmp_path):
    source = "function make() {\n  const server = new McpServer({ name: 'demo', version: '1' });\n"
    source += f"  server.tool('read', {HANDLER});\n  return server;\n}}\nmake();\nmake();"
    (server,) = put(tmp_path, {"server.ts": MCP.splitlines()[0] + "\n" + source}).servers
    assert [str(each.name) for each in server.tools] == ["read"]


def test_a_list_of_what_is_registered_is_told_once(tmp_path):
    listed = "server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [%s] }));\n"
    source = MCP + f"server.tool('read', 'Read a file', {{ path: z.string() }}, {HANDLER});\n"
    more = ENTRY.replace("'read'", "'more'")
    (read, other) = tools(put(tmp_path, {"server.ts": source + listed % f"{ENTRY}, {more}"}))
    assert (read.name, read.handler is not None, other.name) == ("read", True, "more")
