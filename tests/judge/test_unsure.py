"""Questions about what an analysis could not tell: asked if a judge sits, by a rubric of their own, and never an error."""

from collections.abc import Sequence

import pytest

from reviewer.config import Flags, configured, settle
from reviewer.engine import examine
from reviewer.flow import read
from reviewer.judge import Answer, Asked, Judged, Unanswered
from reviewer.report import Finding, SectionReport
from reviewer.rules import Severity, load

HEAD = """
import sqlite3
import subprocess
from pathlib import Path

import httpx
from mcp.server.fastmcp import FastMCP
from shedlib.guards import is_fine, safe_name, tidied

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
    "Cargo.toml": '[package]\nname = "shed"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nrmcp = "0.8"\n',
    "src/main.rs": """
use rmcp::{handler::server::wrapper::Parameters, model::*, tool, tool_router, ErrorData};
use shedlib::guards::safe_name;

pub struct Shed { tool_router: rmcp::handler::server::router::tool::ToolRouter<Self> }

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Named { name: String }

#[tool_router]
impl Shed {
    /// Hang a tool up.
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
        self.asked: list[Asked] = []

    def __call__(self, asked: Sequence[Asked]) -> Sequence[Answer]:
        self.asked += asked
        if not self.verdict:
            return [Unanswered("nobody is there")] * len(asked)
        return [Judged(self.verdict, None, "so", each.rubric, "a") for each in asked]


def reviewed(folder, files: dict[str, str], slug: str, judge: Saying | None = None) -> tuple[SectionReport, ...]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    chosen = settle(configured(select=(slug,)), Flags(), "core").chosen
    return examine(read(folder, Flags()).project, chosen, judge=judge)


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
    assert "`safe_name(name)` does not keep that off" in found.message


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
