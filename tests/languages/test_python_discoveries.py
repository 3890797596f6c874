"""Tools that are found by options, keys, folders and choices: what blind reading of real servers brought up."""

import pytest
from python_projects import ASSUMED, FASTMCP, MCP, OLDER, conditions, document, names, review, told, tool, tools

ONE_AND_TWO = "def one(): ...\ndef two(): ...\n"
KINDS = "import enum\nclass Kind(enum.Enum):\n    A = 'a'\n    B = 'b'\n"
CLICK = MCP + "import click\n" + ONE_AND_TWO + "ALL = {'one': one, 'two': two}\n"
ADDED = "    for name in chosen:\n        mcp.add_tool(ALL[name])\n"

SOURCES = {
    "an option that takes several": CLICK
    + "@click.command()\n@click.option('--chosen', multiple=True, default=['one', 'two'])\ndef main(chosen):\n"
    + ADDED
    + "main()",
    "an option under another name": CLICK
    + "@click.command()\n@click.option('-c', '--only-these', 'chosen', default=list(ALL))\ndef main(chosen):\n"
    + ADDED,
    "members of an enumeration as keys": MCP
    + KINDS
    + ONE_AND_TWO
    + "ALL = {Kind.A: one, Kind.B: two}\nfor kind in Kind:\n    mcp.add_tool(ALL[kind])",
    "members that are made of their values": MCP
    + KINDS
    + ONE_AND_TWO
    + "ALL = {}\nALL[Kind.A] = one\nALL[Kind.B] = two\nfor text in ('a', 'b'):\n    mcp.add_tool(ALL.get(Kind(text)))",
    "the function of a tool that was made of it": FASTMCP
    + "from fastmcp.tools import Tool\n"
    + ONE_AND_TWO
    + "made = Tool.from_function(one, name='another')\nmcp.add_tool(made.fn)\nmcp.add_tool(two)",
    "one of two dicts": MCP
    + "import os\n"
    + ONE_AND_TWO
    + "def chosen(found):\n    if not os.path.exists('.only'):\n        return found\n"
    + "    return {name: each for name, each in found.items() if name in load()}\n"
    + "for each in chosen({'one': one, 'two': two}).values():\n    mcp.add_tool(each)",
    "a flag of a command that nobody calls": MCP
    + "import typer\napp = typer.Typer()\n"
    + ONE_AND_TWO
    + "@app.command()\ndef run(*, writing: bool = False):\n    mcp.add_tool(one)\n    if writing:\n        mcp.add_tool(two)",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_every_tool_is_found(source, tmp_path):
    assert sorted(names(tmp_path, source)) == ["one", "two"]


def test_a_flag_is_a_condition(tmp_path):
    found = conditions(tmp_path, SOURCES["a flag of a command that nobody calls"])
    assert found == {"one": [], "two": ["if writing"]}


def test_a_flag_that_is_handed_over_is_none(tmp_path):
    source = MCP + ONE_AND_TWO + "def run(writing=False):\n    mcp.add_tool(two if writing else one)\nrun()"
    assert conditions(tmp_path, source) == {"one": []}


def test_what_an_option_lists_depends_on_it(tmp_path):
    found = conditions(tmp_path, SOURCES["an option that takes several"])
    assert found == {name: ["as the option `--chosen` says"] for name in ("one", "two")}


def test_what_all_ways_hold_is_there_and_what_one_holds_may_be(tmp_path):
    source = MCP + ONE_AND_TWO + "found = [one] if look() else [one, two]\nfor each in found:\n    mcp.add_tool(each)"
    assert conditions(tmp_path, source) == {"one": [], "two": ["one of several"]}


def test_a_required_option_says_nothing(tmp_path):
    source = CLICK + "@click.command()\n@click.option('--chosen', required=True)\ndef main(chosen):\n" + ADDED
    assert names(tmp_path, source) == []


def duplicated(root, source):
    """Name the conditions of two tools of one name, as a rule compares them."""
    return [each.conditions for each in tools(root, source)]


LOOPS = {
    "a filter that a run decides": "kept = [each for each in ALL if fits(each)]\nfor each in kept:\n    add(each)",
    "a test in the loop": "for each in ALL:\n    if fits(each):\n        add(each)",
    "one of several lists": "for each in ALL[:1] if fits() else ALL[1:]:\n    add(each)",
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_a_test_is_another_one_in_every_round(loop, tmp_path):
    source = MCP + ONE_AND_TWO + "from elsewhere import fits\nALL = [one, two]\n"
    first, second = duplicated(tmp_path, source + "def add(fn):\n    mcp.add_tool(fn, name='same')\n" + loop)
    assert [each.text for each in first] == [each.text for each in second]
    assert first != second


FOLDERS = {
    "joined to that of the file": "os.path.join(os.path.dirname(__file__), 'parts')",
    "as a path": "Path(__file__).parent / 'parts'",
}


@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_modules_of_a_folder(folder, tmp_path):
    walk = (
        "import importlib, os, pkgutil\nfrom pathlib import Path\n"
        f"for _, name, is_package in pkgutil.iter_modules([{folder}]):\n"
        "    module = importlib.import_module(f'app.parts.{name}')\n"
        "    for each in dir(module):\n        if each.endswith('Part'):\n            getattr(module, each)().add(mcp)\n"
    )
    files = {
        "app/__init__.py": "",
        "app/server.py": MCP + walk,
        "app/parts/__init__.py": "",
        "app/parts/a.py": "class APart:\n    def add(self, mcp):\n        mcp.tool()(self.one)\n    def one(self): ...",
        "app/parts/b.py": "class BPart:\n    def add(self, mcp):\n        mcp.tool()(self.two)\n    def two(self): ...",
    }
    assert conditions(tmp_path, files) == {"one": [], "two": []}


STRAY = {
    "__init__.py": "",
    "app/__init__.py": "",
    "app/server.py": MCP,
    "app/tools/__init__.py": "",
    "app/tools/a.py": "from app.server import *\n@mcp.tool()\ndef one(): ...",
}


def test_the_folder_of_a_project_is_no_package(tmp_path):
    assert names(tmp_path, {"pyproject.toml": "[project]\nname = 'app'\n", **STRAY}) == ["one"]


def test_the_functions_that_a_module_defines_itself(tmp_path):
    files = {
        "server.py": MCP
        + "import inspect\nimport parts\n"
        + "for _, each in inspect.getmembers(parts, lambda x: inspect.isfunction(x) and x.__module__ == parts.__name__):\n"
        + "    mcp.add_tool(each)",
        "parts.py": "from more import two\ndef one(): ...",
        "more.py": "def two(): ...",
    }
    assert conditions(tmp_path, files) == {"one": []}


def test_two_files_with_a_tool_at_the_same_place(tmp_path):
    part = "class Tools:\n    def add(self, mcp):\n        @mcp.tool()\n        def {0}a(): ...\n"
    part += "        @mcp.tool()\n        def {0}b(): ...\n"
    files = {
        "server.py": MCP
        + "from one import Tools as One\nfrom two import Tools as Two\nfrom three import Tools as Three\noriginal = mcp.tool\n"
        + "def tool(*a):\n    found = original(*a)\n    def keep(fn):\n        return found(fn)\n    return keep\n"
        + "def add(each):\n    mcp.tool = tool\n    each().add(mcp)\n"
        + "for each in (One, Two, Three):\n    add(each)",
        "one.py": part.format("x"),
        "two.py": part.format("y"),
        "three.py": "ELSEWHERE = True\n" + part.format("z"),
    }
    assert conditions(tmp_path, files) == {f"{file}{tool}": [] for file in "xyz" for tool in "ab"}


class TestParts:
    """What of a tool was read otherwise than it is listed."""

    @pytest.mark.parametrize("sdk", [MCP, OLDER], ids=["mcp 2", "mcp 1"])
    def test_a_default_within_annotated(self, sdk, tmp_path):
        source = (
            "from typing import Annotated\nfrom pydantic import Field\n@mcp.tool()\n"
            "def one(a: Annotated[int | None, Field(default=None)], b: Annotated[list[int], Field(default_factory=list)],"
            " copy: Annotated[int, Field(default=2)], c: Annotated[int, Field(ge=1)], d: Annotated[int, Field(3)] = 4): ..."
        )
        made = document(tool(tmp_path, sdk + source).input_schema)
        assert made is not None
        assert made["required"] == ["c"]
        shown = {name: part.get("default", "none") for name, part in made["properties"].items()}
        assert shown == {"a": None, "b": "none", "copy": 2, "c": "none", "d": 4}

    def test_metadata_that_only_a_run_can_tell(self, tmp_path):
        source = "from typing import Annotated\nfrom elsewhere import users\ndef said():\n    try:\n"
        source += "        found = users()\n        if not found:\n            return 'nobody'\n"
        source += "    except OSError:\n        return 'unknown'\n    return f'one of {len(found)}'\n"
        source += "@mcp.tool\ndef one(user: Annotated[str, said()], more: int = 1): ..."
        found = tool(tmp_path, FASTMCP + source)
        assert len(told(found)) == 1
        assert told(found)[0].startswith("inputSchema.properties.user: ")

    def test_metadata_that_depends_on_the_environment(self, tmp_path):
        source = "import os\nfrom typing import Annotated\n@mcp.tool\n"
        source += "def one(user: Annotated[str, os.environ.get('SAID', 'a user')]): ..."
        found = tool(tmp_path, FASTMCP + source)
        assert found.input_schema.document["properties"]["user"]["description"] == "a user"
        assert ASSUMED in told(found)[0]

    def test_a_schema_of_a_model_within_a_field(self, tmp_path):
        source = (
            "from typing import Annotated\nfrom pydantic import BaseModel, Field\nclass Item(BaseModel):\n    a: int\n"
            "def listed(model):\n    made = model.model_json_schema()\n"
            "    if '$ref' in made:\n        made = made['$defs']['Item']\n"
            "    return Field(json_schema_extra={'items': made})\n"
            "@mcp.tool()\ndef one(items: Annotated[list, listed(Item)]): ..."
        )
        made = document(tool(tmp_path, MCP + source).input_schema)
        assert made is not None
        assert made["properties"]["items"]["items"]["properties"] == {"a": {"title": "A", "type": "integer"}}

    def test_icons(self, tmp_path):
        source = "from mcp.types import Icon\nICONS = {'a': [Icon(src='https://example.com/a.svg', mime_type='image/svg+xml')]}\n"
        source += "@mcp.tool(icons=ICONS['a'])\ndef one(): ..."
        assert tool(tmp_path, MCP + source).icons == [{"src": "https://example.com/a.svg", "mimeType": "image/svg+xml"}]

    def test_a_text_that_goes_on_behind_a_backslash(self, tmp_path):
        source = "IS_LONG = False\nMORE = ' and more' \\\n    if IS_LONG else ' and less'\n"
        source += "@mcp.tool(description='This' + MORE)\ndef one(): ..."
        assert tool(tmp_path, MCP + source).description == "This and less"

    @pytest.mark.parametrize("choice", ["given or READS", "READS if given is None else given"])
    def test_annotations_that_stand_in_for_none(self, choice, tmp_path):
        source = (
            "from mcp.types import ToolAnnotations\nREADS = ToolAnnotations(readOnlyHint=True)\n"
            "WRITES = ToolAnnotations(readOnlyHint=False)\n"
            f"def add(fn, given=None):\n    mcp.add_tool(fn, annotations={choice})\n"
            "def one(): ...\ndef two(): ...\nadd(one)\nadd(two, WRITES)"
        )
        found = {str(each.name): each.annotations for each in tools(tmp_path, MCP + source)}
        assert found == {"one": {"readOnlyHint": True}, "two": {"readOnlyHint": False}}

    @pytest.mark.parametrize(
        ("release", "shown"),
        [
            ("2.0.1", {"properties": {"b": {"default": None, "title": "B", "type": "integer"}}}),
            ("2.1.0", {"description": "What it found.", "properties": {"b": {"title": "B", "type": "integer"}}}),
        ],
    )
    def test_a_typed_dict_that_is_returned(self, release, shown, tmp_path):
        source = (
            "from typing import TypedDict\nclass Found(TypedDict, total=False):\n    'What it found.'\n    b: int\n"
            "@mcp.tool()\ndef one() -> Found: ..."
        )
        made = tool(tmp_path, MCP + source, {"mcp": release}).output_schema
        assert document(made) == {"title": "Found", "type": "object", **shown}


@pytest.mark.parametrize(
    "made", ["FastMCP[None]('notes')", "FastMCP[dict[str, int]](name='notes')", "Own[None]('notes')"]
)
def test_a_server_of_a_generic_type_keeps_its_name(made, tmp_path):
    source = f"{FASTMCP}class Own(FastMCP): ...\nmcp = {made}\n@mcp.tool\ndef read(): ..."
    assert [str(server.name) for server in review(tmp_path, source).servers if server.tools] == ["notes"]
