"""What a shell and a terminal get: colour if it is wanted, completions, counts by rule."""

import html
import json
import os
import pty
import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from reviewer.cli.app import run
from reviewer.cli.completions import complete_profile_names, complete_rule_names
from reviewer.render import RENDERERS, STATISTICS

ROOT = Path(__file__).parents[2]
FAULTY = ROOT / "examples/notes-python"
CLEAN = FAULTY.parent / "bookmarks-rust"
SPEC = spec_from_file_location("terminal_picture", ROOT / "evals/terminal/picture.py")  # one of two evals of that name
assert SPEC is not None
assert SPEC.loader is not None
drawing = module_from_spec(SPEC)
SPEC.loader.exec_module(drawing)
picture = drawing.picture
PLAIN = {"PATH": os.environ["PATH"], "TERM": "xterm", "MCP_REVIEW_NO_CACHE": "1"}


def piped(**environment: str) -> bytes:
    asked = [sys.executable, "-m", "reviewer", str(FAULTY), "--select", "sse-transport"]
    return subprocess.run(asked, env=PLAIN | environment, stdout=subprocess.PIPE, check=False).stdout


def on_a_terminal(**environment: str) -> bytes:
    ours, theirs = pty.openpty()
    asked = [sys.executable, "-m", "reviewer", str(FAULTY), "--select", "sse-transport"]
    with subprocess.Popen(asked, env=PLAIN | environment, stdout=theirs) as process:
        os.close(theirs)
        shown = b""
        try:
            while more := os.read(ours, 4096):
                shown += more
        except OSError:  # how Linux says that the other side is closed
            pass
        process.wait()
    os.close(ours)
    return shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "terminal", "pipe"),
    [
        ({}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colour_is_where_it_is_wanted(environment, terminal, pipe):
    assert (b"\x1b[" in on_a_terminal(**environment), b"\x1b[" in piped(**environment)) == (terminal, pipe)


def test_a_file_has_no_colour(tmp_path, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    run([str(FAULTY), "--output", str(tmp_path / "report")])
    assert "\x1b" not in (tmp_path / "report").read_text()


def statistics(capsys, *arguments: str) -> str:
    run([*arguments, "--statistics"])
    return capsys.readouterr().out


class TestStatistics:
    def test_a_line_for_each_rule_heaviest_first_and_the_verdict(self, capsys):
        *rows, verdict = statistics(capsys, str(FAULTY)).splitlines()
        assert rows[0].split()[:4] == ["1", "error", "§5", "duplicate-tool-name"]
        assert rows[1].split()[:4] == ["3", "warning", "§12", "path-traversal"]
        assert verdict.endswith("Verdict: FAIL")

    @pytest.mark.slow
    def test_they_count_what_the_report_shows(self, capsys):
        counted = json.loads(statistics(capsys, str(FAULTY), "--format", "json"))
        assert run([str(FAULTY), "--format", "json"]) == 1
        report = json.loads(capsys.readouterr().out)
        found = [each for section in report["sections"] for each in section["findings"]]
        assert {(row["rule"], row["count"]) for row in counted["statistics"]} == {
            (slug, sum(each["rule"] == slug for each in found)) for slug in {each["rule"] for each in found}
        }
        assert counted["summary"] == report["summary"]

    @pytest.mark.slow
    def test_the_exit_code_stays(self, capsys):
        assert run([str(FAULTY), "--statistics"]) == 1
        assert run([str(CLEAN), "--statistics"]) == 0
        assert capsys.readouterr().out.splitlines()[-1].endswith("Verdict: PASS")

    def test_a_clean_server_has_the_verdict_alone(self, capsys):
        (line,) = statistics(capsys, str(CLEAN), "--select", "sse-transport").splitlines()
        assert line.startswith("0 violations")

    @pytest.mark.slow
    def test_a_further_format_stays_whole(self, capsys, tmp_path):
        statistics(capsys, str(FAULTY), "--also", f"json:{tmp_path / 'report.json'}")
        assert "sections" in json.loads((tmp_path / "report.json").read_text())

    @pytest.mark.parametrize("name", sorted(set(RENDERERS) - set(STATISTICS)))
    def test_formats_that_show_none_are_refused_before_anything_is_read(self, capsys, name):
        assert run(["/nowhere", "--statistics", "--format", name]) == 2
        out, err = capsys.readouterr()
        assert (out, err) == (
            "",
            f"mcp-review: --statistics: {name} shows no counts; take --format text or json\n",
        )


def completed(words: str, monkeypatch, capsys) -> list[str]:
    """Ask as bash does when the last of some words is to be completed."""
    monkeypatch.setenv("_MCP_REVIEW_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    with pytest.raises(SystemExit) as left:
        run([])
    assert left.value.code == 0
    return capsys.readouterr().out.split()


class TestCompletion:
    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("mcp-review ex", ["explain"]),
            ("mcp-review --fo", ["--format"]),
            ("mcp-review --ver", ["--version", "--verbose", "--verdicts"]),
            ("mcp-review src --stat", ["--statistics"]),
            ("mcp-review src --format s", ["sarif", "sarif-github"]),
            ("mcp-review src --profile a", ["action-dispatch"]),
            ("mcp-review src --select sse-transport,NAM-00", [f"sse-transport,NAM-00{n}" for n in range(1, 7)]),
            ("mcp-review explain sse", ["sse-transport"]),
            ("mcp-review judge ", ["export", "import"]),
            ("mcp-review judge export --max-q", ["--max-questions"]),
            ("mcp-review sr", []),  # bash goes on with files
        ],
    )
    def test_what_may_follow(self, words, found, monkeypatch, capsys):
        assert completed(words, monkeypatch, capsys) == found

    @pytest.mark.slow
    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_the_script_of_a_shell_is_shown(self, shell):
        asked = [sys.executable, "-c", "from reviewer.cli import main; main()"]
        asking = PLAIN | {"_MCP_REVIEW_COMPLETE": f"source_{shell}"}
        done = subprocess.run(asked, env=asking, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "_MCP_REVIEW_COMPLETE" in done.stdout

    def test_names_that_begin_so(self):
        assert complete_profile_names("val") == ["validator-46", "validator-46-strict"]
        assert complete_rule_names("no-such") == []


class TestPicture:
    def test_it_shows_what_was_printed_and_asks_nobody(self):
        shown = picture("\x1b[31ma.py:1\x1b[0m <script>alert(1)</script> & more\n", "mcp-review x")
        assert "&lt;script&gt;" in shown
        assert "<script" not in shown
        assert "url(" not in shown.replace("url(#terminal", "")
        assert "@font-face" not in shown

    @pytest.mark.slow
    def test_the_picture_speaks_as_reports_do(self):
        """Its server is not here; the words around its findings are those of any report, and its rules and remedies are ours."""
        drawn = (ROOT / "docs/terminal.svg").read_text("utf-8")
        rows: dict[float, str] = {}
        for row, text in re.findall(r'<text[^>]* y="([\d.]+)"[^>]*>([^<]*)</text>', drawn):
            rows[float(row)] = rows.get(float(row), "") + html.unescape(text)
        shown = " ".join(" ".join(rows[row] for row in sorted(rows)).split())
        program = [sys.executable, "-m", "reviewer", str(FAULTY)]
        printed = " ".join(subprocess.run(program, capture_output=True, text=True, check=False).stdout.split())
        said = r"not judged: [^;]*questions? \([^;]*\); (ask a model: .*?) maturity: "
        ours, theirs = re.search(said, printed), re.search(said, shown)
        assert ours is not None
        assert theirs is not None
        assert theirs[1] == ours[1]
        sources = " ".join(
            "".join(each.read_text("utf-8") for each in ROOT.glob("reviewer/rules/**/*.py")).replace('"', "").split()
        )
        remedies = re.findall(r"= help: (.*?\.)(?= chroma-mcp| OK| ===|$)", shown)
        assert remedies
        for each in remedies:
            assert each in sources

    def test_the_picture_of_the_readme_is_one(self):
        drawn = (ROOT / "docs/terminal.svg").read_text("utf-8")
        assert "](docs/terminal.svg)" in (ROOT / "README.md").read_text("utf-8")
        assert "Verdict:" in drawn.replace("&#160;", " ")
        assert "@font-face" not in drawn
