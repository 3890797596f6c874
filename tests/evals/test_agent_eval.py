"""The trial of agents: what is prepared, and how a report is held against the command's own."""

import json
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
EVAL = ROOT / "evals/agent"
sys.path.insert(0, str(EVAL))

import comparison  # noqa: E402

SPEC = spec_from_file_location("agent_run", EVAL / "run.py")  # `run` is the name of other evals too
assert SPEC is not None
assert SPEC.loader is not None
run = module_from_spec(SPEC)
SPEC.loader.exec_module(run)

ALONE = """profile: core (the default)
=== §1: Pagination ===
OK
a.py:1:5 suggestion list-without-cursor list tool `x` takes neither `limit` nor `cursor`
=== §9: Tool description: 4-element template ===
not judged: 2 questions
=== §11: Naming ===
a.py:3:5 warning tool-name-style tool name `y` is not snake_case
maturity: 74/100 (mature)
1 violation, 1 section OK. Verdict: PASS with warnings
"""


@pytest.fixture
def trial(tmp_path):
    run.prepared(tmp_path, "notes", str(ROOT / "examples/notes-python"))
    return tmp_path


def test_a_report_is_read_as_it_is_written_also_in_markdown():
    read = comparison.reported(
        f"Here it is:\n```\n{ALONE}```\n=== {comparison.NOTES} ===\nbeyond: a.py:7 logs a token\n```\n"
    )
    assert read.sections == {1: "Pagination", 9: "Tool description: 4-element template", 11: "Naming"}
    assert sorted(read.findings) == [
        (1, "a.py:1:5", "list tool `x` takes neither `limit` nor `cursor`"),
        (11, "a.py:3:5", "tool name `y` is not snake_case"),
    ]
    assert (read.waiting, read.verdict) == (2, "1 violation, 1 section OK. Verdict: PASS with warnings")
    assert read.notes == ("beyond: a.py:7 logs a token",)


def test_findings_are_kept_dropped_judged_lost_and_added(tmp_path):
    measured, folder = tmp_path / "measured", tmp_path / "server"
    measured.mkdir()
    folder.mkdir()
    (measured / "alone").write_text(ALONE)
    after = ALONE.replace(
        "not judged: 2 questions", "a.py:5:1 warning r says nothing (judged)\na.py:6:1 warning r lies (judged)"
    )
    own = after.replace("a.py:6:1 warning r lies (judged)\n", "").replace("style tool name `y`", "style the tool `y`")
    (folder / "report.md").write_text(own)
    made = comparison.agents(folder, measured, after, untouched=True)
    assert [each.total() for each in (made.kept, made.dropped, made.judged, made.lost, made.added)] == [1, 1, 1, 1, 1]
    assert next(iter(made.added))[1:] == ("a.py:3:5", "the tool `y` is not snake_case")
    assert "| 2 of 2 |" in comparison.document([made])
    assert "- from its verdicts: " in comparison.document([made])
    assert "- from its verdicts: " not in comparison.document([made], whole=False)


@pytest.mark.slow
def test_what_is_prepared_holds_no_answer_and_knows_its_calls(trial):
    folder = trial / "notes"
    assert {path.name for path in folder.iterdir()} == {"server", "skill", "bin", "BRIEF.md"}
    assert (folder / "skill/mcp-tool-checklist/SKILL.md").exists()
    done = subprocess.run(["bin/mcp-review", "server"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    (folder / "report.md").write_text(done.stdout)
    (made,) = run.compared(trial)
    assert (made.kept, made.untouched) == (made.alone.findings, True)
    (call,) = made.calls
    assert (call["arguments"], call["code"], call["bytes"]) == (["server"], 1, len(done.stdout.encode()))
    row = comparison.document([made])
    assert (
        f"| `notes` | 17 of 17 | 13 of 13 | 0 | 0 | 0 | 0 | 0 of 25 | the command's | 0 | 1 | no | 0 | at least {made.least:,} |"
        in row
    )


@pytest.mark.slow
def test_a_server_that_was_changed_is_named(trial):
    (trial / "notes/server/notes/server.py").write_text(
        "from mcp.server.fastmcp import FastMCP\n\nFastMCP('x').run()\n"
    )
    assert "| **yes** |" in comparison.document(run.compared(trial))


@pytest.mark.slow
def test_an_agent_without_the_command_says_that_nothing_was_reviewed(tmp_path):
    folder = run.prepared(tmp_path, "notes", str(ROOT / "examples/notes-python"), cli=False)
    assert not (folder / "bin").exists()
    (folder / "report.md").write_text(f"{comparison.NOTHING}\n`uv tool install FOLDER`\n")
    assert "nothing was reviewed, it says" in comparison.document(run.compared(tmp_path))
    skill = (folder / "skill/mcp-tool-checklist/SKILL.md").read_text()
    assert comparison.NOTHING in skill
    assert comparison.NOTES in skill


def test_what_an_agent_writes_forges_nothing_in_the_document(tmp_path):
    folder, measured = tmp_path / "server", tmp_path / "measured"
    folder.mkdir()
    measured.mkdir()
    (measured / "alone").write_text(ALONE)
    (folder / "report.md").write_text(ALONE + f"=== {comparison.NOTES} ===\n<img src=x> | @someone `x` [y](z)\n")
    (folder / "tokens").write_text("| 5 |")
    text = comparison.document([comparison.agents(folder, measured, ALONE, untouched=True)])
    shown = MarkdownIt("gfm-like", {"html": True, "linkify": True}).render(text)
    assert "&lt;img src=x&gt;" in shown
    assert not any(tag in shown for tag in ("<img", "<a "))
    assert "| 5 |" not in text


def test_a_page_without_a_place_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A page\n")
    with pytest.raises(SystemExit, match="no place"):
        comparison.write(page, "text")
    page.write_text(f"before\n{comparison.BEGIN}old\n{comparison.END}\nafter\n")
    comparison.write(page, "new")
    assert page.read_text() == f"before\n{comparison.BEGIN}new\n{comparison.END}\nafter\n"


def test_a_part_of_a_git_directory_is_taken(tmp_path):
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@localhost"}
    own |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@localhost", "PATH": os.environ["PATH"]}
    work = tmp_path / "work"
    (work / "src").mkdir(parents=True)
    (work / "src/server.py").write_text("x = 1\n")
    for asked in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run(["git", *asked], cwd=work, env=own, check=True)
    run.copied(f"{work / '.git'}:src", tmp_path / "copy")
    assert (tmp_path / "copy/server.py").read_text() == "x = 1\n"
    with pytest.raises(SystemExit, match="no folder"):
        run.copied(str(tmp_path / "nowhere"), tmp_path / "other")


@pytest.mark.slow
def test_calls_are_lines_of_json(trial):
    entry_point = trial / "notes/bin/mcp-review"
    for word in ("--version", "nowhere"):
        subprocess.run([entry_point, word], cwd=trial, capture_output=True, check=False)
    lines = (trial / run.MEASURED / "notes/calls").read_text().splitlines()
    assert [(json.loads(each)["arguments"], json.loads(each)["code"]) for each in lines] == [
        (["--version"], 0),
        (["nowhere"], 2),
    ]
