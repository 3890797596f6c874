"""Which release of a framework and of Python a project runs with."""

import pytest
from packaging.requirements import Requirement
from python_projects import FASTMCP, MCP, OLDER, review, tool, tools

from reviewer.files.discovery import discover_files
from reviewer.languages.python.declarations.releases import Releases, parse_bounds
from reviewer.schema.python.dialects import choose_dialect


def version(folder, files, name="fastmcp", path="server.py", given=None):
    """Return the version of a distribution that files tell, for a module."""
    for place, text in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, "utf-8")
    tree = discover_files(folder)
    return Releases(tree.list_installed, tree.manifests, given or {}).find_version(name, path)


UV_LOCK = """version = 1

[[package]]
name = "fastmcp-slim"
version = "9.9.9"

[[package]]
name = "fastmcp"
version = "2.14.1"
source = { registry = "https://index.example/simple" }
dependencies = [{ name = "mcp" }]

[[package]]
name = "mcp"
version = "1.24.0"
"""
POETRY_LOCK = '[[package]]\nname = "fastmcp"\nversion = "2.12.5"\ndescription = "x"\noptional = false\n'
PDM_LOCK = '[metadata]\ngroups = ["default"]\n\n[[package]]\nname = "fastmcp"\nversion = "2.11.3"\n'
PIPFILE_LOCK = '{"default": {"fastmcp": {"hashes": [], "version": "==2.9.2"}, "mcp": {"version": "==1.9.4"}}}'


def pyproject(*requirements):
    return f"[project]\nname = 'demo'\ndependencies = {list(requirements)!r}\n"


def poetry(bound):
    return f"[tool.poetry.dependencies]\npython = '^3.11'\nfastmcp = {bound}\n"


LOCKED = {
    "uv": ({"uv.lock": UV_LOCK}, (2, 14, 1)),
    "poetry": ({"poetry.lock": POETRY_LOCK}, (2, 12, 5)),
    "pdm": ({"pdm.lock": PDM_LOCK}, (2, 11, 3)),
    "pipenv": ({"Pipfile.lock": PIPFILE_LOCK}, (2, 9, 2)),
    "pin": ({"requirements.txt": "mcp==1.9.4\nfastmcp==2.10.6  # the newest\n"}, (2, 10, 6)),
    "pin with extras": ({"requirements.txt": "fastmcp[cli]==2.10.6\n"}, (2, 10, 6)),
    "pin with spaces": ({"requirements.txt": "FastMCP == 2.10.6 ; python_version > '3.9'\n"}, (2, 10, 6)),
    "pin of its slim distribution": ({"requirements.txt": "fastmcp-slim==4.0.11\n"}, (4, 0, 11)),
    "pin of another": ({"requirements.txt": "fastmcp-extras==2.10.6\n"}, None),
    "pin by compilation": (
        {"requirements.txt": "fastmcp==2.10.6 \\\n    --hash=sha256:0\n    # via demo\n"},
        (2, 10, 6),
    ),
    "environment": ({".venv/lib/python3.11/site-packages/fastmcp-2.13.3.dist-info/METADATA": ""}, (2, 13, 3)),
    "environment of that name": ({"venv/lib/python3.12/site-packages/fastmcp-3.0.2.dist-info/METADATA": ""}, (3, 0, 2)),
    "lock before bound": ({"uv.lock": UV_LOCK, "pyproject.toml": pyproject("fastmcp>=3")}, (2, 14, 1)),
    "lock before pin": ({"uv.lock": UV_LOCK, "requirements.txt": "fastmcp==3.0.2"}, (2, 14, 1)),
    "environment before bound": (
        {
            ".venv/lib/python3.11/site-packages/fastmcp-2.13.3.dist-info/METADATA": "",
            "pyproject.toml": pyproject("fastmcp>=2"),
        },
        (2, 13, 3),
    ),
    "nothing": ({}, None),
}


@pytest.mark.parametrize(("files", "found"), LOCKED.values(), ids=LOCKED)
def test_version_that_is_locked_or_installed(files, found, tmp_path):
    assert version(tmp_path, files) == found


