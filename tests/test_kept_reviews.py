"""A second review of the same answers what the first did, to the byte; one of anything else reads again."""

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest
from invocation import invoke

from reviewer import kept_reviews, pipeline
from reviewer.budget import Budget
from reviewer.config import Flags
from reviewer.failures import ROOT, Unreviewed
from reviewer.files import cache
from reviewer.files.cache import EntryFolder
from reviewer.inputs import definitions
from reviewer.maturity import Maturity
from reviewer.report.model import Report

SERVER = '''import os
from pathlib import Path

from fastmcp import FastMCP

mcp = FastMCP("kiln")
NOTE = (Path(__file__).parent / "note.txt").read_text()


@mcp.tool(description=NOTE)
def list_pots(limit: int = 10) -> list[str]:
    return os.listdir("pots")


@mcp.tool()
def readPot(name: str) -> str:
    """Read a pot's record."""
    # mcp-review: ignore[path-traversal] only the potter calls it
    return open("pots/" + name).read()


@mcp.tool()
def fire(pot: str) -> str:
    print("firing", pot)
    os.system("kiln " + pot)
    return "fired"
'''

FILES = (
    *("json:a.json", "sarif:a.sarif", "sarif-github:b.sarif", "github:a.txt", "markdown:a.md", "gitlab:gl.json"),
    *("junit:a.xml", "rdjson:rd.json", "html:a.html", "concise:b.txt"),
)
"""The formats beside the text, each with a file for it."""

FEW = ("--format", "concise")
"""What takes least to find and to show."""


@pytest.fixture
def box(tmp_path, monkeypatch):
    """A folder with a server, and an empty cache beside it."""
    monkeypatch.delenv("MCP_REVIEW_NO_CACHE")
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    box = tmp_path / "box"
    box.mkdir()
    (box / "server.py").write_text(SERVER)
    (box / "note.txt").write_text("List the pots. Use it first; not for glazes. Example: list_pots(limit=3)")
    (box / "pyproject.toml").write_text('[project]\nname = "kiln"\ndependencies = ["fastmcp==2.14.1"]\n')
    return box


@pytest.fixture
def readings(monkeypatch):
    """What was read by a language's adapter, each time."""
    seen = []
    read = pipeline.languages.read
    monkeypatch.setattr(pipeline.languages, "read", lambda tree, *rest: seen.append(tree.root) or read(tree, *rest))
    return seen


def list_entries(tmp_path):
    folder = tmp_path / "cache" / kept_reviews.FOLDER
    return sorted(folder.iterdir()) if folder.is_dir() else []


def said(result):
    return result.returncode, result.stdout, result.stderr


def test_what_was_kept_is_shown_in_all_formats_as_what_is_found(box, readings, tmp_path):
    shown = []
    for name, more in (("cold", ["--no-cache"]), ("first", []), ("second", [])):
        folder = tmp_path / name
        folder.mkdir()
        files = [("--also", each.replace(":", f":{folder}/")) for each in FILES]
        done = invoke(box, *more, *(part for pair in files for part in pair))
        shown.append((said(done), {each.name: each.read_text("utf-8") for each in folder.iterdir()}))
    assert len(readings) == 2  # not the third time
    assert shown[0] == shown[1] == shown[2]
    assert len(shown[0][1]) == len(FILES)
    assert all(shown[0][1].values())


@pytest.mark.parametrize("shown", ["-v", "-q", "--statistics"])
def test_what_was_kept_is_shown_in_any_manner_as_what_is_found(box, readings, shown):
    first, second = invoke(box, shown), invoke(box, shown)
    assert len(readings) == 1
    assert said(second) == said(first)
    assert first.stdout.strip()


@pytest.mark.parametrize("more", [("--fail-on", "suggestion"), ("--profile", "validator-46"), ("--select", "§12")])
def test_the_exit_code_is_kept_with_what_decides_it(box, readings, more):
    assert said(invoke(box, *more, *FEW)) == said(invoke(box, *more, *FEW))
    assert len(readings) == 1


