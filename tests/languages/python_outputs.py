"""Types that a tool may return, and what the frameworks make of them as output schemas."""

from python_projects import FASTMCP, document, tool

PARTS = '''
import dataclasses, datetime, enum, typing
from typing import Annotated, Any, Callable, Generic, Literal, NamedTuple, NewType, Optional, TypeVar
from typing_extensions import TypedDict
from pydantic import BaseModel, ConfigDict, Field, RootModel, computed_field
from mcp.types import CallToolResult, ImageContent, TextContent

T = TypeVar("T")
Rows = list[dict[str, int]]
Anything = NewType("Anything", Any)

class Kind(str, enum.Enum):
    BIG = "big"

class Page(BaseModel):
    """A page."""
    text: str = Field(description="What it says")
    number: int = 1

class Wire(BaseModel):
    page_number: int = Field(alias="pageNumber")

class SerializedByAlias(BaseModel):
    model_config = ConfigDict(serialize_by_alias=True)
    page_number: int = Field(alias="pageNumber")

class Area(BaseModel):
    side: int

    @computed_field
    @property
    def size(self) -> int:
        "Side by side."
        return self.side**2

class Row(TypedDict, total=False):
    key: str

@dataclasses.dataclass
class Point:
    x: int
    y: int = 0

class Annotated_:
    x: int

    def __init__(self):
        self.x = 1

class Bare:
    def __init__(self):
        self.x = 1

class Pair(NamedTuple):
    left: int
    right: str

class Names(RootModel[list[str]]): ...

class ByKey(RootModel[dict[str, int]]): ...

class Answer(BaseModel, Generic[T]):
    value: T

class Node(BaseModel):
    name: str
    children: list["Node"] = []
'''

TITLED_PAGE = {
    "description": "A page.",
    "properties": {
        "text": {"description": "What it says", "title": "Text", "type": "string"},
        "number": {"default": 1, "title": "Number", "type": "integer"},
    },
    "required": ["text"],
    "title": "Page",
    "type": "object",
}
PAGE = {
    "description": "A page.",
    "properties": {
        "text": {"description": "What it says", "type": "string"},
        "number": {"default": 1, "type": "integer"},
    },
    "required": ["text"],
    "type": "object",
}
TITLED_NODE = {
    "properties": {
        "name": {"title": "Name", "type": "string"},
        "children": {"default": [], "items": {"$ref": "#/$defs/Node"}, "title": "Children", "type": "array"},
    },
    "required": ["name"],
    "title": "Node",
    "type": "object",
}
NODE = {
    "properties": {
        "name": {"type": "string"},
        "children": {"default": [], "items": {"$ref": "#/$defs/Node"}, "type": "array"},
    },
    "required": ["name"],
    "type": "object",
}


def output(folder, framework, annotation, version=None, given=""):
    """Return the output schema of a tool that returns `annotation`, None if there is none."""
    sdk = {"fastmcp" if framework is FASTMCP else "mcp": version} if version else None
    source = f"{framework}{PARTS}\n@mcp.tool({given})\ndef read() -> {annotation}: ..."
    return document(tool(folder, source, sdk).output_schema)


def in_model(part, definitions=None):
    """Return the object of the SDK that a result of another type stands in."""
    titled = part if "title" in part else {**part, "title": "Result"}
    whole = {"properties": {"result": titled}, "required": ["result"], "title": "readOutput", "type": "object"}
    return {**whole, "$defs": definitions} if definitions else whole


def wrapped(part, definitions=None):
    """Return the object of fastmcp that a result of another type stands in."""
    whole = {"properties": {"result": part}, "required": ["result"], "type": "object", "x-fastmcp-wrap-result": True}
    return {**whole, "$defs": definitions} if definitions else whole
