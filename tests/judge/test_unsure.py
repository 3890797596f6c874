"""Questions about what an analysis could not tell: asked if a judge sits, by a rubric of their own, and never an error."""

from collections.abc import Sequence

import pytest

from judge.sheds import CARGO, SHED, put
from reviewer.config import Flags, build_configuration, settle
from reviewer.engine import examine
from reviewer.judge import Answer, AskedQuestion, Judged, Unanswered
from reviewer.judge.question_requests import build_view
from reviewer.pipeline import read
from reviewer.report.model import Finding, SectionReport
from reviewer.rules import Severity, load

HEAD = """
import sqlite3
import subprocess
from pathlib import Path

import httpx
from mcp.server.fastmcp import FastMCP
from shedlib.guards import checked_name, is_fine, safe_name, tidied

mcp = FastMCP("shed")
ROOT = Path("hooks")
KNOWN = ["saw", "rake"]


@mcp.tool()
def hang(name: str) -> str:
    \"\"\"Hang a tool up.\"\"\"
"""

GUARD = "    safe_name(name)\n"

PYTHON = {
    "path-traversal": "    return (ROOT / name).read_text()\n",
    "command-injection": '    return subprocess.run(f"hang {name}", shell=True, capture_output=True, text=True).stdout\n',
    "option-injection": '    return subprocess.run(["git", "log", name], capture_output=True, text=True).stdout\n',
    "sql-injection": '    return sqlite3.connect("a.db").execute(f"SELECT 1 FROM hooks WHERE name = \'{name}\'").fetchone()\n',
    "server-side-request-forgery": "    return httpx.get(name).text\n",
    "url-part-not-encoded": '    return httpx.get(f"https://hooks.example/{name}").text\n',
    "code-injection": "    return eval(name)\n",
}

RUST = {
    "Cargo.toml": CARGO,
    "src/main.rs": """
use rmcp::{handler::server::wrapper::Parameters, model::*, tool, tool_router, ErrorData};
use shedlib::guards::safe_name;
"""
    + SHED
    + """    /// Hang a tool up.
    #[tool]
    async fn hang(&self, Parameters(named): Parameters<Named>) -> Result<CallToolResult, ErrorData> {
        safe_name(&named.name)?;
        let text = std::fs::read_to_string(format!("hooks/{}", named.name)).unwrap_or_default();
        Ok(CallToolResult::success(vec![Content::text(text)]))
    }
}
""",
}


class Saying:
    """A judge who says one thing of all."""

    def __init__(self, verdict: str = "") -> None:
        self.verdict = verdict
        self.asked: list[AskedQuestion] = []

    def __call__(self, asked: Sequence[AskedQuestion]) -> Sequence[Answer]:
        self.asked += asked
        if not self.verdict:
            return [Unanswered("nobody is there")] * len(asked)
        return [Judged(self.verdict, None, "so", each.rubric, "a") for each in asked]


def reviewed(folder, files: dict[str, str], slug: str, judge: Saying | None = None) -> tuple[SectionReport, ...]:
    chosen = settle(build_configuration(select=(slug,)), Flags(), "core").chosen
    return examine(read(put(folder, files), Flags()).project, chosen, judge=judge)


def findings(sections: tuple[SectionReport, ...]) -> list[Finding]:
    return [each for part in sections for each in part.findings]


@pytest.mark.parametrize("slug", PYTHON)
def test_a_guard_that_nobody_sees_is_asked_about(tmp_path, slug):
    judge = Saying("not_met")
    (found,) = findings(reviewed(tmp_path, {"server.py": HEAD + GUARD + PYTHON[slug]}, slug, judge))
    assert {each.rubric for each in judge.asked} == {load()[slug].unsure}
    assert (found.rule.slug, found.tool) == (slug, "hang")
    assert found.severity is not Severity.ERROR
    assert found.decided is not None
    assert "`safe_name(name)` does not prevent it" in found.message


@pytest.mark.parametrize("slug", PYTHON)
def test_without_a_judge_it_is_as_if_nobody_had_asked(tmp_path, slug):
    sections = reviewed(tmp_path, {"server.py": HEAD + GUARD + PYTHON[slug]}, slug)
    assert findings(sections) == []
    (section,) = [each for each in sections if each.section is load()[slug].section]
    assert (section.status, section.waiting) == ("ok", ())


