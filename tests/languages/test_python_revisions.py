"""What is changed after it is registered: tools taken out, lists filtered, parts rewritten."""

import pytest
from python_projects import ASSUMED, FASTMCP, MCP, conditions, tool

RENAMED = "@mcp.tool()\ndef read(): ...\n@mcp.tool()\ndef write(): ...\n"
FILTER = """
from fastmcp.server.middleware import Middleware

class Filter(Middleware):
    async def on_list_tools(self, context, call_next):
        return [tool for tool in await call_next(context) if allowed(tool)]
"""


class TestRevisions:
    @pytest.mark.parametrize(
        ("line", "condition"),
        [
            ("mcp.remove_tool('write')", "unless `remove_tool` takes it out"),
            ("mcp.disable(names={'write'})", "unless `disable` takes it out"),
            ("mcp.disable(names=['write'])", "unless `disable` takes it out"),
            ("mcp.local_provider.remove_tool('write')", "unless `remove_tool` takes it out"),
            ("mcp._tool_manager.remove_tool('write')", "unless `remove_tool` takes it out"),
            ("del mcp._tool_manager._tools['write']", "unless `del` takes it out"),
            ("NAME = 'wri'\nmcp.remove_tool(NAME + 'te')", "unless `remove_tool` takes it out"),
            ("for name in ['write']:\n    mcp.remove_tool(name)", "unless `remove_tool` takes it out"),
        ],
    )
    def test_tool_that_is_taken_out(self, line, condition, tmp_path):
        source = (FASTMCP if "disable" in line or "provider" in line else MCP) + RENAMED + line
        assert conditions(tmp_path, source) == {"read": [], "write": [condition]}

    @pytest.mark.parametrize("line", ["mcp.disable(tags={'slow'})", "mcp.remove_tool(far)", "mcp.disable(names=far)"])
    def test_any_tool_that_may_be_taken_out(self, line, tmp_path):
        found = conditions(tmp_path, FASTMCP + "from somewhere import far\n" + RENAMED + line)
        assert [len(each) for each in found.values()] == [1, 1]

    def test_taken_out_by_a_function(self, tmp_path):
        source = MCP + RENAMED + "def trim(settings):\n    if settings.safe:\n        mcp.remove_tool('write')\n"
        assert conditions(tmp_path, source) == {"read": [], "write": ["unless `remove_tool` takes it out"]}

    def test_taken_out_of_a_list_of_a_server_that_is_handed_over(self, tmp_path):
        source = (
            MCP
            + RENAMED
            + "def trim(server):\n    for name in ['write']:\n        del server._tool_manager._tools[name]\n"
        )
        assert conditions(tmp_path, source) == {"read": [], "write": ["unless `del` takes it out"]}

    def test_of_another_server(self, tmp_path):
        source = MCP + "other = MCPServer('other')\n@other.tool()\ndef write(): ...\n@mcp.tool()\ndef read(): ...\n"
        source += "other.remove_tool('read')\nmcp.remove_tool('write')"
        assert conditions(tmp_path, source) == {"read": [], "write": []}

    @pytest.mark.parametrize(
        "line",
        [
            "mcp.add_middleware(Filter())",
            "mcp = FastMCP('demo', middleware=[Filter()])",
            "FILTERS = [Filter()]\nmcp = FastMCP('demo', middleware=FILTERS)",
        ],
    )
    def test_middleware_that_lists(self, line, tmp_path):
        source = f"from fastmcp import FastMCP\nmcp = FastMCP('demo')\n{FILTER}\n{line}\n{RENAMED}"
        assert conditions(tmp_path, source) == {"read": ["as `Filter` lists it"], "write": ["as `Filter` lists it"]}

    def test_middleware_that_does_not_list(self, tmp_path):
        source = FASTMCP + FILTER.replace("on_list_tools", "on_call_tool") + "mcp.add_middleware(Filter())\n" + RENAMED
        assert conditions(tmp_path, source) == {"read": [], "write": []}

    def test_middleware_from_elsewhere(self, tmp_path):
        source = FASTMCP + "from far import Filter\nmcp.add_middleware(Filter())\n" + RENAMED
        assert conditions(tmp_path, source) == {"read": [], "write": []}

    def test_what_a_transform_rewrites_is_read(self, tmp_path):
        source = (
            FASTMCP
            + """
class Notes:
    async def list_tools(self, tools):
        return [tool.model_copy(update={"description": "other"}) for tool in tools]
mcp.add_transform(Notes())
@mcp.tool
def read():
    "Read."
"""
        )
        found = tool(tmp_path, source)
        assert found.description == "other"
        assert not found.conditions
        assert not list(found.iter_unreadable())

    def test_what_a_transform_may_rewrite_is_named(self, tmp_path):
        source = (
            FASTMCP
            + """
class Notes:
    async def list_tools(self, tools):
        return [noted(tool, description=load()) for tool in tools]
mcp.add_transform(Notes())
@mcp.tool
def read():
    "Read."
"""
        )
        found = tool(tmp_path, source)
        assert [each.text for each in found.conditions] == ["as `Notes` lists it"]
        assert found.description == "Read."
        [told] = found.iter_unreadable()
        assert told.startswith(f"description: {ASSUMED}; may be rewritten: as `Notes` lists it")

    def test_transforms_at_construction(self, tmp_path):
        source = "from fastmcp import FastMCP\nclass Notes:\n    async def list_tools(self, tools): ...\n"
        source += "mcp = FastMCP('demo', transforms=[Notes()])\n@mcp.tool\ndef read(): ..."
        assert conditions(tmp_path, source) == {"read": ["as `Notes` lists it"]}

    def test_server_class_that_lists_itself(self, tmp_path):
        source = """
from mcp.server import MCPServer
class Own(MCPServer):
    async def list_tools(self):
        return [tool for tool in await super().list_tools() if allowed(tool)]
mcp = Own('demo')
@mcp.tool()
def read(): ...
"""
        assert conditions(tmp_path, source) == {"read": ["as `list_tools` lists it"]}

    def test_server_class_that_does_not(self, tmp_path):
        source = "from mcp.server import MCPServer\nclass Own(MCPServer):\n    def go(self): ...\nmcp = Own('demo')\n"
        assert conditions(tmp_path, source + "@mcp.tool()\ndef read(): ...") == {"read": []}

    def test_list_handler_before_that_of_a_high_level_server(self, tmp_path):
        source = """
from mcp.server.fastmcp import FastMCP
mcp = FastMCP('demo')
@mcp.tool()
def read(): ...
@mcp._mcp_server.list_tools()
async def shown():
    return [tool for tool in await mcp.list_tools() if allowed(tool)]
"""
        assert conditions(tmp_path, source) == {"read": ["as `shown` lists it"]}

    def test_changes_of_a_mounted_server_hold_above_it(self, tmp_path):
        source = FASTMCP + (
            "inner = FastMCP('inner')\n@inner.tool\ndef read(): ...\ninner.disable(names={'read'})\n"
            "mcp.mount(inner, namespace='in')"
        )
        assert conditions(tmp_path, source) == {"in_read": ["unless `disable` takes it out"]}

    def test_a_server_that_only_mounts_lists_what_it_mounts_once(self, tmp_path):
        source = FASTMCP + (
            "inner = FastMCP('inner')\n@inner.tool\ndef read():\n    'Read.'\n"
            "class Loud(FastMCP):\n    async def _list_tools_mcp(self):\n        shown = await super()._list_tools_mcp()\n"
            "        for tool in shown:\n            tool.description = tool.description + '!'\n        return shown\n"
            "loud = Loud('loud')\nloud.mount(inner, namespace='in')\n"
        )
        assert tool(tmp_path, source).description == "Read.!"
