"""Modules that entry points import, and what is registered in those that none does."""

import pytest
from python_projects import MCP, conditions, tool

from reviewer.files.discovery import discover_files
from reviewer.languages import read

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
        assert conditions(tmp_path, files) == {"one": []}

    @pytest.mark.parametrize(
        "line",
        [
            "import importlib\nimportlib.import_module(setting)",
            "__import__(setting)",
            "exec(open(setting).read())",
            "import runpy\nrunpy.run_module(setting)",
            "from importlib.metadata import entry_points\nfor each in entry_points(group='demo'):\n    each.load()",
            "loaded = ['two']",
            "loaded = 'demo/two.py'",
            "from far.two import x",
        ],
    )
    def test_what_may_be_loaded_by_its_name_stays(self, line, tmp_path):
        files = package(f"import demo.one\n{line}", one=TOOL.format("one"), two=TOOL.format("two"))
        assert "two" in conditions(tmp_path, files)

    @pytest.mark.parametrize(
        "other",
        [
            {"demo/dev.py": "import demo.two\nif __name__ == '__main__':\n    demo.two.mcp.run()\n"},
            {"serve.py": "import demo.two\napp = demo.two.mcp.http_app()\n"},
            {"demo/cloud.py": "import demo.two\nfrom demo.app import mcp as server\nmcp = server\n"},
            {"demo/pyproject.toml": "[project]\nname = 'inner'\n"},
            {"setup.cfg": "[console_scripts]\nother = gone.cli:main\n"},
        ],
        ids=["guard", "application", "instance", "project without scripts", "script of a module that is not here"],
    )
    def test_what_another_start_may_import_stays_under_a_condition(self, other, tmp_path):
        files = package("import demo.one", one=TOOL.format("one"), two=TOOL.format("two")) | other
        assert conditions(tmp_path, files) == {"one": [], "two": unreached("demo/two.py")}

    def test_scripts_of_a_project_within_are_none_of_the_one_around_it(self, tmp_path):
        files = package("import demo.one", one=TOOL.format("one"), two=TOOL.format("two"))
        files["demo/inner/pyproject.toml"] = files.pop("pyproject.toml")
        files["pyproject.toml"] = "[project]\nname = 'demo'\n"
        assert conditions(tmp_path, files) == {"one": [], "two": unreached("demo/two.py")}

    def test_tools_of_what_nothing_imports_are_of_no_server(self, tmp_path):
        files = package("import demo.one", one=TOOL.format("one"), two=TOOL.format("two"))
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        project = read(discover_files(tmp_path))
        assert [str(each.name) for server in project.servers for each in server.tools] == ["one"]
        (stray,) = project.registration_pitfalls
        assert (stray.trap, str(stray.name), str(stray.cause), stray.span.line) == (
            "never imported",
            "two",
            "demo/two.py",
            3,
        )

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
        assert conditions(tmp_path, files) == {"one": []}

    @pytest.mark.parametrize(
        "manifest", ["", "[project]\nname = 'demo'\n", "[project.scripts]\ndemo = 'far.cli:main'\n"]
    )
    def test_without_an_entry_point_in_the_tree_nothing_is_said(self, manifest, tmp_path):
        files = {**package("", one=TOOL.format("one")), "pyproject.toml": manifest}
        assert conditions(tmp_path, files) == {"one": []}

    @pytest.mark.parametrize(
        "plugin",
        [
            '[project.entry-points."demo.extensions"]\ntwo = "demo.two:register"\n',
            "[tool.poetry.plugins.demo]\ntwo = 'demo.two'\n",
        ],
    )
    def test_plugins_are_loaded_by_their_group(self, plugin, tmp_path):
        files = package("", one=TOOL.format("one"), two=TOOL.format("two"))
        files["extensions/pyproject.toml"] = plugin
        assert conditions(tmp_path, files) == {"two": []}

    def test_plugins_alone_start_nothing(self, tmp_path):
        files = {**package("", two=TOOL.format("two"))}
        files["pyproject.toml"] = '[project.entry-points.demo]\none = "demo.app:mcp"\n'
        assert conditions(tmp_path, files) == {"two": []}

    def test_main_module_of_a_package_may_be_run_as_well(self, tmp_path):
        files = package("", one=TOOL.format("one"), two=TOOL.format("two"))
        files["demo/__main__.py"] = "import demo.one"
        assert conditions(tmp_path, files) == {"one": []}

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

    def test_package_without_a_file_of_its_own(self, tmp_path):
        files = package("import demo.one\nfrom .parts import two", one=TOOL.format("one"), parts__two="x = 1")
        assert conditions(tmp_path, {**files, "demo/lost.py": TOOL.format("lost")}) == {"one": []}

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
        cli = "from typing import TYPE_CHECKING\nimport demo.two\nif TYPE_CHECKING:\n    from demo import one"
        files = package(cli, one=TOOL.format("one"), two=TOOL.format("two"))
        assert conditions(tmp_path, files) == {"two": []}
