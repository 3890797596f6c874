"""How Python servers declare tools, each form as a small server of our own, and what is read of it."""

import textwrap

import pytest
from python_projects import FASTMCP, LOW, MCP, names, review, tools

from reviewer.source import Opaque, Text

FORMS = {
    "decorator": MCP + "@mcp.tool()\ndef read(path: str): ...",
    "decorator without parentheses": FASTMCP + "@mcp.tool\ndef read(path: str): ...",
    "async": MCP + "@mcp.tool()\nasync def read(path: str): ...",
    "name as keyword": MCP + "@mcp.tool(name='read')\ndef other(path: str): ...",
    "name first": MCP + "@mcp.tool('read')\ndef other(path: str): ...",
    "name from a constant": MCP + "NAME = 're' + 'ad'\n@mcp.tool(NAME)\ndef other(): ...",
    "name from an f-string": MCP + "KIND = 'ad'\n@mcp.tool(name=f're{KIND}')\ndef other(): ...",
    "name from an enumeration": MCP
    + "from enum import Enum\nclass Names(str, Enum):\n    READ = 'read'\n@mcp.tool(name=Names.READ)\ndef other(): ...",
    "name from an enumeration's value": MCP
    + "from enum import Enum\nclass Names(Enum):\n    READ = 'read'\n@mcp.tool(name=Names.READ.value)\ndef other(): ...",
    "called on a function": MCP + "def read(path: str): ...\nmcp.tool()(read)",
    "function handed over": FASTMCP + "def other(path: str): ...\nmcp.tool(other, name='read')",
    "add_tool": MCP + "def read(path: str): ...\nmcp.add_tool(read)",
    "add_tool with a name": MCP + "def other(path: str): ...\nmcp.add_tool(other, 'read')",
    "from_function": FASTMCP
    + "from fastmcp.tools import Tool\ndef other(): ...\nmcp.add_tool(Tool.from_function(other, name='read'))",
    "tools at construction": "from mcp.server import MCPServer\nfrom mcp.server.mcpserver.tools import Tool\ndef read(): ...\n"
    + "mcp = MCPServer('demo', tools=[Tool.from_function(read)])",
    "loop over functions": MCP + "def read(): ...\nfor each in (read,):\n    mcp.tool()(each)",
    "inside a factory": "from mcp.server import MCPServer\ndef make():\n    mcp = MCPServer('demo')\n    @mcp.tool()\n    def read(): ...\n    return mcp",
    "factory that nobody calls with a server": "from mcp.server import MCPServer\ndef register(mcp: MCPServer):\n    @mcp.tool()\n    def read(): ...",
    "bound method": MCP + "class Files:\n    def read(self, path: str): ...\nfiles = Files()\nmcp.tool()(files.read)",
    "decorator of the project": MCP
    + "import functools\ndef tool(fn):\n    @functools.wraps(fn)\n    def inner(*args, **kwargs):\n        return fn(*args, **kwargs)\n"
    + "    return mcp.tool()(inner)\n@tool\ndef read(path: str): ...",
    "decorator factory of the project": MCP
    + "def tool(title):\n    def register(fn):\n        mcp.tool(title=title)(fn)\n        return fn\n    return register\n@tool('Read')\ndef read(): ...",
    "partial": MCP
    + "import functools\nadd = functools.partial(mcp.add_tool, name='read')\ndef other(): ...\nadd(other)",
    "class that registers": MCP
    + "class Files:\n    def __init__(self, server):\n        server.tool(name='read')(self.other)\n    def other(self): ...\nFiles(mcp)",
    "methods found by walking an object": FASTMCP
    + "from fastmcp.tools import tool\nclass Files:\n    @tool(name='read')\n    def other(self): ...\n    def helper(self): ...\n"
    + "def register(server, obj):\n    for attr in dir(obj):\n        method = getattr(obj, attr)\n"
    + "        if callable(method) and hasattr(method, '__fastmcp__'):\n            server.add_tool(method)\nregister(mcp, Files())",
    "definition objects of the project": MCP
    + "from dataclasses import dataclass, replace\nfrom enum import Enum\nclass Names(Enum):\n    READ = 'read'\n"
    + "@dataclass\nclass Definition:\n    fn: object\n    title: str\n    def name(self):\n        return Names(self.fn.__name__.lower()).value\n"
    + "def define(title):\n    def wrap(fn):\n        return Definition(fn=fn, title=title)\n    return wrap\n"
    + "@define('Read')\ndef READ(): ...\nfor each in [replace(d, title='x') for d in (READ,)]:\n"
    + "    mcp.add_tool(each.fn, name=each.name(), title=each.title)",
    "subclass of the server": "from fastmcp import FastMCP\nclass Own(FastMCP):\n    def __init__(self):\n        super().__init__('demo')\n"
    + "        self.tool(self.read)\n    def read(self): ...\nOwn()",
    "low level": LOW + "@app.list_tools()\nasync def tools():\n    return [Tool(name='read', inputSchema={})]",
    "low level, list in a variable": LOW
    + "TOOLS = []\nTOOLS.append(Tool(name='read', inputSchema={}))\n@app.list_tools()\nasync def tools():\n    return TOOLS",
    "low level, comprehension over a registry": LOW
    + "REGISTRY = {'read': 'Read'}\n@app.list_tools()\nasync def tools():\n    return [Tool(name=n, description=d, inputSchema={}) for n, d in REGISTRY.items()]",
    "low level of mcp 2": "from mcp.server.lowlevel import Server\nfrom mcp.types import ListToolsResult, Tool\n"
    + "async def listed(context, params):\n    return ListToolsResult(tools=[Tool(name='read', input_schema={})])\napp = Server('demo', on_list_tools=listed)",
    "older FastMCP": "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('demo')\n@mcp.tool()\ndef read(): ...",
    "module attribute": "import fastmcp\nmcp = fastmcp.FastMCP('demo')\n@mcp.tool\ndef read(): ...",
    "import with a fallback": "try:\n    from fastmcp import FastMCP\nexcept ImportError:\n    FastMCP = None\nmcp = FastMCP('demo')\n@mcp.tool\ndef read(): ...",
}