@pytest.mark.parametrize("slug", PYTHON)
def test_what_nothing_checks_is_found_and_not_asked(tmp_path, slug):
    judge = Saying("met")
    (found,) = findings(reviewed(tmp_path, {"server.py": HEAD + PYTHON[slug]}, slug, judge))
    assert (found.decided, judge.asked) == (None, [])


def test_in_rust_as_well(tmp_path):
    (found,) = findings(reviewed(tmp_path, RUST, "path-traversal", Saying("not_met")))
    assert (found.span.path, found.severity) == ("src/main.rs", Severity.WARNING)
    assert findings(reviewed(tmp_path, RUST, "path-traversal")) == []


@pytest.mark.parametrize("verdict", ["met", "not_applicable"])
def test_who_is_answered_otherwise_finds_nothing(tmp_path, verdict):
    files = {"server.py": HEAD + GUARD + PYTHON["path-traversal"]}
    sections = reviewed(tmp_path, files, "path-traversal", Saying(verdict))
    assert findings(sections) == []
    assert not any(each.waiting for each in sections)


def test_a_judge_who_does_not_answer_leaves_it_open(tmp_path):
    files = {"server.py": HEAD + GUARD + PYTHON["path-traversal"]}
    (open_,) = [each for part in reviewed(tmp_path, files, "path-traversal", Saying()) for each in part.waiting]
    assert open_.why == "nobody is there"


@pytest.mark.parametrize(
    "guard",
    [
        "    if not is_fine(name):\n        raise ValueError(name)\n",
        "    name = tidied(name)\n",
        '    if name.startswith(".."):\n        raise ValueError(name)\n',
    ],
)
def test_a_test_that_may_not_be_enough_is_asked_about(tmp_path, guard):
    judge = Saying("met")
    reviewed(tmp_path, {"server.py": HEAD + guard + PYTHON["path-traversal"]}, "path-traversal", judge)
    assert len(judge.asked) == 1
    assert judge.asked[0].question.shows == {"schema", "code"}


def test_the_call_is_shown_where_it_ends_a_long_function(tmp_path):
    said = "    print(len(name))\n" * 250
    helper = f"\n\ndef opened(name: str) -> str:\n    safe_name(name)\n{said}{PYTHON['path-traversal']}"
    files = {"server.py": f"{HEAD}    return opened(name)\n{helper}"}
    judge = Saying("met")
    reviewed(tmp_path, files, "path-traversal", judge)
    (asked,) = judge.asked
    seen = build_view([asked], lambda _span: "").seen["code"]
    assert any("(ROOT / name).read_text()" in each.get("source", "") for each in seen)


@pytest.mark.parametrize(
    "guard",
    [
        "    if name not in KNOWN:\n        raise ValueError(name)\n",
        '    if name != "saw":\n        raise ValueError(name)\n',
        "    if not (ROOT / name).resolve().is_relative_to(ROOT.resolve()):\n        raise ValueError(name)\n",
    ],
)
def test_a_list_of_what_is_let_through_is_not_asked_about(tmp_path, guard):
    judge = Saying("not_met")
    sections = reviewed(tmp_path, {"server.py": HEAD + guard + PYTHON["path-traversal"]}, "path-traversal", judge)
    assert (findings(sections), judge.asked) == ([], [])


@pytest.mark.parametrize("slug", PYTHON)
def test_a_decorator_that_may_check_is_asked_about(tmp_path, slug):
    head = HEAD.replace("@mcp.tool()\n", "@mcp.tool()\n@checked_name\n")
    judge = Saying("not_met")
    (found,) = findings(reviewed(tmp_path, {"server.py": head + PYTHON[slug]}, slug, judge))
    assert "`checked_name` does not prevent it" in found.message
    assert findings(reviewed(tmp_path, {"server.py": head + PYTHON[slug]}, slug)) == []


LIST = """
import os

from mcp.server.fastmcp import FastMCP
from shedlib import MOST, unpacked

mcp = FastMCP("shed")
HOOKS = [{{"name": str(number)}} for number in range(int(os.environ["SHED_HOOKS"]))]


@mcp.tool()
def hooks_list(limit: int = 20, cursor: str = "") -> dict:
    \"\"\"List the hooks.\"\"\"
{body}
"""