BOUNDS = {
    "no bound": (pyproject("fastmcp"), (4, 1, 6)),
    "below a major version": (pyproject("fastmcp>=2.3,<3"), (2, 14, 7)),
    "compatible": (pyproject("fastmcp~=2.9.0"), (2, 9, 2)),
    "compatible in its major version": (pyproject("fastmcp ~= 2.9"), (2, 14, 7)),
    "pinned": (pyproject("fastmcp==2.14.1"), (2, 14, 1)),
    "pinned by wildcard": (pyproject("fastmcp==2.9.*"), (2, 9, 2)),
    "at most": (pyproject("fastmcp<=2.11.3"), (2, 11, 3)),
    "without one": (pyproject("fastmcp>=4,!=4.1.6"), (4, 0, 11)),
    "newer than any that is known": (pyproject("fastmcp>=9.2"), (9, 2)),
    "with extras and marker": (pyproject("mcp", "FastMCP[cli]>=2,<2.9; python_version>'3.9'"), (2, 8, 1)),
    "slim distribution": (pyproject("fastmcp-slim>=4,<4.1"), (4, 0, 11)),
    "another distribution": (pyproject("fastmcp-extras<2"), None),
    "optional dependency": (
        "[project]\nname = 'd'\n[project.optional-dependencies]\nmcp = ['fastmcp<3']\n",
        (2, 14, 7),
    ),
    "poetry caret": (poetry("'^2.3'"), (2, 14, 7)),
    "poetry caret of a patch": (poetry("'^3.1.1'"), (3, 4, 11)),
    "poetry tilde": (poetry("'~2.9'"), (2, 9, 2)),
    "poetry exact": (poetry("'2.10.6'"), (2, 10, 6)),
    "poetry anything": (poetry("'*'"), (4, 1, 6)),
    "poetry table": (poetry("{ version = '^2', extras = ['cli'] }"), (2, 14, 7)),
    "poetry range": (poetry("'>=2.3,<2.10'"), (2, 9, 2)),
}


@pytest.mark.parametrize(("text", "found"), BOUNDS.values(), ids=BOUNDS)
def test_newest_release_within_the_bounds_of_pyproject(text, found, tmp_path):
    assert version(tmp_path, {"pyproject.toml": text}) == found


@pytest.mark.parametrize(
    "text",
    [
        f"{name}{operator}{version}{rest}"
        for name in ("mcp", "mcp[cli]", "MCP [cli, ws] ", "mcp_", "mcp[cli,]", "mcp-slim")
        for operator in ("", ">=", " ~= ", "===", "=>")
        for version in ("1.2", "1.*", "1!2.0", "1..2", "2.0rc1", "")
        for rest in ("", ",<2", " , !=1.5", ",", " <3", "; python_version > '3'", "\n")
    ],
)
def test_a_requirement_of_a_plain_form_is_read_as_one_of_any_form(text):
    try:
        read = Requirement(text)
    except ValueError:
        read = None
    found = parse_bounds(text, "mcp")
    is_named = read is not None and read.name.lower().removesuffix("-slim") == "mcp"
    assert found == (read.specifier if read is not None and is_named else None)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("METADATA", "Metadata-Version: 2.4\nName: demo\nRequires-Dist: mcp\nRequires-Dist: fastmcp<3,>=2\n"),
        ("PKG-INFO", "Metadata-Version: 2.4\nName: demo\nRequires-Dist: fastmcp<3,>=2\n\nText\n"),
        ("demo-1.0.dist-info/METADATA", "Name: demo\nRequires-Dist: fastmcp (<3,>=2)\n"),
        ("demo.egg-info/PKG-INFO", "Name: demo\nRequires-Dist: fastmcp<3 ; extra == 'mcp'\n"),
        ("requirements.txt", "# our server\n-r base.txt\nfastmcp>=2,<3  # not three\n"),
    ],
)
def test_bounds_elsewhere(place, text, tmp_path):
    assert version(tmp_path, {place: text}, path="demo/server.py") == (2, 14, 7)