@pytest.mark.parametrize("source", FORMS.values(), ids=FORMS.keys())
def test_form(source, tmp_path):
    assert names(tmp_path, source) == ["read"]


NOT_TOOLS = {
    "another library's decorator": "from pydantic_ai import Agent\nagent = Agent()  # mcp\n@agent.tool\ndef read(): ...",
    "a client": "from mcp.client import Client\nclient = Client('demo')\nclient.list_tools()",
    "an object that is no tool": MCP + "from far import Thing\nmcp.add_tool(Thing('x'))",
    "a resource": MCP + "@mcp.resource('file://{path}')\ndef read(path: str): ...",
}


@pytest.mark.parametrize("source", NOT_TOOLS.values(), ids=NOT_TOOLS.keys())
def test_not_a_tool(source, tmp_path):
    assert names(tmp_path, source) == []


class TestAcrossModules:
    def test_server_is_imported(self, tmp_path):
        files = {
            "pkg/__init__.py": "",
            "pkg/app.py": MCP,
            "pkg/files.py": "from .app import mcp\n@mcp.tool()\ndef read(): ...",
        }
        assert names(tmp_path, files) == ["read"]

    def test_register_function_in_a_src_layout(self, tmp_path):
        files = {
            "src/pkg/__init__.py": "",
            "src/pkg/files.py": "def register(mcp):\n    @mcp.tool()\n    def read(): ...",
            "src/pkg/app.py": MCP + "from pkg import files\nfiles.register(mcp)",
        }
        found = review(tmp_path, files)
        assert [(server.name, [tool.name for tool in server.tools]) for server in found.servers] == [("demo", ["read"])]

    def test_constant_is_re_exported(self, tmp_path):
        files = {
            "pkg/__init__.py": "from .names import *",
            "pkg/names.py": "__all__ = ['READ']\nREAD = 'read'",
            "app.py": MCP + "from pkg import READ\n@mcp.tool(READ)\ndef other(): ...",
        }
        assert names(tmp_path, files) == ["read"]

    def test_circle_of_imports(self, tmp_path):
        files = {
            "pkg/__init__.py": "",
            "pkg/a.py": "from .b import NAME\n" + MCP + "@mcp.tool(NAME)\ndef other(): ...",
            "pkg/b.py": "from .a import mcp\nNAME = 'read'\n@mcp.tool()\ndef write(): ...",
        }
        assert sorted(names(tmp_path, files)) == ["read", "write"]

    def test_project_module_named_like_one_of_the_library(self, tmp_path):
        files = {
            "pkg/__init__.py": "",
            "pkg/inspect.py": "def cleandoc(text):\n    return 'wrong'",
            "pkg/app.py": MCP + "import inspect\n@mcp.tool(description=inspect.cleandoc('  right'))\ndef read(): ...",
        }
        assert tools(tmp_path, files)[0].description == "right"

    def test_mounted_servers(self, tmp_path):
        files = {
            "files.py": "from fastmcp import FastMCP\nfiles = FastMCP('files')\n@files.tool\ndef read(): ...",
            "app.py": FASTMCP
            + "from files import files\nmcp.mount(files, namespace='fs')\n@mcp.tool\ndef health(): ...",
        }
        found = review(tmp_path, files)
        assert [(server.name, [tool.name for tool in server.tools]) for server in found.servers] == [
            ("demo", ["health", "fs_read"])
        ]

    def test_two_servers(self, tmp_path):
        found = review(
            tmp_path, {"a.py": MCP + "@mcp.tool()\ndef one(): ...", "b.py": FASTMCP + "@mcp.tool\ndef two(): ..."}
        )
        assert [(each.framework, [tool.name for tool in each.tools]) for each in found.servers] == [
            ("mcp", ["one"]),
            ("fastmcp", ["two"]),
        ]