def test_another_question_is_not_answered_by_what_was_kept(box, readings):
    invoke(box, *FEW)
    asked = (("--select", "§12"), ("--profile", "validator-46"), ("--sdk", "fastmcp==2.10.0"), ("--isolated",))
    for more in asked:
        invoke(box, *more, *FEW)
    assert len(readings) == 1 + len(asked)


def change_a_byte(box):
    (box / "server.py").write_text(SERVER.replace("limit: int = 10", "limit: int = 11"))


def change_what_is_read_at_the_start(box):
    (box / "note.txt").write_text("List.")


def lose_what_is_read_at_the_start(box):
    (box / "note.txt").unlink()


def add_a_module(box):
    (box / "more.py").write_text("x = 1\n")


def add_a_readme(box):
    (box / "README.md").write_text("# Kiln\n\nTools: `list_pots`\n")


def ignore_a_file(box):
    (box / ".gitignore").write_text("more.py\n")
    (box / "more.py").write_text("x = 1\n")


def require_another_release(box):
    (box / "pyproject.toml").write_text('[project]\nname = "kiln"\ndependencies = ["fastmcp==2.10.1"]\n')


def configure(box):
    (box / "mcp-review.toml").write_text('ignore = ["path-traversal"]\n')


def configure_above(box):
    (box.parent / "package.json").write_text('{"mcp-review": {"ignore": ["path-traversal"]}}')


def add_a_test(box):
    (box / "tests").mkdir()
    (box / "tests" / "test_server.py").write_text("def test_x(): pass\n")


@pytest.mark.parametrize(
    "change",
    [
        *(change_a_byte, change_what_is_read_at_the_start, lose_what_is_read_at_the_start, add_a_module, add_a_readme),
        *(ignore_a_file, require_another_release, configure, configure_above, add_a_test),
    ],
)
def test_a_change_is_read_and_so_is_its_undoing(box, readings, change, tmp_path):
    before = tmp_path / "before"
    shutil.copytree(box, before)
    was = invoke(".", *FEW, cwd=box)
    change(box)
    cold = invoke(".", *FEW, "--no-cache", cwd=box)
    readings.clear()
    assert said(invoke(".", *FEW, cwd=box)) == said(cold)
    assert readings
    shutil.rmtree(box)
    (box.parent / "package.json").unlink(missing_ok=True)
    shutil.copytree(before, box)
    assert said(invoke(".", *FEW, cwd=box)) == said(was)


def test_a_script_that_holds_no_text_is_named_when_it_comes(box, readings):
    (box / "server.py").rename(box / "server.ts")
    (box / "server.ts").write_text(
        'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n'
        'const server = new McpServer({ name: "kiln", version: "1.0.0" });\n'
        'server.tool("list_pots", "List the pots.", {}, async () => ({ content: [] }));\n'
    )
    (box / "src").mkdir()
    invoke(box, "--format", "json")
    (box / "src" / "glaze.ts").write_bytes(b"const x = '\xff';\n")
    cold = invoke(box, "--format", "json", "--no-cache")
    assert "glaze.ts" in cold.stdout
    assert said(invoke(box, "--format", "json")) == said(cold)


def test_a_file_that_was_missing_is_missed_when_it_comes(box, readings):
    (box / "note.txt").unlink()
    invoke(box, *FEW)
    (box / "note.txt").write_text("List the pots.")
    cold = invoke(box, *FEW, "--no-cache")
    assert said(invoke(box, *FEW)) == said(cold)
    assert len(readings) == 3


def test_a_manifest_that_is_written_while_it_is_read_is_not_kept(box, tmp_path, monkeypatch):
    read = pipeline.languages.read
    monkeypatch.setattr(pipeline.languages, "read", lambda *given: require_another_release(box) or read(*given))
    invoke(box, *FEW)
    assert not list_entries(tmp_path)


def test_the_name_of_a_package_counts_if_its_own_file_cannot_be_read(box, tmp_path, readings):
    (box / "__init__.py").write_bytes(b"\xff")
    invoke(box, *FEW)
    shutil.copytree(box, tmp_path / "copy")
    readings.clear()
    invoke(tmp_path / "copy", *FEW)
    assert readings


