"""What each release makes of one declaration."""

import pytest
from python_projects import FASTMCP, MCP, OLDER, document, tool

from reviewer.facts import Schema

BOOK = '''
from typing import Annotated, Any
from pydantic import BaseModel, ConfigDict, Field

class Place(BaseModel):
    model_config = ConfigDict(extra="forbid")
    shelf: str

@mcp.tool()
def read_book(
    name: Annotated[str, "Its title"], place: Place, pages: int = Field(1, title="How many"), far: Any = None
):
    """Read a book.

    It must be there.

    Args:
        name: how it is called
        pages: how many pages

    Returns:
        The pages.
    """
'''
RAW = """Read a book.

    It must be there.

    Args:
        name: how it is called
        pages: how many pages

    Returns:
        The pages.
    """
CLEANED = """Read a book.

It must be there.

Args:
    name: how it is called
    pages: how many pages

Returns:
    The pages."""
SPLIT = "Read a book.\n\nIt must be there."
SHELF = {"properties": {"shelf": {"type": "string"}}, "required": ["shelf"], "type": "object"}
CLOSED_SHELF = {"additionalProperties": False, **SHELF}
TITLED_SHELF = {
    "properties": {"shelf": {"title": "Shelf", "type": "string"}},
    "required": ["shelf"],
    "title": "Place",
    "type": "object",
}
REFERENCE = {"$ref": "#/$defs/Place"}
REQUIRED = {"required": ["name", "place"], "type": "object"}
NAMED = {"description": "Its title", "type": "string"}
ANY = {"default": None, "title": "Far"}


def properties(name, place, pages, far=ANY):
    return {"name": name, "place": place, "pages": pages, "far": far}


BY_THE_SDK = {
    "$defs": {"Place": {"additionalProperties": False, **TITLED_SHELF}},
    "properties": properties(
        {"title": "Name", "type": "string"}, REFERENCE, {"default": 1, "title": "How many", "type": "integer"}
    ),
    "title": "read_bookArguments",
    **REQUIRED,
}
TITLED = properties(
    {"title": "Name", "type": "string"}, REFERENCE, {"default": 1, "title": "How many", "type": "integer"}
)
UNTITLED = properties(NAMED, REFERENCE, {"default": 1, "type": "integer"})
INLINED = properties(NAMED, SHELF, {"default": 1, "type": "integer"})
CLOSED = properties(NAMED, CLOSED_SHELF, {"default": 1, "type": "integer"})
DESCRIBED = properties(
    NAMED, CLOSED_SHELF, {"default": 1, "title": "How many", "type": "integer", "description": "how many pages"}
)
MADE_OF_BOOK = {
    ("mcp", "1.9.4"): (RAW, BY_THE_SDK),
    ("mcp", "1.10.0"): (RAW, BY_THE_SDK),
    ("mcp", "1.30.0"): (RAW, BY_THE_SDK),
    ("mcp", "2.3.0"): (RAW, BY_THE_SDK),
    ("fastmcp", "2.7.1"): (RAW, {"properties": TITLED, "$defs": {"Place": TITLED_SHELF}, **REQUIRED}),
    ("fastmcp", "2.9.2"): (CLEANED, {"properties": TITLED, "$defs": {"Place": TITLED_SHELF}, **REQUIRED}),
    ("fastmcp", "2.10.6"): (CLEANED, {"properties": TITLED, "$defs": {"Place": TITLED_SHELF}, **REQUIRED}),
    ("fastmcp", "2.11.3"): (
        CLEANED,
        {"properties": {**TITLED, "name": {"title": "Name", **NAMED}}, "$defs": {"Place": TITLED_SHELF}, **REQUIRED},
    ),
    ("fastmcp", "2.12.5"): (CLEANED, {"properties": UNTITLED, "$defs": {"Place": SHELF}, **REQUIRED}),
    ("fastmcp", "2.14.1"): (CLEANED, {"properties": UNTITLED, "$defs": {"Place": SHELF}, **REQUIRED}),
    ("fastmcp", "2.14.7"): (CLEANED, {"properties": INLINED, **REQUIRED}),
    ("fastmcp", "3.1.1"): (CLEANED, {"additionalProperties": False, "properties": CLOSED, **REQUIRED}),
    ("fastmcp", "3.2.4"): (
        SPLIT,
        {
            "additionalProperties": False,
            "properties": {**CLOSED, "pages": {"default": 1, "type": "integer", "description": "how many pages"}},
            **REQUIRED,
        },
    ),
    ("fastmcp", "4.0.11"): (SPLIT, {"additionalProperties": False, "properties": DESCRIBED, **REQUIRED}),
    ("fastmcp", "4.1.6"): (SPLIT, {"additionalProperties": False, "properties": DESCRIBED, **REQUIRED}),
}


