"""Python sources that are hostile, broken, huge or laid out unusually: each is read right, or said not to be readable.

No exception leaves `read`, nothing of what is read runs, and the machine's own state does not show in the result.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from pydantic import BaseModel, create_model
from typing_extensions import TypeAliasType, TypedDict

from reviewer.facts import Schema
from reviewer.files import find
from reviewer.languages import read
from reviewer.render import catalog
from reviewer.source import Opaque, Text

MCP = "from mcp.server import MCPServer\nmcp = MCPServer('demo')\n"
FASTMCP = "from fastmcp import FastMCP\nmcp = FastMCP('demo')\n"
LOW = "from mcp.server.lowlevel import Server\nfrom mcp.types import Tool\napp = Server('demo')\n"
ONE = "\n@mcp.tool()\ndef one(): ...\n"
"""A tool that stands after what is bad, so that a test can tell whether the rest of the file was read."""

SECONDS = 20
"""After which one test is stopped."""
MEMORY = 3 * 2**30
"""Bytes that one test may take beyond what the process has."""


class StuckError(BaseException):
    """The reading takes too long; no `except Exception` on the way holds it up."""


@pytest.fixture(autouse=True)
def _bounds():
    """Stop what hangs, and refuse memory to what eats it, before the machine suffers."""

    def stop(_signal, _frame):
        raise StuckError("the reading is not done in time")

    with open("/proc/self/statm") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, limits[1]))
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)


def write(folder, files):
    """Write files by their path; texts are dedented, bytes are kept as they are."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else textwrap.dedent(content).encode("utf-8"))


def project(folder, files):
    """Read a project in full, every schema included."""
    write(folder, files)
    found = read(find(folder))
    catalog.render_json(found)
    return found


def tools(folder, files):
    return [tool for server in project(folder, files).servers for tool in server.tools]


def names(folder, files):
    """Give the names of all tools, None for one that is said not to be readable."""
    return [shown(tool.name) for tool in tools(folder, files)]


def shown(name):
    return None if isinstance(name, Opaque) else str(name)


def described(folder, expression, before=""):
    """Give the description that an expression makes, and check that the tool is there all the same."""
    [tool] = tools(folder, {"server.py": f"{MCP}{before}\n@mcp.tool(description={expression})\ndef one(): ...\n"})
    assert tool.name == "one"
    return tool.description


def by_server(folder, files):
    return [
        (shown(server.name), [shown(tool.name) for tool in server.tools]) for server in project(folder, files).servers
    ]


def is_noted(tool, part):
    """Tell whether a tool says of a part that it cannot be read, or was read under an assumption."""
    return any(each.startswith(part) for each in tool.unreadable())


class TestCircularImports:
    def test_two_modules_with_tools_in_both(self, tmp_path):
        files = {
            "pkg/__init__.py": "",
            "pkg/app.py": MCP + "from . import files\n@mcp.tool(files.NAME)\ndef first(): ...",
            "pkg/files.py": "NAME = 'read'\nfrom .app import mcp\n@mcp.tool()\ndef write(): ...",
        }
        assert by_server(tmp_path, files) in ([("demo", ["read", "write"])], [("demo", ["write", "read"])])

    def test_three_modules_with_tools_in_each(self, tmp_path):
        files = {
            "pkg/__init__.py": "",
            "pkg/a.py": MCP + "from . import b\n@mcp.tool()\ndef one(): ...",
            "pkg/b.py": "from . import c\nfrom .a import mcp\n@mcp.tool()\ndef two(): ...",
            "pkg/c.py": "from . import a\n@a.mcp.tool()\ndef three(): ...",
        }
        [(name, found)] = by_server(tmp_path, files)
        assert (name, sorted(found)) == ("demo", ["one", "three", "two"])

    def test_name_that_only_goes_in_a_circle_is_unreadable(self, tmp_path):
        files = {
            "a.py": MCP + "from b import NAME\n@mcp.tool(NAME)\ndef one(): ...",
            "b.py": "from c import NAME\nimport mcp",
            "c.py": "from a import NAME",
        }
        assert names(tmp_path, files) == [None]

    def test_stars_in_a_circle(self, tmp_path):
        files = {
            "a.py": MCP + "from b import *\n@mcp.tool(READ)\ndef one(): ...",
            "b.py": "READ = 'read'\nfrom c import *",
            "c.py": "from a import *\nfrom b import *",
        }
        assert names(tmp_path, files) == ["read"]

    def test_module_that_imports_itself(self, tmp_path):
        files = {"app.py": MCP + "import app\nfrom app import *\nfrom app import NAME\nNAME = 'read'" + ONE}
        assert names(tmp_path, files) == ["one"]

    @pytest.mark.parametrize("count", [60, 400])
    def test_long_chain_of_imports(self, count, tmp_path):
        files = {f"m{n}.py": f"from m{n + 1} import *\nfrom m{n + 1} import NAME\n" for n in range(count)}
        files[f"m{count}.py"] = "NAME = 'read'"
        files["app.py"] = MCP + "from m0 import NAME\n@mcp.tool(NAME)\ndef first(): ...\n" + ONE
        assert names(tmp_path, files) in (["read", "one"], [None, "one"])


def expected_schema(annotation):
    """Ask pydantic for the schema of one parameter `x`, with definitions, as a server makes it."""
    return create_model("oneArguments", x=(annotation, ...)).model_json_schema()


class RecursiveTypes:
    """The types of the sources below, as pydantic has them."""

    class Node(BaseModel):
        value: int
        children: "list[RecursiveTypes.Node]" = []

    class Left(BaseModel):
        right: "RecursiveTypes.Right | None" = None

    class Right(BaseModel):
        left: "RecursiveTypes.Left | None" = None

    class Page(BaseModel):
        items: list[int]
        next: str | None = None

    class Entry(TypedDict):
        name: str
        inner: "list[RecursiveTypes.Entry]"


Tree = TypeAliasType("Tree", "list[Tree] | int")


class TestRecursiveTypes:
    """A schema is right, or the part that is not is named."""

    HEAD = "from __future__ import annotations\n" + MCP + "from pydantic import BaseModel\n"

    def check(self, folder, source, annotation, expected):
        [tool] = tools(folder, {"server.py": f"{source}\n@mcp.tool()\ndef one(x: {annotation}): ...\n"})
        assert isinstance(tool.input_schema, Schema | Opaque)
        if isinstance(tool.input_schema, Opaque) or tool.input_schema.holes:
            assert is_noted(tool, "inputSchema")
            return False
        document = json.loads(json.dumps(tool.input_schema.document))
        assert document["properties"] == expected["properties"]
        assert document.get("$defs") == expected.get("$defs")
        return True

    def test_model_that_refers_to_itself(self, tmp_path):
        source = self.HEAD + "class Node(BaseModel):\n    value: int\n    children: list[Node] = []\n"
        assert self.check(tmp_path, source, "Node", expected_schema(RecursiveTypes.Node))

    def test_two_models_that_refer_to_each_other(self, tmp_path):
        source = (
            self.HEAD
            + "class Left(BaseModel):\n    right: Right | None = None\n"
            + "class Right(BaseModel):\n    left: Left | None = None\n"
        )
        assert self.check(tmp_path, source, "Left", expected_schema(RecursiveTypes.Left))

    @pytest.mark.parametrize(
        "source",
        [
            "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Page(BaseModel, Generic[T]):\n",
            "class Page[T](BaseModel):\n",
        ],
        ids=["TypeVar", "PEP 695"],
    )
    def test_generic_model(self, source, tmp_path):
        expected = expected_schema(RecursiveTypes.Page)
        text = (
            json.dumps(expected)
            .replace('"#/$defs/Page"', '"#/$defs/Page_int_"')
            .replace('"title": "Page"', '"title": "Page[int]"')
        )
        expected = json.loads(text.replace('"Page": {', '"Page_int_": {'))
        body = "    items: list[T]\n    next: str | None = None\n"
        assert self.check(tmp_path, self.HEAD + source + body, "Page[int]", expected)

    def test_generic_model_that_nests_itself(self, tmp_path):
        source = (
            self.HEAD
            + "from typing import Generic, TypeVar\nT = TypeVar('T')\n"
            + "class Box(BaseModel, Generic[T]):\n    inner: Box[Box[T]] | None = None\n"
        )
        [tool] = tools(tmp_path, {"server.py": f"{source}\n@mcp.tool()\ndef one(x: Box[int]): ...\n"})
        assert is_noted(tool, "inputSchema")

    def test_recursive_typed_dict(self, tmp_path):
        source = (
            self.HEAD + "from typing import TypedDict\nclass Entry(TypedDict):\n    name: str\n    inner: list[Entry]\n"
        )
        self.check(tmp_path, source, "Entry", expected_schema(RecursiveTypes.Entry))

    def test_recursive_alias(self, tmp_path):
        source = self.HEAD + "type Tree = list[Tree] | int\n"
        self.check(tmp_path, source, "Tree", expected_schema(Tree))

    def test_plain_alias(self, tmp_path):
        source = self.HEAD + "type Numbers = list[int]\n"
        assert self.check(tmp_path, source, "Numbers", expected_schema(TypeAliasType("Numbers", list[int])))

    @pytest.mark.parametrize(
        "source",
        [
            "from typing import Union\nX = Union[str, list['X']]",
            "X = list['X']",
            "X: 'X' = 'X'",
            "X = 'X'",
            "from typing import TypeVar\nX = TypeVar('X', bound='X')",
            "from typing import TypeVar\nX = TypeVar('X', 'X', int)",
            "from typing import NewType\nX = NewType('X', 'X')",
            "type X = X",
            "type X[T] = list[X[list[T]]]",
            "from typing import NewType\nX = NewType('X', 'Y')\nY = NewType('Y', 'X')",
            "class X(X): ...",
            "from typing import Annotated\nX = Annotated['X', 'X']",
        ],
    )
    def test_alias_that_leads_only_to_itself_is_unreadable(self, source, tmp_path):
        [tool] = tools(tmp_path, {"server.py": f"{self.HEAD}{source}\n@mcp.tool()\ndef one(x: X): ...\n"})
        assert is_noted(tool, "inputSchema")

    def test_long_chain_of_models(self, tmp_path):
        models = "".join(f"class M{n}(BaseModel):\n    inner: M{n + 1}\n" for n in range(300))
        source = f"{self.HEAD}{models}class M300(BaseModel):\n    x: int\n@mcp.tool()\ndef first(x: M0): ...\n{ONE}"
        first, last = tools(tmp_path, {"server.py": source})
        assert last.name == "one"
        assert is_noted(first, "inputSchema") or len(first.input_schema.document["$defs"]) == 301

    def test_deep_type(self, tmp_path):
        source = f"{MCP}@mcp.tool()\ndef first(x: {'list[' * 400}int{']' * 400}): ...\n{ONE}"
        first, last = tools(tmp_path, {"server.py": source})
        assert (first.name, last.name) == ("first", "one")
        assert is_noted(first, "inputSchema")

    @pytest.mark.parametrize(
        "field",
        [
            "Field(pattern='(')",
            "Field(pattern='(a{1000}){1000}{1000}')",
            "Field(pattern='(?<=a)b')",
            "Field(ge='x')",
            "Field(max_length=-1)",
            "Field(discriminator='kind')",
            "Field(unknown_keyword=1)",
            "Field(json_schema_extra=5)",
            "Field(examples=5)",
            "Field(description=5)",
            "Field(1, 2, 3)",
            "Field(alias=7)",
            "Field(multiple_of=0)",
        ],
    )
    def test_field_that_pydantic_refuses(self, field, tmp_path):
        source = MCP + f"from pydantic import Field\n@mcp.tool()\ndef first(x: str = {field}): ...\n" + ONE
        assert names(tmp_path, {"server.py": source}) == ["first", "one"]


