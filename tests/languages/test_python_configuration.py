"""What depends on configuration: given as it is without any, and named."""

import pytest
from python_projects import ASSUMED, LOW, MCP, conditions, told, tool, tools

from reviewer.source import Opaque

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
