"""The input schemas of Python tools: of parameters, of models, of signatures that are rewritten, and written ones."""

import textwrap

import pytest
from python_projects import FASTMCP, LOW, MCP, tools

from reviewer.facts import Schema
from reviewer.source import Opaque


class TestSchemas:
    def schema(self, folder, parameters, framework=MCP, before=""):
        decorator = "@mcp.tool()" if framework is MCP else "@mcp.tool"
        source = f"{framework}{before}\n{decorator}\ndef read({parameters}): ..."
        found = tools(folder, source)[0].input_schema
        assert isinstance(found, Schema)
        return found

    @pytest.mark.parametrize(
        ("parameters", "properties"),
        [
            ("a", {"a": {"title": "a", "type": "string"}}),
            ("a: int = 3", {"a": {"default": 3, "title": "A", "type": "integer"}}),
            ("a: 'list[str]'", {"a": {"items": {"type": "string"}, "title": "A", "type": "array"}}),
            (
                "a: str | None = None",
                {"a": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "A"}},
            ),
            (
                "a: Optional[int] = None",
                {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None, "title": "A"}},
            ),
            ("a: Literal['x', 'y'] = 'x'", {"a": {"default": "x", "enum": ["x", "y"], "title": "A", "type": "string"}}),
            (
                "a: Annotated[int, Field(ge=1, description='D')]",
                {"a": {"description": "D", "minimum": 1, "title": "A", "type": "integer"}},
            ),
            ("a: int = Field(5, le=9)", {"a": {"default": 5, "maximum": 9, "title": "A", "type": "integer"}}),
            ("a: str = Field(alias='from')", {"from": {"title": "From", "type": "string"}}),
            ("a: dict[str, Any]", {"a": {"additionalProperties": True, "title": "A", "type": "object"}}),
            ("*, ctx: Context, a: str", {"a": {"title": "A", "type": "string"}}),
            ("a: str, ctx: Context | None = None", {"a": {"title": "A", "type": "string"}}),
        ],
    )
    def test_parameters(self, parameters, properties, tmp_path):
        before = "from typing import Annotated, Any, Literal, Optional\nfrom pydantic import Field\nfrom mcp.server.mcpserver import Context\n"
        assert self.schema(tmp_path, parameters, before=before).document["properties"] == properties

    def test_models_enumerations_and_typed_dicts(self, tmp_path):
        before = textwrap.dedent(
            '''
            import enum
            from typing import TypedDict
            from pydantic import BaseModel, Field

            class Mode(str, enum.Enum):
                FAST = "fast"
                EXACT = "exact"

            class Point(TypedDict):
                x: int

            class Base(BaseModel):
                """A query."""
                limit: int = Field(20, ge=1)

            class Query(Base):
                mode: Mode = Mode.FAST
                points: list[Point] = []
            '''
        )
        document = self.schema(tmp_path, "query: Query", before=before).document
        assert document["properties"] == {"query": {"$ref": "#/$defs/Query"}}
        assert document["$defs"]["Query"]["properties"] == {
            "limit": {"default": 20, "minimum": 1, "title": "Limit", "type": "integer"},
            "mode": {"$ref": "#/$defs/Mode", "default": "fast"},
            "points": {"default": [], "items": {"$ref": "#/$defs/Point"}, "title": "Points", "type": "array"},
        }
        assert document["$defs"]["Mode"]["enum"] == ["fast", "exact"]

    def test_fastmcp_trims(self, tmp_path):
        assert self.schema(tmp_path, "a: int = 3", FASTMCP).document == {
            "additionalProperties": False,
            "properties": {"a": {"default": 3, "type": "integer"}},
            "type": "object",
        }

    def test_holes(self, tmp_path):
        schema = self.schema(tmp_path, "a: Far, b: int = limit(), c: str = 'c'", before="from far import Far, limit\n")
        assert schema.document["properties"] == {
            "a": {},
            "b": {"title": "B", "type": "integer"},
            "c": {"default": "c", "title": "C", "type": "string"},
        }
        assert [(hole.path, hole.opaque.span.line) for hole in schema.holes] == [
            ("properties.a", 3),
            ("properties.b.default", 6),
        ]

    REWRITING = MCP + textwrap.dedent(
        """
        import functools, inspect

        def injects(fn):
            signature = inspect.signature(fn)
            @functools.wraps(fn)
            def inner(*args, **kwargs):
                return fn(connect(), *args, **kwargs)
            inner.__signature__ = SIGNATURE
            return inner

        @mcp.tool()
        @injects
        def read(service: str, path: str, limit: "int" = 5): ...
        """
    )

    @pytest.mark.parametrize(
        "signature",
        [
            "signature.replace(parameters=list(signature.parameters.values())[1:])",
            "signature.replace(parameters=[p for name, p in signature.parameters.items() if name != 'service'])",
            "inspect.Signature([p for p in signature.parameters.values() if p.default is not p.empty or p.name == 'path'])",
        ],
    )
    def test_signature_that_a_decorator_rewrites(self, tmp_path, signature):
        tool = tools(tmp_path, self.REWRITING.replace("SIGNATURE", signature))[0]
        assert [(each.name, each.required) for each in tool.parameters] == [("path", True), ("limit", False)]
        assert tool.input_schema.document["properties"] == {
            "path": {"title": "Path", "type": "string"},
            "limit": {"default": 5, "title": "Limit", "type": "integer"},
        }

    def test_signature_that_only_a_run_can_tell(self, tmp_path):
        tool = tools(tmp_path, self.REWRITING.replace("SIGNATURE", "load()"))[0]
        assert isinstance(tool.input_schema, Opaque)
        assert isinstance(tool.parameters, Opaque)

    def test_written_as_a_dict(self, tmp_path):
        source = LOW + textwrap.dedent(
            """
            import os
            PATH = {"type": "string", "description": "Where"}

            @app.list_tools()
            async def tools():
                return [
                    Tool(
                        name="read",
                        inputSchema={
                            "type": "object",
                            "properties": {"path": PATH, "mode": {"type": "string", "default": os.name}},
                            "required": ["path"],
                        },
                    )
                ]
            """
        )
        tool = tools(tmp_path, source)[0]
        assert tool.input_schema.document == {
            "type": "object",
            "properties": {"path": {"type": "string", "description": "Where"}, "mode": {"type": "string"}},
            "required": ["path"],
        }
        assert [hole.path for hole in tool.input_schema.holes] == ["properties.mode.default"]
        assert [(each.name, each.description, each.required, each.span.line) for each in tool.parameters] == [
            ("path", "Where", True, 15),
            ("mode", None, False, 15),
        ]

    def test_of_a_model(self, tmp_path):
        source = (
            LOW
            + "from pydantic import BaseModel\nclass Read(BaseModel):\n    path: str\n"
            + textwrap.dedent(
                """
            @app.list_tools()
            async def tools():
                return [Tool(name="read", inputSchema=Read.model_json_schema())]
            """
            )
        )
        assert tools(tmp_path, source)[0].input_schema.document == {
            "properties": {"path": {"title": "Path", "type": "string"}},
            "required": ["path"],
            "title": "Read",
            "type": "object",
        }


def test_union_keeps_the_order_in_which_it_is_written(tmp_path):
    code = (
        MCP
        + """
@mcp.tool()
def one(at: str | float | None) -> str: ...

@mcp.tool()
def other(at: float | str | None) -> str: ...
"""
    )
    orders = [
        [each["type"] for each in found.input_schema.document["properties"]["at"]["anyOf"]]
        for found in tools(tmp_path, code)
    ]
    assert orders == [["string", "number", "null"], ["number", "string", "null"]]