def test_what_a_live_server_answers_is_neither_kept_nor_left_out(box, tmp_path, monkeypatch):
    tools = tmp_path / "live.json"
    tools.write_text('{"tools": [{"name": "glaze", "inputSchema": {"type": "object"}}]}')
    monkeypatch.setattr("reviewer.inputs.live.read", lambda *_: definitions.read(tools))
    plain = invoke(box, *FEW, "--no-cache")
    alive = invoke(box, *FEW, "--no-cache", "--live", "server")
    assert "`glaze` is not declared" in alive.stdout
    assert said(invoke(box, *FEW, "--live", "server")) == said(alive)
    assert said(invoke(box, *FEW)) == said(plain)
    assert said(invoke(box, *FEW, "--live", "server")) == said(alive)


def test_an_environment_in_the_tree_is_looked_at_again(box, readings):
    (box / "pyproject.toml").unlink()
    invoke(box, *FEW)
    (box / ".venv/lib/python3.12/site-packages/fastmcp-2.3.0.dist-info").mkdir(parents=True)
    invoke(box, *FEW)
    assert len(readings) == 2


def test_another_program_reads_anew(box, readings, monkeypatch):
    invoke(box, *FEW)
    monkeypatch.setattr(kept_reviews, "digest_program", lambda: "another release")
    invoke(box, *FEW)
    assert len(readings) == 2


def test_the_same_files_elsewhere_are_known_by_their_own_paths(box, readings, tmp_path):
    invoke(box, *FEW)
    shutil.copytree(box, tmp_path / "copy")
    shown = invoke(tmp_path / "copy", *FEW)
    assert len(readings) == 1
    assert "copy/server.py" in shown.stdout
    assert "box" not in shown.stdout


def test_several_paths_are_known_one_by_one(box, readings, tmp_path):
    shutil.copytree(box, tmp_path / "other")
    change_a_byte(tmp_path / "other")
    cold = invoke(box, tmp_path / "other", *FEW, "--no-cache")
    for _ in range(2):
        assert said(invoke(box, tmp_path / "other", *FEW)) == said(cold)
    assert len(readings) == 4


def test_tool_definitions_are_kept_too(box, tmp_path):
    file = box / "tools.json"
    file.write_text('{"tools": [{"name": "kiln", "inputSchema": {"type": "object", "properties": {"a": {}}}}]}')
    cold = invoke(file, *FEW)
    assert len(list_entries(tmp_path)) == 1
    assert said(invoke(file, *FEW)) == said(cold)


def test_a_baseline_is_applied_to_what_was_kept(box, readings):
    baseline = box.parent / "accepted.json"
    invoke(box, *FEW)
    invoke(box, *FEW, "--baseline", baseline, "--write-baseline")
    cold = invoke(box, "--baseline", baseline, *FEW, "--no-cache")
    readings.clear()
    assert said(invoke(box, "--baseline", baseline, *FEW)) == said(cold)
    assert not readings


def test_a_fix_reads_what_it_changes(box, readings, tmp_path):
    invoke(box, *FEW)
    invoke(box, "--fix", "--dry-run")
    assert len(readings) > 1
    assert len(list_entries(tmp_path)) == 1


@pytest.mark.parametrize("how", ["option", "variable"])
def test_nothing_is_kept_if_that_is_said(box, tmp_path, how, monkeypatch):
    if how == "variable":
        monkeypatch.setenv("MCP_REVIEW_NO_CACHE", "1")
    invoke(box, *(["--no-cache"] if how == "option" else []))
    assert not (tmp_path / "cache").exists()


def test_standard_input_is_not_kept(box, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", open(box / "server.py", encoding="utf-8"))  # noqa: SIM115
    invoke("-", "--stdin-filename", "server.py")
    sys.stdin.close()
    assert not list_entries(tmp_path)


@pytest.mark.parametrize("where", [".", "below/cache", "../link/cache"])
def test_nothing_is_kept_within_the_reviewed_folder(box, monkeypatch, where):
    (box.parent / "link").symlink_to(box)
    before = sorted(box.rglob("*"))
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(box / where))
    invoke(box, *FEW)
    assert sorted(box.rglob("*")) == before