def test_a_bound_that_only_a_run_tells_is_asked_about(tmp_path):
    files = {"server.py": LIST.format(body='    return {"hooks": HOOKS[:min(limit, MOST)]}')}
    judge = Saying("not_met")
    (found,) = findings(reviewed(tmp_path, files, "limit-unbounded", judge))
    assert (found.tool, judge.asked[0].question.about) == ("hooks_list", "limit: HOOKS[:min(limit, MOST)]")
    assert findings(reviewed(tmp_path, files, "limit-unbounded")) == []


@pytest.mark.parametrize(("size", "count"), [("min(limit, 100)", 0), ("limit", 1)])
def test_a_bound_that_is_known_is_not_asked_about(tmp_path, size, count):
    judge = Saying("not_met")
    files = {"server.py": LIST.format(body=f'    return {{"hooks": HOOKS[:{size}]}}')}
    assert len(findings(reviewed(tmp_path, files, "limit-unbounded", judge))) == count
    assert judge.asked == []


def test_a_function_that_nobody_sees_and_that_reads_a_cursor_is_asked_about(tmp_path):
    body = '    start = unpacked(cursor)\n    return {"hooks": HOOKS[start:start + min(limit, 50)], "next_cursor": str(start + 50)}'
    judge = Saying("not_met")
    (found,) = findings(reviewed(tmp_path, {"server.py": LIST.format(body=body)}, "cursor-restarts", judge))
    assert (found.tool, judge.asked[0].question.about) == ("hooks_list", "unpacked(cursor)")
    assert findings(reviewed(tmp_path, {"server.py": LIST.format(body=body)}, "cursor-restarts")) == []


def test_a_function_that_is_handed_more_than_a_cursor_is_not_asked_about(tmp_path):
    body = '    return {"hooks": unpacked(cursor, limit)}'
    judge = Saying("not_met")
    reviewed(tmp_path, {"server.py": LIST.format(body=body)}, "cursor-restarts", judge)
    assert judge.asked == []


DISPATCH = """
use rmcp::{model::*, service::RequestContext, ErrorData, RoleServer, ServerHandler};
use shedlib::{bounded, run};

pub struct Shed;

async fn dispatch(action: &str, value: serde_json::Value) -> Result<serde_json::Value, ErrorData> {
    match action {
        "hooks.list" => { let found = listed(value).await?; Ok(bounded(action, found)) }
        "hooks.count" => { let found = listed(value).await?; Ok(bounded(action, found)) }
        _ => Err(ErrorData::invalid_params("no such action", None)),
    }
}

async fn listed(value: serde_json::Value) -> Result<serde_json::Value, ErrorData> {
    let kind = value["kind"].as_str().unwrap();
    std::fs::read_to_string(kind).map(|text| serde_json::json!(text)).map_err(|_| ErrorData::internal_error("no", None))
}

impl ServerHandler for Shed {
    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: RequestContext<RoleServer>) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { tools: vec![Tool::new("shed", "Works in the shed.", serde_json::Map::new())], ..Default::default() })
    }

    async fn call_tool(&self, request: CallToolRequestParams, _: RequestContext<RoleServer>) -> Result<CallToolResult, ErrorData> {
        let value = serde_json::Value::Object(request.arguments.unwrap_or_default());
        let action = value["action"].as_str().unwrap_or_default().to_string();
        let answer = @@.await?;
        Ok(CallToolResult::success(vec![Content::text(answer.to_string())]))
    }
}
"""


@pytest.mark.parametrize(
    ("slug", "runs", "about"),
    [
        ("dispatch-without-isolation", "run(move || dispatch(&action, value))", "call_tool"),
        ("handler-bypasses-respond", "dispatch(&action, value)", "bounded(action, found)"),
    ],
)
def test_code_that_is_not_there_and_takes_all_calls_is_asked_about(tmp_path, slug, runs, about):
    files = {"Cargo.toml": CARGO, "src/main.rs": DISPATCH.replace("@@", runs)}
    judge = Saying("not_met")
    (found,) = [each for each in findings(reviewed(tmp_path, files, slug, judge)) if each.decided]
    assert [each.question.about for each in judge.asked] == [about]
    assert found.severity is not Severity.ERROR
    assert findings(reviewed(tmp_path, files, slug)) == []
