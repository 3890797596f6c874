"""Modules that import each other in circles, by stars or out of copies, and trees laid out unusually."""

import pytest
from python_bad_input import ONE, by_server, names, tools
from python_projects import FASTMCP, LOW, MCP

from reviewer.source import Opaque

pytestmark = pytest.mark.usefixtures("bounded")


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


OWN = {
    "__init__.py": "",
    "app.py": MCP
    + "from keys import other\nfrom shop.names import READ\nimport shop.names\n@mcp.tool(READ)\ndef one(): ...",
    "names.py": "READ = 'read'",
}


class TestRootThatIsAPackage:
    def test_modules_are_imported_by_the_name_of_its_folder(self, tmp_path):
        (tmp_path / "shop").mkdir()
        assert names(tmp_path / "shop", OWN) == ["read"]

    def test_name_begins_with_the_packages_around_it(self, tmp_path):
        (tmp_path / "shop" / "inner").mkdir(parents=True)
        (tmp_path / "shop" / "__init__.py").touch()
        inner = {**OWN, "app.py": OWN["app.py"].replace("shop.names", "shop.inner.names")}
        assert names(tmp_path / "shop" / "inner", inner) == ["read"]
        assert names(tmp_path / "shop" / "inner", OWN) == [None]

    def test_folder_of_a_project_is_no_package(self, tmp_path):
        (tmp_path / "shop").mkdir()
        assert names(tmp_path / "shop", {**OWN, "pyproject.toml": ""}) == [None]


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
