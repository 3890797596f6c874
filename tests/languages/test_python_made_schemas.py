"""Signatures and schemas that code makes of others: from the fields of a model, by replacing, by copying."""

from python_projects import FASTMCP, MCP, document, tool, tools

FIELDS = """
import inspect
from pydantic import BaseModel, Field

class Query(BaseModel):
    text: str = Field(description="What to look for")
    limit: int = Field(10, le=50)
    tags: list[str] = Field(default_factory=list)

def flat(fn):
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=field.annotation,
            default=inspect.Parameter.empty if field.is_required() else field.default,
        )
        for name, field in Query.model_fields.items()
        if name != "tags"
    ]
    async def inner(**kwargs):
        return fn(Query(**kwargs))
    inner.__signature__ = inspect.Signature(parameters)
    inner.__annotations__ = {each.name: each.annotation for each in parameters}
    inner.__name__ = fn.__name__
    inner.__doc__ = fn.__doc__
    return inner

def search(query: Query):
    "Search."

mcp.tool()(flat(search))
"""


def test_signature_of_the_fields_of_a_model(tmp_path):
    found = tool(tmp_path, FASTMCP + FIELDS)
    assert (found.name, found.description) == ("search", "Search.")
    assert document(found.input_schema) == {
        "additionalProperties": False,
        "properties": {"text": {"type": "string"}, "limit": {"default": 10, "type": "integer"}},
        "required": ["text"],
        "type": "object",
    }


REPLACED = """
import functools, inspect

def with_limit(fn):
    signature = inspect.signature(fn)
    parameters = [each.replace(default=5) if each.name == "limit" else each for each in signature.parameters.values()]
    parameters.append(inspect.Parameter("page", inspect.Parameter.KEYWORD_ONLY, default=1, annotation=int))
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)
    inner.__signature__ = signature.replace(parameters=parameters)
    return inner

@mcp.tool()
@with_limit
def search(text: str, limit: int): ...
"""


def test_signature_that_is_replaced(tmp_path):
    assert document(tool(tmp_path, MCP + REPLACED).input_schema) == {
        "properties": {
            "text": {"title": "Text", "type": "string"},
            "limit": {"default": 5, "title": "Limit", "type": "integer"},
            "page": {"default": 1, "title": "Page", "type": "integer"},
        },
        "required": ["text"],
        "title": "searchArguments",
        "type": "object",
    }


BOUND = """
import functools, inspect, os

def bound(fn):
    signature = inspect.signature(fn)
    kept = [each for name, each in signature.parameters.items() if name != "settings"]
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs, settings={})
    inner.__signature__ = signature.replace(parameters=kept)
    return inner

def search(text: str, settings: dict | None = None): ...

if os.getenv("DATABASE"):
    mcp.tool()(bound(search))
"""


def test_signature_that_is_set_where_the_environment_decides_on_the_tool(tmp_path):
    assert list(document(tool(tmp_path, MCP + BOUND).input_schema)["properties"]) == ["text"]


def test_deep_copies_of_a_schema_are_changed_apart(tmp_path):
    source = """
import copy
from mcp.server.lowlevel import Server
from mcp.types import Tool
app = Server('demo')
BASE = {'type': 'object', 'properties': {'path': {'type': 'string'}}}
LONGER = copy.deepcopy(BASE)
LONGER['properties']['limit'] = {'type': 'integer'}
del LONGER['properties']['path']
@app.list_tools()
async def tools():
    return [Tool(name='one', inputSchema=BASE), Tool(name='two', inputSchema=LONGER)]
"""
    assert [document(each.input_schema)["properties"] for each in tools(tmp_path, source)] == [
        {"path": {"type": "string"}},
        {"limit": {"type": "integer"}},
    ]
