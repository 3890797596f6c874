"""What is registered only where something holds: elements, guards, functions that nobody calls."""

import pytest
from python_projects import LOW, MCP, conditions, names, review


class TestElements:
    """What stands in a list or a dict only under a condition."""

    def test_appended(self, tmp_path):
        source = (
            LOW
            + """
from far import flags
TOOLS = [Tool(name='one', inputSchema={})]
if flags.more:
    TOOLS.append(Tool(name='two', inputSchema={}))
@app.list_tools()
async def tools():
    return TOOLS
"""
        )
        assert conditions(tmp_path, source) == {"one": [], "two": ["if flags.more"]}

    @pytest.mark.parametrize("line", ["TOOLS += [two]", "TOOLS.extend([two])", "TOOLS.insert(0, two)"])
    def test_added(self, line, tmp_path):
        source = (
            MCP + f"from far import flags\ndef one(): ...\ndef two(): ...\nTOOLS = [one]\nif flags.more:\n    {line}\n"
        )
        source += "for each in TOOLS:\n    mcp.tool()(each)"
        assert conditions(tmp_path, source) == {"one": [], "two": ["if flags.more"]}

    @pytest.mark.parametrize("line", ["TOOLS['two'] = two", "TOOLS.update(two=two)", "TOOLS.update({'two': two})"])
    @pytest.mark.parametrize(
        "loop",
        [
            "for each in TOOLS.values():\n    mcp.tool()(each)",
            "for name, each in TOOLS.items():\n    mcp.tool(name=name)(each)",
        ],
    )
    def test_put_into_a_dict(self, line, loop, tmp_path):
        source = MCP + (
            f"from far import flags\ndef one(): ...\ndef two(): ...\nTOOLS = {{'one': one}}\nif flags.more:\n"
            f"    {line}\n"
        )
        assert conditions(tmp_path, source + loop) == {"one": [], "two": ["if flags.more"]}

    def test_filtered_by_what_only_a_run_can_tell(self, tmp_path):
        source = MCP + (
            "from far import allowed\ndef one(): ...\nfor each in [one]:\n    if allowed(each):\n"
            "        mcp.tool()(each)"
        )
        assert conditions(tmp_path, source) == {"one": ["if allowed(each)"]}

    def test_comprehension_with_a_test(self, tmp_path):
        source = MCP + (
            "from far import allowed\ndef one(): ...\nfor each in [f for f in [one] if allowed(f)]:\n"
            "    mcp.tool()(each)"
        )
        [found] = conditions(tmp_path, source)["one"]
        assert "allowed(f)" in found

    def test_taken_out_of_a_dict_under_a_condition(self, tmp_path):
        source = MCP + "from far import flags\ndef one(): ...\ndef two(): ...\nTOOLS = {'one': one, 'two': two}\n"
        source += "if flags.less:\n    del TOOLS['two']\nfor each in TOOLS.values():\n    mcp.tool()(each)"
        assert names(tmp_path, source) == ["one", "two"]
        assert conditions(tmp_path, source)["one"] == []

    def test_taken_out_of_a_dict(self, tmp_path):
        source = MCP + "def one(): ...\ndef two(): ...\nTOOLS = {'one': one, 'two': two}\ndel TOOLS['two']\n"
        assert names(tmp_path, source + "for each in TOOLS.values():\n    mcp.tool()(each)") == ["one"]


GUARDS = {
    "raise": "if not ready():\n        raise RuntimeError('x')",
    "raise after a message": "if not ready():\n        print('x')\n        raise RuntimeError('x')",
    "raise in another branch": "if ready():\n        pass\n    else:\n        raise RuntimeError('x')",
    "except": "try:\n        ready()\n    except ValueError:\n        raise",
    "assert": "assert ready()",
    "exit": "if not ready():\n        sys.exit(1)",
}


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_guard_that_refuses_leaves_no_condition(guard, tmp_path):
    source = (
        f"import sys\n{MCP}from far import ready\ndef register():\n    {guard}\n    mcp.tool()(read)\n"
        f"def read(): ...\nregister()"
    )
    assert conditions(tmp_path, source) == {"read": []}


def test_guard_that_returns_leaves_one(tmp_path):
    source = MCP + (
        "from far import ready\ndef register():\n    if not ready():\n        return\n"
        "    mcp.tool()(read)\ndef read(): ...\nregister()"
    )
    assert conditions(tmp_path, source) == {"read": ["unless not ready()"]}


def test_loop_that_skips(tmp_path):
    source = MCP + (
        "from far import hidden\ndef one(): ...\nfor each in [one]:\n    if each in hidden:\n"
        "        continue\n    mcp.tool()(each)"
    )
    assert conditions(tmp_path, source) == {"one": ["unless each in hidden"]}


class TestUncalled:
    """A function that is seen to be called by nobody, and that takes a server."""

    REGISTER = "from mcp.server import MCPServer\ndef register(mcp: MCPServer):\n    @mcp.tool()\n    def read(): ...\n"

    def test_condition_says_so(self, tmp_path):
        assert conditions(tmp_path, self.REGISTER) == {"read": ["where `register` is called, which was not seen"]}

    def test_beside_a_server(self, tmp_path):
        found = review(tmp_path, self.REGISTER + "mcp = MCPServer('demo')\n@mcp.tool()\ndef write(): ...")
        assert [(each.name, sorted(str(tool.name) for tool in each.tools)) for each in found.servers] == [
            ("demo", ["read", "write"])
        ]

    def test_called_with_the_server(self, tmp_path):
        assert conditions(tmp_path, self.REGISTER + "mcp = MCPServer('demo')\nregister(mcp)") == {"read": []}

    def test_factory_needs_no_server(self, tmp_path):
        source = (
            "from mcp.server import MCPServer\ndef make():\n    mcp = MCPServer('demo')\n    @mcp.tool()\n"
            "    def read(): ...\n    return mcp"
        )
        assert conditions(tmp_path, source) == {"read": []}

    def test_server_without_an_annotation(self, tmp_path):
        source = "# mcp\ndef register(mcp):\n    @mcp.tool()\n    def read(): ...\n"
        assert conditions(tmp_path, source) == {"read": ["where `register` is called, which was not seen"]}

    def test_called_under_a_condition(self, tmp_path):
        source = self.REGISTER + "from far import flags\nmcp = MCPServer('demo')\nif flags.more:\n    register(mcp)"
        assert conditions(tmp_path, source) == {"read": ["if flags.more"]}


CONFIGURED = """
import json, os
def found():
    path = os.environ.get("CONFIGURATION")
    if not path:
        return None
    try:
        return json.load(open(path))
    except OSError:
        return None
def part():
    whole = found()
    if whole is None:
        return None
    inner = whole.get("inner")
    if not isinstance(inner, dict):
        return None
    return Settings(inner)
class Settings:
    def __init__(self, inner): self.inner = inner
settings = part()
"""


def test_what_a_file_of_configuration_switches_on_is_conditional(tmp_path):
    source = MCP + CONFIGURED + "if settings and settings.inner:\n    @mcp.tool()\n    def more(): ...\n"
    assert conditions(tmp_path, source) == {"more": ["if settings and settings.inner"]}


@pytest.mark.parametrize("kind", ["dict", "list", "str", "(int, tuple)", "Settings"])
def test_what_kind_a_library_gives_is_known_to_nobody(kind, tmp_path):
    source = (
        MCP
        + CONFIGURED
        + f"given = json.loads(far)\nif isinstance(given, {kind}):\n    @mcp.tool()\n    def more(): ...\n"
    )
    assert conditions(tmp_path, source) == {"more": [f"if isinstance(given, {kind})"]}
