"""What is written in TypeScript and JavaScript in the place of what was found."""

import pytest

from tests.fixes.conftest import swapped

HIGH = """import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "ropes", version: "1.0.0" });

server.registerTool(
  "delete_rope",
  { description: "Delete a rope for good. Use it when it is worn out.", inputSchema: { id: z.string() } },
  async ({ id }) => ({ content: [{ type: "text", text: id }] }),
);

await server.connect(new StdioServerTransport());
"""

LOW = """import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const server = new Server({ name: "ropes", version: "1.0.0" }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: [
    {
      name: "delete_rope",
      description: "Delete a rope for good. Use it when it is worn out.",
      inputSchema: SCHEMA,
    },
  ],
}));

server.setRequestHandler(CallToolRequestSchema, async (request) => ({
  content: [{ type: "text", text: String(request.params.arguments?.id) }],
}));

await server.connect(new StdioServerTransport());
"""

PLAIN = '{ type: "object", properties: { id: { type: "string" } }, required: ["id"] }'

CONFIGURATION = (
    '{ description: "Delete a rope for good. Use it when it is worn out.", inputSchema: { id: z.string() } }'
)
HINTS = [
    (CONFIGURATION, CONFIGURATION.replace(" } }", " }, annotations: { destructiveHint: true } }")),
    (
        CONFIGURATION.replace(" } }", " }, annotations: { idempotentHint: true } }"),
        CONFIGURATION.replace(" } }", " }, annotations: { idempotentHint: true, destructiveHint: true } }"),
    ),
    (
        CONFIGURATION.replace(" } }", " }, annotations: { 'idempotentHint': true } }"),
        CONFIGURATION.replace(" } }", " }, annotations: { 'idempotentHint': true, 'destructiveHint': true } }"),
    ),
    (
        '{\n    description: "Delete a rope for good. Use it when it is worn out.",\n    inputSchema: { id: z.string() },\n  }',
        '{\n    description: "Delete a rope for good. Use it when it is worn out.",\n    inputSchema: { id: z.string() },\n'
        "    annotations: { destructiveHint: true },\n  }",
    ),
]


@pytest.mark.parametrize("name", ["server.ts", "server.mjs", "server.tsx"])
@pytest.mark.parametrize(("bad", "good"), HINTS)
def test_a_hint_that_the_name_gives(fix, bad, good, name):
    before, after = (swapped(HIGH, (CONFIGURATION, text)) for text in (bad, good))
    assert fix(before, "tool-without-destructive-hint", name=name) == after


def test_annotations_that_are_computed_are_left_alone(fix):
    text = swapped(HIGH, (CONFIGURATION, CONFIGURATION.replace(" } }", " }, annotations: hints }")))
    assert fix(text, "tool-without-destructive-hint", name="server.ts") == text
    spread = swapped(HIGH, (CONFIGURATION, CONFIGURATION.replace(" } }", " }, ...rest }")))
    assert fix(spread, "tool-without-destructive-hint", name="server.ts") == spread


def test_a_tool_of_a_list_gets_annotations_where_the_project_knows_them(fix):
    text = swapped(LOW, ("SCHEMA", PLAIN))
    assert fix(text, "tool-without-destructive-hint", name="server.ts") == text
    told = swapped(text, ("const server", "// clients ask for destructiveHint\nconst server"))
    after = swapped(
        told, (f"inputSchema: {PLAIN},", f"inputSchema: {PLAIN},\n      annotations: {{ destructiveHint: true }},")
    )
    assert fix(told, "tool-without-destructive-hint", name="server.ts") == after


def test_a_hint_that_the_name_contradicts_is_unsafe(fix):
    bad, good = (
        swapped(
            HIGH, (CONFIGURATION, CONFIGURATION.replace(" } }", f" }}, annotations: {{ destructiveHint: {x} }} }}"))
        )
        for x in ("false", "true")
    )
    assert fix(bad, "destructive-not-marked", name="server.ts") == bad
    assert fix(bad, "destructive-not-marked", name="server.ts", unsafe=True) == good


PRINTS = [
    ('console.log("gone", id)', 'console.error("gone", id)'),
    ('console.info("gone")', 'console.error("gone")'),
    ("process.stdout.write(id)", "process.stderr.write(id)"),
]


@pytest.mark.parametrize(("bad", "good"), PRINTS)
def test_a_print_goes_to_standard_error(fix, bad, good):
    old, end = "=> ({ content", ("text: id }] }),", "text: id }] }); },")
    before, after = (swapped(HIGH, (old, f"=> {{ {text}; return ({{ content"), end) for text in (bad, good))
    assert fix(before, "prints-to-stdout", name="server.ts") == after


def test_a_print_in_another_form_is_left_alone(fix):
    before = swapped(HIGH, ("await server", "console.table([server]);\nawait server"))
    assert fix(before, "prints-to-stdout", name="server.ts") == before


def test_a_print_while_the_server_starts(fix):
    before = swapped(HIGH, ("await server", 'console.log("starting");\nawait server'))
    after = swapped(HIGH, ("await server", 'console.error("starting");\nawait server'))
    assert fix(before, "prints-to-stdout", name="server.ts") == after


def test_a_name_that_is_required_and_not_defined(fix):
    bad = '{ type: "object", properties: { id: { type: "string" } }, required: ["id", "rope"] }'
    assert fix(swapped(LOW, ("SCHEMA", bad)), "required-not-defined", name="server.ts") == swapped(
        LOW, ("SCHEMA", PLAIN)
    )


def test_a_schema_without_a_type(fix):
    bad = '{ properties: { id: { type: "string" } }, required: ["id"] }'
    good = '{ properties: { id: { type: "string" } }, required: ["id"], type: "object" }'
    assert fix(swapped(LOW, ("SCHEMA", bad)), "root-schema-not-object", name="server.ts") == swapped(
        LOW, ("SCHEMA", good)
    )


def test_a_suppression_that_covers_nothing(fix):
    before = swapped(
        HIGH, ("const server", "// mcp-review: ignore[tool-name-style] named so by its users\nconst server")
    )
    assert fix(before, "suppression-unused", "tool-name-style", name="server.ts") == HIGH
