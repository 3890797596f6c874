"""What a review tells of its progress: every stage, each count, in order."""

from collections import defaultdict

import pytest

import reviewer
from reviewer import pipeline
from reviewer.config import Flags
from reviewer.progress import HALFWAY, STAGES, ProgressStep, Stage, ignore_progress, iter_with_progress

PYTHON = """
from mcp.server import MCPServer

mcp = MCPServer("ropes")

@mcp.tool()
def list_ropes(limit: int = 20) -> list[str]:
    \"\"\"List the ropes.\"\"\"
    return []
"""

RUST = """
use rmcp::{tool, tool_router, tool_handler, ServerHandler};

pub struct Knots;

#[tool_router]
impl Knots {
    #[tool(description = "List the knots.")]
    async fn list_knots(&self) -> String { String::new() }
}

#[tool_handler]
impl ServerHandler for Knots {}
"""


def reviewed(folder):
    """Review a folder; give what was told, and the report."""
    steps = []

    def progress(stage, done, total=None):
        steps.append(ProgressStep(stage, done, total))

    flags = Flags()
    report, _ = pipeline.run_rules(pipeline.read(folder, flags, progress), flags, progress=progress)
    return steps, report


@pytest.fixture
def both(tmp_path):
    for number in range(3):
        (tmp_path / f"ropes{number}.py").write_text(PYTHON.replace("list_ropes", f"list_ropes_{number}"))
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "lib.rs").write_text(RUST)
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "knots"\nversion = "0.1.0"\n[dependencies]\nrmcp = "1"\n')
    return tmp_path


TYPESCRIPT = """import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

const server = new McpServer({ name: "hitches", version: "1.0.0" });
server.tool("list_hitches", "Lists the hitches.", {}, async () => ({ content: [] }));
"""


def test_a_review_tells_every_stage_in_order(both):
    (both / "hitches.ts").write_text(TYPESCRIPT)
    steps, _ = reviewed(both)
    assert tuple(dict.fromkeys(each.stage for each in steps)) == STAGES


def test_files_and_tools_are_counted_one_by_one(both):
    steps, report = reviewed(both)
    counts = defaultdict(list)
    for each in steps:
        counts[each.stage].append((each.done, each.total))
    assert report.tools == 4
    assert counts[Stage.FINDING_FILES] == [(0, None), (1, None), (2, None), (3, None), (4, None)]
    assert counts[Stage.READING_PYTHON_FILES] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert counts[Stage.READING_PYTHON_TOOLS] == [(0, 3), (1, 3), (2, 3)]
    assert counts[Stage.READING_RUST_FILES][-1] == (1, 1)
    assert counts[Stage.CHECKING_TOOLS] == [(0, 4), (1, 4), (2, 4), (3, 4)]
    assert counts[Stage.CHECKING_SERVERS][-1] == (4, 4)


def test_no_count_exceeds_its_total(both):
    assert all(each.total is None or 0 <= each.done <= each.total for each in reviewed(both)[0])


def test_what_a_review_finds_does_not_depend_on_who_listens(both):
    assert reviewed(both)[1] == reviewer.review(both)


def test_counted_reports_before_each_item_and_at_the_end():
    told = []
    items = iter_with_progress("ab", Stage.SCORING, lambda stage, done, total=None: told.append((stage, done, total)))
    assert next(items) == "a"
    assert told == [(Stage.SCORING, 0, 2)]
    assert list(items) == ["b"]
    assert told[-1] == (Stage.SCORING, 2, 2)


def test_a_step_says_its_stage_and_count():
    assert ProgressStep(Stage.FINDING_FILES, 7).text == "finding files: 7"
    assert ProgressStep(Stage.CHECKING_TOOLS, 3, 12).text == "checking tools: 3 of 12"


def test_stages_grow_with_every_step_and_a_finished_stage_is_less_than_the_next():
    steps = [
        ProgressStep(Stage.FINDING_FILES, 0), ProgressStep(Stage.FINDING_FILES, 5), ProgressStep(Stage.FINDING_FILES, 50 * HALFWAY),
        ProgressStep(Stage.READING_PYTHON_FILES, 0, 3), ProgressStep(Stage.READING_PYTHON_FILES, 3, 3),
        ProgressStep(Stage.READING_PYTHON_TOOLS, 0, 0), ProgressStep(Stage.CHECKING_TOOLS, 0, 1), ProgressStep(Stage.SCORING, 46, 46),
    ]  # fmt: skip
    shares = [each.stages for each in steps]
    assert shares == sorted(set(shares))
    assert shares[-1] < len(STAGES)


def test_silent_takes_all_and_says_nothing(capsys):
    ignore_progress(Stage.SCORING, 1, 2)
    assert capsys.readouterr() == ("", "")
