"""Wrappers around functions that were not read: what they show of themselves is never taken for what they wrap."""

import pytest
from python_projects import MCP, conditions, names, review, tools

WRAPPER = """
import functools, inspect, far
def formatted(function):
    @functools.wraps(function)
    def inner(*args, **kwargs) -> str:
        "Not said."
        return str(function(*args, **kwargs))
    return inner
"""
LOOPS = {
    "members of a library": "for name, each in inspect.getmembers(far, inspect.isfunction):\n    ",
    "what a library lists": "for each in far.everything():\n    ",
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
@pytest.mark.parametrize("call", ["mcp.tool()(formatted(each))", "mcp.add_tool(formatted(each))"])
def test_functions_that_only_a_run_knows_are_named_as_unread(loop, call, tmp_path):
    [server] = review(tmp_path, MCP + WRAPPER + loop + call).servers
    assert server.tools == ()
    [unread] = server.unreadable
    assert unread.reason.startswith("registers a tool at run time: each of `")


def test_a_name_that_is_given_is_that_of_the_tool(tmp_path):
    source = MCP + WRAPPER + "mcp.tool(name='look', description='Look.')(formatted(far.pick()))"
    [found] = tools(tmp_path, source)
    assert (found.name, found.description) == ("look", "Look.")
    assert {part.partition(":")[0] for part in found.iter_unreadable()} >= {"inputSchema"}


def test_a_function_of_a_library_has_its_name_and_nothing_else(tmp_path):
    [found] = tools(tmp_path, MCP + WRAPPER + "mcp.tool()(formatted(far.prices))")
    assert found.name == "prices"
    assert {part for part in found.iter_unreadable() if "output" not in part} == {
        "description: `far.prices` is not in what was read",
        "inputSchema: `far.prices` is not in what was read",
    }


class TestArguments:
    """Arguments of functions that were not seen to be called: their defaults are assumed, and decide nothing for good."""

    SERVE = (
        "from mcp.server.lowlevel import Server\nfrom mcp.types import Tool\n"
        "async def serve(url: str | None = None, style: str = 'short'):\n"
        "    server = Server('demo')\n{guard}"
        "    @server.list_tools()\n    async def listed():\n        return [Tool(name='read', description=style, inputSchema={{}})]\n"
    )

    @pytest.mark.parametrize(
        "guard",
        [
            "    if not url:\n        raise ValueError('no address')\n",
            "    if url is None:\n        raise ValueError('no address')\n",
            "    check(url)\ndef check(url):\n    if not url:\n        raise ValueError('no address')\n",
        ],
    )
    def test_a_refusal_of_the_default_hides_nothing(self, guard, tmp_path):
        source = self.SERVE.format(guard=guard.partition("def check")[0])
        source += "def check(url):\n    if not url:\n        raise ValueError('no address')\n"
        [found] = tools(tmp_path, source)
        assert (found.name, found.conditions) == ("read", ())
        assert list(found.iter_unreadable()) == [
            "description: read for a run without configuration; the argument `style` of `serve`"
        ]

    def test_what_an_argument_brings_is_conditional(self, tmp_path):
        source = (
            "from mcp.server import MCPServer\ndef make(mode=None, server=None):\n"
            "    server = server or MCPServer('demo')\n    @server.tool()\n    def always(): ...\n"
            "    if mode == 'full':\n        @server.tool()\n        def more(): ...\n"
        )
        assert conditions(tmp_path, source) == {"always": [], "more": ["if mode == 'full'"]}

    def test_an_option_that_must_be_given_is_never_missing(self, tmp_path):
        source = MCP + (
            "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--url', required=True)\n"
            "given = parser.parse_args()\n"
            "@mcp.tool(name=given.url)\ndef read(): ...\n"
        )
        assert next(iter(tools(tmp_path, source)[0].iter_unreadable())) == "name: the option `--url`"
        assert names(tmp_path, source.replace("required=True", "required=False")) == ["read"]


@pytest.mark.parametrize("first", ["far.pick()", "far.prices", "unwritten"])
def test_a_function_that_is_handed_over_and_was_not_read_is_named(first, tmp_path):
    [server] = review(tmp_path, f"{MCP}import far\nmcp.tool({first})\n").servers
    assert server.tools == ()
    assert [each.reason.partition(":")[0] for each in server.unreadable] == ["registers a tool at run time"]


def test_a_call_that_registers_nothing_does_not_speak_for_all_calls(tmp_path):
    source = (
        "from mcp.server import MCPServer\n"
        "class Policy:\n    def __init__(self, names): self.names = names\n    def allows(self, name): return name in self.names\n"
        "def make(policy):\n    server = MCPServer('demo')\n    def look(): ...\n"
        "    if policy.allows('look'):\n        server.add_tool(look)\n    return server\n"
        "def try_out():\n    make(Policy([]))\n"
    )
    expected = {"look": ["if policy.allows('look')"]}
    assert conditions(tmp_path / "uncalled", source) == expected
    assert conditions(tmp_path / "called", source + "try_out()\n") == expected


def test_an_object_that_declares_as_it_is_made_is_not_made_for_each_of_its_methods(tmp_path):
    source = (
        "from fastmcp import FastMCP\nfrom fastmcp.server.transforms import Transform\nfrom far import load_tools\n"
        "class Loud(Transform):\n"
        "    async def list_tools(self, tools):\n"
        "        return [tool.model_copy(update={'description': f'{tool.description}!'}) for tool in tools]\n"
        "class App:\n    def __init__(self):\n        self.mcp = FastMCP('demo')\n"
        "        self.mcp.add_transform(Loud())\n        self.mcp.tool(self.read)\n        self.further()\n"
        "    def further(self):\n        return load_tools()\n"
        "    def read(self):\n        'Read.'\n"
        "App()\n"
    )
    [found] = tools(tmp_path, source)
    assert found.description == "Read.!"
    assert (list(found.iter_unreadable()), found.conditions) == ([], ())
