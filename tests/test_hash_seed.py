"""What a review tells does not depend on the order of sets, which differs from run to run."""

import os
import subprocess
import sys

import pytest

THINGS = ("seed", "macro", "source", "exposure", "snapshot", "metric", "semantic_model", "test")
OPTION = """
@mcp.tool()
def get_{thing}_details(kind: str) -> str:
    '''Give details of a resource by its unique identifier. Kind is one of: "a", "b", "c", or "c", "b", "a".'''
    return kind
"""
SERVER = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('one')\n" + "".join(
    OPTION.format(thing=thing) for thing in THINGS
)


@pytest.mark.slow
def test_two_hash_seeds_give_one_report(tmp_path):
    """Of many tools with one description, the same two are named."""
    (tmp_path / "server.py").write_text(SERVER, "utf-8")
    told = {_review(tmp_path, seed) for seed in ("0", "1", "2", "3")}
    assert len(told) == 1
    assert "word for word" in told.pop()


def _review(path, seed: str) -> str:
    command = [sys.executable, "-m", "reviewer", str(path), "--format", "json"]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False).stdout
