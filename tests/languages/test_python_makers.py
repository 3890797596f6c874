"""Servers that are made, or that list their tools, in other ways than by a decorator of the SDK."""

import pytest
from python_projects import FASTMCP, LOW, conditions, names, review

TABLE = (
    LOW
    + """
from mcp.types import CallToolRequest, ListToolsRequest, ListToolsResult, ServerResult

async def listed(_: ListToolsRequest):
    return {answer}

async def called(request: CallToolRequest): ...

app.request_handlers[ListToolsRequest] = listed
app.request_handlers[CallToolRequest] = called
"""
)
ANSWERS = {
    "in its envelope": "ServerResult(ListToolsResult(tools=[Tool(name='dry', inputSchema={}), Tool(name='cut', inputSchema={})]))",
    "in its envelope by name": "ServerResult(root=ListToolsResult(tools=[Tool(name='dry', inputSchema={}), Tool(name='cut', inputSchema={})]))",
    "plain": "ListToolsResult(tools=[Tool(name='dry', inputSchema={}), Tool(name='cut', inputSchema={})])",
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_handler_in_the_table_of_the_server(answer, tmp_path):
    assert names(tmp_path, TABLE.replace("{answer}", answer)) == ["dry", "cut"]


def test_a_handler_in_another_table_lists_nothing(tmp_path):
    source = TABLE.replace("{answer}", ANSWERS["plain"]).replace("app.request_handlers[ListT", "others[ListT")
    assert names(tmp_path, "others = {}\n" + source) == []


MADE = {
    "fastapi_mcp": (
        "from fastapi import FastAPI\nfrom fastapi_mcp import FastApiMCP\napp = FastAPI()\n"
        "FastApiMCP(app, name='hay', include_tags=['dry']).mount_http()\n",
        "tools come from a FastAPI application at start",
        4,
    ),
    "gradio": (
        "import gradio as gr\nfrom work import dry\nwith gr.Blocks() as demo:\n    gr.api(fn=dry)\n"
        "def main():\n    demo.launch(share=False, mcp_server=True)\n",
        "tools come from a Gradio application at start",
        6,
    ),
}


@pytest.mark.parametrize(("source", "reason", "line"), MADE.values(), ids=MADE)
def test_a_server_of_another_library_is_named(source, reason, line, tmp_path):
    [server] = review(tmp_path, source).servers
    assert server.tools == ()
    assert [(each.reason, each.span.line) for each in server.unreadable] == [(reason, line)]


def test_an_application_that_is_served_to_people_only(tmp_path):
    source = "import gradio as gr\nmcp = gr.Interface(fn=print)\nmcp.launch(mcp_server=False)  # mcp_server=True\n"
    assert review(tmp_path, source).servers == ()


WAYS = {
    "each name that it exports": """
        me = sys.modules[__name__]
        found = [getattr(me, name, None) for name in __all__]
        return [each for each in found if callable(each) and inspect.iscoroutinefunction(each)]
    """,
    "all that is in it": """
        return [each for _, each in inspect.getmembers(sys.modules[__name__], inspect.iscoroutinefunction)]
    """,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_functions_that_a_module_looks_up_in_itself(way, tmp_path):
    source = (
        "import inspect, sys\n"
        + FASTMCP
        + "__all__ = ['cut', 'dry', 'Stack', 'LIMIT']\nasync def cut(): ...\nasync def dry(): ...\nclass Stack: ...\nLIMIT = 3\n"
        + f"def _offered():{way}\nfor each in _offered():\n    mcp.tool(name=each.__name__)(each)\n"
    )
    assert conditions(tmp_path, source) == {"cut": [], "dry": []}


def test_functions_of_a_module_that_was_loaded_before(tmp_path):
    files = {
        "server.py": "import sys\nimport work\n" + FASTMCP + "mcp.tool(sys.modules['work'].cut)\n",
        "work.py": "def cut(): ...\n",
    }
    assert conditions(tmp_path, files) == {"cut": []}


KIT = """
from fastmcp import FastMCP

class Kit:
    def __init__(self, name):
        self.server = FastMCP(name)
        for each in {names}:
            if each.startswith("mcp_") and callable(getattr(self.__class__, each)):
                self.server.add_tool(getattr(self, each))

    def run(self):
        self.server.run()
"""
OFFERED = ("self.__class__.__dict__", "type(self).__dict__", "vars(type(self))")


@pytest.mark.parametrize("offered", OFFERED)
def test_classes_of_other_files_whose_base_declares_what_they_offer(offered, tmp_path):
    files = {
        "base.py": KIT.replace("{names}", offered),
        "cut.py": (
            "from base import Kit\nclass Cut(Kit):\n    def mcp_cut(self): ...\n    def other(self): ...\n"
            "if __name__ == '__main__':\n    try:\n        Cut('cut').run()\n    except Exception as error:\n        log(error)\n"
        ),
        "dry.py": (
            "import base\nclass Dry(base.Kit):\n    def __init__(self, name):\n        super().__init__(name)\n        self.hot = 1\n"
            "    def mcp_dry(self): ...\ndef main():\n    Dry('dry').run()\nif __name__ == '__main__':\n    main()\n"
        ),
    }
    assert names(tmp_path, files) == ["mcp_cut", "mcp_dry"]


def test_functions_in_the_names_of_a_module(tmp_path):
    files = {
        "server.py": FASTMCP
        + "import work\nfor name, each in work.__dict__.items():\n    if name.startswith('do_'):\n        mcp.tool(each)\n",
        "work.py": "def do_cut(): ...\ndef other(): ...\n",
    }
    assert names(tmp_path, files) == ["do_cut"]


ELSEWHERE = """
from pydantic_ai import Agent
{line}
agent = Agent("one that calls the tools of mcp")

@server.tool
def cut(): ...

@server.tool(description="Dry the hay.")
def dry(): ...

server.add_tool(cut, name="mow")

@agent.tool
def other(): ...
"""
LINES = (
    "from hay_mcp import server",
    "from hay_mcp.app import make\nserver = make('hay')",
    "import hay_mcp as server",
    "from .mcp import server",
    "from fastmcp.server import create_proxy\nserver = create_proxy('hay.json')",
)


@pytest.mark.parametrize("line", LINES)
def test_tools_of_a_server_that_lies_outside_what_is_reviewed(line, tmp_path):
    assert conditions(tmp_path, ELSEWHERE.replace("{line}", line)) == {"cut": [], "dry": [], "mow": []}


OVERRIDDEN = """
from mcp.server.fastmcp import FastMCP

class Shed(FastMCP):
    def add_tool(self, fn, name=None, **kwargs):
        {call}fn, name=name)

shed, yard = Shed("shed"), FastMCP("yard")

@shed.tool()
def cut(): ...

def mow(): ...

FastMCP.add_tool(shed, mow)
FastMCP.add_tool(yard, mow, name="dry")
"""


@pytest.mark.parametrize("call", ["super().add_tool(", "FastMCP.add_tool(self, "])
def test_a_method_of_the_sdk_that_a_server_makes_its_own(call, tmp_path):
    source = OVERRIDDEN.replace("{call}", call)
    assert conditions(tmp_path, source) == {"cut": [], "mow": [], "dry": []}
    assert not [each for server in review(tmp_path, source).servers for each in server.unreadable]


BARN = """
from mcp.server.lowlevel import Server
from mcp.types import Tool

class Barn:
    def __init__(self, tools: list) -> None:
        self.tools = tools

    @classmethod
    def open(cls, *others: str):
        return cls(["dry", *others])

    def build(self):
        app = Server("barn")

        @app.list_tools()
        async def listed():
            return [Tool(name=each, inputSchema={}) for each in self.tools]

        return app
"""


@pytest.mark.parametrize("made", ["barn.Barn(['dry', 'cut'])", "barn.Barn.open('cut')", "Barn.open('cut')"])
def test_a_class_of_another_file_is_made_by_itself_or_by_its_own_method(made, tmp_path):
    main = f"import barn\nfrom barn import Barn\ndef main():\n    app = {made}.build()\n    app.run()\n"
    assert names(tmp_path, {"barn.py": BARN, "main.py": main}) == ["dry", "cut"]