class TestRedefinedConstants:
    def test_last_value_before_the_use_counts(self, tmp_path):
        source = MCP + textwrap.dedent(
            """
            NAME = "one"
            NAME = "two"
            @mcp.tool(NAME)
            def first(): ...
            NAME = "three"
            @mcp.tool(NAME)
            def second(): ...
            NAME += "_more"
            @mcp.tool(NAME)
            def third(): ...
            NAME = "unused"
            """
        )
        assert names(tmp_path, {"server.py": source}) == ["two", "three", "three_more"]

    def test_function_sees_the_value_at_its_call(self, tmp_path):
        source = (
            MCP + "NAME = 'one'\ndef register():\n    mcp.tool(NAME)(read)\ndef read(): ...\nNAME = 'two'\nregister()"
        )
        assert names(tmp_path, {"server.py": source}) == ["two"]

    def test_listing_sees_the_last_value(self, tmp_path):
        source = (
            LOW
            + "NAME = 'one'\n@app.list_tools()\nasync def tools():\n    return [Tool(name=NAME, inputSchema={})]\n"
            + "NAME = 'two'"
        )
        assert names(tmp_path, {"server.py": source}) == ["two"]

    @pytest.mark.parametrize(
        ("test", "expected"), [("True", "two"), ("False", "one"), ("DEBUG", "one"), ("1 < 2", "two")]
    )
    def test_under_a_known_test(self, test, expected, tmp_path):
        source = MCP + f"DEBUG = False\nNAME = 'one'\nif {test}:\n    NAME = 'two'\n@mcp.tool(NAME)\ndef first(): ..."
        assert names(tmp_path, {"server.py": source}) == [expected]

    def test_under_a_test_of_the_configuration(self, tmp_path):
        source = (
            MCP + "import os\nNAME = 'one'\nif os.getenv('X'):\n    NAME = 'two'\n@mcp.tool(NAME)\ndef first(): ..."
        )
        [tool] = tools(tmp_path, {"server.py": source})
        assert isinstance(tool.name, Opaque) or (tool.name == "one" and is_noted(tool, "name"))

    def test_under_a_test_that_only_a_run_can_tell(self, tmp_path):
        source = (
            MCP + "from far import flag\nNAME = 'one'\nif flag():\n    NAME = 'two'\n@mcp.tool(NAME)\ndef first(): ..."
        )
        [tool] = tools(tmp_path, {"server.py": source})
        assert isinstance(tool.name, Opaque) or is_noted(tool, "name")

    @pytest.mark.parametrize(
        "block",
        [
            "try:\n    NAME = load()\nexcept OSError:\n    NAME = 'two'",
            "for NAME in load(): pass",
            "with load() as NAME: pass",
            "while load():\n    NAME = 'two'",
            "match load():\n    case 1:\n        NAME = 'two'",
            "def change():\n    global NAME\n    NAME = load()\nchange()",
            "(NAME := load())",
            "NAME, OTHER = load()",
            "from far import NAME",
        ],
    )
    def test_in_another_block(self, block, tmp_path):
        source = MCP + f"from far import load\nNAME = 'one'\n{block}\n@mcp.tool(description=NAME)\ndef first(): ..."
        [tool] = tools(tmp_path, {"server.py": source})
        assert isinstance(tool.description, Opaque) or is_noted(tool, "description")


class TestStarImports:
    NAMES = "# mcp\nREAD = 'read'\nWRITE = 'write'\n_HIDDEN = 'hidden'\n"

    def star(self, folder, exported, use="READ", **more):
        files = {
            "pkg/__init__.py": "",
            "pkg/names.py": self.NAMES + exported,
            "app.py": MCP
            + f"READ = WRITE = _HIDDEN = 'own'\nfrom pkg.names import *\n@mcp.tool({use})\ndef first(): ...",
        }
        return names(folder, {**files, **more})

    @pytest.mark.parametrize(
        ("exported", "read", "written", "hidden"),
        [
            ("", "read", "write", "own"),
            ("__all__ = ['READ']", "read", "own", "own"),
            ("__all__ = ('READ',)", "read", "own", "own"),
            ("__all__ = 'READ',", "read", "own", "own"),
            ("__all__: list[str] = ['READ']", "read", "own", "own"),
            ("__all__ = ['READ']\n__all__ += ['_HIDDEN']", "read", "own", "hidden"),
            ("__all__ = ('READ',)\n__all__ += ('WRITE',)", "read", "write", "own"),
            ("__all__ = ['READ']\n__all__.append('WRITE')", "read", "write", "own"),
            ("__all__ = ['READ']\n__all__.extend(['WRITE'])", "read", "write", "own"),
            ("__all__ = ['READ'] + ['WRITE']", "read", "write", "own"),
            ("__all__ = ['RE' + 'AD', *('WRITE',)]", "read", "write", "own"),
            ("__all__ = [each.upper() for each in ('read', 'write')]", "read", "write", "own"),
            ("__all__ = []", "own", "own", "own"),
            ("__all__ = ['READ', 'MISSING']", "read", "own", "own"),
        ],
    )
    def test_what_is_exported(self, exported, read, written, hidden, tmp_path):
        for name, expected in (("READ", read), ("WRITE", written), ("_HIDDEN", hidden)):
            assert self.star(tmp_path, exported, name) == [expected]

    @pytest.mark.parametrize(
        "exported",
        [
            "from far import listed\n__all__ = listed()",
            "from far import listed\n__all__ = ['READ', *listed()]",
            "from far import listed\n__all__ = ['READ']\n__all__ += listed()",
            "__all__ = [name for name in globals() if not name.startswith('W')]",
            "__all__ = [name for name in dir() if name.isupper() and name != 'WRITE']",
        ],
    )
    def test_computed_list_never_gives_a_wrong_name(self, exported, tmp_path):
        truth = "own" if "'W" in exported else None
        assert self.star(tmp_path, exported, "READ") in (["read"], [None])
        assert self.star(tmp_path, exported, "WRITE") in ([truth], [None])

    @pytest.mark.parametrize("exported", ["__all__ = 5", "__all__ = None", "__all__ = [1, None, READ]", "__all__ = {}"])
    def test_nonsense_does_not_raise(self, exported, tmp_path):
        assert len(self.star(tmp_path, exported)) == 1

    def test_name_that_does_not_exist_is_unreadable(self, tmp_path):
        assert self.star(tmp_path, "__all__ = ['MISSING']", "MISSING") == [None]

    def test_list_that_names_a_submodule(self, tmp_path):
        files = {
            "pkg/__init__.py": "__all__ = ['names']",
            "pkg/names.py": self.NAMES,
            "app.py": MCP + "from pkg import *\n@mcp.tool(names.READ)\ndef first(): ...",
        }
        assert names(tmp_path, files) == ["read"]

    def test_star_from_outside_hides_what_the_project_says(self, tmp_path):
        source = MCP + "NAME = 'one'\nfrom far import *\n@mcp.tool(description=NAME)\ndef first(): ..."
        [tool] = tools(tmp_path, {"server.py": source})
        assert tool.description == "one" or isinstance(tool.description, Opaque)

    def test_star_through_two_packages(self, tmp_path):
        files = {
            "pkg/__init__.py": "from .inner import *",
            "pkg/inner/__init__.py": "from .names import *\nfrom .names import __all__",
            "pkg/inner/names.py": "__all__ = ['READ']\nREAD = 'read'",
            "app.py": MCP + "from pkg import *\n@mcp.tool(READ)\ndef first(): ...",
        }
        assert names(tmp_path, files) == ["read"]


