"""Types that refer to themselves, nest deep, or that pydantic refuses: the schema is right, or it is noted."""

import json

import pytest
from pydantic import BaseModel, create_model
from python_bad_input import ONE, is_noted, names, tools
from python_projects import MCP
from typing_extensions import TypeAliasType, TypedDict

from reviewer.facts import Schema
from reviewer.source import Opaque

pytestmark = pytest.mark.usefixtures("bounded")


def expected_schema(annotation):
    """Ask pydantic for the schema of one parameter `x`, with definitions, as a server makes it."""
    return create_model("oneArguments", x=(annotation, ...)).model_json_schema()


class RecursiveTypes:
    """The types of the sources below, as pydantic has them."""

    class Node(BaseModel):
        value: int
        children: "list[RecursiveTypes.Node]" = []

    class Left(BaseModel):
        right: "RecursiveTypes.Right | None" = None

    class Right(BaseModel):
        left: "RecursiveTypes.Left | None" = None

    class Page(BaseModel):
        items: list[int]
        next: str | None = None

    class Entry(TypedDict):
        name: str
        inner: "list[RecursiveTypes.Entry]"


Tree = TypeAliasType("Tree", "list[Tree] | int")


class TestRecursiveTypes:
    """A schema is right, or the part that is not is named."""

    HEAD = "from __future__ import annotations\n" + MCP + "from pydantic import BaseModel\n"

    def check(self, folder, source, annotation, expected):
        [tool] = tools(folder, {"server.py": f"{source}\n@mcp.tool()\ndef one(x: {annotation}): ...\n"})
        assert isinstance(tool.input_schema, Schema | Opaque)
        if isinstance(tool.input_schema, Opaque) or tool.input_schema.holes:
            assert is_noted(tool, "inputSchema")
            return False
        document = json.loads(json.dumps(tool.input_schema.document))
        assert document["properties"] == expected["properties"]
        assert document.get("$defs") == expected.get("$defs")
        return True

    def test_model_that_refers_to_itself(self, tmp_path):
        source = self.HEAD + "class Node(BaseModel):\n    value: int\n    children: list[Node] = []\n"
        assert self.check(tmp_path, source, "Node", expected_schema(RecursiveTypes.Node))

    def test_two_models_that_refer_to_each_other(self, tmp_path):
        source = (
            self.HEAD
            + "class Left(BaseModel):\n    right: Right | None = None\n"
            + "class Right(BaseModel):\n    left: Left | None = None\n"
        )
        assert self.check(tmp_path, source, "Left", expected_schema(RecursiveTypes.Left))

    @pytest.mark.parametrize(
        "source",
        [
            "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Page(BaseModel, Generic[T]):\n",
            "class Page[T](BaseModel):\n",
        ],
        ids=["TypeVar", "PEP 695"],
    )
    def test_generic_model(self, source, tmp_path):
        expected = expected_schema(RecursiveTypes.Page)
        text = (
            json.dumps(expected)
            .replace('"#/$defs/Page"', '"#/$defs/Page_int_"')
            .replace('"title": "Page"', '"title": "Page[int]"')
        )
        expected = json.loads(text.replace('"Page": {', '"Page_int_": {'))
        body = "    items: list[T]\n    next: str | None = None\n"
        assert self.check(tmp_path, self.HEAD + source + body, "Page[int]", expected)

    def test_generic_model_that_nests_itself(self, tmp_path):
        source = (
            self.HEAD
            + "from typing import Generic, TypeVar\nT = TypeVar('T')\n"
            + "class Box(BaseModel, Generic[T]):\n    inner: Box[Box[T]] | None = None\n"
        )
        [tool] = tools(tmp_path, {"server.py": f"{source}\n@mcp.tool()\ndef one(x: Box[int]): ...\n"})
        assert is_noted(tool, "inputSchema")

    def test_recursive_typed_dict(self, tmp_path):
        source = (
            self.HEAD + "from typing import TypedDict\nclass Entry(TypedDict):\n    name: str\n    inner: list[Entry]\n"
        )
        self.check(tmp_path, source, "Entry", expected_schema(RecursiveTypes.Entry))

    def test_recursive_alias(self, tmp_path):
        source = self.HEAD + "type Tree = list[Tree] | int\n"
        self.check(tmp_path, source, "Tree", expected_schema(Tree))

    def test_plain_alias(self, tmp_path):
        source = self.HEAD + "type Numbers = list[int]\n"
        assert self.check(tmp_path, source, "Numbers", expected_schema(TypeAliasType("Numbers", list[int])))

    @pytest.mark.parametrize(
        "source",
        [
            "from typing import Union\nX = Union[str, list['X']]",
            "X = list['X']",
            "X: 'X' = 'X'",
            "X = 'X'",
            "from typing import TypeVar\nX = TypeVar('X', bound='X')",
            "from typing import TypeVar\nX = TypeVar('X', 'X', int)",
            "from typing import NewType\nX = NewType('X', 'X')",
            "type X = X",
            "type X[T] = list[X[list[T]]]",
            "from typing import NewType\nX = NewType('X', 'Y')\nY = NewType('Y', 'X')",
            "class X(X): ...",
            "from typing import Annotated\nX = Annotated['X', 'X']",
        ],
    )
    def test_alias_that_leads_only_to_itself_is_unreadable(self, source, tmp_path):
        [tool] = tools(tmp_path, {"server.py": f"{self.HEAD}{source}\n@mcp.tool()\ndef one(x: X): ...\n"})
        assert is_noted(tool, "inputSchema")

    def test_long_chain_of_models(self, tmp_path):
        models = "".join(f"class M{n}(BaseModel):\n    inner: M{n + 1}\n" for n in range(300))
        source = f"{self.HEAD}{models}class M300(BaseModel):\n    x: int\n@mcp.tool()\ndef first(x: M0): ...\n{ONE}"
        first, last = tools(tmp_path, {"server.py": source})
        assert last.name == "one"
        assert is_noted(first, "inputSchema") or len(first.input_schema.document["$defs"]) == 301

    def test_deep_type(self, tmp_path):
        source = f"{MCP}@mcp.tool()\ndef first(x: {'list[' * 400}int{']' * 400}): ...\n{ONE}"
        first, last = tools(tmp_path, {"server.py": source})
        assert (first.name, last.name) == ("first", "one")
        assert is_noted(first, "inputSchema")

    @pytest.mark.parametrize(
        "field",
        [
            "Field(pattern='(')",
            "Field(pattern='(a{1000}){1000}{1000}')",
            "Field(pattern='(?<=a)b')",
            "Field(ge='x')",
            "Field(max_length=-1)",
            "Field(discriminator='kind')",
            "Field(unknown_keyword=1)",
            "Field(json_schema_extra=5)",
            "Field(examples=5)",
            "Field(description=5)",
            "Field(1, 2, 3)",
            "Field(alias=7)",
            "Field(multiple_of=0)",
        ],
    )
    def test_field_that_pydantic_refuses(self, field, tmp_path):
        source = MCP + f"from pydantic import Field\n@mcp.tool()\ndef first(x: str = {field}): ...\n" + ONE
        assert names(tmp_path, {"server.py": source}) == ["first", "one"]
