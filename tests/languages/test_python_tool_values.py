"""Code that looks at tools as objects: before it adds them, after it registered them, when it lists them."""

from python_projects import FASTMCP, MCP, tool, tools

ADDING = """
import textwrap
from fastmcp import FastMCP
from fastmcp.tools import FunctionTool

class Tidy(FastMCP):
    def add_tool(self, tool):
        if tool.description:
            description = textwrap.dedent(tool.description).upper()
            if description != tool.description:
                tool = tool.model_copy(update={"description": description})
        super().add_tool(tool)

class Plain(FunctionTool): ...

def read(path: str):
    "Read."

mcp = Tidy("demo")
mcp.add_tool(Plain.from_function(read, name="read_file"))
"""


def test_tool_that_is_changed_before_it_is_added(tmp_path):
    found = tool(tmp_path, ADDING)
    assert (found.name, found.description) == ("read_file", "READ.")
    assert list(found.input_schema.document["properties"]) == ["path"]
    assert not found.conditions


SLIMMING = (
    MCP
    + """
def slim(schema):
    schema.pop("title", None)
    if schema.get("default", 0) is None:
        del schema["default"]
    for part in schema.get("properties", {}).values():
        slim(part)
    if "anyOf" in schema:
        rest = [each for each in schema.pop("anyOf") if each != {"type": "null"}]
        schema.update(rest[0] | schema)

def tidy(fn):
    mcp.tool()(fn)
    slim(mcp._tool_manager.get_tool(fn.__name__).parameters)
    return fn

@tidy
def read(path: str, limit: int | None = None):
    "Read."
"""
)


def test_schema_that_is_changed_after_the_tool_was_registered(tmp_path):
    assert tool(tmp_path, SLIMMING).input_schema.document == {
        "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["path"],
        "type": "object",
    }


LISTING = """
from fastmcp import FastMCP

class Own(FastMCP):
    async def _list_tools_mcp(self):
        allowed = self.allowed()
        if allowed is None:
            return []
        shown = []
        for each in await self.list_tools():
            if each.name.startswith("hidden_"):
                continue
            entry = each.to_mcp_tool(name=each.name)
            entry.inputSchema["$comment"] = "checked"
            shown.append(entry)
        return shown

mcp = Own("demo")

@mcp.tool
def read(path: str): ...
@mcp.tool
def write(path: str): ...
"""


def test_server_class_that_rewrites_what_it_lists(tmp_path):
    found = tools(tmp_path, LISTING)
    assert [each.name for each in found] == ["read", "write"]
    assert all(each.input_schema.document["$comment"] == "checked" for each in found)
    assert [each.text for each in found[0].conditions] == ["as `_list_tools_mcp` lists it"]


MIDDLEWARE = (
    FASTMCP
    + """
NOTE = "Ask first."

class Notes:
    async def on_list_tools(self, context, call_next):
        tools = await call_next(context)
        return [self.noted(each) for each in tools]

    def noted(self, each):
        if not (each.annotations and each.annotations.destructive_hint):
            return each
        return each.model_copy(update={"description": f"{each.description} {NOTE}"})

mcp.add_middleware(Notes())

@mcp.tool(annotations={"destructiveHint": True})
def erase():
    "Erase."

@mcp.tool(annotations={"readOnlyHint": True})
def read():
    "Read."
"""
)


def test_middleware_that_adds_a_note(tmp_path):
    assert [each.description for each in tools(tmp_path, MIDDLEWARE)] == ["Erase. Ask first.", "Read."]


HOLDER = """
from mcp.server.lowlevel import Server
from mcp.types import ListToolsResult, Tool

class Catalog:
    limit: int = 5

    def tools(self):
        return [Tool(name="read", description=f"At most {self.limit}.", inputSchema={"type": "object"})]

def build(catalog: Catalog):
    async def listed(ctx, params):
        return ListToolsResult(tools=catalog.tools())
    return Server("demo", on_list_tools=listed)
"""


def test_object_that_only_a_run_makes(tmp_path):
    found = tool(tmp_path, HOLDER)
    assert (found.name, found.description) == ("read", "At most 5.")
    assert list(found.iter_unreadable()) == [
        "description: read for a run without configuration; the field `limit` of an object that a run makes"
    ]


MERGING = (
    MCP
    + """
def merge(schema):
    for part in schema.get("properties", {}).values():
        options = part.get("anyOf", [])
        kinds = [each["type"] for each in options]
        if "number" in kinds:
            options[:] = [each for each in options if each["type"] != "integer"]

def tidy(fn):
    mcp.tool()(fn)
    made = mcp._tool_manager.get_tool(fn.__name__)
    merge(made.parameters)
    if made.output_schema:
        merge(made.output_schema)
    return fn

@tidy
def read(at: str | int | float):
    "Read."
"""
)


def test_list_whose_elements_are_put_in_anew(tmp_path):
    found = tool(tmp_path, MERGING)
    assert found.input_schema.document["properties"]["at"]["anyOf"] == [{"type": "string"}, {"type": "number"}]
    assert found.output_schema is None
    assert not list(found.iter_unreadable())


def test_element_that_only_a_run_can_put_in_is_named(tmp_path):
    written = MERGING.replace("options[:] =", "options[int(input()) :] =")
    assert next(tool(tmp_path, written).iter_unreadable()).startswith("inputSchema.properties.at.anyOf: ")
