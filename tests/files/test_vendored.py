"""Folders for vendored code are not searched for servers; where one may stand in them, the report says so."""

import json

import pytest

from reviewer.cli.app import run

SERVER = """from mcp.server import MCPServer

mcp = MCPServer("x")


@mcp.tool()
def read(path: str) -> str:
    return path
"""
LIBRARY = '''"""A copy of mcp.

    server = FastMCP("example")
"""


class FastMCP:
    pass
'''


@pytest.fixture
def noted(tmp_path, capsys):
    def review(files):
        for name, text in {"server.py": SERVER, **files}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        assert run([str(tmp_path), "--format", "json"]) == 0
        report = json.loads(capsys.readouterr().out)
        return report["summary"]["tools"], [(each["path"], each["reason"]) for each in report.get("not_read", ())]

    return review


@pytest.mark.parametrize(
    "folder", ["vendor", "_vendor", "vendored", "_vendored", "third_party", ".agent", "archived_services"]
)
def test_a_server_there_is_told(noted, folder):
    tools, ((path, reason),) = noted({f"{folder}/app/server.py": SERVER, f"{folder}/app/tools.py": SERVER})
    assert (tools, path) == (1, f"{folder}/app/server.py")
    assert "this file and 1 more file look like an MCP server; to review it, name its folder" in reason


def test_a_library_there_is_not(noted):
    assert noted({"vendor/mcp/server.py": LIBRARY, "vendor/mcp/rows.py": "x = 1\n"}) == (1, [])


def test_a_file_that_has_only_the_name_is_searched(noted):
    assert noted({"vendor.py": SERVER.replace("read", "write")}) == (2, [])


def test_what_is_imported_from_there_is_read(noted):
    assert noted({"vendor/tools.py": "LIMIT = 5\n", "server.py": "from vendor.tools import LIMIT\n" + SERVER}) == (
        1,
        [],
    )