def test_nothing_is_kept_within_any_of_several_reviewed_folders(box, tmp_path, monkeypatch, readings):
    other = tmp_path / "other"
    shutil.copytree(box, other)
    before = sorted(other.rglob("*"))
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(other / "cache"))
    for _ in range(2):
        invoke(box, other, *FEW)
    assert sorted(other.rglob("*")) == before
    assert len(readings) == 4


def test_nothing_is_kept_where_the_user_has_no_folder(box, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.delenv("MCP_REVIEW_CACHE")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: Path("~/.cache"))  # as older releases have it
    invoke(box, *FEW, cwd=tmp_path / "here")
    assert not list((tmp_path / "here").iterdir())


def test_a_folder_that_others_may_write_to_is_not_used(box, tmp_path, readings):
    invoke(box, *FEW)
    folder = tmp_path / "cache" / kept_reviews.FOLDER
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in folder.iterdir())
    folder.chmod(0o777)
    invoke(box, *FEW)
    assert len(readings) == 2


def fail_without_home():
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.parametrize("kind", ["file in the way", "no home", "read only"])
def test_a_cache_that_cannot_be_is_done_without(box, tmp_path, monkeypatch, kind):
    cold = invoke(box, *FEW, "--no-cache")
    if kind == "file in the way":
        (tmp_path / "cache").write_text("not a folder")
    elif kind == "no home":
        monkeypatch.setattr(cache, "find_cache_folder", fail_without_home)
    else:
        monkeypatch.setenv("MCP_REVIEW_CACHE", "/proc/cache")
    assert said(invoke(box, *FEW)) == said(cold)


@pytest.mark.slow
def test_a_full_disk_costs_the_entry_alone(box, tmp_path):
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "from reviewer.cli.app import run; sys.exit(run(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(box), *FEW], capture_output=True, text=True, check=False)
    assert said(done) == said(invoke(box, *FEW, "--no-cache"))
    assert not list_entries(tmp_path)


def test_an_entry_that_was_changed_is_none(box, tmp_path, readings):
    cold = invoke(box, *FEW)
    (entry,) = list_entries(tmp_path)
    data = entry.read_bytes()
    entry.write_bytes(data[:-1] + b"}")
    assert said(invoke(box, *FEW)) == said(cold)
    assert len(readings) == 2
    assert entry.read_bytes() == data  # it was made again
    assert said(invoke(box, *FEW)) == said(cold)
    assert len(readings) == 2


def test_an_entry_of_another_form_is_none(box, tmp_path, readings):
    cold = invoke(box, *FEW)
    (entry,) = list_entries(tmp_path)
    for body in (b"1", b"null", b'["tuple",1,2,3]', b'["tuple",["tuple",["tuple","run",1,2,3]],1,2]', b"[" * 10_000):
        EntryFolder(entry.parent).write(entry.name, body)
        readings.clear()
        assert said(invoke(box, *FEW)) == said(cold)
        assert readings


def test_a_run_that_is_killed_before_its_entry_is_whole_leaves_none(box, tmp_path, monkeypatch, readings):
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    assert invoke(box, *FEW).returncode == 130
    monkeypatch.undo()
    monkeypatch.delenv("MCP_REVIEW_NO_CACHE", raising=False)
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path / "cache"))
    assert all(each.name.startswith(".") for each in list_entries(tmp_path))
    invoke(box, *FEW)
    assert [each for each in list_entries(tmp_path) if not each.name.startswith(".")]


REPORT = Report("core", "", (), 1, maturity=Maturity(None, None, "not computed"))


@pytest.mark.parametrize("why", ["budget", "gap", "nothing"])
def test_what_is_not_whole_is_not_kept(box, tmp_path, why):
    reading = pipeline.read(box, Flags(cached=True))
    budget = Budget.from_size(0)
    if why == "budget":
        assert not budget.affords("steps", 10**9)
    report = replace(REPORT, broken=(Unreviewed("not reviewed", ROOT),)) if why == "gap" else REPORT
    reading.place.keep(kept_reviews.KeptReview(report, ()), budget)
    assert len(list_entries(tmp_path)) == (why == "nothing")
