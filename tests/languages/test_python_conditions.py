"""What is registered only where something holds: modules, branches, configuration, changes made later."""

import pytest
from python_projects import FASTMCP, LOW, MCP, conditions, names, review, tool, tools

from reviewer.source import Opaque

ASSUMED = "read for a run without configuration"
SCRIPT = '[project]\nname = "demo"\n[project.scripts]\ndemo = "demo.cli:main"\n'
TOOL = "from demo.app import mcp\n@mcp.tool()\ndef {}(): ...\n"


def package(cli, **modules):
    """Make a package whose script is `demo.cli:main`, with `demo.app` that makes the server."""
    return {
        "pyproject.toml": SCRIPT,
        "demo/__init__.py": "",
        "demo/app.py": MCP,
        "demo/cli.py": f"from demo.app import mcp\n{cli}\ndef main():\n    mcp.run()\n",
        **{f"demo/{name.replace('__', '/')}.py": text for name, text in modules.items()},
    }


def unreached(path):
    return [f"where `{path}` is imported, which no entry point does"]


class TestReach:
    def test_module_that_no_entry_point_imports(self, tmp_path):
        files = package("import demo.one", one=TOOL.format("one"), two=TOOL.format("two"))
        assert conditions(tmp_path, files) == {"one": [], "two": unreached("demo/two.py")}

    def test_condition_stands_at_the_module(self, tmp_path):
        files = package("", two=TOOL.format("two"))
        [found] = tool(tmp_path, files).conditions
        assert found.span.path == "demo/two.py"
        assert found.span.line == 1

    @pytest.mark.parametrize(
        "manifest",
        [
            {"pyproject.toml": SCRIPT},
            {"pyproject.toml": "[project.scripts]\n'demo' = 'demo.cli:main'\n"},
            {"pyproject.toml": SCRIPT.replace("\n", "\r\n")},
            {"pyproject.toml": '[tool.poetry.scripts]\ndemo = "demo.cli:main"\n[tool.other]\nx = "demo.two:x"\n'},
            {"demo-1.0.dist-info/entry_points.txt": "[console_scripts]\ndemo = demo.cli:main\n"},
            {"demo.egg-info/entry_points.txt": "[other]\nx = demo.two:x\n\n[console_scripts]\ndemo=demo.cli:main\n"},
        ],
        ids=["pyproject", "quotes", "line ends", "poetry", "entry points", "egg"],
    )
    def test_scripts(self, manifest, tmp_path):
        files = package("from demo import one", one=TOOL.format("one"), two=TOOL.format("two"))
        files = {**{name: text for name, text in files.items() if name != "pyproject.toml"}, **manifest}
        assert conditions(tmp_path, files) == {"one": [], "two": unreached("demo/two.py")}

    @pytest.mark.parametrize(
        "manifest", ["", "[project]\nname = 'demo'\n", "[project.scripts]\ndemo = 'far.cli:main'\n"]
    )
    def test_without_an_entry_point_in_the_tree_nothing_is_said(self, manifest, tmp_path):
        files = {**package("", one=TOOL.format("one")), "pyproject.toml": manifest}
        assert conditions(tmp_path, files) == {"one": []}

    def test_main_module_of_a_package_may_be_run_as_well(self, tmp_path):
        files = package("", one=TOOL.format("one"), two=TOOL.format("two"))
        files["demo/__main__.py"] = "import demo.one"
        assert conditions(tmp_path, files) == {"one": [], "two": unreached("demo/two.py")}

    @pytest.mark.parametrize(
        "line",
        [
            "import demo.one",
            "import sys, demo.one as first",
            "from demo import one",
            "from demo import (\n    app,\n    one,\n)",
            "from . import one",
            "from .one import *",
            "from demo.one import one",
            "from demo import *",
            "def main_():\n    from demo import one",
            "try:\n    import demo.one\nexcept ImportError:\n    pass",
            "if __name__ == '__main__':\n    import demo.one",
            "class Later:\n    def load(self):\n        import demo.one",
        ],
    )
    def test_imports(self, line, tmp_path):
        assert conditions(tmp_path, package(line, one=TOOL.format("one"))) == {"one": []}

    @pytest.mark.parametrize(
        "line",
        [
            "import importlib\nimportlib.import_module('demo.one')",
            "import importlib\nimportlib.import_module('.one', 'demo')",
        ],
    )
    def test_import_by_name(self, line, tmp_path):
        assert conditions(tmp_path, package(line, one=TOOL.format("one"))) == {"one": []}

    def test_imports_by_name_of_all_modules_of_a_package(self, tmp_path):
        cli = "import importlib, pkgutil\nfrom demo import parts\n"
        cli += (
            "for each in pkgutil.iter_modules(parts.__path__):\n    importlib.import_module(f'demo.parts.{each.name}')"
        )
        files = package(cli)
        files |= {
            "demo/parts/__init__.py": "",
            "demo/parts/one.py": TOOL.format("one"),
            "demo/parts/two.py": TOOL.format("two"),
        }
        assert conditions(tmp_path, files) == {"one": [], "two": []}

    def test_import_by_name_where_the_server_is_made(self, tmp_path):
        files = package("", one=TOOL.format("one"))
        files["demo/app.py"] += "import importlib\nimportlib.import_module('demo.one')"
        assert conditions(tmp_path, files) == {"one": []}

    def test_package_of_a_module_is_imported_with_it(self, tmp_path):
        files = package("import demo.parts.one", parts__one="")
        files["demo/parts/__init__.py"] = TOOL.format("read")
        assert conditions(tmp_path, files) == {"read": []}

    def test_import_along_a_chain(self, tmp_path):
        files = package(
            "import demo.one", one="from .two import x", two="x = 1\nimport demo.three", three=TOOL.format("read")
        )
        assert conditions(tmp_path, files) == {"read": []}

    def test_import_under_a_test(self, tmp_path):
        cli = "from far import settings\nif settings.more:  # or less\n    from demo import one"
        [found] = tool(tmp_path, package(cli, one=TOOL.format("one"))).conditions
        assert found.text == "if settings.more"
        assert (found.span.path, found.span.line) == ("demo/cli.py", 3)

    def test_test_around_an_import_holds_for_what_is_imported_there(self, tmp_path):
        cli = "from far import settings\nif settings.more:\n    import demo.one"
        files = package(cli, one="import demo.two", two=TOOL.format("two"))
        assert conditions(tmp_path, files) == {"two": ["if settings.more"]}

    def test_import_without_a_test_elsewhere(self, tmp_path):
        cli = "from far import settings\nif settings.more:\n    import demo.one\nimport demo.two"
        files = package(cli, one=TOOL.format("one"), two="import demo.one")
        assert conditions(tmp_path, files) == {"one": []}

    def test_import_after_a_test(self, tmp_path):
        cli = "from far import settings\nif settings.more:\n    print()\ndef load():\n    import demo.one"
        assert conditions(tmp_path, package(cli, one=TOOL.format("one"))) == {"one": []}

    def test_import_for_type_checkers(self, tmp_path):
        cli = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from demo import one"
        assert conditions(tmp_path, package(cli, one=TOOL.format("one"))) == {"one": unreached("demo/one.py")}


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
        assert not list(found.unreadable())

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
        [told] = found.unreadable()
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