def head(framework, release):
    return FASTMCP if framework == "fastmcp" else MCP if release.startswith("2") else OLDER


@pytest.mark.parametrize(("framework", "release"), MADE_OF_BOOK, ids=[" ".join(each) for each in MADE_OF_BOOK])
class TestOneDeclaration:
    def test_description(self, framework, release, tmp_path):
        found = tool(tmp_path, head(framework, release) + BOOK, {framework: release})
        assert found.description == MADE_OF_BOOK[framework, release][0]

    def test_input_schema(self, framework, release, tmp_path):
        found = tool(tmp_path, head(framework, release) + BOOK, {framework: release})
        assert document(found.input_schema) == MADE_OF_BOOK[framework, release][1]

    def test_descriptions_of_parameters_are_those_of_the_schema(self, framework, release, tmp_path):
        found = tool(tmp_path, head(framework, release) + BOOK, {framework: release})
        said = {name: part.get("description") for name, part in document(found.input_schema)["properties"].items()}
        assert {str(each.name): each.description for each in found.parameters} == said


RETURNS = '''@mcp.tool()
def read():
    """Read a book.

    It must be there.

    Returns:
        The pages.
    """
'''


@pytest.mark.parametrize(
    ("release", "description"),
    [
        ("3.1.1", "Read a book.\n\nIt must be there.\n\nReturns:\n    The pages."),
        ("3.2.4", "Read a book.\n\nIt must be there.\n\nReturns:\n    The pages."),
        ("4.0.11", "Read a book.\n\nIt must be there.\n\nReturns:\n    The pages."),
        ("4.1.6", "Read a book.\n\nIt must be there."),
    ],
)
def test_docstring_that_describes_no_parameter(release, description, tmp_path):
    assert tool(tmp_path, FASTMCP + RETURNS, {"fastmcp": release}).description == description


STYLES = {
    "numpy": '"""Read.\n\n    Parameters\n    ----------\n    path : str\n        where it is\n    """',
    "sphinx": '"""Read.\n\n    :param path: where it is\n    """',
    "google": '"""Read.\n\n    Args:\n        path (str): where it is\n    """',
}


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES)
def test_docstring_styles(text, tmp_path):
    found = tool(tmp_path, FASTMCP + f"@mcp.tool\ndef read(path: str):\n    {text}\n")
    assert found.description == "Read."
    assert document(found.input_schema)["properties"] == {"path": {"type": "string", "description": "where it is"}}


HINTED = (
    '@mcp.tool(description="", annotations={"readOnlyHint": True, "audience": "all"})\n'
    'def second_one():\n    """  Second."""\n'
)