class TestLayouts:
    def test_re_exports_through_two_packages(self, tmp_path):
        files = {
            "pkg/__init__.py": "from .inner import READ as NAME, server, register",
            "pkg/inner/__init__.py": "from .core import mcp as server\nfrom .names import READ\n"
            "from .more import register",
            "pkg/inner/core.py": MCP,
            "pkg/inner/names.py": "READ = 'read'",
            "pkg/inner/more.py": "def register(mcp):\n    @mcp.tool()\n    def write(): ...",
            "app.py": "import pkg  # mcp\nfrom pkg import NAME, server\n"
            "@server.tool(NAME)\ndef first(): ...\n@pkg.server.tool()\ndef second(): ...\npkg.register(pkg.server)",
        }
        assert by_server(tmp_path, files) == [("demo", ["read", "second", "write"])]

    @pytest.mark.parametrize(
        "source", ["from pkg.names import READ", "from .names import READ", "import pkg.names\nREAD = pkg.names.READ"]
    )
    @pytest.mark.parametrize("root", ["src", "servers/files/src", "python"])
    def test_src_layout(self, root, source, tmp_path):
        files = {
            f"{root}/pkg/__init__.py": "",
            f"{root}/pkg/names.py": "READ = 'read'",
            f"{root}/pkg/app.py": f"{source}\n{MCP}@mcp.tool(READ)\ndef first(): ...",
        }
        assert names(tmp_path, files) == ["read"]

    @pytest.mark.parametrize(
        "source",
        [
            "from space.part.names import READ",
            "from .names import READ",
            "from ..part.names import READ",
            "import space.part.names as n\nREAD = n.READ",
            "import space.part.names\nREAD = space.part.names.READ",
            "from space.part import names\nREAD = names.READ",
            "from . import names\nREAD = names.READ",
            "from space import part\nimport space.part.names\nREAD = part.names.READ",
        ],
    )
    def test_namespace_package(self, source, tmp_path):
        files = {
            "space/part/names.py": "READ = 'read'",
            "space/part/app.py": f"{source}\n{MCP}@mcp.tool(READ)\ndef first(): ...",
        }
        assert names(tmp_path, files) == ["read"]

    def test_register_function_in_a_namespace_package(self, tmp_path):
        files = {
            "space/files.py": "def register(mcp):\n    @mcp.tool()\n    def read(): ...",
            "space/app.py": MCP + "from . import files\nfiles.register(mcp)",
        }
        assert by_server(tmp_path, files) == [("demo", ["read"])]

    @pytest.mark.parametrize(
        "source",
        ["from ....far import NAME", "from .. import NAME", "from ..names import NAME", "from ........ import *"],
    )
    def test_relative_import_beyond_the_root(self, source, tmp_path):
        files = {
            "app.py": MCP + f"{source}\n@mcp.tool(NAME)\ndef first(): ...\n" + ONE,
            "names.py": "NAME = 'wrong'",
            "far.py": "NAME = 'wrong'",
        }
        assert names(tmp_path, files) == [None, "one"]

    @pytest.mark.parametrize(
        "source",
        ["from .names import NAME", "from {folder}.names import NAME", "from . import names\nNAME = names.NAME"],
    )
    def test_one_module_name_in_two_packages(self, source, tmp_path):
        files = {}
        for folder in ("alpha", "beta"):
            files[f"{folder}/__init__.py"] = ""
            files[f"{folder}/names.py"] = f"NAME = 'of_{folder}'"
            files[f"{folder}/app.py"] = f"{MCP}{source.format(folder=folder)}\n@mcp.tool(NAME)\ndef first(): ..."
        assert names(tmp_path, files) == ["of_alpha", "of_beta"]

    def test_one_module_name_beside_two_scripts(self, tmp_path):
        files = {}
        for folder in ("alpha", "beta"):
            files[f"{folder}/names.py"] = f"NAME = 'of_{folder}'"
            files[f"{folder}/app.py"] = f"{MCP}from names import NAME\n@mcp.tool(NAME)\ndef first(): ..."
        assert names(tmp_path, files) == ["of_alpha", "of_beta"]

    def test_module_and_package_of_one_name(self, tmp_path):
        files = {
            "names.py": "READ = 'module'",
            "names/__init__.py": "READ = 'package'",
            "app.py": MCP + "from names import READ\n@mcp.tool(READ)\ndef first(): ...",
        }
        assert names(tmp_path, files) == ["package"]

    def test_several_servers_in_one_repository(self, tmp_path):
        files = {
            "alpha/server.py": MCP.replace("demo", "alpha")
            + "@mcp.tool()\ndef read(): ...\n@mcp.tool()\ndef list_a(): ...",
            "beta/server.py": FASTMCP.replace("demo", "beta") + "@mcp.tool\ndef read(): ...",
            "gamma/server.py": LOW.replace("demo", "gamma")
            + "@app.list_tools()\nasync def tools():\n    return [Tool(name='read', inputSchema={})]",
            "delta/server.py": FASTMCP.replace("demo", "delta")
            + "other = FastMCP('epsilon')\n@mcp.tool\ndef d(): ...\n@other.tool\ndef e(): ...",
        }
        assert sorted(by_server(tmp_path, files)) == [
            ("alpha", ["read", "list_a"]),
            ("beta", ["read"]),
            ("delta", ["d"]),
            ("epsilon", ["e"]),
            ("gamma", ["read"]),
        ]

    def test_servers_that_are_mounted_in_a_circle(self, tmp_path):
        source = FASTMCP + "other = FastMCP('other')\nmcp.mount(other)\nother.mount(mcp)\nmcp.mount(mcp)" + ONE
        assert "one" in names(tmp_path, {"server.py": source})


def lock(**versions):
    packages = "".join(f'\n[[package]]\nname = "{name}"\nversion = "{version}"\n' for name, version in versions.items())
    return "version = 1\n" + packages


class TestReleases:
    BODY = '''
    @mcp.tool()
    def read_file(path: str = "a") -> str:
        """Read a file.

        Args:
            path: where it is

        Returns:
            its text
        """
    '''
    DOC = "Read a file.\n\n    Args:\n        path: where it is\n\n    Returns:\n        its text\n    "

    def read(self, folder, files):
        return {server.span.path.split("/")[0]: server.tools[0] for server in project(folder, files).servers}

    def test_two_generations_of_the_sdk(self, tmp_path):
        old = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('old')\n"
        body = textwrap.dedent(self.BODY)
        files = {
            "old/pyproject.toml": '[project]\nname = "old"\ndependencies = ["mcp==1.9.4"]\n',
            "old/uv.lock": lock(mcp="1.9.4"),
            "old/server.py": old + body,
            "new/pyproject.toml": '[project]\nname = "new"\ndependencies = ["mcp>=2"]\n',
            "new/uv.lock": lock(mcp="2.3.0"),
            "new/server.py": MCP + body,
        }
        found = self.read(tmp_path, files)
        assert found["old"].description == found["new"].description == self.DOC
        assert found["old"].output_schema is None
        assert isinstance(found["new"].output_schema, Schema)
        assert found["new"].output_schema.document["properties"] == {"result": {"title": "Result", "type": "string"}}
        for each in found.values():
            assert each.input_schema.document["properties"] == {
                "path": {"default": "a", "title": "Path", "type": "string"}
            }

    def test_two_releases_of_fastmcp(self, tmp_path):
        files = {}
        for folder, version in (("older", "2.8.1"), ("old", "2.11.3"), ("new", "4.1.6")):
            files[f"{folder}/uv.lock"] = lock(fastmcp=version, mcp="1.12.4")
            files[f"{folder}/pkg/__init__.py"] = ""
            files[f"{folder}/pkg/server.py"] = FASTMCP + textwrap.dedent(self.BODY)
        found = self.read(tmp_path, files)
        assert found["older"].description == self.DOC
        assert found["old"].description == "Read a file.\n\nArgs:\n    path: where it is\n\nReturns:\n    its text"
        assert found["new"].description == "Read a file."
        assert [found[each].title for each in ("older", "old", "new")] == [None, None, "Read File"]
        assert [found[each].output_schema is None for each in ("older", "old", "new")] == [True, False, False]
        plain = {"default": "a", "title": "Path", "type": "string"}
        assert found["older"].input_schema.document["properties"] == {"path": plain}
        assert found["old"].input_schema.document["properties"] == {"path": plain}
        assert found["new"].input_schema.document == {
            "additionalProperties": False,
            "properties": {"path": {"default": "a", "description": "where it is", "type": "string"}},
            "type": "object",
        }

    @pytest.mark.parametrize(
        "manifests",
        [
            {"pyproject.toml": "tool = 3\n"},
            {"pyproject.toml": "[tool]\npoetry = 3\n"},
            {"pyproject.toml": "[tool.poetry]\ndependencies = [1]\n"},
            {"pyproject.toml": "project = 3\n"},
            {"pyproject.toml": "[project]\ndependencies = 3\n"},
            {"pyproject.toml": "[project]\ndependencies = [3, 'mcp ><']\noptional-dependencies = {a = 3}\n"},
            {"pyproject.toml": "[project]\nrequires-python = '>=" + "9" * 5000 + "'\n"},
            {"pyproject.toml": "not toml ]["},
            {"pyproject.toml": "a = " + "[" * 5000 + "]" * 5000},
            {"pyproject.toml": b"\xff\xfe\0"},
            {"pyproject.toml": "[project.scripts]\nx = '....:main'\ny = 'server:mcp'\n"},
            {"pyproject.toml": "[project]\ndependencies = ['mcp>=1." + "9" * 5000 + "']\n"},
            {"uv.lock": 'name = "mcp"\nversion = "' + "9" * 5000 + '"'},
            {"uv.lock": 'name = "mcp"\nversion = "none"'},
            {"Pipfile.lock": "[]"},
            {"Pipfile.lock": '{"default": 5}'},
            {"Pipfile.lock": "[" * 100_000},
            {"requirements.txt": "mcp==\n-r requirements.txt\nmcp=>1\nmcp @ file:///etc/passwd\n"},
            {"requirements.txt": b"\xff\xfemcp==1.9"},
            {"setup.cfg": "[metadata]\n\0"},
            {"x.dist-info/METADATA": "Requires-Dist: mcp (\nRequires-Python: >=x"},
        ],
        ids=lambda each: next(iter(f"{k}: {v[:40]!r}" for k, v in each.items())),
    )
    def test_broken_manifests_do_not_raise(self, manifests, tmp_path):
        source = "from mcp.server import Server\nfrom fastmcp import FastMCP\nmcp = FastMCP('x')\n" + ONE
        assert names(tmp_path, {**manifests, "server.py": source, "other.py": MCP + ONE}) == ["one", "one"]


