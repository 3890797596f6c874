"""An unexpected exception costs one thing: it is named, the rest is reported, and nothing of it is a PASS."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewer import failures
from reviewer.cli import app
from reviewer.facts import Lazy
from reviewer.rules import load
from reviewer.source import Span

PYTHON = """from mcp.server.fastmcp import FastMCP
mcp = FastMCP("demo")

@mcp.tool()
def count_words(text: str) -> str:
    \"\"\"Counts words.\"\"\"
    return text
"""
SECOND = PYTHON.replace("demo", "other").replace("count_words", "count_lines")
RUST = """
#[tool_router]
impl Server {
    #[tool(description = "Counts words.")]
    fn count_words(&self) -> String { String::new() }
    #[tool(description = "Counts lines.")]
    fn count_lines(&self) -> String { String::new() }
}
#[tool_handler]
impl ServerHandler for Server {}
"""
DEFINITIONS = json.dumps(
    {"tools": [{"name": name, "description": "Counts.", "inputSchema": {"type": "object"}} for name in "ab"]}
)
SECRET = "sk-a-secret-of-the-reviewed-code"


@pytest.fixture(autouse=True)
def _net(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(failures.DEBUG)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "first.py").write_text(PYTHON)
    (tmp_path / "second.py").write_text(SECOND)
    return tmp_path


def failing(original: Callable[..., Any], when: Callable[..., bool] = lambda *_: True) -> Callable[..., Any]:
    def fail(*given: Any, **named: Any) -> Any:
        if when(*given):
            raise ZeroDivisionError(SECRET)
        return original(*given, **named)

    return fail


def inject(monkeypatch: pytest.MonkeyPatch, where: str, when: Callable[..., bool] = lambda *_: True) -> None:
    module, _, name = where.rpartition(":")
    __import__(module)
    holder: Any = sys.modules[module]
    *path, last = name.split(".")
    for each in path:
        holder = getattr(holder, each)
    monkeypatch.setattr(holder, last, failing(getattr(holder, last), when))


def reviewed(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = app.run(arguments)
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    assert SECRET not in out + err
    return code, out, err


def of_file(name: str) -> Callable[..., bool]:
    return lambda *given: any(name in str(getattr(getattr(each, "module", each), "path", "")) for each in given)


BOUNDARIES = [
    pytest.param("reviewer.languages.python.evaluation.statements:execute", of_file("first"), "first.py", id="a file's evaluation"),
    pytest.param("reviewer.languages.python.declarations.servers:ServerReader._read_contents", of_file("nothing"), None, id="nothing fails"),
    pytest.param("reviewer.languages.python.declarations.tools:ToolReader.read", lambda _, made, *__: "first" in made.module.path, "first.py", id="a tool"),
    pytest.param("reviewer.languages.python.declarations.servers:ServerReader._read_server", lambda _, made: "first" in made.span.path, "first.py", id="a server"),
    pytest.param("reviewer.languages.python.behaviour:with_branches", lambda *_: True, "branches", id="what code does"),
    pytest.param("reviewer.languages.python.behaviour:iter_progress_places", lambda *_: True, "the progress of the code", id="lazy facts"),
    pytest.param("reviewer.pipeline:score_project", lambda *_: True, "maturity", id="the score"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "when", "named"), BOUNDARIES)
def test_a_failure_costs_one_thing(
    tree: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    when: Any,
    named: str | None,
) -> None:
    inject(monkeypatch, where, when)
    code, out, err = reviewed(capfd, str(tree), "--format", "json")
    report = json.loads(out)
    if named is None:
        assert (code, "not_reviewed" in report, err) == (0, False, "")
        return
    assert code == 2
    assert report["summary"]["verdict"] == "INCOMPLETE"
    assert report["summary"]["tools"] >= 1, "the rest is reported"
    assert [each["error"] for each in report["not_reviewed"]] == ["ZeroDivisionError"]
    assert report["not_reviewed"][0]["place"].startswith("reviewer.")
    assert named in err
    assert "please report it" in err


@pytest.fixture
def broken() -> Iterator[str]:
    slug = "parameter-without-description"
    rule = load()[slug]
    original = rule.check
    object.__setattr__(rule, "check", failing(original))
    yield slug
    object.__setattr__(rule, "check", original)


def test_a_rule_that_raises_costs_its_section_and_the_score(
    tree: Path, capfd: pytest.CaptureFixture[str], broken: str
) -> None:
    code, out, err = reviewed(capfd, str(tree), "--format", "json")
    report = json.loads(out)
    section = next(each for each in report["sections"] if "could not check everything" in (each["reason"] or ""))
    assert code == 2
    assert (section["status"], broken in section["reason"]) == ("not-judged", True)
    assert report["summary"]["maturity"]["score"] is None
    assert len(report["not_reviewed"]) == 1, "one fault on two tools is one line"
    assert "more place" in err


def test_with_an_error_the_verdict_is_fail_and_the_exit_code_still_2(
    tree: Path, capfd: pytest.CaptureFixture[str], broken: str
) -> None:
    (tree / "third.py").write_text(PYTHON.replace("@mcp.tool()", '@mcp.tool(name="count words")'))
    code, out, _ = reviewed(capfd, str(tree), "--format", "json")
    summary = json.loads(out)["summary"]
    assert (code, summary["verdict"], summary["errors"]) == (2, "FAIL", 1)


@pytest.mark.parametrize(
    "form", ["text", "json", "sarif", "sarif-github", "github", "markdown", "gitlab", "junit", "rdjson", "html"]
)
def test_every_format_says_so(tree: Path, capfd: pytest.CaptureFixture[str], broken: str, form: str) -> None:
    code, out, _ = reviewed(capfd, str(tree), "--format", form)
    assert code == 2
    assert "not reviewed by" in out.lower()
    assert "Verdict: PASS" not in out
    if form.startswith("sarif"):
        invocation = json.loads(out)["runs"][0]["invocations"][0]
        assert invocation["executionSuccessful"] is False
        assert [each["level"] for each in invocation["toolExecutionNotifications"]] == ["error"]


def test_a_format_that_raises_leaves_the_others(
    tree: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inject(monkeypatch, "reviewer.render.sarif:render")
    file = tmp_path / "report.json"
    code, out, err = reviewed(capfd, str(tree), "--also", f"sarif:{tmp_path}/a.sarif", "--also", f"json:{file}")
    assert code == 2
    assert "Verdict:" in out
    assert json.loads(file.read_text())["version"] == 1
    assert "the report was not written as sarif" in err


def test_an_output_that_cannot_be_written_leaves_the_others(
    tree: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report.json"
    code, out, err = reviewed(capfd, str(tree), "--also", f"sarif:{tmp_path}/no/such/a.sarif", "--also", f"json:{file}")
    assert (code, "Verdict:" in out, file.exists()) == (2, True, True)
    assert "cannot be written" in err


@pytest.mark.parametrize(
    ("command", "where"),
    [
        ("catalog", "reviewer.render.catalog:_build_tool"),
        ("score", "reviewer.pipeline:score_definitions"),
        ("review", "reviewer.pipeline:settle_each"),
    ],
)
def test_commands_never_show_a_traceback(
    tree: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str, where: str
) -> None:
    inject(monkeypatch, where)
    code, _, err = reviewed(capfd, command, str(tree))
    assert code == 2
    assert "ZeroDivisionError in reviewer." in err
    assert "please report it" in err


def test_rust_keeps_the_other_tools(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.rs").write_text(RUST)
    inject(
        monkeypatch,
        "reviewer.languages.rust.declarations.routers:RouterReader.read_tool",
        lambda reader, *_: b"count_lines" in reader.node.text,
    )
    code, out, _ = reviewed(capfd, "catalog", str(tmp_path))
    assert code == 2
    assert [each["name"] for each in json.loads(out)["tools"]] == ["count_words"]
    assert "a tool was not reviewed" in json.loads(out)["unreadable"][0]["reason"]


def test_definitions_keep_the_other_tools(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tools.json"
    file.write_text(DEFINITIONS)
    inject(monkeypatch, "reviewer.inputs.definitions:_build_tool", lambda value: value.data["name"] == "a")
    code, out, _ = reviewed(capfd, "catalog", str(file))
    assert (code, [each["name"] for each in json.loads(out)["tools"]]) == (2, ["b"])


def test_where_nothing_can_be_read_for_a_fault_there_is_a_report(
    tree: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inject(monkeypatch, "reviewer.languages.python.reading:behaviour.read")
    inject(monkeypatch, "reviewer.languages.python.evaluation.statements:execute")
    code, out, _ = reviewed(capfd, str(tree))
    assert code == 2
    assert out.endswith("Verdict: INCOMPLETE\n")


def test_the_report_that_is_read_back_says_so(
    tree: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], broken: str
) -> None:
    from reviewer.github import texts
    from reviewer.github.texts import CommentMark, Whereabouts
    from reviewer.github.threads import Thread, plan
    from reviewer.report import reader

    file = tmp_path / "report.json"
    reviewed(capfd, str(tree), "--format", "json", "--output", str(file))
    report = reader.read(file)
    assert report.verdict.value == "INCOMPLETE"
    assert "**Not reviewed**" in texts.format_comment(report, "mcp-review", Whereabouts())
    thread = Thread("id", 1, CommentMark("0123456789abcdef"), path="first.py", outdated=True)
    assert plan(report, [thread], {}).resolve == (), "its finding may be gone because nobody looked"


def test_no_baseline_is_written_over_what_was_not_reviewed(
    tree: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], broken: str
) -> None:
    file = tmp_path / "baseline.json"
    code, _, err = reviewed(capfd, str(tree), "--baseline", str(file), "--write-baseline")
    assert (code, file.exists()) == (2, False)
    assert "nothing is written" in err


def test_a_job_of_the_server_mode_hands_back_why(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    from reviewer.serve import jobs

    monkeypatch.setattr(jobs, "prepare_process", lambda _: None)
    monkeypatch.setitem(jobs.KINDS, "review", failing(jobs._review))
    (tree / "progress").touch()
    done = jobs.run_job(jobs.Job("review", str(tree), str(tree), "here"), os.getpid(), str(tree / "progress"))
    assert done.why is not None
    assert "ZeroDivisionError" in done.why
    assert SECRET not in done.why


def test_developers_see_the_traceback(tree: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    monkeypatch.setenv(failures.DEBUG, "1")
    with pytest.raises(ZeroDivisionError):
        app.run([str(tree)])


def test_without_anybody_who_collects_it_is_raised() -> None:
    with pytest.raises(ZeroDivisionError), failures.contained("nothing"):
        raise ZeroDivisionError


def test_what_is_no_fault_passes() -> None:
    for error in (failures.CannotReviewError("no"), KeyboardInterrupt()):
        with pytest.raises(type(error)), failures.collected(), failures.contained("nothing"):
            raise error


def test_a_thousand_faults_are_counted() -> None:
    with failures.collected() as kept:
        for number in range(1000):
            with failures.contained(f"thing {number}"):
                raise ValueError
    assert len(kept.all) == failures.MOST_KEPT + 1
    assert "900 more failures" in kept.all[-1].reason


def test_lazy_facts_are_searched_once_and_raise_the_same_again() -> None:
    searches = []

    def find() -> Iterator[Any]:
        searches.append(1)
        raise KeyError("x")
        yield

    facts: Lazy[Any] = Lazy(find)
    for _ in range(3):
        with failures.collected() as kept, failures.contained("facts", Span("a.py", 1, 1, 1, 1)):
            tuple(facts)
        assert kept.all[0].error == "KeyError"
        assert len(kept.all[0].trail) < 4, "the trail does not grow"
    assert searches == [1]
