"""Files of tool definitions: every form, the places of their parts, and files that are none."""

import json

import pytest

from reviewer import CannotReviewError
from reviewer.facts import Schema
from reviewer.inputs.definitions import read
from reviewer.inputs.documents import parse_document
from reviewer.source import Opaque

TOOL = {"name": "read", "description": "Read a note.", "inputSchema": {"type": "object"}}


def given(tmp_path, text, name="tools.json"):
    file = tmp_path / name
    file.write_text(text if isinstance(text, str) else json.dumps(text, indent=1), "utf-8")
    return read(file)


def tools(project):
    return [tool for server in project.servers for tool in server.tools]


@pytest.mark.parametrize(
    "document",
    [
        {"tools": [TOOL]},
        [TOOL],
        TOOL,
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}},
        {"name": "notes", "version": "1", "tools": [TOOL]},
        {"tools": [{**TOOL, "inputSchema": None, "input_schema": TOOL["inputSchema"]}]},
    ],
)
def test_every_form(tmp_path, document):
    (tool,) = tools(given(tmp_path, document))
    assert (tool.name, tool.description, tool.input_schema.document) == ("read", "Read a note.", {"type": "object"})
    assert tool.malformed == ()


def test_a_manifest_names_its_server(tmp_path):
    project = given(tmp_path, {"name": "notes", "tools": [TOOL, TOOL]})
    assert project.servers[0].name == "notes"


def test_places_in_json(tmp_path):
    text = '[\n {"name": "é", "inputSchema":\n  {"properties": {"ä": {"type":\n "string"}}}\n }\n]'
    (tool,) = tools(given(tmp_path, text))
    assert tuple(tool.place(("properties", "ä"))) == ("tools.json", 3, 19, 4, 11)
    assert tuple(tool.place(("properties", "ä", "type"))) == ("tools.json", 3, 25, 4, 10)
    assert tool.place(("properties", "ä", "nothing")) == tool.place(("properties", "ä"))
    assert tuple(tool.name.span) == ("tools.json", 2, 3, 2, 14)


def test_places_in_yaml(tmp_path):
    text = "tools:\n  - name: read\n    inputSchema:\n      properties:\n        when: {type: string}\n"
    (tool,) = tools(given(tmp_path, text, "tools.yaml"))
    assert tuple(tool.place(("properties", "when"))) == ("tools.yaml", 5, 9, 5, 29)
    assert tool.name.span.line == 2


def test_yaml_is_read_as_json_has_it(tmp_path):
    text = "name: on\ndescription: 2026-01-02\ninputSchema: {properties: {yes: {default: no}, n: {const: true}}}\n"
    (tool,) = tools(given(tmp_path, text, "tools.yml"))
    assert (tool.name, tool.description) == ("on", "2026-01-02")
    assert tool.input_schema.document == {"properties": {"yes": {"default": "no"}, "n": {"const": True}}}


def test_yaml_aliases(tmp_path):
    text = "- {name: a, inputSchema: &schema {type: object}}\n- {name: b, inputSchema: *schema}\n"
    assert [tool.input_schema.document for tool in tools(given(tmp_path, text, "t.yaml"))] == [{"type": "object"}] * 2


def test_yaml_merge_keys(tmp_path):
    text = "- {name: a, inputSchema: &schema {type: object, title: A}}\n- {name: b, inputSchema: {<<: *schema, title: B}}\n"
    other = tools(given(tmp_path, text, "t.yaml"))[1]
    assert other.input_schema.document == {"type": "object", "title": "B"}
    assert other.place(("title",)).line == 2


def test_what_is_malformed_is_named(tmp_path):
    wrong = {
        "name": 5,
        "title": [],
        "description": {},
        "inputSchema": True,
        "annotations": {"readOnlyHint": "yes", "title": 1},
    }
    (tool,) = tools(given(tmp_path, [wrong]))
    assert [(each.part, each.why) for each in tool.malformed] == [
        ("name", "a number, not a string"),
        ("title", "an array, not a string"),
        ("description", "an object, not a string"),
        ("inputSchema", "a boolean, not an object"),
        ("annotations.readOnlyHint", "a string, not a boolean"),
        ("annotations.title", "a number, not a string"),
    ]
    assert (tool.name, tool.description, tool.input_schema) == (None, None, None)


def test_a_key_that_stands_twice_is_named(tmp_path):
    project = given(tmp_path, '{"tools": [\n{"name": "a",\n"description": "x",\n"description": "y"}]}')
    assert [(each.span.line, each.reason) for each in project.broken] == [
        (4, "the key `description` occurs twice in one object; the last value is used")
    ]
    assert tools(project)[0].description == "y"


def test_a_schema_nested_too_deep_is_unreadable_and_hides_no_other(tmp_path):
    schema = {"type": "string"}
    for _ in range(90):
        schema = {"type": "object", "properties": {"x": schema}}
    deep, shallow = tools(given(tmp_path, [{**TOOL, "inputSchema": schema}, TOOL]))
    assert isinstance(deep.input_schema, Opaque)
    assert isinstance(shallow.input_schema, Schema)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("{", "t.json", "not valid JSON: expecting property name enclosed in double quotes in line 1"),
        ("", "t.json", "not valid JSON: expecting value in line 1"),
        ("[" * 10_000 + "]" * 10_000, "t.json", "nested too deep to be read"),
        ('{"a": ' * 10_000 + "1" + "}" * 10_000, "t.json", "nested too deep to be read"),
        ("a: [", "t.yaml", "not valid YAML: did not find expected node content in line 2"),
        ("", "t.yaml", "an empty document"),
        ("a: &x [*x]", "t.yaml", "an alias that contains itself"),
        ("[1, 2] : 3", "t.yaml", "not valid as tool definitions: a key that is not a string in line 1"),
        (
            "a: &a [1,1,1,1,1,1,1,1]\n"
            + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join([f'*{chr(97 + i)}'] * 8)}]\n" for i in range(9)),
            "t.yaml",
            "its aliases expand to more than can be read",
        ),
        (
            "!!python/object/apply:os.system [ls]",
            "t.yaml",
            "not valid YAML: could not determine a constructor for the tag",
        ),
        ("{}", "t.json", "no tool definitions"),
        ("5", "t.json", "no tool definitions"),
        ('{"tools": 5}', "t.json", "no tool definitions"),
    ],
)
def test_no_definitions(tmp_path, text, name, said):
    with pytest.raises(CannotReviewError) as refused:
        given(tmp_path, text, name)
    assert str(refused.value).startswith(f"{tmp_path / name}: {said}")
    assert "\n" not in str(refused.value)


def test_binary_and_large_and_absent(tmp_path):
    (tmp_path / "b.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CannotReviewError, match="not UTF-8 text"):
        read(tmp_path / "b.json")
    with open(tmp_path / "l.json", "wb") as file:
        file.truncate(200 * 2**20)
    with pytest.raises(CannotReviewError, match="larger than 64 MB; review the tools in parts"):
        read(tmp_path / "l.json")
    with pytest.raises(CannotReviewError, match="cannot be read: no such file or directory"):
        read(tmp_path / "absent.json")


def test_what_stands_below_a_name_that_a_value_of_another_kind_overrides():
    first, last = parse_document(b'{"a": {"type": 1}, "a": [2]}', "tools.json").root.inner
    assert [(key, each.data) for key, each in first[1].inner] == [("type", None)]
    assert [(key, each.data) for key, each in last[1].inner] == [("0", 2)]