class TestNearest:
    def test_manifest_in_the_folder_before_that_at_the_root(self, tmp_path):
        files = {"pyproject.toml": pyproject("fastmcp<3"), "apps/one/pyproject.toml": pyproject("fastmcp<2.9")}
        assert version(tmp_path, files, path="apps/one/src/server.py") == (2, 8, 1)
        assert version(tmp_path, files, path="apps/two/src/server.py") == (2, 14, 7)

    def test_manifest_that_does_not_require_it_is_passed_over(self, tmp_path):
        files = {"pyproject.toml": pyproject("fastmcp<3"), "apps/one/pyproject.toml": pyproject("httpx")}
        assert version(tmp_path, files, path="apps/one/server.py") == (2, 14, 7)

    def test_lock_of_a_workspace_stands_at_its_root(self, tmp_path):
        files = {"uv.lock": UV_LOCK, "apps/one/pyproject.toml": pyproject("fastmcp>=2")}
        assert version(tmp_path, files, path="apps/one/server.py") == (2, 14, 1)

    def test_manifest_beside_is_no_manifest_of_ours(self, tmp_path):
        assert version(tmp_path, {"apps/one/pyproject.toml": pyproject("fastmcp<3")}, path="apps/two/server.py") is None

    def test_servers_of_one_tree_have_releases_of_their_own(self, tmp_path):
        source = FASTMCP + "@mcp.tool(tags={'x'})\ndef read(): ..."
        files = {
            "one/server.py": source,
            "one/pyproject.toml": pyproject("fastmcp<3"),
            "two/server.py": source.replace("demo", "other"),
            "two/pyproject.toml": pyproject("fastmcp>=4"),
        }
        assert [found.meta for found in tools(tmp_path, files)] == [
            {"_fastmcp": {"tags": ["x"]}},
            {"fastmcp": {"tags": ["x"]}},
        ]


BROKEN = {
    "pyproject.toml": "[project\ndependencies = ['fastmcp<3'",
    "uv.lock": '[[package]]\nname = "fastmcp"\nversion = "one"\n',
    "Pipfile.lock": '{"default": {"fastmcp": {"version": 2}}',
    "requirements.txt": "fastmcp==\n====\n\x00\n",
    "METADATA": "Requires-Dist: fastmcp<<3\n",
}
ODD = {
    "pyproject.toml": (
        "dependencies = 1\n[project]\nname = 1\ndependencies = [1]\n[project.optional-dependencies]\na = [2]\n"
    ),
    "poetry": "[tool.poetry]\ndependencies = ['fastmcp']\n",
    "tool": "tool = 'fastmcp'\n",
    "groups": "[project]\ndependencies = 5\noptional-dependencies = 5\n",
    "group": "[project.optional-dependencies]\na = 5\n",
    "Pipfile.lock": "[]",
}


@pytest.mark.parametrize("place", BROKEN)
def test_broken_manifest_tells_nothing(place, tmp_path):
    assert version(tmp_path, {place: BROKEN[place]}) is None


@pytest.mark.parametrize("place", ODD)
def test_manifest_of_another_shape_tells_nothing(place, tmp_path):
    assert version(tmp_path, {place if "." in place else "pyproject.toml": ODD[place]}) is None


def test_broken_manifest_hides_no_other(tmp_path):
    files = {**BROKEN, "demo-1.0.dist-info/METADATA": "Requires-Dist: fastmcp<3\n"}
    assert version(tmp_path, files) == (2, 14, 7)


def test_manifest_that_is_no_text(tmp_path):
    (tmp_path / "uv.lock").write_bytes(b'\xff\xfe[[package]]\nname = "fastmcp"\nversion = "2.9.2"\n')
    assert version(tmp_path, {}) == (2, 9, 2)


@pytest.mark.parametrize(("given", "found"), [("2.9", (2, 9)), ("v3.1.1", (3, 1, 1)), ("2.14.0rc1", (2, 14, 0))])
def test_caller_says_it(given, found, tmp_path):
    assert version(tmp_path, {"uv.lock": UV_LOCK}, given={"fastmcp": given}) == found
    assert version(tmp_path, {"uv.lock": UV_LOCK}, name="mcp", given={"fastmcp": given}) == (1, 24, 0)


@pytest.mark.parametrize("framework", ["mcp", "fastmcp"])
def test_unknown_version_is_the_newest(framework):
    assert choose_dialect(framework) == choose_dialect(framework, (99,))


