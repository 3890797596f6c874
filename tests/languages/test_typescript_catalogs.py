"""Catalogs of actions in TypeScript, what answers them, and what bounds the answers."""

from pathlib import Path

from reviewer.facts import Project
from reviewer.files.discovery import discover_files
from reviewer.languages import read
from reviewer.source import Opaque

SERVER = """
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { run } from "./kiln/handlers.js";

const server = new McpServer({ name: "kiln", version: "1.0.0" });
server.registerTool("kiln", { description: "Kilns." }, async (call) => ({ content: [{ type: "text", text: await run(call) }] }));
"""


def read_project(folder: Path, **files: str) -> Project:
    (folder / "kiln").mkdir()
    (folder / "server.ts").write_text(SERVER)
    for name, text in files.items():
        (folder / "kiln" / f"{name}.ts").write_text(text)
    return read(discover_files(folder))


def test_rows_are_read_whatever_makes_them(tmp_path):
    found = read_project(
        tmp_path,
        actions=(
            'const reading = { destructive: false, params: ["id"] };\n'
            "const row = (name: string, rest: object) => ({ name: `kiln.${name}`, ...rest });\n"
            'const shared = [{ name: "help", description: "This", destructive: false }];\n'
            'export const kilnActions = Object.freeze([...shared, row("get", reading), row("scrap", { destructive: true, idempotent: true })]);\n'
            'export const rows = [{ name: "not", destructive: true }];\n'
        ),
    )
    (catalog,) = found.catalogs
    assert [(str(each.name), each.destructive, each.idempotent) for each in catalog.actions] == [
        ("help", False, None), ("kiln.get", False, None), ("kiln.scrap", True, True),
    ]  # fmt: skip
    assert catalog.domain == "kiln"
    assert not catalog.open
    assert [[str(one.name) for one in each.parameters] for each in catalog.actions[1:]] == [["id"], []]


def test_what_only_a_run_tells_of_a_row_is_said_to_be_unknown(tmp_path):
    found = read_project(
        tmp_path,
        actions=(
            'import { load } from "elsewhere";\n'
            'export const ACTIONS = [{ name: "kiln.get", destructive: load("x"), params: load("y") }, load("kiln.put")];\n'
        ),
    )
    (catalog,) = found.catalogs
    (row,) = catalog.actions
    assert isinstance(row.destructive, Opaque)
    assert isinstance(row.parameters, Opaque)
    assert catalog.open


def test_an_object_holds_rows_by_name(tmp_path):
    found = read_project(
        tmp_path,
        actions='export const CATALOG = { "kiln.get": { destructive: false }, "kiln.put": { destructive: false } };\n',
    )
    assert [str(each.name) for each in found.catalogs[0].actions] == ["kiln.get", "kiln.put"]


ACTIONS = (
    'export const ACTIONS = [{ name: "kiln.get", destructive: false }, { name: "kiln.put", destructive: false }];\n'
)


def test_dispatches_choose_by_tests_or_tables(tmp_path):
    found = read_project(
        tmp_path,
        actions=ACTIONS,
        handlers=(
            "export async function run(call: { action: string }) {\n"
            '  if (call.action === "kiln.get") {\n    return get(call);\n  }\n'
            '  return call["action"] === "kiln.put" ? put(call) : undefined;\n}\n'
            'const TABLE = { "kiln.get": get, "kiln.put": put };\n'
            "function get(call: object) { return { call }; }\n"
            "function put(call: object) { return { call }; }\n"
            "export function lookUp(action: string) {\n  const work = TABLE[action];\n  return work({});\n}\n"
            'export function tell(kind: string) {\n  if (kind === "kiln.get") return 1;\n  if (kind === "kiln.put") return 2;\n  return 3;\n}\n'
        ),
    )
    told = {str(each.name): [(str(arm.name), arm.span.line) for arm in each.arms] for each in found.dispatches}
    assert told == {"run": [("kiln.get", 2), ("kiln.put", 5)], "lookUp": [("kiln.get", 8), ("kiln.put", 9)]}
    assert not any(each.open for each in found.dispatches)


def test_only_a_function_of_two_that_gives_something_is_a_guard(tmp_path):
    found = read_project(
        tmp_path,
        guards=(
            "export const respond = (action: string, value: object) => ({ ...value, action });\n"
            "class Page {\n  respond(value: object) { return value; }\n}\n"
        ),
        more="export function respond(reply: Reply, value: object) {\n  reply.send(value);\n}\n",
    )
    assert [(str(each.name), each.name.span.line, each.name.span.column) for each in found.guards] == [
        ("respond", 1, 14)
    ]