COPY = {
    "pkg/__init__.py": "",
    "pkg/_vendor/__init__.py": "",
    "pkg/_vendor/fastmcp/__init__.py": "from .server import FastMCP",
    "pkg/_vendor/fastmcp/server.py": "class FastMCP:\n    def __init__(self, name): ...\n"
    "    def tool(self, *args): ...\n\nmcp = FastMCP('vendored')\n@mcp.tool\ndef vendored(): ...\n",
    "pkg/_vendor/fastmcp/contrib/example.py": "from fastmcp import FastMCP\nmcp = FastMCP('example')\n"
    "@mcp.tool\ndef example(): ...\n",
}
"""A project with a copy of fastmcp, in which there are tools."""


class TestVendored:
    @pytest.mark.parametrize(
        "source",
        [
            "from pkg._vendor.fastmcp import FastMCP",
            "from ._vendor.fastmcp import FastMCP",
            "from ._vendor.fastmcp.server import FastMCP",
            "from pkg._vendor import fastmcp\nFastMCP = fastmcp.FastMCP",
            "from ._vendor import fastmcp\nFastMCP = fastmcp.FastMCP",
            "import pkg._vendor.fastmcp as fastmcp\nFastMCP = fastmcp.FastMCP",
        ],
    )
    def test_server_is_made_of_the_copy(self, source, tmp_path):
        app = f"{source}\nmcp = FastMCP('demo')\n@mcp.tool\ndef read(path: str): ...\n"
        assert by_server(tmp_path, {**COPY, "pkg/app.py": app}) == [("demo", ["read"])]

    def test_copy_alone_is_no_server(self, tmp_path):
        assert by_server(tmp_path, COPY) == []


class TestGeneratedCode:
    def test_three_thousand_tools_of_33_lines(self, tmp_path, capfd):
        one = (
            "\n@mcp.tool()\ndef tool_{0}(path: str, limit: int = {0}) -> str:\n"
            '    """Does the thing of number {0}."""\n'
        )
        body = "".join(f"    value_{n} = path + str(limit * {n})\n" for n in range(27)) + "    return value_26\n"
        source = MCP + "".join(one.format(n) + body for n in range(3000))
        assert source.count("\n") >= 96_000
        taken = self.bounded(tmp_path, source, 20)
        assert [str(tool.name) for tool in taken] == [f"tool_{n}" for n in range(3000)]
        assert taken[-1].description == "Does the thing of number 2999."
        assert [each.name for each in taken[-1].parameters] == ["path", "limit"]
        assert capfd.readouterr() == ("", "")

    def test_hundred_thousand_assignments_and_one_tool(self, tmp_path, capfd):
        source = MCP + "".join(f"VALUE_{n} = {n}\n" for n in range(100_000)) + ONE
        [tool] = self.bounded(tmp_path, source, 10)
        assert tool.name == "one"
        assert capfd.readouterr() == ("", "")

    def test_one_dict_of_fifty_thousand_entries(self, tmp_path):
        source = MCP + "VALUES = {\n" + "".join(f"    'key_{n}': {n},\n" for n in range(50_000)) + "}\n" + ONE
        [tool] = self.bounded(tmp_path, source, 10)
        assert tool.name == "one"

    def bounded(self, folder, source, seconds):
        (folder / "server.py").write_text(source, "utf-8")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        found = read(find(folder))
        assert time.perf_counter() - start < seconds
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1.5 * 2**20
        return found.servers[0].tools


DEEP = {
    "nested lists": "X = " + "[" * 1000 + "]" * 1000,
    "nested tuples": "X = " + "(" * 1000 + "1," + "),"[:1] * 1000,
    "nested dicts": "X = " + "{1: " * 1000 + "1" + "}" * 1000,
    "nested calls": "def f(x): return x\nX = " + "f(" * 500 + "1" + ")" * 500,
    "nested calls of str": "X = " + "str(" * 500 + "1" + ")" * 500,
    "chain of sums": "X = " + " + ".join(["'a'"] * 2001),
    "chain of attributes": "X = mcp" + ".a" * 2000,
    "chain of methods": "X = 'a'" + ".strip()" * 2000,
    "chain of subscripts": "X = [1]" + "[0]" * 2000,
    "chain of comparisons": "X = " + " < ".join(["1"] * 2000),
    "chain of `or`": "X = " + " or ".join(["0"] * 2000),
    "chain of conditionals": "X = " + "1 if 0 else " * 500 + "2",
    "chain of `not`": "X = " + "not " * 3000 + "1",
    "chain of lambdas": "X = " + "lambda: " * 500 + "1",
    "chain of `elif`": "import os\nif os.x: pass\n" + "".join(f"elif os.x{n}: A{n} = 1\n" for n in range(500)),
    "adjacent strings": "X = (" + "'a' " * 5000 + ")",
    "nested f-strings": "X = " + "f'{" * 40 + "1" + "}'" * 40,
    "nested functions": "\n".join(" " * n + f"def f{n}():" for n in range(300)) + "\n" + " " * 300 + "pass",
    "nested classes": "\n".join(" " * n + f"class C{n}:" for n in range(300)) + "\n" + " " * 300 + "pass",
    "nested ifs": "\n".join(" " * n + "if mcp.x:" for n in range(300)) + "\n" + " " * 300 + "pass",
    "nested known ifs": "\n".join(" " * n + "if True:" for n in range(300)) + "\n" + " " * 300 + "pass",
    "nested loops": "\n".join(" " * n + f"for i{n} in (1, 2):" for n in range(90)) + "\n" + " " * 90 + "X = 1",
    "nested tries": "\n".join(" " * n + "try:" for n in range(99)) + "\n" + " " * 99 + "pass",
    "many decorators": "def d(f): return f\n" + "@d\n" * 2000 + "def x(): ...",
    "many bases": "class C0: ...\n"
    + "".join(f"class C{n + 1}(C{n}): ...\n" for n in range(1000))
    + "X = C1000().missing",
    "many functions that call the next": "".join(f"def f{n}(): return f{n + 1}()\n" for n in range(1000)) + "f0()",
    "many closures": "def d(f):\n    def g(): return f()\n    return g\ndef x(): ...\n" + "x = d(x)\n" * 1000 + "x()",
    "many wraps": "import functools\ndef d(f):\n    @functools.wraps(f)\n    def g(*a): return f(*a)\n    return g\n"
    + "def x(): ...\n"
    + "x = d(x)\n" * 1000
    + "mcp.tool(name='two')(x)\n",
    "many aliases": "a0 = 1\n" + "".join(f"a{n + 1} = [a{n}]\n" for n in range(2000)) + "X = str(a2000)",
    "nested comprehensions": "X = " + "[" * 60 + "1" + " for a in (1, 2)]" * 60,
    "unclosed brackets": "X = " + "[(" * 2000,
    "starred": "X = " + "[*" * 500 + "[]" + "]" * 500,
    "nested subscripts of a type": "X: " + "list[" * 800 + "int" + "]" * 800 + " = 1",
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP.keys())
def test_deep_nesting(source, tmp_path):
    """The tool behind is read, unless the nesting is broken syntax, for which the file is named."""
    found = project(tmp_path, {"server.py": MCP + source + "\n" + ONE})
    listed = [shown(tool.name) for server in found.servers for tool in server.tools]
    assert "one" in listed or found.broken
    assert set(listed) <= {"one", "two"}


@pytest.mark.parametrize("name", ["nested lists", "nested dicts", "chain of sums", "chain of methods", "many aliases"])
def test_deep_nesting_in_what_a_tool_shows(name, tmp_path):
    source = (
        f"{MCP}{DEEP[name]}\n@mcp.tool(description=X)\ndef first(): ...\n"
        f"@mcp.tool(meta={{'x': X}})\ndef second(): ...\n"
    )
    source += "@mcp.tool()\ndef third(x: list = X): ...\n" + ONE
    first, second, third, one = tools(tmp_path, {"server.py": source})
    assert [each.name for each in (first, second, third, one)] == ["first", "second", "third", "one"]
    expected = {"chain of sums": "a" * 2001, "chain of methods": "a"}.get(name)
    assert isinstance(first.description, Opaque) or first.description == expected


