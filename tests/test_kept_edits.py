"""However a tree, its surroundings and its configuration are edited, what is kept says what a review without it says."""

import os
import random
import shutil

import pytest
from invocation import invoke

from reviewer import pipeline

SERVER = """from pathlib import Path

from fastmcp import FastMCP

mcp = FastMCP("kiln")


@mcp.tool(description=(Path(__file__).parent / "note.txt").read_text())
def list_pots(limit: int = 10) -> list[str]:
    return open("pots").readlines()[:limit]
"""

CONTENTS = {
    "server.py": (SERVER, SERVER.replace("limit", "count"), SERVER.replace("fastmcp", "mcp.server.fastmcp"), "x = 1\n"),
    "note.txt": ("List the pots.", "List", ""),
    "more.py": (SERVER, "import server\n", "\udcff = 1\n"),
    "__init__.py": ("", "from . import more\n"),
    "tests/test_server.py": (SERVER, "def test_it(): pass\n"),
    "README.md": ("Set `KILN_TOKEN`.\n", "- `list_pots`: lists\n- `fire`: fires\n"),
    "docs/setup.md": ("Set `KILN_URL=x` first.\n", "# Setup\n"),
    "pyproject.toml": (
        '[project]\nname = "kiln"\ndependencies = ["fastmcp==2.10.1"]\n',
        '[project]\nname = "kiln"\n[tool.mcp-review]\nignore = ["path-traversal"]\n',
    ),
    "mcp-review.toml": ("include-tests = true\n", 'exclude = ["more.py"]\n', "nothing = 1\n"),
    "requirements.txt": ("fastmcp==2.3.0\n", "mcp>=1.9\n"),
    ".gitignore": ("more.py\n", "*.md\n", ""),
    ".venv/lib/python3.12/site-packages/fastmcp-2.3.0.dist-info/METADATA": ("", "Name: fastmcp\n"),
    "../.gitignore": ("more.py\n", "box/docs\n"),
    "../.git/info/exclude": ("server.py\n", "nothing\n"),
    "../mcp-review.toml": ('fail-on = "suggestion"\n', 'profile = "validator-46"\n'),
    "../__init__.py": ("",),
}
"""What may stand in which file."""

OPTIONS = ((), ("--select", "§12"), ("--sdk", "fastmcp==2.10.0"), ("--isolated",), ("-v",))


def edit(box, drawn):
    name = drawn.choice(list(CONTENTS))
    file = box / name
    how = drawn.choice(("write", "write", "write", "remove", "link", "rename"))
    if how == "write" and not file.parent.is_symlink():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(drawn.choice(CONTENTS[name]).encode("utf-8", "surrogateescape"))
    elif how == "remove":
        file.unlink(missing_ok=True)
    elif how == "link" and file.parent.is_dir():
        file.unlink(missing_ok=True)
        file.symlink_to(drawn.choice(("nothing", "server.py", "../outside.md")))
    elif how == "rename" and os.path.lexists(file):
        file.rename(file.with_name(drawn.choice(("other.py", "other.md", "server.py"))))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_edits_of_all_kinds_are_noticed(tmp_path, monkeypatch, seed):
    monkeypatch.delenv("MCP_REVIEW_NO_CACHE")
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path / "cache"))
    seen = []
    read = pipeline.languages.read
    monkeypatch.setattr(pipeline.languages, "read", lambda *given: seen.append(1) or read(*given))
    drawn = random.Random(seed)
    here = tmp_path / "here"
    box = here / "box"
    box.mkdir(parents=True)
    (here / "outside.md").write_text("Set `KILN_TOKEN`.\n")
    (box / "server.py").write_text(SERVER)
    states, answered = [], 0
    for number in range(15):
        if states and drawn.random() < 0.3:  # so that an older answer may hold again
            shutil.rmtree(here)
            shutil.copytree(drawn.choice(states), here, symlinks=True)
        else:
            edit(box, drawn)
            states.append(shutil.copytree(here, tmp_path / f"state{number}", symlinks=True))
        given = drawn.choice(OPTIONS)
        asked = (drawn.choice((box, box / "server.py")), *given, *(() if "-v" in given else ("--format", "concise")))
        shown = []
        for more in (("--no-cache",), (), ()):
            seen.clear()
            done = invoke(*asked, *more)
            shown.append((done.returncode, done.stdout, done.stderr))
        answered += not seen
        assert shown[0] == shown[1] == shown[2]
    assert answered