@pytest.mark.parametrize(
    ("release", "description", "title", "annotations", "meta"),
    [
        ("2.7.1", "  Second.", None, {"readOnlyHint": True, "audience": "all"}, None),
        ("2.10.6", "Second.", None, {"readOnlyHint": True, "audience": "all"}, None),
        ("2.11.3", "Second.", None, {"readOnlyHint": True, "audience": "all"}, {"_fastmcp": {"tags": []}}),
        ("2.14.7", "Second.", None, {"readOnlyHint": True, "audience": "all"}, {"_fastmcp": {"tags": []}}),
        ("3.1.1", "Second.", None, {"readOnlyHint": True, "audience": "all"}, {"fastmcp": {"tags": []}}),
        ("3.2.4", "", None, {"readOnlyHint": True, "audience": "all"}, {"fastmcp": {"tags": []}}),
        ("4.0.11", "", "Second One", {"readOnlyHint": True}, {"fastmcp": {"tags": []}}),
        ("4.1.6", "", "Second One", {"readOnlyHint": True}, {"fastmcp": {"tags": []}}),
    ],
)
def test_what_stands_beside_the_schema(release, description, title, annotations, meta, tmp_path):
    found = tool(tmp_path, FASTMCP + HINTED, {"fastmcp": release})
    assert (found.description, found.title, found.annotations, found.meta) == (description, title, annotations, meta)


@pytest.mark.parametrize(
    ("release", "title"), [("2.7.1", None), ("2.10.6", "Shown"), ("3.1.1", "Shown"), ("4.1.6", "Shown")]
)
def test_title_among_the_annotations(release, title, tmp_path):
    source = FASTMCP + "@mcp.tool(annotations={'title': 'Shown'})\ndef read(): ..."
    assert tool(tmp_path, source, {"fastmcp": release}).title == title


def test_title_that_is_written_comes_first(tmp_path):
    source = FASTMCP + "@mcp.tool(title='Written', annotations={'title': 'Shown'})\ndef read(): ..."
    assert tool(tmp_path, source).title == "Written"


def test_sdk_makes_no_title(tmp_path):
    assert tool(tmp_path, MCP + "@mcp.tool()\ndef read_book(): ...").title is None


PETS = """
from typing import Annotated, Literal, Union
from pydantic import BaseModel, Field

class Cat(BaseModel):
    kind: Literal["cat"] = "cat"

class Dog(BaseModel):
    kind: Literal["dog"]

@mcp.tool()
def feed(pet: Annotated[Union[Cat, Dog], Field(discriminator="kind")]): ...
"""
CAT = {"properties": {"kind": {"const": "cat", "default": "cat", "type": "string"}}, "type": "object"}
DOG = {"properties": {"kind": {"const": "dog", "type": "string"}}, "required": ["kind"], "type": "object"}
MAPPING = {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"}


@pytest.mark.parametrize(
    ("release", "pet"),
    [
        ("2.14.7", {"discriminator": {"propertyName": "kind"}, "oneOf": [CAT, DOG]}),
        ("3.1.1", {"discriminator": {"mapping": MAPPING, "propertyName": "kind"}, "oneOf": [CAT, DOG]}),
        ("3.2.4", {"oneOf": [CAT, DOG]}),
        ("4.0.11", {"oneOf": [{**CAT, "required": ["kind"]}, DOG]}),
        ("4.1.6", {"oneOf": [{**CAT, "required": ["kind"]}, DOG]}),
    ],
)
def test_variants_by_a_property(release, pet, tmp_path):
    found = tool(tmp_path, FASTMCP + PETS, {"fastmcp": release})
    assert document(found.input_schema)["properties"] == {"pet": pet}


def test_variants_by_the_sdk_keep_their_discriminator(tmp_path):
    pet = document(tool(tmp_path, MCP + PETS).input_schema)["properties"]["pet"]
    assert pet["discriminator"] == {"mapping": MAPPING, "propertyName": "kind"}
    assert pet["oneOf"] == [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]


def test_schema_that_refers_to_itself_keeps_its_definitions(tmp_path):
    source = FASTMCP + "from pydantic import BaseModel\nclass Node(BaseModel):\n    inner: list['Node'] = []\n"
    found = tool(tmp_path, source + "@mcp.tool\ndef read(node: Node): ...").input_schema
    assert isinstance(found, Schema)
    assert found.document["properties"] == {"node": {"$ref": "#/$defs/Node"}}
    assert list(found.document["$defs"]) == ["Node"]
