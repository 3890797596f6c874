"""Defaults that no schema can show: the tools around them are read all the same."""

import textwrap

import pytest
from python_bad_input import ONE, names
from python_projects import MCP

pytestmark = pytest.mark.usefixtures("bounded")


DEFAULTS = [
    "10 ** 5000",
    "1e999",
    "float('nan')",
    "-float('inf')",
    "'\\ud800'",
    "b'\\xff'",
    "1j",
    "...",
    "{1: 2, None: 3, (1, 2): 4}",
    "{[]: 1}",
    "{(1, []): 1}",
    "{1, 2}",
    "lambda: 1",
    "mcp",
    "one",
    "int",
    "LOOP",
    "DICT",
    "OBJECT",
    "[LOOP, DICT]",
    "frozenset([1])",
    "range(10**9)",
    "NotImplemented",
    "print",
    "OBJECT.a.a",
    "'x' * 900_000",
    "datetime.timedelta(days=10**12)",
    "decimal.Decimal('x')",
    "decimal.Decimal('1e999999999')",
    "pathlib.Path('\\0')",
    "uuid.UUID('x')",
    "Model(5, x=5)",
    "Kind('missing')",
    "Kind.MISSING",
]


@pytest.mark.parametrize("default", DEFAULTS, ids=lambda each: each[:40])
@pytest.mark.parametrize("kind", ["Any", "int", "list"])
def test_odd_default(default, kind, tmp_path):
    before = textwrap.dedent(
        """
        import datetime, decimal, enum, pathlib, uuid
        from typing import Any
        from pydantic import BaseModel, Field
        LOOP = []
        LOOP.append(LOOP)
        DICT = {}
        DICT["a"] = DICT
        class Model(BaseModel):
            x: int
        class Kind(enum.Enum):
            A = 1
        class Object: ...
        OBJECT = Object()
        OBJECT.a = OBJECT
        """
    )
    source = (
        MCP
        + before
        + ONE
        + textwrap.dedent(
            f"""
        @mcp.tool(meta={{"x": {default}}}, annotations={{"x": {default}}}, title={default})
        def two(x: {kind} = {default}, y: {kind} = Field({default}, description={default}, examples=[{default}])): ...

        class Fields(BaseModel):
            x: {kind} = {default}
            y: {kind} = Field(default={default}, json_schema_extra={{"x": {default}}})

        @mcp.tool()
        def three(x: Fields): ...
        """
        )
    )
    low = (
        f"from mcp.server.lowlevel import Server\nfrom mcp.types import Tool\n{before}def one(): ...\n"
        + textwrap.dedent(
            f"""
        mcp = Server("low")
        @mcp.list_tools()
        async def listed():
            schema = {{"type": "object", "properties": {{"x": {{"default": {default}}}}}}}
            return [Tool(name="four", inputSchema=schema)]
        """
        )
    )
    assert sorted(names(tmp_path, {"server.py": source, "low.py": low})) == ["four", "one", "three", "two"]