class TestGeneration:
    """The import that a server uses shows the major version of the SDK."""

    SEARCH = "@mcp.tool()\ndef read() -> str: ...\n@mcp.tool()\ndef seen(*, ctx: Context): ..."
    HINTS = "@mcp.tool(annotations=ToolAnnotations(read_only_hint=True, audience='all'))\ndef read(): ..."

    @pytest.mark.parametrize(
        ("head", "annotations"),
        [
            ("from mcp.server import MCPServer as FastMCP\n", {"readOnlyHint": True}),
            ("from mcp.server.fastmcp import FastMCP\n", {"readOnlyHint": True, "audience": "all"}),
        ],
    )
    def test_of_the_import_where_nothing_else_tells(self, head, annotations, tmp_path):
        source = f"{head}from mcp.types import ToolAnnotations\nmcp = FastMCP('demo')\n{self.HINTS}"
        assert tool(tmp_path, source).annotations == annotations

    def test_of_the_import_against_a_bound_that_contradicts_it(self, tmp_path):
        source = (
            f"from mcp.server.fastmcp import FastMCP\nfrom mcp.types import ToolAnnotations\n"
            f"mcp = FastMCP('demo')\n{self.HINTS}"
        )
        found = tool(tmp_path, {"server.py": source, "pyproject.toml": pyproject("mcp>=1.2")})
        assert found.annotations == {"readOnlyHint": True, "audience": "all"}


DOCUMENTED = '@mcp.tool()\ndef read(path: str):\n    """Read a file.\n\n    It must be there.\n    """\n'
INDENTED = "Read a file.\n\n    It must be there.\n    "
DEDENTED = "Read a file.\n\nIt must be there.\n"


class TestPython:
    """Python 3.13 takes the indentation out of docstrings itself; the SDK shows them as they are."""

    @pytest.mark.parametrize(
        ("files", "description"),
        [
            ({}, INDENTED),
            ({"pyproject.toml": "[project]\nname = 'd'\nrequires-python = '>=3.11'\n"}, INDENTED),
            ({"pyproject.toml": "[project]\nname = 'd'\nrequires-python = '>=3.13'\n"}, DEDENTED),
            ({"pyproject.toml": "[project]\nname = 'd'\nrequires-python = '<4,>=3.14'\n"}, DEDENTED),
            ({"PKG-INFO": "Name: d\nRequires-Python: >=3.13\n"}, DEDENTED),
            ({"uv.lock": 'version = 1\nrequires-python = ">=3.13"\n'}, DEDENTED),
        ],
    )
    def test_that_the_project_requires(self, files, description, tmp_path):
        assert tool(tmp_path, {"server.py": MCP + DOCUMENTED, **files}).description == description

    @pytest.mark.parametrize(("given", "description"), [("3.13", DEDENTED), ("3.14", DEDENTED), ("3.12", INDENTED)])
    def test_that_the_caller_says(self, given, description, tmp_path):
        files = {"server.py": MCP + DOCUMENTED, "pyproject.toml": "[project]\nrequires-python = '>=3.13'\n"}
        assert tool(tmp_path, files, {"python": given}).description == description

    @pytest.mark.parametrize(
        ("text", "description"),
        [
            ("  Read.\n\n        More:\n            deep\n    ", "Read.\n\nMore:\n    deep\n"),
            ("Read.\n\n    More:\n        deep\n\n\ttab\n    ", "Read.\n\nMore:\n    deep\n\n    tab\n"),
            ("Read.\n    ", "Read.\n    "),
        ],
    )
    def test_first_line_and_margin_go_and_deeper_indentation_stays(self, text, description, tmp_path):
        source = MCP + f'@mcp.tool()\ndef read():\n    """{text}"""\n'
        assert tool(tmp_path, source, {"python": "3.13"}).description == description

    def test_description_in_the_decorator_stays(self, tmp_path):
        source = MCP + "@mcp.tool(description='  One.\\n    Two.')\ndef read(): ..."
        assert tool(tmp_path, source, {"python": "3.13"}).description == "  One.\n    Two."


def test_both_frameworks_in_one_project(tmp_path):
    lock = UV_LOCK.replace("2.14.1", "3.1.1")
    source = '@mcp.tool()\ndef read():\n    """Read.\n\n    More.\n    """\n'
    found = review(tmp_path, {"one.py": OLDER + source, "two.py": FASTMCP + source, "uv.lock": lock}).servers
    assert [(each.framework, each.tools[0].description, each.tools[0].meta) for each in found] == [
        ("mcp", "Read.\n\n    More.\n    ", None),
        ("fastmcp", "Read.\n\nMore.", {"fastmcp": {"tags": []}}),
    ]