def told(found):
    return list(found.unreadable())


CONFIGURED = {
    "getenv with a default": ("import os\nX = os.getenv('NAME', 'one')", "the environment variable `NAME`"),
    "environ.get with a default": ("import os\nX = os.environ.get('NAME', 'one')", "the environment variable `NAME`"),
    "from os": ("from os import environ\nX = environ.get('NAME', 'one')", "the environment variable `NAME`"),
    "getenv from os": ("from os import getenv\nX = getenv('NAME', default='one')", "the environment variable `NAME`"),
    "getenv or": ("import os\nX = os.getenv('NAME') or 'one'", "the environment variable `NAME`"),
    "conditional": ("import os\nX = 'two' if os.getenv('NAME') else 'one'", "the environment variable `NAME`"),
    "branch": (
        "import os\nif os.getenv('NAME'):\n    X = 'two'\nelse:\n    X = 'one'",
        "the environment variable `NAME`",
    ),
    "text of it": ("import os\nX = os.getenv('NAME', ' ONE ').strip().lower()", "the environment variable `NAME`"),
    "number of it": ("import os\nX = {1: 'one'}[int(os.getenv('NAME', '1'))]", "the environment variable `NAME`"),
    "settings": (
        (
            "from pydantic_settings import BaseSettings\nclass Settings(BaseSettings):\n"
            "    name: str = 'one'\nX = Settings().name"
        ),
        "the setting `name`",
    ),
    "settings with a field": (
        "from pydantic import Field\nfrom pydantic_settings import BaseSettings\nclass Settings(BaseSettings):\n"
        "    name: str = Field(default='one', description='x')\nX = Settings().name",
        "the setting `name`",
    ),
    "settings of a base": (
        "from pydantic_settings import BaseSettings\nclass Base(BaseSettings):\n    name: str = 'one'\n"
        "class Settings(Base): ...\nsettings = Settings()\nX = settings.name",
        "the setting `name`",
    ),
    "option": (
        (
            "import argparse\nparser = argparse.ArgumentParser()\n"
            "parser.add_argument('--name', default='one')\nX = parser.parse_args().name"
        ),
        "the option `--name`",
    ),
    "option with a short form": (
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('-n', '--tool-name', default='one')\n"
        "X = parser.parse_args().tool_name",
        "the option `--tool-name`",
    ),
    "option with a place": (
        "import argparse\nparser = argparse.ArgumentParser()\ngroup = parser.add_argument_group('g')\n"
        "group.add_argument('--name', dest='given', default='one')\n"
        "args, rest = parser.parse_known_args()\nX = args.given",
        "the option `--name`",
    ),
    "flag": (
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--long', action='store_true')\n"
        "X = 'two' if parser.parse_args().long else 'one'",
        "the option `--long`",
    ),
}


