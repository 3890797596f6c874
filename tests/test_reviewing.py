"""A configured baseline holds wherever the configuration holds: in the library and in the server mode."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reviewer
from reviewer.cli import app
from reviewer.report.model import Verdict

SERVER = """from mcp.server.fastmcp import FastMCP
mcp = FastMCP("demo")

@mcp.tool()
def count_words(text: str) -> str:
    return text
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A server whose only error is in the baseline that a configuration above it names."""
    server = tmp_path / "project" / "server"
    server.mkdir(parents=True)
    (server / "server.py").write_text(SERVER)
    (server.parent / "mcp-review.toml").write_text('baseline = "known.json"')
    assert app.run([str(server)]) == 2  # the baseline is not written yet
    assert app.run([str(server), "--write-baseline"]) == 0
    return server.parent


def serve(path: Path, root: Path) -> Any:
    jobs: Any = pytest.importorskip("reviewer.serve.jobs")
    return jobs._build_done(jobs.Job("review", str(path), str(root), "server"), lambda *_: None)


def statuses(document: Any) -> set[str]:
    return {one["status"] for part in document["report"]["sections"] for one in part["findings"]}


def test_the_library_accepts_what_it_holds(project: Path) -> None:
    report = reviewer.review(project / "server")
    assert (report.verdict, report.findings) == (Verdict.PASS, ())
    assert {each.status for part in report.sections for each in part.findings} == {"baseline"}
    isolated = reviewer.review(project / "server", reviewer.Flags(isolated=True))
    assert len(isolated.findings) == 3


def test_the_server_mode_accepts_what_it_holds(project: Path) -> None:
    done = serve(project / "server", project)
    document = json.loads(done.text)
    assert document["report"]["summary"]["verdict"] == "PASS"
    assert statuses(document) == {"baseline"}


def outside(project: Path) -> None:
    (project / "known.json").rename(project.parent / "known.json")
    (project / "mcp-review.toml").write_text('baseline = "../known.json"')


def linked(project: Path) -> None:
    (project / "known.json").rename(project.parent / "known.json")
    (project / "known.json").symlink_to("../known.json")


@pytest.mark.parametrize("moved", [outside, linked])
def test_the_server_mode_reads_none_outside_of_its_root(project: Path, moved: Callable[[Path], None]) -> None:
    moved(project)
    assert "outside of the served folder" in serve(project / "server", project).why
    os.unlink(project.parent / "known.json")
    assert (
        "outside of the served folder" in serve(project / "server", project).why
    )  # the same, whether it is there or not


@pytest.mark.parametrize("given", ["none", "broken"])
def test_one_that_cannot_be_read_is_said(project: Path, given: str) -> None:
    (project / "known.json").unlink()
    if given == "broken":
        (project / "known.json").write_text("{")
    with pytest.raises(reviewer.CannotReviewError, match=r"known\.json"):
        reviewer.review(project / "server")