ENDLESS = {
    "decorator that calls itself": "def d(f): return d(f)\n@d\ndef x(): ...",
    "decorator that decorates itself": "def d(f):\n    @d\n    def g(): ...\n    return g\n@d\ndef x(): ...",
    "decorator that is its own": "@d\ndef d(f): return f\n@d\ndef x(): ...",
    "mutual recursion": "def a(n): return b(n + 1) + b(n + 2)\ndef b(n): return a(n + 1) + a(n + 2)\na(0)",
    "mutual recursion in methods": "class A:\n    def a(self): return B().b()\nclass B:\n"
    "    def b(self): return A().a()\nA().a()",
    "recursive property": "class A:\n    @property\n    def a(self): return self.a\nA().a",
    "recursive __getattr__": "class A:\n    def __getattr__(self, n): return getattr(self, n)\nA().x",
    "recursive __init__": "class A:\n    def __init__(self): self.a = A()\nA()",
    "recursive default": "def f(x=f()): return f(f())\nf(f)",
    "recursive lambda": "f = lambda: f()\nf()",
    "recursive string": "class A:\n    def __str__(self): return str(self)\nX = f'{A()}'",
    "while True": "while True:\n    pass",
    "while True with a growing list": "a = []\nwhile True:\n    a.append(a)",
    "while True with a growing text": "a = 'x'\nwhile True:\n    a += a",
    "while True with a growing number": "a = 2\nwhile True:\n    a *= a",
    "for over a long range": "for i in range(10**9):\n    x = i",
    "for over ranges in ranges": "for i in range(10**5):\n    for j in range(10**5):\n"
    "        for k in range(10**5):\n            x = i",
    "for over what it extends": "a = [1]\nfor i in a:\n    a.append(i)\n    a.extend(a)",
    "doubled text": "a = 'xxxxxxxx'\nfor i in range(60):\n    a = a + a",
    "doubled text by an f-string": "a = 'xxxxxxxx'\nfor i in range(60):\n    a = f'{a}{a}'",
    "doubled text by join": "a = 'xxxxxxxx'\nfor i in range(60):\n    a = a.join([a, a, a])",
    "doubled list": "a = [1]\nfor i in range(60):\n    a += a",
    "doubled list by a display": "a = [1]\nfor i in range(60):\n    a = [*a, *a]",
    "doubled dict": "a = {'x': 1}\nfor i in range(60):\n    a = {**a, **{k + 'x': v for k, v in a.items()}, 'k': a}",
    "doubled reference": "a = [1]\nfor i in range(60):\n    a = [a, a]\nX = str(a)\nY = a == a[0]\nZ = sorted(a)",
    "generator without end": "def g():\n    while True:\n        yield 1\nX = list(g())",
    "itertools without end": "import itertools\nX = list(itertools.count())\n"
    "Y = list(itertools.repeat(1))\nfor i in itertools.cycle('a'): pass",
    "products": "import itertools\nX = list(itertools.product(range(1000), repeat=9))\n"
    "Y = list(itertools.permutations(range(99)))",
    "long comprehension": "X = [i for i in range(10**9)]\nY = {i: i for i in range(10**9)}\n"
    "Z = sum(i for i in range(10**9))",
    "nested comprehension": "A = list(range(1000))\nX = [1 for a in A for b in A for c in A for d in A]",
    "iter with a sentinel": "X = list(iter(lambda: 1, 2))",
    "many conditions": "import os\n" + "".join(f"if os.environ.get('A{n}'):\n    X = {n}\n" for n in range(60)),
    "many alternatives": "import os\nX = ''\n"
    + "".join(f"X = X + ('a' if os.environ.get('A{n}') else 'b')\n" for n in range(60)),
    "many forks that change an object": "import os\nclass A: ...\na = A()\n"
    + "".join(f"if os.environ.get('A{n}'):\n    a.x{n} = 1\nelse:\n    a.x{n} = 2\n" for n in range(60)),
    "many nested early returns": "from far import flag\ndef f(n):\n"
    + "".join(f"    if flag({n}):\n        return f(n + {n})\n" for n in range(40))
    + "f(0)",
    "ladder of functions": "".join(f"def f{n}(): return f{n + 1}() + f{n + 1}()\n" for n in range(60)) + "f0()",
    "function that wraps itself": "import functools\ndef f(): ...\nf.__wrapped__ = f\n"
    "f = functools.wraps(f)(f)\nX = f.__doc__\n"
    "mcp.tool(name='two')(f)",
    "functions that wrap each other": "def f(): ...\ndef g(): ...\nf.__wrapped__ = g\ng.__wrapped__ = f\n"
    "mcp.tool(name='two')(f)",
    "partial of itself": "import functools\nf = functools.partial(f)\nf()",
    "list in itself": "a = []\na.append(a)\nX = str(a)\nY = a == a\nZ = [*a, *a]\nprint(a in a, a[0][0][0])",
    "dict in itself": "a = {}\na['a'] = a\nX = f'{a}'\nY = {**a}\nZ = a == {'a': a}",
    "object in itself": "class A: ...\na = A()\na.a = a\nX = vars(a)\nY = a.a.a.a",
    "class of itself": "class A:\n    A = None\nA.A = A\nA.__bases__ = (A,)\nA.x",
    "class under its own name": "class A: ...\nclass A(A): ...\nclass A(A, A): ...\nA.x\nA().x",
    "tools without end": "while True:\n    mcp.tool(name='two')(lambda: 1)",
    "tools over a long range": "def f(): ...\nfor i in range(10**6):\n    mcp.add_tool(f, name='two')",
    "servers without end": "def make():\n    mcp = MCPServer('more')\n    return make()\nmake()",
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS.keys())
def test_endless_code(source, tmp_path):
    """It is read up to a bound: what stands before it is there, and what stands behind it, or the cut is named."""
    start = time.perf_counter()
    found = project(tmp_path, {"server.py": MCP + ONE + source + "\n@mcp.tool()\ndef last(): ...\n"})
    assert time.perf_counter() - start < 15
    listed = [shown(tool.name) for server in found.servers for tool in server.tools]
    assert "one" in listed
    assert "last" in listed or found.broken or "while True" in source


BOMBS = [
    "'x' * 10**12",
    "10**12 * 'x'",
    "'x'.__mul__(10**12)",
    "operator.mul('x', 10**12)",
    "('x' * 900_000) * 900_000",
    "str([0] * 10**12)",
    "str((1, 2) * 10**12)",
    "str(bytes(10**12))",
    "str(bytearray(10**12))",
    "str(list(range(10**12)))",
    "str(sum(range(10**10)))",
    "str(max(range(10**10)))",
    "str(sorted(range(10**10)))",
    "str(10 ** 10 ** 10)",
    "str(pow(10, 10 ** 10))",
    "str(pow(3, 10 ** 10, 7) + 10 ** 10 ** 10)",
    "str((10 ** 10).__pow__(10 ** 10))",
    "str(1 << 10 ** 12)",
    "str(-(9 ** 9 ** 9) // 3)",
    "str(10 ** 100_000)",
    "f'{10 ** 100_000}'",
    "'%d' % (10 ** 100_000)",
    "'{}'.format(10 ** 100_000)",
    "repr(10 ** 100_000)",
    "str(2.0 ** 10 ** 10)",
    "str(1e308 * 10 ** 400)",
    "str(round(1.5, -10 ** 10))",
    "str(round(10 ** 20, -10 ** 10))",
    "str(math.factorial(10 ** 7))",
    "str(int('9' * 10_000))",
    "str(int('9' * 900_000, 16))",
    "str(" + "9" * 6000 + ")",
    "str(0x" + "f" * 6000 + ")",
    "re.sub(r'(a+)+$', '', 'a' * 60 + 'b')",
    "re.sub(r'(a|a)*$', '', 'a' * 60 + 'b')",
    "re.sub(r'(a|aa)+$', '', 'a' * 60 + 'b')",
    "re.sub(r'(?:a?){40}a{40}b', '', 'a' * 60)",
    "re.sub(r'(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^a]$', '', 'a' * 300)",
    "re.sub(r'a*a*a*a*a*a*a*a*a*a*a*a*b', '', 'a' * 300)",
    "re.sub(r'([a-z]*)*x', '', 'a' * 60)",
    "re.compile(r'(a+)+$').sub('', 'a' * 60 + 'b')",
    "str(re.findall(r'(x+x+)+y', 'x' * 60))",
    "str(re.split(r'(x+x+)+y', 'x' * 60))",
    "str(re.match(r'(x+x+)+y', 'x' * 60))",
    "re.sub('', 'x' * 100_000, 'y' * 100_000)",
    "re.sub('(', '', 'x')",
    "re.sub('x', r'\\9', 'x')",
    "re.sub('a{999999999999}', '', 'x')",
    "'%1000000000d' % 1",
    "'%*d' % (10**9, 1)",
    "'%.1000000000f' % 1.0",
    "'%1000000000s' % 'x'",
    "'%(a)1000000000s' % {'a': 'x'}",
    "f\"{'x':>1000000000}\"",
    'f"{1:>1000000000}"',
    'f"{1:1000000000d}"',
    'f"{1.0:.1000000000f}"',
    "f\"{'x':>{10**9}}\"",
    "f\"{'x':{'1' + '0' * 9}}\"",
    "'{:>1000000000}'.format('x')",
    "'{:{}}'.format('x', 10**9)",
    "'{0:{1}.{1}}'.format('x', 10**9)",
    "'{:>1000000000}'.format_map({'a': 1})",
    "format('x', '>1000000000')",
    "format(1.0, '.1000000000f')",
    "'x'.__format__('>1000000000')",
    "'x'.ljust(10**10)",
    "'x'.rjust(10**10)",
    "'x'.center(10**10)",
    "'x'.zfill(10**10)",
    "'\\t'.expandtabs(10**10)",
    "('x' * 900_000).replace('', 'y' * 900_000)",
    "('x' * 900_000).replace('x', 'y' * 900_000)",
    "('x' * 900_000).join(['y'] * 900_000)",
    "('x' * 900_000).join('y' * 900_000)",
    "str(('x' * 900_000).split('x'))",
    "('{}' * 400_000).format(*['x' * 900_000] * 400_000)",
    "'{0}{0}{0}{0}{0}{0}{0}{0}{0}{0}'.format('x' * 900_000)",
    "'%(a)s%(a)s%(a)s%(a)s%(a)s%(a)s' % {'a': 'x' * 900_000}",
    "('x' * 900_000).translate({120: 'y' * 900_000})",
    "('x' * 900_000).encode('utf-32').hex() * 10**6",
    "textwrap.indent('x\\n' * 400_000, ' ' * 900_000)",
    "textwrap.fill('x ' * 400_000, width=1)",
    "textwrap.dedent(' ' * 900_000 + 'x')",
    "string.Template('$a' * 400_000).substitute(a='x' * 900_000)",
    "json.dumps(['x' * 900_000] * 10**6)",
    "json.dumps({'a': 1}, indent=10**10)",
    "str(json.loads('[' * 200_000 + ']' * 200_000))",
    "str(json.loads('[' * 900 + ']' * 900))",
    "str(json.loads('{\"a\":' * 500 + '1' + '}' * 500))",
    "str(json.loads('9' * 6000))",
    "json.dumps(json.loads('[' * 400 + ']' * 400))",
    "json.dumps(json.loads('[1e999, NaN, -Infinity]'))",
    "str(datetime.timedelta(days=10**10))",
    "str(datetime.datetime(10**5, 1, 1))",
    "str(decimal.Decimal(10) ** 10**10)",
    "str(decimal.Decimal('1e999999999'))",
    "str(fractions.Fraction(10) ** 10**7)",
    "chr(10**10)",
    "chr(-1)",
    "'x'[10**20]",
    "'x' * -10**20 + 'y'[10**20:]",
    "'x' * 1.5",
    "str([1, 2][::0])",
    "str('x'[0:1:0])",
    "str(1 / 0) + str(1 % 0) + str(0 ** -1)",
    "'%' % 1",
    "'%d' % 'x'",
    "'{'.format()",
    "'{0.__class__.__mro__[1].__subclasses__}'.format('x')",
    "'{a.b[c]}'.format(a=1)",
    "str({[]: 1})",
    "str({{}, []})",
    "' '.join([1, None])",
    "str(sorted([1, 'a', None]))",
    "max([])",
    "min(1)",
    "str(range(1, 2, 0))",
    "str(dict([1, 2]))",
    "str(int('x')) + str(float('x')) + str(int(float('inf')))",
    "str(int(None)) + str(len(5)) + str(abs('x')) + str(round('x'))",
    "str(~1.5) + str(-'x') + str(+[])",
    "str('x' < 1) + str(1 in 2) + str('x' in 5)",
    "str(1j ** 10 ** 10)",
    "str(float(10 ** 400))",
    "str(10 ** 400 / 3)",
    "str(10 ** 400 * 1.5)",
    "str(hash('x')) + str(id('x'))",
    "inspect.cleandoc(5)",
    "textwrap.dedent(None)",
    "str(enumerate(5)) + str(list(zip(1, 2)))",
    "'\\N{NOT A NAME}'",
    "'\\x'",
    "b'\\xff'.decode()",
    "b'x'.decode('no-such-codec')",
    "'x'.encode('no-such-codec').decode()",
    "'\\ud800'.encode().decode()",
    "str(getattr(5, 5)) + str(setattr('x', 'y', 1))",
    "str(type('X', (5,), {})()) + str(type(5, 5, 5))",
    "str(super().x)",
    "str(isinstance(1, 5)) + str(issubclass(1, 1))",
]
IMPORTS = "import datetime, decimal, fractions, inspect, itertools, json, math, operator, re, string, textwrap\n"


