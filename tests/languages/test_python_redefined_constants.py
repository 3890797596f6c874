"""Constants that are set more than once: the value at the use counts, or it is said to be unreadable."""

import textwrap

import pytest
from python_bad_input import is_noted, names, tools
from python_projects import LOW, MCP

from reviewer.source import Opaque

pytestmark = pytest.mark.usefixtures("bounded")


class TestRedefinedConstants:
    def test_last_value_before_the_use_counts(self, tmp_path):
        source = MCP + textwrap.dedent(
            """
            NAME = "one"
            NAME = "two"
            @mcp.tool(NAME)
            def first(): ...
            NAME = "three"
            @mcp.tool(NAME)
            def second(): ...
            NAME += "_more"
            @mcp.tool(NAME)
            def third(): ...
            NAME = "unused"
            """
        )
        assert names(tmp_path, {"server.py": source}) == ["two", "three", "three_more"]

    def test_function_sees_the_value_at_its_call(self, tmp_path):
        source = (
            MCP + "NAME = 'one'\ndef register():\n    mcp.tool(NAME)(read)\ndef read(): ...\nNAME = 'two'\nregister()"
        )
        assert names(tmp_path, {"server.py": source}) == ["two"]

    def test_listing_sees_the_last_value(self, tmp_path):
        source = (
            LOW
            + "NAME = 'one'\n@app.list_tools()\nasync def tools():\n    return [Tool(name=NAME, inputSchema={})]\n"
            + "NAME = 'two'"
        )
        assert names(tmp_path, {"server.py": source}) == ["two"]

    @pytest.mark.parametrize(
        ("test", "expected"), [("True", "two"), ("False", "one"), ("DEBUG", "one"), ("1 < 2", "two")]
    )
    def test_under_a_known_test(self, test, expected, tmp_path):
        source = MCP + f"DEBUG = False\nNAME = 'one'\nif {test}:\n    NAME = 'two'\n@mcp.tool(NAME)\ndef first(): ..."
        assert names(tmp_path, {"server.py": source}) == [expected]

    def test_under_a_test_of_the_configuration(self, tmp_path):
        source = (
            MCP + "import os\nNAME = 'one'\nif os.getenv('X'):\n    NAME = 'two'\n@mcp.tool(NAME)\ndef first(): ..."
        )
        [tool] = tools(tmp_path, {"server.py": source})
        assert isinstance(tool.name, Opaque) or (tool.name == "one" and is_noted(tool, "name"))

    def test_under_a_test_that_only_a_run_can_tell(self, tmp_path):
        source = (
            MCP + "from far import flag\nNAME = 'one'\nif flag():\n    NAME = 'two'\n@mcp.tool(NAME)\ndef first(): ..."
        )
        [tool] = tools(tmp_path, {"server.py": source})
        assert isinstance(tool.name, Opaque) or is_noted(tool, "name")

    @pytest.mark.parametrize(
        "block",
        [
            "try:\n    NAME = load()\nexcept OSError:\n    NAME = 'two'",
            "for NAME in load(): pass",
            "with load() as NAME: pass",
            "while load():\n    NAME = 'two'",
            "match load():\n    case 1:\n        NAME = 'two'",
            "def change():\n    global NAME\n    NAME = load()\nchange()",
            "(NAME := load())",
            "NAME, OTHER = load()",
            "from far import NAME",
        ],
    )
    def test_in_another_block(self, block, tmp_path):
        source = MCP + f"from far import load\nNAME = 'one'\n{block}\n@mcp.tool(description=NAME)\ndef first(): ..."
        [tool] = tools(tmp_path, {"server.py": source})
        assert isinstance(tool.description, Opaque) or is_noted(tool, "description")
