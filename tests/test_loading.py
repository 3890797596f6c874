"""What a plain review loads: nothing that it has no use for."""

import os
import subprocess
import sys

import pytest

from reviewer.installation.extras import MODULES

SERVER = "from mcp.server import MCPServer\n\nmcp = MCPServer('demo')\n\n\n@mcp.tool()\ndef read() -> str: ...\n"
RUST = """use rmcp::{tool, tool_router};

struct Demo;

#[tool_router]
impl Demo {
    #[tool(description = "Return the time.")]
    async fn time(&self) -> String {
        "noon".to_string()
    }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("ignores", "loads"), [(None, False), ("*.log\n", True)])
def test_nothing_is_loaded_that_a_plain_review_has_no_use_for(tmp_path, ignores, loads):
    (tmp_path / "server.py").write_text(SERVER)
    if ignores is not None:
        (tmp_path / ".gitignore").write_text(ignores)
    code = "import sys; from reviewer.cli.app import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    loaded = set(result.stderr.split())
    assert "reviewer.languages.python.reading" in loaded
    assert ("pathspec" in loaded) is loads
    assert (
        not {"reviewer.compare.changes", "reviewer.compare.drift", "reviewer.inputs.live", "reviewer.inputs.documents"}
        & loaded
    )
    assert not set().union(*MODULES.values()) & loaded


DEFINED = """from mcp.server import Server
from mcp.types import Tool
from pydantic import BaseModel

server = Server("notes")


class Note(BaseModel):
    name: str


@server.list_tools()
async def list_tools():
    return [Tool(name="read", description="Reads a note.", inputSchema=Note.model_json_schema())]


@server.call_tool()
async def call_tool(name, arguments):
    return []
"""


def test_what_few_servers_need_is_not_loaded_for_one_that_defines_its_tools(tmp_path):
    """The parser of all forms of requirements, what makes schemas of results, logs, and plugins of pydantic."""
    (tmp_path / "server.py").write_text(DEFINED)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "notes"\ndependencies = ["mcp[cli]>=1.2,<2"]\n')
    code = (
        "import os, sys; ended = os._exit\n"
        "def end(code):\n"
        "    from pydantic.plugin import _loader\n"
        "    print(*sys.modules, 'plugins' if _loader._plugins is not None else '', file=sys.stderr, flush=True); ended(code)\n"
        "os._exit = end\nfrom reviewer.cli.app import main\nmain()"
    )
    given = {name: value for name, value in os.environ.items() if name != "PYDANTIC_DISABLE_PLUGINS"}
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), "--no-cache", "--format", "json"],
        env=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    loaded = set(result.stderr.split())
    assert '"read"' in result.stdout
    assert {"packaging.specifiers", "pydantic"} <= loaded
    assert not {"packaging.requirements", "reviewer.schema.python.output", "logging", "plugins"} & loaded


def test_what_reads_python_is_not_loaded_for_a_server_in_rust(tmp_path):
    (tmp_path / "server.rs").write_text(RUST)
    code = "import sys; from reviewer.cli.app import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    loaded = set(result.stderr.split())
    assert "reviewer.languages.rust.reading" in loaded
    assert not {"reviewer.languages.python", "pydantic", "packaging"} & loaded


@pytest.mark.slow
def test_what_reads_and_runs_code_is_not_loaded_to_show_fixes_of_what_was_kept(tmp_path):
    (tmp_path / "box").mkdir()
    printing = SERVER.replace(": ...", ":\n    print('read')\n    return 'read'\n\n\nmcp.run()")
    (tmp_path / "box" / "server.py").write_text(printing)
    code = "import sys; from reviewer.cli.app import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    given = {name: value for name, value in os.environ.items() if name != "MCP_REVIEW_NO_CACHE"}
    given["MCP_REVIEW_CACHE"] = str(tmp_path / "cache")
    loaded = []
    for _ in range(2):
        result = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "box"), "--format", "json"],
            env=given,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        loaded.append(set(result.stderr.split()))
    assert '"fix": {' in result.stdout
    assert "reviewer.languages.python.reading" in loaded[0]
    assert "reviewer.languages.edits.pythonic" in loaded[1]
    assert (
        not {"reviewer.languages.python.reading", "reviewer.code.interpreter", "reviewer.behaviour.effects"} & loaded[1]
    )