@pytest.mark.parametrize("expression", BOMBS, ids=lambda each: each[:60])
def test_expression_that_is_too_big_or_fails(expression, tmp_path):
    """Its text is not made: a run would fail, run out of memory, or not end."""
    signal.alarm(5)
    start = time.perf_counter()
    found = described(tmp_path, expression, IMPORTS)
    assert time.perf_counter() - start < 5
    if isinstance(found, Text):
        assert len(found) <= 2_000_000


@pytest.mark.parametrize(
    "expression",
    [
        "'x' * 10**12",
        "str(10 ** 10 ** 10)",
        "re.sub(r'(a+)+$', '', 'a' * 60 + 'b')",
        "'%1000000000d' % 1",
        "f\"{'x':>1000000000}\"",
        "'x'.ljust(10**10)",
        "str(1 / 0)",
        "'{'.format()",
        "' '.join([1, None])",
        "'%d' % 'x'",
        "'\\x'",
        "chr(-1)",
        "'x'[10**20]",
        "str(json.loads('[' * 200_000 + ']' * 200_000))",
    ],
)
def test_what_is_not_made_is_unreadable(expression, tmp_path):
    signal.alarm(5)
    assert isinstance(described(tmp_path, expression, IMPORTS), Opaque)


DEFAULTS = [
    "10 ** 5000",
    "1e999",
    "float('nan')",
    "-float('inf')",
    "'\\ud800'",
    "b'\\xff'",
    "1j",
    "...",
    "{1: 2, None: 3, (1, 2): 4}",
    "{[]: 1}",
    "{(1, []): 1}",
    "{1, 2}",
    "lambda: 1",
    "mcp",
    "one",
    "int",
    "LOOP",
    "DICT",
    "OBJECT",
    "[LOOP, DICT]",
    "frozenset([1])",
    "range(10**9)",
    "NotImplemented",
    "print",
    "OBJECT.a.a",
    "'x' * 900_000",
    "datetime.timedelta(days=10**12)",
    "decimal.Decimal('x')",
    "decimal.Decimal('1e999999999')",
    "pathlib.Path('\\0')",
    "uuid.UUID('x')",
    "Model(5, x=5)",
    "Kind('missing')",
    "Kind.MISSING",
]


@pytest.mark.parametrize("default", DEFAULTS, ids=lambda each: each[:40])
@pytest.mark.parametrize("kind", ["Any", "int", "list"])
def test_odd_default(default, kind, tmp_path):
    before = textwrap.dedent(
        """
        import datetime, decimal, enum, pathlib, uuid
        from typing import Any
        from pydantic import BaseModel, Field
        LOOP = []
        LOOP.append(LOOP)
        DICT = {}
        DICT["a"] = DICT
        class Model(BaseModel):
            x: int
        class Kind(enum.Enum):
            A = 1
        class Object: ...
        OBJECT = Object()
        OBJECT.a = OBJECT
        """
    )
    source = (
        MCP
        + before
        + ONE
        + textwrap.dedent(
            f"""
        @mcp.tool(meta={{"x": {default}}}, annotations={{"x": {default}}}, title={default})
        def two(x: {kind} = {default}, y: {kind} = Field({default}, description={default}, examples=[{default}])): ...

        class Fields(BaseModel):
            x: {kind} = {default}
            y: {kind} = Field(default={default}, json_schema_extra={{"x": {default}}})

        @mcp.tool()
        def three(x: Fields): ...
        """
        )
    )
    low = (
        f"from mcp.server.lowlevel import Server\nfrom mcp.types import Tool\n{before}def one(): ...\n"
        + textwrap.dedent(
            f"""
        mcp = Server("low")
        @mcp.list_tools()
        async def listed():
            schema = {{"type": "object", "properties": {{"x": {{"default": {default}}}}}}}
            return [Tool(name="four", inputSchema=schema)]
        """
        )
    )
    assert sorted(names(tmp_path, {"server.py": source, "low.py": low})) == ["four", "one", "three", "two"]


class TestBrokenFiles:
    GOOD = MCP + "@mcp.tool()\ndef read(path: str):\n    'Read.'\n"

    def broken(self, folder, content):
        found = project(folder, {"server.py": content, "other.py": FASTMCP + "@mcp.tool\ndef other(): ..."})
        listed = [shown(tool.name) for server in found.servers for tool in server.tools]
        assert "other" in listed
        listed.remove("other")
        return listed, [each.span.path for each in found.broken]

    def test_syntax_errors(self, tmp_path):
        assert self.broken(tmp_path, self.GOOD + "def broken(:\n    return ]\n") == (["read"], ["server.py"])

    @pytest.mark.parametrize(
        "garbage", ["class", "@", "def f(", "'''", "lambda", "}", "if x:\nelse", "\\", "\x0c)", "async", "$?!", "x = "]
    )
    def test_garbage_behind_the_tool(self, garbage, tmp_path):
        found, broken = self.broken(tmp_path, self.GOOD + garbage)
        assert found == ["read"]
        assert broken in ([], ["server.py"])

    def test_nul_bytes(self, tmp_path):
        found, broken = self.broken(tmp_path, self.GOOD.encode() + b"\0x = '\0'\n\0")
        assert found == ["read"] or broken == ["server.py"]

    def test_nothing_but_nul_bytes(self, tmp_path):
        assert self.broken(tmp_path, b"\0" * 10_000)[0] == []

    def test_latin_1_bytes_are_named(self, tmp_path):
        assert self.broken(tmp_path, self.GOOD.encode() + b"# caf\xe9\n") == ([], ["server.py"])

    def test_declared_latin_1(self, tmp_path):
        content = b"# -*- coding: latin-1 -*-\n" + self.GOOD.replace("Read.", "Caf\xe9.").encode("latin-1")
        found, broken = self.broken(tmp_path, content)
        assert found == ["read"] or broken == ["server.py"]

    def test_utf_16(self, tmp_path):
        found, broken = self.broken(tmp_path, self.GOOD.encode("utf-16"))
        assert found == ["read"] or broken == ["server.py"]

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: "\ufeff" + text,
            lambda text: text.replace("\n", "\r\n"),
            lambda text: text.replace("\n", "\n\x0c\n"),
            lambda text: text.replace("@mcp", "\x0c@mcp"),
            lambda text: text.replace("    ", "\t"),
            lambda text: text.rstrip("\n"),
            lambda text: text.replace("\n", " \n"),
            lambda text: text + "\x1a",
            lambda text: "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n" + text,
            lambda text: text.replace("(path: str)", "(\\\n path: str\\\n)"),
            lambda text: text.replace("read", "ｒｅａｄ"),
        ],
        ids=[
            "BOM",
            "CRLF",
            "form feeds",
            "form feed before",
            "tabs",
            "no end",
            "trailing",
            "SUB",
            "head",
            "\\",
            "wide",
        ],
    )
    def test_unusual_bytes(self, change, tmp_path):
        [tool] = tools(tmp_path, {"server.py": change(self.GOOD).encode()})
        assert (tool.name, tool.description) == ("read", "Read.")
        assert [each.name for each in tool.parameters] == ["path"]

    def test_carriage_returns_only(self, tmp_path):
        found, broken = self.broken(tmp_path, self.GOOD.replace("\n", "\r").encode())
        assert found == ["read"] or broken == ["server.py"]

    def test_tabs_mixed_with_spaces(self, tmp_path):
        source = MCP + "if True:\n\t@mcp.tool()\n\tdef read():\n\t\t'Read.'\n\t        return 1\n"
        assert self.broken(tmp_path, source)[0] == ["read"]

    def test_docstring_with_carriage_returns(self, tmp_path):
        source = MCP + "@mcp.tool()\r\ndef read():\r\n    '''One.\r\n\r\n    Two.\r\n    '''\r\n"
        [tool] = tools(tmp_path, {"server.py": source.encode()})
        assert tool.description == "One.\n\n    Two.\n    "

    @pytest.mark.parametrize(
        "content", ["", "\n", " ", "\t", "# mcp FastMCP( .tool\n" * 50, "'''mcp @tool'''", "\ufeff", "\x0c", "\\"]
    )
    def test_nothing_in_it(self, content, tmp_path):
        assert self.broken(tmp_path, content)[0] == []

    def test_nothing_at_all(self, tmp_path):
        assert project(tmp_path, {"server.py": ""}).servers == ()

    def test_folder_named_like_a_module(self, tmp_path):
        files = {
            "x.py/y.py": "NAME = 'read'",
            "server.py": self.GOOD + "import x\nfrom x import y\nmcp.tool(y.NAME)(read)\n",
        }
        assert "read" in names(tmp_path, files)
        assert len(names(tmp_path, files)) == 2

    @pytest.mark.parametrize(
        "name", ["a b.py", "-.py", "1.py", ".py", "x.y.py", "é.py", "__init__.py", "a\nb.py", "class.py", "*.py"]
    )
    def test_odd_file_names(self, name, tmp_path):
        expected = [] if name == ".py" else ["read"]
        assert names(tmp_path, {name: self.GOOD}) in (["read"], expected)

    def test_file_name_that_is_no_text(self, tmp_path):
        with open(os.fsencode(tmp_path) + b"/caf\xe9.py", "w") as file:
            file.write(self.GOOD)
        assert names(tmp_path, {"other.py": FASTMCP}) in (["read"], [])

    @pytest.mark.parametrize("folder", ["a b", "é", "1", "a.b", "-"])
    def test_odd_folder_names(self, folder, tmp_path):
        assert names(tmp_path, {f"{folder}/server.py": self.GOOD}) == ["read"]

    def test_surrogates_in_names(self, tmp_path):
        source = MCP + r"@mcp.tool(name='\ud800', description='\udfff')" + "\ndef first(): ..." + ONE
        assert len(names(tmp_path, {"server.py": source})) == 2

    @pytest.mark.parametrize(
        "line",
        ["x" * 2_000_000, "# " + "x" * 2_000_000, "X = '" + "x" * 2_000_000 + "'", "X = [" + "1, " * 50_000 + "]"],
    )
    def test_very_long_line(self, line, tmp_path):
        assert names(tmp_path, {"server.py": MCP + line + ONE}) == ["one"]

    def test_file_over_the_limit_is_named(self, tmp_path):
        content = self.GOOD + "# " + "x" * (9 * 2**20)
        assert self.broken(tmp_path, content) == ([], ["server.py"])


