"""What schemas of valibot, arktype and TypeBox are answered as, by what their converters say (valibot's of 1.3, arktype 2)."""

import pytest
from test_typescript_tools import LISTING, LOW, put, tools

VALIBOT = """import { McpServer } from "tmcp";
import * as v from "valibot";
const server = new McpServer({ name: "demo", version: "1" }, { adapter });
server.tool({ name: "read", schema: v.object({ field: %s }) }, async () => ({ content: [] }));
"""
STRING = {"type": "string"}
OF_VALIBOT = {
    "v.pipe(v.string(), v.description('A path'), v.minLength(1))": (
        {**STRING, "minLength": 1, "description": "A path"},
        True,
    ),
    "v.optional(v.pipe(v.number(), v.integer(), v.maxValue(9)), 3)": (
        {"type": "integer", "maximum": 9, "default": 3},
        False,
    ),
    "v.optional(v.boolean())": ({"type": "boolean"}, False),
    "v.nullable(v.string())": ({"anyOf": [STRING, {"type": "null"}]}, True),
    "v.picklist(['a', 'b'])": ({"type": "string", "enum": ["a", "b"]}, True),
    "v.literal('a')": ({"const": "a"}, True),
    "v.union([v.string(), v.array(v.string())])": ({"anyOf": [STRING, {"type": "array", "items": STRING}]}, True),
    "v.record(v.string(), v.number())": ({"type": "object", "additionalProperties": {"type": "number"}}, True),
    "v.strictObject({})": ({"type": "object", "properties": {}, "required": [], "additionalProperties": False}, True),
    "v.partial(v.object({ a: v.string() }))": ({"type": "object", "properties": {"a": STRING}, "required": []}, True),
    "v.object({ ...v.object({ a: v.any() }).entries })": (
        {"type": "object", "properties": {"a": {}}, "required": ["a"]},
        True,
    ),
}


@pytest.mark.parametrize(("source", "expected"), OF_VALIBOT.items(), ids=OF_VALIBOT)
def test_valibot(tmp_path, source, expected):
    (tool,) = tools(put(tmp_path, {"server.ts": VALIBOT % source}))
    document = tool.input_schema.document
    assert (document["properties"], "field" in document["required"]) == ({"field": expected[0]}, expected[1])
    assert [each.required for each in tool.parameters] == [expected[1]]
    assert tool.input_schema.holes == ()


def test_what_of_valibot_is_not_read_is_named(tmp_path):
    (tool,) = tools(put(tmp_path, {"server.ts": VALIBOT % "v.pipe(v.string(), v.hexColor())"}))
    assert [(each.path, each.opaque.reason) for each in tool.input_schema.holes] == [
        ("properties.field", "what v.hexColor() makes of it is not read")
    ]


ARKTYPE = """import { FastMCP } from "fastmcp";
import { type } from "arktype";
const server = new FastMCP({ name: "demo", version: "1.0.0" });
server.addTool({ name: "read", parameters: type({ %s }), execute: async () => "" });
"""
OF_ARKTYPE = {
    "field: 'string'": (STRING, True),
    "'field?': 'string[]'": ({"type": "array", "items": STRING}, False),
    "field: \"'a' | 'b'\"": ({"enum": ["a", "b"]}, True),
    "field: '\"a\"'": ({"const": "a"}, True),
    "field: 'string | number'": ({"anyOf": [STRING, {"type": "number"}]}, True),
    "field: '1 <= number.integer < 9'": ({"type": "integer", "minimum": 1, "exclusiveMaximum": 9}, True),
    "field: 'string > 0'": ({**STRING, "minLength": 1}, True),
    "field: 'number = 5'": ({"type": "number", "default": 5}, False),
    "field: type.string.describe('A path')": ({**STRING, "description": "A path"}, True),
    "field: type.string.array().optional()": ({"type": "array", "items": STRING}, False),
    "field: type.enumerated('a', 'b')": ({"enum": ["a", "b"]}, True),
    "field: { a: ['boolean', '[]'] }": (
        {
            "type": "object",
            "properties": {"a": {"type": "array", "items": {"type": "boolean"}}},
            "required": ["a"],
            "additionalProperties": False,
        },
        True,
    ),
}


@pytest.mark.parametrize(("source", "expected"), OF_ARKTYPE.items(), ids=OF_ARKTYPE)
def test_arktype(tmp_path, source, expected):
    (tool,) = tools(put(tmp_path, {"server.ts": ARKTYPE % source}))
    assert tool.input_schema.holes == ()
    document = tool.input_schema.document
    assert document["properties"] == {"field": expected[0]}
    assert [each.required for each in tool.parameters] == [expected[1]]


@pytest.mark.parametrize("source", ["'Uint8Array'", "'string & object'", "'number >'", "'(string'", "''"])
def test_what_of_arktype_is_not_read_is_named(tmp_path, source):
    (tool,) = tools(put(tmp_path, {"server.ts": ARKTYPE % f"field: {source}"}))
    assert [(each.path, each.opaque.reason[-12:]) for each in tool.input_schema.holes] == [
        ("properties.field", " is not read")
    ]


OF_TYPEBOX = {
    "Type.String({ description: 'A path' })": ({**STRING, "description": "A path"}, True),
    "Type.Optional(Type.Integer({ minimum: 1 }))": ({"type": "integer", "minimum": 1}, False),
    "Type.Union([Type.Literal('a'), Type.Literal(1)])": (
        {"anyOf": [{"const": "a", "type": "string"}, {"const": 1, "type": "number"}]},
        True,
    ),
    "Type.Array(Type.Boolean(), { minItems: 1 })": (
        {"type": "array", "items": {"type": "boolean"}, "minItems": 1},
        True,
    ),
    "Type.Any()": ({}, True),
    "Type.Object({ a: Type.Optional(Type.Null()) }, { additionalProperties: false })": (
        {"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": False},
        True,
    ),
    "Type.Record(Type.String(), Type.Number())": (
        {"type": "object", "patternProperties": {"^(.*)$": {"type": "number"}}},
        True,
    ),
}


@pytest.mark.parametrize(("source", "expected"), OF_TYPEBOX.items(), ids=OF_TYPEBOX)
@pytest.mark.parametrize("module", ["@sinclair/typebox", "typebox"])
def test_typebox(tmp_path, source, expected, module):
    declared = f"const schema = Type.Object({{ field: {source} }});\n"
    listed = LISTING % "[{ name: 'read', inputSchema: schema }]"
    (tool,) = tools(put(tmp_path, {"server.ts": f"import {{ Type }} from '{module}';\n{LOW}{declared}{listed}"}))
    document = {"type": "object", "properties": {"field": expected[0]}}
    assert tool.input_schema.document == (document | {"required": ["field"]} if expected[1] else document)
    assert [each.required for each in tool.parameters] == [expected[1]]


def test_what_of_typebox_is_not_read_is_named(tmp_path):
    listed = LISTING % "[{ name: 'read', inputSchema: Type.Object({ field: Type.Transform(x) }) }]"
    (tool,) = tools(put(tmp_path, {"server.ts": f"import {{ Type }} from 'typebox';\n{LOW}{listed}"}))
    assert [(each.path, each.opaque.reason) for each in tool.input_schema.holes] == [
        ("properties.field", "Type.Transform is not read")
    ]