@pytest.mark.parametrize(("lines", "reason"), CONFIGURED.values(), ids=CONFIGURED)
class TestConfiguration:
    """A value that depends on configuration is given as it is without any, and named."""

    def test_in_a_description(self, lines, reason, tmp_path):
        found = tool(tmp_path, f"{lines}\n{MCP}@mcp.tool(description=X)\ndef read(): ...")
        assert found.description == "one"
        assert told(found) == [f"description: {ASSUMED}; {reason}"]

    def test_in_a_text_around_it(self, lines, reason, tmp_path):
        found = tool(tmp_path, f"{lines}\n{MCP}@mcp.tool(description=f'<{{X}}>' + '!')\ndef read(): ...")
        assert found.description == "<one>!"
        assert told(found) == [f"description: {ASSUMED}; {reason}"]

    def test_in_a_name(self, lines, reason, tmp_path):
        found = tool(tmp_path, f"{lines}\n{MCP}@mcp.tool(name=X)\ndef read(): ...")
        assert found.name == "one"
        assert told(found) == [f"name: {ASSUMED}; {reason}"]

    def test_in_a_default(self, lines, reason, tmp_path):
        found = tool(tmp_path, f"{lines}\n{MCP}@mcp.tool()\ndef read(kind: str = X): ...")
        assert found.input_schema.document["properties"]["kind"]["default"] == "one"
        [line] = told(found)
        assert line.startswith("inputSchema.properties")
        assert line.endswith(f"{ASSUMED}; {reason}")

    def test_in_a_docstring(self, lines, reason, tmp_path):
        found = tool(tmp_path, f"{lines}\n{MCP}def read(): ...\nread.__doc__ = X\nmcp.tool()(read)")
        assert found.description == "one"
        assert told(found) == [f"description: {ASSUMED}; {reason}"]

    def test_in_a_schema_that_is_written(self, lines, reason, tmp_path):
        source = (
            f"{lines}\n{LOW}@app.list_tools()\nasync def tools():\n"
            f"    return [Tool(name='read', inputSchema={{'title': X}})]"
        )
        found = tool(tmp_path, source)
        assert found.input_schema.document == {"title": "one"}
        assert told(found) == [f"inputSchema.title: {ASSUMED}; {reason}"]


REQUIRED_OPTIONS = {
    "environment": "import os\nX = os.environ['NAME']",
    "settings": "from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n    name: str\nX = S().name",
    "argument": "import argparse\np = argparse.ArgumentParser()\np.add_argument('name')\nX = p.parse_args().name",
    "call": "from far import load\nX = load()",
}


@pytest.mark.parametrize("lines", REQUIRED_OPTIONS.values(), ids=REQUIRED_OPTIONS)
def test_configuration_without_a_default_is_unreadable(lines, tmp_path):
    found = tool(tmp_path, f"{lines}\n{MCP}@mcp.tool(description=X)\ndef read(): ...")
    assert isinstance(found.description, Opaque)
    assert not any(ASSUMED in line for line in told(found))