class TestFilesThatCodeReads:
    READS = (
        "(HERE / {0}).read_text()",
        "open(HERE / {0}).read()",
        "open(os.path.join(os.path.dirname(__file__), {0})).read()",
        "HERE.joinpath({0}).read_text(encoding='utf-8')",
        "(HERE / {0}).open().read()",
    )
    SECRET = "secret of the machine"

    def read(self, folder, expression):
        before = "import json, os, pathlib\nfrom pathlib import Path\nHERE = Path(__file__).parent\n"
        found = described(folder, expression, before)
        assert not isinstance(found, Text) or self.SECRET not in found
        return found

    @pytest.mark.parametrize("reads", READS)
    def test_file_in_the_tree(self, reads, tmp_path):
        (tmp_path / "text.txt").write_text("Right.")
        assert self.read(tmp_path, reads.format("'text.txt'")) == "Right."

    @pytest.mark.parametrize("reads", READS)
    @pytest.mark.parametrize(
        "place",
        ["../../../../../../../etc/passwd", "../secret.txt", "/etc/passwd", "{outside}", "inner/../../secret.txt"],
    )
    def test_file_outside_the_tree_is_unreadable(self, reads, place, tmp_path):
        root = tmp_path / "root"
        (root / "inner").mkdir(parents=True)
        (tmp_path / "secret.txt").write_text(self.SECRET)
        place = place.format(outside=tmp_path / "secret.txt")
        assert isinstance(self.read(root, reads.format(repr(place))), Opaque)

    @pytest.mark.parametrize(
        "expression",
        [
            "open('/etc/passwd').read()",
            "Path('/etc/passwd').read_text()",
            "Path.home().joinpath('.bashrc').read_text()",
            "Path('~/.bashrc').expanduser().read_text()",
            "Path.cwd().joinpath('server.py').read_text()",
            "Path('server.py').read_text()",
            "open('server.py').read()",
            "(HERE.parent.parent.parent.parent / 'etc/passwd').read_text()",
            "(HERE / 'etc' / '..' / '..' / 'secret.txt').read_text()",
            "os.popen('echo x').read()",
            "os.environ['HOME']",
            "os.path.expandvars('$HOME')",
            "os.path.expanduser('~')",
            "os.listdir(HERE)[0]",
            "next(HERE.iterdir()).read_text()",
            "next(HERE.glob('*.txt')).read_text()",
        ],
    )
    def test_what_lies_on_the_machine_is_unreadable(self, expression, tmp_path):
        root = tmp_path / "root"
        root.mkdir()
        (tmp_path / "secret.txt").write_text(self.SECRET)
        assert isinstance(self.read(root, expression), Opaque)

    @pytest.mark.parametrize("reads", READS)
    def test_links_out_of_the_tree_are_not_followed(self, reads, tmp_path):
        root = tmp_path / "root"
        root.mkdir()
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "secret.txt").write_text(self.SECRET)
        (root / "link.txt").symlink_to(tmp_path / "folder" / "secret.txt")
        (root / "inner").symlink_to(tmp_path / "folder")
        (root / "code.py").symlink_to(tmp_path / "folder" / "secret.txt")
        (root / "loop.txt").symlink_to(root / "loop.txt")
        for place in ("link.txt", "inner/secret.txt", "code.py", "loop.txt"):
            assert isinstance(self.read(root, reads.format(repr(place))), Opaque)

    def test_link_to_a_device_is_not_followed(self, tmp_path):
        (tmp_path / "link.txt").symlink_to("/dev/zero")
        assert isinstance(self.read(tmp_path, "(HERE / 'link.txt').read_text()"), Opaque)

    def test_pipe_is_not_waited_for(self, tmp_path):
        os.mkfifo(tmp_path / "pipe.txt")
        signal.alarm(5)
        assert isinstance(self.read(tmp_path, "(HERE / 'pipe.txt').read_text()"), Opaque)

    def test_file_of_two_megabytes_is_unreadable(self, tmp_path):
        (tmp_path / "big.txt").write_text("x" * 2**21)
        assert isinstance(self.read(tmp_path, "(HERE / 'big.txt').read_text()"), Opaque)

    @pytest.mark.parametrize(
        "place", [r"'a\0b'", r"'\ud800'", "'x' * 100_000", "''", "'.'", "'..'", "'missing.txt'", r"'a\nb'"]
    )
    @pytest.mark.parametrize("reads", READS)
    def test_place_that_is_none(self, reads, place, tmp_path):
        assert isinstance(self.read(tmp_path, reads.format(place)), Opaque)

    @pytest.mark.parametrize("place", [r"'a\0b'", r"'\ud800'", "'x' * 100_000"])
    def test_question_about_a_place_that_is_none(self, place, tmp_path):
        source = f"{MCP}from pathlib import Path\nif (Path(__file__).parent / {place}).exists():\n    X = 1\n{ONE}"
        assert names(tmp_path, {"server.py": source}) == ["one"]

    @pytest.mark.parametrize(
        "content", [b"\xff\xfe", b"\0" * 10, b"[" * 200_000, b"[" * 900 + b"]" * 900, b"", b"9" * 6000, b'"\\ud800"']
    )
    @pytest.mark.parametrize("form", ["json.loads((HERE / 'x.json').read_text())", "json.load(open(HERE / 'x.json'))"])
    def test_json_that_is_none(self, content, form, tmp_path):
        (tmp_path / "x.json").write_bytes(content)
        self.read(tmp_path, f"str({form})")


