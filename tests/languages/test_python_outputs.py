"""The output schemas that return annotations come to: by mcp 2.3, by fastmcp 4.1 and by older releases."""

import pytest
from python_outputs import NODE, PAGE, PARTS, TITLED_NODE, TITLED_PAGE, in_model, output, wrapped
from python_projects import FASTMCP, MCP, OLDER, document, tool, tools

from reviewer.facts import Schema
from reviewer.schema.python import output as python_output

BY_THE_SDK = {
    "str": in_model({"type": "string"}),
    "int": in_model({"type": "integer"}),
    "float": in_model({"type": "number"}),
    "bool": in_model({"type": "boolean"}),
    "bytes": in_model({"format": "binary", "type": "string"}),
    "None": in_model({"type": "null"}),
    "Any": None,
    "Anything": in_model({}),
    "object": None,
    "dict": None,
    "list": None,
    "tuple": None,
    "set": None,
    "dict[str, int]": {"additionalProperties": {"type": "integer"}, "title": "readDictOutput", "type": "object"},
    "dict[str, Any]": {"additionalProperties": True, "title": "readDictOutput", "type": "object"},
    "dict[int, str]": in_model({"additionalProperties": {"type": "string"}, "type": "object"}),
    "typing.Dict[str, int]": in_model({"additionalProperties": {"type": "integer"}, "type": "object"}),
    "list[str]": in_model({"items": {"type": "string"}, "type": "array"}),
    "list[Any]": in_model({"items": {}, "type": "array"}),
    "list[dict[str, Any]]": in_model({"items": {"additionalProperties": True, "type": "object"}, "type": "array"}),
    "list[Page]": in_model({"items": {"$ref": "#/$defs/Page"}, "type": "array"}, {"Page": TITLED_PAGE}),
    "Rows": in_model({"items": {"additionalProperties": {"type": "integer"}, "type": "object"}, "type": "array"}),
    "typing.List[int]": in_model({"items": {"type": "integer"}, "type": "array"}),
    "typing.Sequence[str]": in_model({"items": {"type": "string"}, "type": "array"}),
    "tuple[int, str]": in_model(
        {"maxItems": 2, "minItems": 2, "prefixItems": [{"type": "integer"}, {"type": "string"}], "type": "array"}
    ),
    "tuple[int, ...]": in_model({"items": {"type": "integer"}, "type": "array"}),
    "tuple[Any, ...]": in_model({"items": {}, "type": "array"}),
    "set[int]": in_model({"items": {"type": "integer"}, "type": "array", "uniqueItems": True}),
    "int | str": in_model({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    "str | None": in_model({"anyOf": [{"type": "string"}, {"type": "null"}]}),
    "Optional[int]": in_model({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    "Page | str": in_model({"anyOf": [{"$ref": "#/$defs/Page"}, {"type": "string"}]}, {"Page": TITLED_PAGE}),
    "list[str] | None | None": in_model({"anyOf": [{"items": {"type": "string"}, "type": "array"}, {"type": "null"}]}),
    "Literal['a', 'b']": in_model({"enum": ["a", "b"], "type": "string"}),
    "Kind": None,
    "datetime.date": None,
    "Page": TITLED_PAGE,
    "'Page'": TITLED_PAGE,
    "Wire": {
        "properties": {"pageNumber": {"title": "Pagenumber", "type": "integer"}},
        "required": ["pageNumber"],
        "title": "Wire",
        "type": "object",
    },
    "Area": {
        "properties": {"side": {"title": "Side", "type": "integer"}},
        "required": ["side"],
        "title": "Area",
        "type": "object",
    },
    "Row": {"properties": {"key": {"title": "Key", "type": "string"}}, "title": "Row", "type": "object"},
    "Point": {
        "properties": {"x": {"title": "X", "type": "integer"}, "y": {"default": 0, "title": "Y", "type": "integer"}},
        "required": ["x"],
        "title": "Point",
        "type": "object",
    },
    "Annotated_": {
        "properties": {"x": {"title": "X", "type": "integer"}},
        "required": ["x"],
        "title": "Annotated_",
        "type": "object",
    },
    "Bare": None,
    "Pair": None,
    "Names": {"items": {"type": "string"}, "title": "Names", "type": "array"},
    "ByKey": {"additionalProperties": {"type": "integer"}, "title": "ByKey", "type": "object"},
    "Answer[int]": {
        "properties": {"value": {"title": "Value", "type": "integer"}},
        "required": ["value"],
        "title": "Answer[int]",
        "type": "object",
    },
    "Node": {**TITLED_NODE, "$defs": {"Node": TITLED_NODE}},
    "TextContent": None,
    "list[ImageContent | TextContent]": None,
    "str | TextContent": None,
    "CallToolResult": None,
    "Annotated[CallToolResult, Page]": TITLED_PAGE,
    "Annotated[int, Field(ge=1, description='How many')]": in_model(
        {"description": "How many", "minimum": 1, "type": "integer"}
    ),
    "Annotated[str, 'text']": in_model({"type": "string"}),
    "T": in_model({}),
    "Callable[[], int]": None,
}


@pytest.mark.parametrize(("annotation", "answer"), BY_THE_SDK.items(), ids=BY_THE_SDK)
def test_output_by_the_sdk(annotation, answer, tmp_path):
    assert output(tmp_path, MCP, annotation) == answer


def test_optional_model_by_the_sdk_has_no_title_beside_its_reference(tmp_path):
    assert output(tmp_path, MCP, "Page | None") == {
        "$defs": {"Page": TITLED_PAGE},
        "properties": {"result": {"anyOf": [{"$ref": "#/$defs/Page"}, {"type": "null"}]}},
        "required": ["result"],
        "title": "readOutput",
        "type": "object",
    }


BY_FASTMCP = {
    "str": wrapped({"type": "string"}),
    "bool": wrapped({"type": "boolean"}),
    "bytes": None,
    "None": None,
    "Any": None,
    "object": wrapped({}),
    "dict": {"additionalProperties": True, "type": "object"},
    "list": None,
    "tuple": None,
    "set": wrapped({"items": {}, "type": "array", "uniqueItems": True}),
    "dict[str, int]": {"additionalProperties": {"type": "integer"}, "type": "object"},
    "dict[int, str]": {"additionalProperties": {"type": "string"}, "type": "object"},
    "typing.Dict[str, int]": {"additionalProperties": {"type": "integer"}, "type": "object"},
    "list[str]": wrapped({"items": {"type": "string"}, "type": "array"}),
    "list[Any]": None,
    "list[Page]": wrapped({"items": PAGE, "type": "array"}),
    "Rows": wrapped({"items": {"additionalProperties": {"type": "integer"}, "type": "object"}, "type": "array"}),
    "typing.Sequence[str]": wrapped({"items": {"type": "string"}, "type": "array"}),
    "tuple[int, str]": wrapped(
        {"maxItems": 2, "minItems": 2, "prefixItems": [{"type": "integer"}, {"type": "string"}], "type": "array"}
    ),
    "tuple[int, ...]": wrapped({"items": {"type": "integer"}, "type": "array"}),
    "tuple[Any, ...]": None,
    "set[int]": wrapped({"items": {"type": "integer"}, "type": "array", "uniqueItems": True}),
    "int | str": wrapped({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    "Page | None": wrapped({"anyOf": [PAGE, {"type": "null"}]}),
    "Literal['a', 'b']": wrapped({"enum": ["a", "b"], "type": "string"}),
    "Kind": wrapped({"enum": ["big"], "type": "string"}),
    "datetime.date": wrapped({"format": "date", "type": "string"}),
    "Page": PAGE,
    "'Page'": PAGE,
    "Wire": {"properties": {"page_number": {"type": "integer"}}, "required": ["page_number"], "type": "object"},
    "SerializedByAlias": {
        "properties": {"pageNumber": {"type": "integer"}},
        "required": ["pageNumber"],
        "type": "object",
    },
    "Area": {
        "properties": {
            "side": {"type": "integer"},
            "size": {"description": "Side by side.", "readOnly": True, "type": "integer"},
        },
        "required": ["side", "size"],
        "type": "object",
    },
    "Row": {"properties": {"key": {"type": "string"}}, "type": "object"},
    "Point": {
        "properties": {"x": {"type": "integer"}, "y": {"default": 0, "type": "integer"}},
        "required": ["x"],
        "type": "object",
    },
    "Annotated_": None,
    "Bare": None,
    "Pair": wrapped(
        {"maxItems": 2, "minItems": 2, "prefixItems": [{"type": "integer"}, {"type": "string"}], "type": "array"}
    ),
    "Names": wrapped({"items": {"type": "string"}, "type": "array"}),
    "ByKey": {"additionalProperties": {"type": "integer"}, "type": "object"},
    "Answer[Page]": {"properties": {"value": PAGE}, "required": ["value"], "type": "object"},
    "Node": {**NODE, "$defs": {"Node": NODE}},
    "list[Node]": wrapped({"items": {"$ref": "#/$defs/Node"}, "type": "array"}, {"Node": NODE}),
    "TextContent": None,
    "list[ImageContent | TextContent]": None,
    "str | TextContent": None,
    "CallToolResult": None,
    "Annotated[CallToolResult, Page]": PAGE,
    "Annotated[int, Field(ge=1, description='How many')]": wrapped(
        {"description": "How many", "minimum": 1, "type": "integer"}
    ),
    "typing.Iterator[int]": None,
}


@pytest.mark.parametrize(("annotation", "answer"), BY_FASTMCP.items(), ids=BY_FASTMCP)
def test_output_by_fastmcp(annotation, answer, tmp_path):
    assert output(tmp_path, FASTMCP, annotation) == answer


WRAPPER_TEXT = {"description": "Generic wrapper for non-object return types."}


@pytest.mark.parametrize(
    ("version", "annotation", "answer"),
    [
        ("1.9.4", "int", None),
        ("1.10.0", "int", in_model({"type": "integer"})),
        ("1.30.0", "Page", TITLED_PAGE),
        ("1.30.0", "dict[str, int]", BY_THE_SDK["dict[str, int]"]),
        ("1.30.0", "Bare", None),
        ("1.30.0", "Pair", None),
    ],
)
def test_output_by_older_sdks(version, annotation, answer, tmp_path):
    assert output(tmp_path, OLDER, annotation, version) == answer


def test_content_has_an_output_schema_of_the_older_sdk_that_is_not_read(tmp_path):
    source = f"{OLDER}{PARTS}\n@mcp.tool()\ndef read() -> list[TextContent]: ..."
    found = tool(tmp_path, source, {"mcp": "1.30.0"}).output_schema
    assert isinstance(found, Schema)
    assert [(hole.path, hole.opaque.reason) for hole in found.holes] == [
        ("", "the schema of a content block is the framework's own")
    ]


@pytest.mark.parametrize(
    ("version", "annotation", "answer"),
    [
        ("2.9.2", "Page", None),
        ("2.10.0", "Page", TITLED_PAGE),
        (
            "2.10.0",
            "int",
            {**wrapped({"title": "Result", "type": "integer"}), **WRAPPER_TEXT, "title": "_WrappedResult"},
        ),
        ("2.12.0", "int", {**wrapped({"type": "integer"}), **WRAPPER_TEXT}),
        ("2.14.7", "list[Page]", {**wrapped({"items": PAGE, "type": "array"}), **WRAPPER_TEXT}),
        ("2.14.7", "Node", BY_FASTMCP["Node"]),
        ("3.1.1", "int", {**wrapped({"type": "integer"}), **WRAPPER_TEXT}),
        (
            "3.1.1",
            "Wire",
            {"properties": {"pageNumber": {"type": "integer"}}, "required": ["pageNumber"], "type": "object"},
        ),
        ("3.1.1", "list[Any]", {**wrapped({"items": {}, "type": "array"}), **WRAPPER_TEXT}),
        ("3.2.0", "int", wrapped({"type": "integer"})),
        ("4.0.0", "list[Any]", wrapped({"items": {}, "type": "array"})),
        ("4.0.11", "list[Any]", None),
    ],
)
def test_output_by_older_fastmcp(version, annotation, answer, tmp_path):
    assert output(tmp_path, FASTMCP, annotation, version) == answer


WRITTEN = {"type": "object", "properties": {"n": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("framework", "given", "answer"),
    [
        (MCP, "structured_output=False", None),
        (MCP, "structured_output=True", in_model({"type": "integer"})),
        (MCP, "name='other'", in_model({"type": "integer"})),
        (FASTMCP, "name='other'", wrapped({"type": "integer"})),
        (FASTMCP, "output_schema=None", None),
        (FASTMCP, f"output_schema={WRITTEN!r}", WRITTEN),
        (
            FASTMCP,
            "output_schema=Area.model_json_schema()",
            {
                "properties": {"side": {"title": "Side", "type": "integer"}},
                "required": ["side"],
                "title": "Area",
                "type": "object",
            },
        ),
    ],
)
def test_what_the_decorator_says_of_the_output(framework, given, answer, tmp_path):
    assert output(tmp_path, framework, "int", given=given) == answer


WRAPS = """
import functools

def traced(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)
    return inner
"""


@pytest.mark.parametrize(
    ("declared", "answer"),
    [
        ("def read(): ...", None),
        ("async def read() -> int: ...", in_model({"type": "integer"})),
        (f"{WRAPS}\n@mcp.tool()\n@traced\ndef read() -> int: ...", in_model({"type": "integer"})),
    ],
    ids=["no annotation", "async", "wrapped"],
)
def test_which_function_the_output_is_of(declared, answer, tmp_path):
    source = f"{MCP}{declared}" if "@mcp" in declared else f"{MCP}@mcp.tool()\n{declared}"
    assert document(tool(tmp_path, source).output_schema) == answer


@pytest.mark.parametrize(
    "line", ["from fastmcp.tools.base import ToolResult as R", "from fastmcp.utilities.types import Image as R"]
)
def test_what_fastmcp_answers_itself_has_no_output_schema(line, tmp_path):
    assert document(tool(tmp_path, f"{FASTMCP}{line}\n@mcp.tool\ndef read() -> R: ...").output_schema) is None


def test_annotations_of_the_future_are_read(tmp_path):
    source = f"from __future__ import annotations\n{MCP}@mcp.tool()\ndef read() -> list[int]: ..."
    assert document(tool(tmp_path, source).output_schema) == in_model({"items": {"type": "integer"}, "type": "array"})


@pytest.mark.parametrize(("framework", "around"), [(MCP, in_model), (FASTMCP, wrapped)])
def test_equal_types_in_another_order_keep_their_order(framework, around, tmp_path):
    source = "@mcp.tool()\ndef one() -> {}: ...\n@mcp.tool()\ndef two() -> {}: ...\n"
    found = tools(tmp_path, framework + source.format("int | str", "str | int"))
    kinds = [{"type": "integer"}, {"type": "string"}]
    for each, order in zip(found, (kinds, kinds[::-1]), strict=True):
        whole = around({"anyOf": order})
        titled = {**whole, "title": f"{each.name}Output"} if framework is MCP else whole
        assert document(each.output_schema) == titled


@pytest.mark.parametrize("framework", [MCP, FASTMCP])
def test_schema_of_a_built_in_type_is_made_once(framework, tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(python_output, "_build_output_schema", lambda *given: made.append(given) or {"title": "Output"})
    python_output._find_for_built_in.cache_clear()
    kinds = ("str", "dict[str, Any] | None", "str", "dict[str, Any] | None")
    tool = "@mcp.tool()\ndef tool_{}() -> {}: ...\n"
    source = "".join(tool.format(number, kind) for number, kind in enumerate(kinds))
    found = [each.output_schema.document for each in tools(tmp_path, f"from typing import Any\n{framework}{source}")]
    python_output._find_for_built_in.cache_clear()
    assert (len(found), len(made)) == (4, 2)


def test_type_from_elsewhere_is_named(tmp_path):
    found = tool(tmp_path, f"{MCP}from far import Page\n@mcp.tool()\ndef read() -> Page: ...")
    assert list(found.iter_unreadable()) == ["outputSchema: the type `far.Page` lies outside the reviewed source"]


def test_low_level_tool_writes_its_own(tmp_path):
    source = f"""
from mcp.server.lowlevel import Server
from mcp.types import ListToolsResult, Tool
async def listed(context, params):
    return ListToolsResult(tools=[Tool(name='read', input_schema={{}}, output_schema={WRITTEN!r})])
app = Server('demo', on_list_tools=listed)
"""
    assert document(tool(tmp_path, source).output_schema) == WRITTEN