def test_condition_on_configuration_is_a_condition(tmp_path):
    source = "import os\n" + MCP + "if os.getenv('MORE', '') == 'yes':\n    @mcp.tool()\n    def more(): ...\n"
    assert conditions(tmp_path, source) == {"more": ["if os.getenv('MORE', '') == 'yes'"]}


def test_option_of_a_command_line_decides(tmp_path):
    source = """
import typer
from mcp.server import MCPServer

def main(write: bool = typer.Option(False, "--write"), name: str = typer.Option("demo")):
    mcp = MCPServer(name)
    @mcp.tool(description="on" if write else "off")
    def read(): ...
    if write:
        @mcp.tool()
        def change(): ...

typer.run(main)
"""
    found = {str(each.name): each for each in tools(tmp_path, source)}
    assert found["read"].description == "off"
    assert told(found["read"]) == [f"description: {ASSUMED}; an option of the command line"]
    assert [each.text for each in found["change"].conditions][-1] == "if write"


INJECTS = """
import functools, inspect, os

def injects(fn):
    signature = inspect.signature(fn)
    shorter = signature.replace(parameters=list(signature.parameters.values())[1:])
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)
    BODY
    return inner

@mcp.tool()
@injects
def read(key: str, path: str): ...
"""
DECIDED = {
    "if": ("if os.getenv('KEY'):\n        inner.__signature__ = shorter", ["key", "path"]),
    "if not": ("if not os.getenv('KEY'):\n        inner.__signature__ = shorter", ["path"]),
    "else": (
        (
            "if os.getenv('KEY'):\n        inner.__signature__ = shorter\n    else:\n"
            "        inner.__signature__ = signature"
        ),
        ["key", "path"],
    ),
    "expression": ("inner.__signature__ = shorter if os.getenv('KEY') else signature", ["key", "path"]),
    "variable": (
        (
            "if os.getenv('KEY'):\n        chosen = shorter\n    else:\n        chosen = signature\n"
            "    inner.__signature__ = chosen"
        ),
        ["key", "path"],
    ),
    "parameters": (
        "kept = list(signature.parameters.values())\n    if os.getenv('KEY'):\n        kept = kept[1:]\n"
        "    inner.__signature__ = signature.replace(parameters=kept)",
        ["key", "path"],
    ),
    "return": ("if os.getenv('KEY'):\n        return fn\n    inner.__signature__ = shorter", ["path"]),
}


@pytest.mark.parametrize(("body", "parameters"), DECIDED.values(), ids=DECIDED)
class TestSignature:
    """The environment decides which parameters a tool shows."""

    def test_is_given_for_a_run_without_configuration(self, body, parameters, tmp_path):
        found = tool(tmp_path, MCP + INJECTS.replace("BODY", body))
        assert [str(each.name) for each in found.parameters] == parameters
        assert list(found.input_schema.document["properties"]) == parameters

    def test_says_what_it_depends_on(self, body, parameters, tmp_path):
        found = tool(tmp_path, MCP + INJECTS.replace("BODY", body))
        [line] = told(found)
        assert line.startswith("inputSchema")
        assert line.endswith(f"{ASSUMED}; the environment variable `KEY`")


DOCSTRINGS = {
    "if": ("if os.getenv('LONG'):\n    read.__doc__ = read.__doc__ + ' At length.'", "Read."),
    "if not": ("if not os.getenv('SHORT'):\n    read.__doc__ = read.__doc__ + ' At length.'", "Read. At length."),
    "else": ("if os.getenv('LONG'):\n    read.__doc__ = 'Long.'\nelse:\n    read.__doc__ = 'Short.'", "Short."),
    "expression": ("read.__doc__ = 'Long.' if os.getenv('LONG') else 'Short.'", "Short."),
}


@pytest.mark.parametrize(("lines", "description"), DOCSTRINGS.values(), ids=DOCSTRINGS)
class TestDocstring:
    """The environment decides what a function's docstring is."""

    SOURCE = MCP + "import os\ndef read():\n    'Read.'\nLINES\nmcp.tool()(read)"

    def test_is_given_for_a_run_without_configuration(self, lines, description, tmp_path):
        assert tool(tmp_path, self.SOURCE.replace("LINES", lines)).description == description

    def test_says_what_it_depends_on(self, lines, description, tmp_path):
        [line] = told(tool(tmp_path, self.SOURCE.replace("LINES", lines)))
        assert line.startswith(f"description: {ASSUMED}; the environment variable `")


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