class TestEnvironment:
    SOURCE = """
    import os, sys, getpass, platform, socket, time, random, uuid, datetime
    from pathlib import Path
    from typing import Literal
    from pydantic import Field
    from pydantic_settings import BaseSettings
    from fastmcp import FastMCP

    class Settings(BaseSettings):
        name: str = "default"
        write: bool = False

    settings = Settings()
    mcp = FastMCP(os.getenv("NAME", "demo"))

    @mcp.tool(description=os.getenv("NAME", "default"))
    def one(x: int = int(os.getenv("LIMIT", "5"))): ...

    @mcp.tool(description=os.environ["NAME"])
    def two(x: str = os.environ.get("NAME", "a")): ...

    @mcp.tool(description=settings.name)
    def three(x: str = Field(settings.name)): ...

    @mcp.tool(description=os.path.expandvars("$NAME") + os.path.expanduser("~") + str(Path.home()) + os.getcwd())
    def four(x: str = sys.argv[0]): ...

    @mcp.tool(description=f"{sys.version} {platform.node()} {getpass.getuser()} {socket.gethostname()} {os.getpid()}")
    def five(): ...

    @mcp.tool(description=f"{time.time()} {random.random()} {uuid.uuid4()} {datetime.datetime.now()}")
    def six(): ...

    if os.getenv("WRITE") or settings.write or "WRITE" in os.environ:
        @mcp.tool
        def seven(): ...

    if os.path.exists("marker") or Path("marker").exists():
        @mcp.tool
        def eight(): ...
    """

    def test_what_is_set_does_not_change_the_reading(self, tmp_path, monkeypatch):
        root = tmp_path / "root"
        write(root, {"server.py": self.SOURCE})
        for name in ("NAME", "WRITE", "LIMIT"):
            monkeypatch.delenv(name, raising=False)
        before = catalog.render_json(read(find(root)))
        values = {
            "NAME": "chosen",
            "WRITE": "1",
            "LIMIT": "77",
            "HOME": "/chosen",
            "USER": "chosen",
            "FASTMCP_NAME": "chosen",
        }
        for name, value in {**values, "MCP_NAME": "chosen", "SETTINGS_NAME": "chosen", "PYTHONPATH": "chosen"}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["chosen"])
        (tmp_path / "marker").write_text("")
        monkeypatch.chdir(tmp_path)
        after = catalog.render_json(read(find(root)))
        assert after == before
        assert "chosen" not in str(after)
        assert "eight" in str(after)

    def test_two_readings_are_the_same(self, tmp_path):
        write(tmp_path, {"server.py": self.SOURCE})
        assert catalog.render_json(read(find(tmp_path))) == catalog.render_json(read(find(tmp_path)))

    def test_two_processes_read_the_same(self, tmp_path):
        write(
            tmp_path,
            {"server.py": self.SOURCE + "\n    @mcp.tool(description=str({'a', 'b', 'c'}))\n    def nine(): ...\n"},
        )
        code = (
            "import sys, pathlib; from reviewer.files import find; from reviewer.languages import read;"
            "from reviewer.render import catalog; print(catalog.render_json(read(find(pathlib.Path(sys.argv[1])))))"
        )
        shown = [
            subprocess.run(
                [sys.executable, "-c", code, str(tmp_path)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        ]
        assert shown[0] == shown[1]


RUNS = "__import__('os').system('touch marker')"
"""What leaves a file behind where it runs; it would run in the folder that the test changes to."""
RUNNING = {
    "module body": f"open('marker', 'w').write('x')\n{RUNS}\nimport os\nos.system('touch marker')\n"
    f'exec(\'{RUNS[:0]}open("marker", "w")\')',
    "eval": "eval(\"open('marker', 'w')\")\ncompile(\"open('marker', 'w')\", 'x', 'exec')\n"
    "exec(\"open('marker', 'w')\")",
    "subprocess": "import subprocess\nsubprocess.run(['touch', 'marker'])\n"
    "subprocess.check_output('touch marker', shell=True)",
    "pathlib": "from pathlib import Path\nPath('marker').touch()\nPath('marker').write_text('x')\n"
    "(Path(__file__).parent / 'marker').write_text('x')\n(Path(__file__).parent / 'marker').open('w')\n"
    "(Path(__file__).parent / 'marker').mkdir()\n(Path(__file__).parent / 'server.py').unlink()",
    "annotation as text": f'@mcp.tool()\ndef two(x: "{RUNS}"): ...',
    "annotation inside a type": f"from typing import Optional\n@mcp.tool()\n"
    f'def two(x: list["{RUNS}"], y: Optional["{RUNS}"]): ...',
    "annotation that calls": f"@mcp.tool()\ndef two(x: {RUNS}, y: list[{RUNS}]) -> {RUNS}: ...",
    "future annotation": f"@mcp.tool()\ndef two(x: 'list[{RUNS.replace(chr(39), chr(34))}]'): ...",
    "field of a model": f'from pydantic import BaseModel\nclass M(BaseModel):\n    x: "{RUNS}"\n'
    f'    y: list["{RUNS}"] = []\n'
    "@mcp.tool()\ndef two(x: M): ...",
    "created model": f"from pydantic import create_model\n"
    f'M = create_model("M", x=("{RUNS}", ...), y=(list["{RUNS}"], ...))\n'
    "@mcp.tool()\ndef two(x: M): ...",
    "name of a created model": f'from pydantic import create_model\nM = create_model("{RUNS}", x=(int, ...))\n'
    "@mcp.tool()\ndef two(x: M, y: list[M]): ...",
    "typed dict": f'from typing import TypedDict\nM = TypedDict("M", {{"x": "{RUNS}", "y": list["{RUNS}"]}})\n'
    "@mcp.tool()\ndef two(x: M): ...",
    "named tuple": f'from typing import NamedTuple\nM = NamedTuple("M", [("x", "{RUNS}")])\nclass N(NamedTuple):\n'
    f'    x: "{RUNS}"\n@mcp.tool()\ndef two(x: M, y: N): ...',
    "dataclass": f'from dataclasses import dataclass, field, make_dataclass\n@dataclass\nclass M:\n    x: "{RUNS}"\n'
    f'    y: int = field(default_factory=lambda: {RUNS})\nN = make_dataclass("N", [("x", "{RUNS}")])\n'
    "@mcp.tool()\ndef two(x: M, y: N): ...",
    "type variable": f'from typing import TypeVar, NewType\nT = TypeVar("T", bound="{RUNS}")\n'
    f'U = TypeVar("{RUNS}", "{RUNS}", int)\n'
    f'N = NewType("N", "{RUNS}")\n@mcp.tool()\ndef two(x: T, y: U, z: N): ...',
    "type alias": f'type A = "{RUNS}"\ntype B[T] = list["{RUNS}"]\n@mcp.tool()\ndef two(x: A, y: B[int]): ...',
    "literal and metadata": "from typing import Annotated, Literal\n"
    "from pydantic import Field, BeforeValidator, WithJsonSchema\n"
    f'@mcp.tool()\ndef two(x: Literal["{RUNS}"], y: Annotated["{RUNS}", Field(description="{RUNS}")],'
    f' z: Annotated[int, BeforeValidator(lambda x: {RUNS})], w: Annotated[int, WithJsonSchema({{"x": {RUNS}}})]): ...',
    "validators": f"from pydantic import BaseModel, field_validator, model_validator, computed_field, "
    f"field_serializer\n"
    f"class M(BaseModel):\n    x: int = 1\n    @field_validator('x', mode='before')\n"
    f"    def a(cls, v):\n        {RUNS}\n"
    f"    @model_validator(mode='before')\n    def b(cls, v):\n        {RUNS}\n"
    f"    @field_serializer('x')\n    def c(self, v):\n        {RUNS}\n"
    f"    @computed_field\n    @property\n    def d(self) -> int:\n        {RUNS}\n"
    "@mcp.tool()\ndef two(x: M = M(x=2)) -> M: ...",
    "default factory": "from pydantic import BaseModel, Field\ndef make():\n    open('marker', 'w')\n"
    "    return 1\nclass M(BaseModel):\n"
    f"    x: int = Field(default_factory=make)\n    y: int = Field(default_factory=lambda: {RUNS})\n"
    "@mcp.tool()\ndef two(x: M = M(), y: int = Field(default_factory=make)): ...",
    "schema extra": "from pydantic import BaseModel, ConfigDict, Field\ndef extra(schema):\n    open('marker', 'w')\n"
    "class M(BaseModel):\n    model_config = ConfigDict(json_schema_extra=extra, title='x')\n"
    "    x: int = Field(1, json_schema_extra=extra)\n"
    "    def __get_pydantic_json_schema__(self, *a): open('marker', 'w')\n"
    "    def __get_pydantic_core_schema__(self, *a): open('marker', 'w')\n"
    "    def __init_subclass__(cls): open('marker', 'w')\n"
    "    def model_post_init(self, c): open('marker', 'w')\n@mcp.tool()\ndef two(x: M): ...",
    "metaclass": f"class Meta(type):\n    def __new__(m, *a):\n        {RUNS}\n"
    f"    def __getattr__(c, n):\n        {RUNS}\n"
    f"class M(metaclass=Meta):\n    x = {RUNS}\n    def __class_getitem__(cls, i):\n        {RUNS}\n"
    "@mcp.tool()\ndef two(x: M, y: M[int]): ...",
    "enumeration": f"import enum\nclass E(enum.Enum):\n    A = {RUNS}\n    @classmethod\n"
    f"    def _missing_(cls, v):\n        {RUNS}\n"
    "    def __str__(self): open('marker', 'w')\n@mcp.tool(description=f'{E.A}')\ndef two(x: E = E('b')): ...",
    "decorator and default": f"def d(f):\n    open('marker', 'w')\n    return f\n@mcp.tool()\n@d\n"
    f"def two(x=open('marker', 'w'), y={RUNS}):\n"
    f"    {RUNS}",
    "description": f"class T:\n    def __format__(self, s): open('marker', 'w')\n"
    f"    def __str__(self): {RUNS}\n    __repr__ = __str__\n"
    f"@mcp.tool(description=f'{{T():x}} {{T()}} {{T()!r}} {{{RUNS}}}'.format(T()))\ndef two(): ...",
    "format reaches into objects": "@mcp.tool(description='{0.__globals__[os]}'.format(print))\ndef two(): ...",
    "import by name": "import importlib\nimportlib.import_module('hostile')\n__import__('hostile')\n"
    "from hostile import *\nimport hostile.x",
    "import hook": "import sys\nsys.path.insert(0, '.')\nimport antigravity, hostile\nsys.meta_path.append(1)",
    "unpickling": "import pickle, yaml, marshal\npickle.loads(b\"cos\\nsystem\\n(S'touch marker'\\ntR.\")\n"
    "yaml.load(\"!!python/object/apply:os.system ['touch marker']\", Loader=yaml.Loader)",
    "context manager": f"class C:\n    def __enter__(self): {RUNS}\n"
    f"    def __exit__(self, *a): {RUNS}\nwith C() as c: pass\n"
    "with open('marker', 'w') as f: f.write('x')",
    "lifespan and handlers": f"import atexit, signal, threading\natexit.register(lambda: {RUNS})\n"
    f"threading.Thread(target=lambda: {RUNS}).start()\n@mcp.on_event('startup')\ndef s(): {RUNS}\nmcp.run()",
    "main": f"if __name__ == '__main__':\n    {RUNS}\n    mcp.run()",
}


@pytest.mark.parametrize("source", RUNNING.values(), ids=RUNNING.keys())
def test_nothing_of_it_runs(source, tmp_path, monkeypatch, capfd):
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.chdir(root)
    monkeypatch.syspath_prepend(str(root))
    loaded = set(sys.modules)
    hostile = "open('marker', 'w')\nX = 1\nimport mcp\n"
    files = {
        "server.py": MCP + ONE + source + "\n",
        "hostile.py": hostile,
        "sitecustomize.py": hostile,
        "pydantic_x.py": hostile,
    }
    assert "one" in names(root, files)
    time.sleep(0.01)
    assert sorted(each.name for each in root.iterdir()) == sorted(files)
    assert not {"hostile", "server", "antigravity", "sitecustomize_x", "pydantic_x"} & (set(sys.modules) - loaded)
    assert capfd.readouterr() == ("", "")
