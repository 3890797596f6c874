"""Rust code whose syntax nests deeper than can be followed costs the part that needs it, by a bound and not by a fault."""

from pathlib import Path

import pytest

from reviewer import failures
from reviewer.cli import app

pytestmark = pytest.mark.slow

LONG = 5_000
"""Links of a chain: each nests one level deeper, a call two, and Python's stack has a thousand frames."""

SUM = " + ".join(["x"] * LONG)
CALLS = "x" + ".y()" * (LONG // 2)
PATH = "a" + "::a" * LONG

BY_HAND = """
impl ServerHandler for Server {
    async fn list_tools(&self) -> Result<ListToolsResult, Error> {
        Ok(ListToolsResult { tools: vec![Tool::new("count_words", "Counts words.", Arc::new(object(json!({"type": "object"}))))], next_cursor: None })
    }
    async fn call_tool(&self, request: CallToolRequestParam) -> Result<CallToolResult, Error> {
        match request.name.as_ref() { "count_words" => DEEP, _ => todo!() }
    }
}
"""
BY_MACRO = """
#[tool_router]
impl Server {
    #[tool(description = "Counts words.")]
    fn count_words(&self) -> String { String::new() }
    #[tool(description = "Counts lines.")]
    fn count_lines(&self, Parameters(given): Parameters<DEEP>) -> String { String::new() }
}
#[tool_handler]
impl ServerHandler for Server {}
"""


def test_a_long_chain_is_a_bound(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(failures.DEBUG)
    (tmp_path / "lib.rs").write_text(BY_MACRO.replace("DEEP", PATH))
    status = app.run(["review", str(tmp_path)])
    out, err = capfd.readouterr()
    assert status == 2
    assert "a tool was not reviewed: nested too deep to be followed" in err
    assert "Verdict: INCOMPLETE" in out
    assert "RecursionError" not in out + err
    assert "fault" not in err


@pytest.mark.parametrize("chain", [SUM, CALLS], ids=["sum", "calls"])
def test_a_long_chain_in_a_handler_is_followed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, chain: str
) -> None:
    monkeypatch.delenv(failures.DEBUG)
    (tmp_path / "lib.rs").write_text(BY_HAND.replace("DEEP", chain))
    status = app.run(["review", str(tmp_path)])
    out, err = capfd.readouterr()
    assert (status, err) == (0, "")
    assert "=== §8: stdio panic isolation ===" in out
