"""What schemas of zod 3 and 4 are answered as: as the SDK's live server did with each of these (typescript-forms, section 3)."""

import pytest
from test_typescript_tools import HANDLER, MCP, put, tools

from reviewer.files.discovery import discover_files
from reviewer.languages import read

SAFE = 2**53 - 1
STRING = {"type": "string"}
FIELDS = {
    "z.string().min(1).max(5)": ({"type": "string", "minLength": 1, "maxLength": 5},) * 2,
    "z.string().url().describe('An address')": ({"type": "string", "format": "uri", "description": "An address"},) * 2,
    "z.string().startsWith('a')": ({**STRING, "pattern": "^a"}, {**STRING, "pattern": "^a.*"}),
    "z.string().regex(/^[a-z]+$/i)": ({**STRING, "pattern": "^[a-z]+$"},) * 2,
    "z.number().int()": ({"type": "integer"}, {"type": "integer", "minimum": -SAFE, "maximum": SAFE}),
    "z.number().int().positive().max(9)": ({"type": "integer", "exclusiveMinimum": 0, "maximum": 9},) * 2,
    "z.enum(['a', 'b'])": ({"type": "string", "enum": ["a", "b"]},) * 2,
    "z.literal('a')": ({"type": "string", "const": "a"},) * 2,
    "z.union([z.literal('a'), z.literal('b')])": (
        {"type": "string", "enum": ["a", "b"]},
        {"anyOf": [{"type": "string", "const": "a"}, {"type": "string", "const": "b"}]},
    ),
    "z.union([z.string(), z.number()])": ({"type": ["string", "number"]}, {"anyOf": [STRING, {"type": "number"}]}),
    "z.string().nullable()": ({"type": ["string", "null"]}, {"anyOf": [STRING, {"type": "null"}]}),
    "z.array(z.string()).min(1)": ({"type": "array", "items": STRING, "minItems": 1},) * 2,
    "z.record(z.string(), z.number())": (
        {"type": "object", "additionalProperties": {"type": "number"}},
        {"type": "object", "propertyNames": STRING, "additionalProperties": {"type": "number"}},
    ),
    "z.object({ a: z.string() })": (
        {"type": "object", "properties": {"a": STRING}, "required": ["a"], "additionalProperties": False},
        {"type": "object", "properties": {"a": STRING}, "required": ["a"]},
    ),
    "z.object({}).passthrough()": (
        {"type": "object", "properties": {}, "additionalProperties": True},
        {"type": "object", "properties": {}, "additionalProperties": {}},
    ),
    "z.string().transform(Number)": (STRING, STRING),
    "z.preprocess(Number, z.number())": ({"type": "number"},) * 2,
    "z.coerce.number()": ({"type": "number"},) * 2,
    "z.number().default(3)": ({"type": "number", "default": 3},) * 2,
}
REQUIRED = {
    "z.string()": (True, True),
    "z.string().optional()": (False, False),
    "z.string().nullish()": (False, False),
    "z.number().default(3)": (False, False),
    "z.any()": (False, True),
    "z.coerce.number()": (True, True),
    "z.coerce.boolean()": (False, True),
    "z.string().nullable()": (True, True),
}


def schema(folder, shape, zod):
    put(folder, {"server.ts": f"{MCP}server.tool('read', {{ {shape} }}, {HANDLER});"})
    (tool,) = tools(read(discover_files(folder), {"zod": zod, "@modelcontextprotocol/sdk": "1.32.0"}))
    return tool.input_schema.document


@pytest.mark.parametrize(("source", "expected"), FIELDS.items(), ids=FIELDS)
@pytest.mark.parametrize("zod", ["3.25.76", "4.1.0"])
def test_field(tmp_path, source, expected, zod):
    assert schema(tmp_path, f"field: {source}", zod)["properties"] == {"field": expected[zod > "4"]}


@pytest.mark.parametrize(("source", "expected"), REQUIRED.items(), ids=REQUIRED)
@pytest.mark.parametrize("zod", ["3.25.76", "4.1.0"])
def test_required(tmp_path, source, expected, zod):
    assert ("required" in schema(tmp_path, f"field: {source}", zod)) is expected[zod > "4"]


def test_a_schema_that_stands_twice(tmp_path):
    put(
        tmp_path,
        {"server.ts": f"{MCP}const id = z.string().min(1);\nserver.tool('read', {{ a: id, b: id }}, {HANDLER});"},
    )
    (three,), (four,) = (tools(read(discover_files(tmp_path), {"zod": each})) for each in ("3.25", "4.1"))
    assert three.input_schema.document["properties"]["b"] == {"$ref": "#/properties/a"}
    assert four.input_schema.document["properties"]["b"] == {"type": "string", "minLength": 1}