class TestDescriptions:
    DOC = '@mcp.tool\ndef read(path: str):\n    """Read a file.\n\n    Args:\n        path: where it is\n    """\n'

    def test_sdk_keeps_the_docstring_as_it_is(self, tmp_path):
        found = tools(tmp_path, MCP + self.DOC.replace("tool", "tool()"))[0]
        assert found.description == "Read a file.\n\n    Args:\n        path: where it is\n    "
        assert (found.description.span.line, found.description.span.end_line) == (5, 9)

    def test_fastmcp_moves_the_arguments_into_the_schema(self, tmp_path):
        found = tools(tmp_path, FASTMCP + self.DOC)[0]
        assert found.description == "Read a file."
        assert [(each.name, each.description) for each in found.parameters] == [("path", "where it is")]

    @pytest.mark.parametrize(
        "expression",
        [
            "'one two'",
            "'one ' 'two'",
            "ONE + ' two'",
            "f'{ONE} two'",
            "'{} two'.format(ONE)",
            "'%s two' % ONE",
            "' '.join([ONE, 'two'])",
        ],
    )
    def test_expressions(self, expression, tmp_path):
        source = MCP + f"ONE = 'one'\n@mcp.tool(description={expression})\ndef read(): ..."
        assert tools(tmp_path, source)[0].description == "one two"

    @pytest.mark.parametrize(
        "expression", ["os.environ['X']", "f'{os.getcwd()} x'", "load('x')", "'{:>99999999}'.format(1)", "'x' * 10**9"]
    )
    def test_what_only_a_run_can_tell_is_opaque(self, expression, tmp_path):
        source = MCP + f"import os\nfrom somewhere import load\n@mcp.tool(description={expression})\ndef read(): ..."
        found = tools(tmp_path, source)[0]
        assert isinstance(found.description, Opaque)
        assert next(found.iter_unreadable()).startswith("description: ")

    def test_none_is_absent(self, tmp_path):
        assert tools(tmp_path, MCP + "@mcp.tool()\ndef read(): ...")[0].description is None

    def test_factory_that_names_its_function(self, tmp_path):
        source = MCP + textwrap.dedent(
            """
            import functools

            def traced(fn):
                @functools.wraps(fn)
                def inner(*args):
                    return fn(*args)
                return inner

            def make(kind):
                @traced
                def comments(number: int):
                    "Comments."
                comments.__name__ = f"list_{kind}_comments"
                mcp.tool()(comments)

            make("issue")
            make("page")
            """
        )
        assert names(tmp_path, source) == ["list_issue_comments", "list_page_comments"]


