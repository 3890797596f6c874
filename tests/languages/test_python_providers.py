"""Providers of fastmcp 3: folders of decorated functions, tools held for servers, and namespaces around both."""

import pytest
from python_projects import conditions, names, review, tool, tools

HEAD = "from pathlib import Path\nimport os\nfrom fastmcp import FastMCP\n"
PROVIDERS = HEAD + "from fastmcp.server.providers import FileSystemProvider, LocalProvider\n"
SPACES = PROVIDERS + "from fastmcp.server.transforms import Namespace\n"
SHELF = "shelf = LocalProvider()\n@shelf.tool\ndef read(): ...\n"
MARKED = "from fastmcp.tools import tool\n@tool\ndef read(path: str):\n    'Read a file.'\n"
NEITHER = "def helper(): ...\n"


def project(server, **files):
    """Lay out a package with a server and further modules; `__` in a name parts folders."""
    return {"pkg/__init__.py": "", "pkg/server.py": server} | {
        f"pkg/{name.replace('__', '/')}.py": text for name, text in files.items()
    }


def searching(folder):
    """Write a server that searches a folder."""
    return f"{PROVIDERS}mcp = FastMCP('demo', providers=[FileSystemProvider({folder})])"


FOLDERS = {
    "beside": "Path(__file__).parent / 'tools'",
    "resolved": "Path(__file__).resolve().parent.joinpath('tools')",
    "by os": "os.path.join(os.path.dirname(os.path.abspath(__file__)), 'tools')",
    "by name": "root=Path(__file__).parent / 'tools', reload=True",
    "relative text": "'pkg/tools'",
    "relative path": "Path('./pkg/tools')",
    "one file": "Path(__file__).parent / 'tools' / 'files.py'",
    "everything": "Path(__file__).parent",
}


@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_the_folder_of_a_provider_is_searched(folder, tmp_path):
    files = project(searching(folder), tools__files=MARKED + NEITHER)
    assert conditions(tmp_path, files) == {"read": []}
    assert review(tmp_path, files).servers[0].unreadable == ()


def test_a_folder_is_searched_at_any_depth_in_the_order_of_files_and_names(tmp_path):
    files = project(
        searching("Path(__file__).parent / 'tools'"),
        tools__b=MARKED.replace("read", "zoom") + "@tool\ndef add(): ...\n@tool\ndef _hidden(): ...\n",
        tools__a__deep=MARKED,
        tools__a____init__=MARKED.replace("read", "of_the_package"),
        other=MARKED.replace("read", "outside"),
    )
    assert names(tmp_path, files) == ["read", "add", "zoom"]


def test_a_folder_that_only_a_run_knows_is_taken_for_the_whole_project(tmp_path):
    files = project(searching("find_folder()"), somewhere=MARKED, plain=NEITHER)
    [server] = review(tmp_path, files).servers
    [found] = server.tools
    assert [each.text for each in found.conditions] == ["if a provider searches its folder"]
    assert [each.reason for each in server.unreadable] == [
        "tools come from a folder that is known at run time only; "
        "the marked functions of the whole project are taken for its tools"
    ]
    assert server.unreadable[0].span.path == "pkg/server.py"


def test_what_the_mark_says_is_what_the_tool_says(tmp_path):
    source = (
        "from fastmcp.tools import tool\n"
        "@tool('other', title='Other', description='Said.', annotations={'readOnlyHint': True}, tags={'b', 'a'})\n"
        "def read(path: str, lines: int = 3) -> int:\n    'Not said.'\n"
    )
    mounted = tool(tmp_path / "one", project(searching("Path(__file__).parent / 'tools'"), tools__files=source))
    decorated = "from fastmcp import FastMCP\nmcp = FastMCP('demo')\n" + source.replace("@tool", "@mcp.tool")
    plain = tool(tmp_path / "two", decorated)
    assert mounted.definition["inputSchema"].document == plain.definition["inputSchema"].document
    assert mounted.definition["outputSchema"].document == plain.definition["outputSchema"].document
    for part in ("name", "title", "description", "annotations", "_meta"):
        assert mounted.definition[part] == plain.definition[part], part
    assert mounted.span.path == "pkg/tools/files.py"


HELD = {
    "at construction": (SHELF + "mcp = FastMCP('demo', providers=[shelf])", ["read"]),
    "in a subclass made by a function": (
        SHELF + "class Own(FastMCP): ...\ndef make():\n    return Own(name='demo', providers=[shelf])\nmcp = make()",
        ["read"],
    ),
    "in a function that nobody calls": (SHELF + "def make():\n    return FastMCP('x', providers=[shelf])", ["read"]),
    "later": (SHELF + "mcp = FastMCP('demo')\nmcp.add_provider(shelf)", ["read"]),
    "under a namespace": (SHELF + "mcp = FastMCP('demo')\nmcp.add_provider(shelf, namespace='files')", ["files_read"]),
    "wrapped": (
        SHELF + "mcp = FastMCP('demo', providers=[shelf, shelf.wrap_transform(Namespace('files'))])",
        ["read", "files_read"],
    ),
    "transformed": (
        SHELF + "shelf.add_transform(Namespace('files'))\nmcp = FastMCP('demo', providers=[shelf])",
        ["files_read"],
    ),
    "on a server with a namespace": (
        SHELF + "mcp = FastMCP('demo', providers=[shelf], transforms=[Namespace(prefix='all')])",
        ["all_read"],
    ),
    "a server as a provider": (
        "inner = FastMCP('inner')\n@inner.tool\ndef read(): ...\n"
        "mcp = FastMCP('demo')\nmcp.add_provider(inner, namespace='in')",
        ["in_read"],
    ),
    "a function that was marked by a call": (
        "from fastmcp.tools import tool\ndef look(): ...\nmcp = FastMCP('demo')\nmcp.add_tool(tool(look, name='read'))",
        ["read"],
    ),
    "a mark that another registration does not heed": (
        "from fastmcp.tools import tool\n@tool(name='marked')\ndef read(): ...\nmcp = FastMCP('demo')\nmcp.tool(read)",
        ["read"],
    ),
}


@pytest.mark.parametrize(("source", "expected"), HELD.values(), ids=HELD)
def test_what_a_provider_holds_its_server_lists(source, expected, tmp_path):
    servers = review(tmp_path, SPACES + source).servers
    assert [str(each.name) for each in servers[-1].tools] == expected
    assert len(servers) == 1


def test_a_provider_that_is_made_on_a_condition_says_so(tmp_path):
    source = SHELF + "mcp = FastMCP('demo')\nif os.path.exists('x'):\n    mcp.add_provider(shelf)"
    assert conditions(tmp_path, PROVIDERS + source) == {"read": ["if os.path.exists('x')"]}


REMOTE = {
    "OpenAPIProvider(spec)": "tools come from an OpenAPI document at start",
    "ProxyProvider(client)": "tools come from another server at start",
    "Own()": "tools come from `Own` at run time",
    "find()": "tools come from a provider that is known at run time only",
}


@pytest.mark.parametrize("made", REMOTE)
def test_what_cannot_be_read_is_told(made, tmp_path):
    source = (
        "from fastmcp.server.providers import OpenAPIProvider, Provider\n"
        "from fastmcp.server.providers.proxy import ProxyProvider\n"
        "class Own(Provider):\n    async def _list_tools(self):\n        return load()\n"
        f"mcp = FastMCP('demo')\nmcp.add_provider({made})"
    )
    [server] = review(tmp_path, HEAD + source).servers
    assert [each.reason for each in server.unreadable] == [REMOTE[made]]


FACTORY = (
    "def make():\n    made = FastMCP('demo')\n    {}\n    return made\n"
    "def serve():\n    make().run()\ndef ask():\n    return make()\nserve()\nask()"
)
ATTACHING = {
    "made.add_provider(shelf, namespace='a')": "a_read",
    "made.add_provider(shelf.wrap_transform(Namespace('b')))": "b_read",
    "made.add_provider(shelf); made.add_transform(Namespace('c'))": "c_read",
    "inner = FastMCP('inner', providers=[shelf]); made.mount(inner, namespace='d')": "d_read",
}


@pytest.mark.parametrize("line", ATTACHING)
def test_a_factory_that_is_called_twice_attaches_once(line, tmp_path):
    assert names(tmp_path, SPACES + SHELF + FACTORY.format(line)) == [ATTACHING[line]]


def test_a_provider_that_unseen_code_attaches_loses_no_tool(tmp_path):
    source = SHELF + "wrapped = shelf.wrap_transform(Namespace('a'))\nmcp = FastMCP('demo')\nconnect(mcp, wrapped)"
    assert names(tmp_path, SPACES + source) == ["read"]


def test_marked_functions_that_no_server_is_given_are_no_tools(tmp_path):
    files = project(
        "from fastmcp import FastMCP\nmcp = FastMCP('demo')\n@mcp.tool\ndef own(): ...", tools__files=MARKED
    )
    assert [str(each.name) for each in tools(tmp_path, files)] == ["own"]