class TestConditions:
    def test_branches(self, tmp_path):
        source = (
            MCP
            + "import os\nif os.getenv('WRITE'):\n    @mcp.tool()\n    def write(): ...\nelse:\n    @mcp.tool()\n    def refuse(): ..."
        )
        found = tools(tmp_path, source)
        assert [(tool.name, [each.text for each in tool.conditions]) for tool in found] == [
            ("write", ["if os.getenv('WRITE')"]),
            ("refuse", ["unless os.getenv('WRITE')"]),
        ]
        assert found[0].conditions[0].span.line == 4

    def test_early_return(self, tmp_path):
        source = (
            MCP
            + "def register(flag):\n    if not flag:\n        return\n    mcp.tool()(read)\ndef read(): ...\nregister(settings.flag)"
        )
        assert [each.text for each in tools(tmp_path, source)[0].conditions] == ["unless not flag"]

    def test_known_tests_are_no_conditions(self, tmp_path):
        source = (
            MCP
            + "DEBUG = False\nif not DEBUG:\n    @mcp.tool()\n    def read(): ...\nif DEBUG:\n    @mcp.tool()\n    def write(): ..."
        )
        assert [(tool.name, tool.conditions) for tool in tools(tmp_path, source)] == [("read", ())]

    def test_tools_from_elsewhere_are_named(self, tmp_path):
        source = (
            LOW
            + "from remote import fetch\n@app.list_tools()\nasync def tools():\n    return [*fetch(), Tool(name='read', inputSchema={})]"
        )
        server = review(tmp_path, source).servers[0]
        assert [tool.name for tool in server.tools] == ["read"]
        assert [each.reason for each in server.unreadable] == ["lists more tools at run time"]


def test_server_from_an_openapi_document(tmp_path):
    source = FASTMCP + "api = FastMCP.from_openapi(load(), name='api')\n@api.tool\ndef health(): ...\n"
    server = next(each for each in review(tmp_path, source).servers if each.name == "api")
    assert [tool.name for tool in server.tools] == ["health"]
    assert [(each.reason, each.span.line) for each in server.unreadable] == [
        ("tools come from an OpenAPI document at start", 3)
    ]


def test_server_from_an_application_of_a_web_framework(tmp_path):
    source = textwrap.dedent(
        """
        from fastapi import FastAPI
        from fastmcp import FastMCP

        def create() -> FastAPI:
            source = FastAPI()
            served = FastMCP.from_fastapi(app=source, name="Ropes")
            return served.http_app()
        """
    )
    (server,) = review(tmp_path, source).servers
    assert server.tools == ()
    assert [(each.reason, each.span.line) for each in server.unreadable] == [
        ("tools come from a FastAPI application at start", 6)
    ]


def test_transform_of_the_project(tmp_path):
    source = FASTMCP + textwrap.dedent(
        """
        class Notes:
            async def transform_tools(self, tools):
                return [note(tool) for tool in tools]

        mcp.add_transform(Notes())

        @mcp.tool
        def read(): ...
        """
    )
    [tool] = tools(tmp_path, source)
    assert [each.text for each in tool.conditions] == ["as `Notes` lists it"]


def test_annotations_are_written_either_way(tmp_path):
    source = FASTMCP + textwrap.dedent(
        """
        from mcp.types import ToolAnnotations
        READ = ToolAnnotations(readOnlyHint=True, title="Read")

        @mcp.tool(annotations=READ)
        def one(): ...

        @mcp.tool(annotations=ToolAnnotations(read_only_hint=True, title="Read"))
        def two(): ...

        @mcp.tool(annotations={"readOnlyHint": True, "title": "Read"})
        def three(): ...
        """
    )
    assert [tool.annotations for tool in tools(tmp_path, source)] == [{"readOnlyHint": True, "title": "Read"}] * 3


def test_names_know_their_place(tmp_path):
    name = tools(tmp_path, MCP + "@mcp.tool(name='é' + 'read')\ndef other(): ...")[0].name
    assert isinstance(name, Text)
    assert (name.span.line, name.span.column, name.span.end_column) == (3, 16, 28)
