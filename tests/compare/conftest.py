"""A repository with a server in it, and how a refusal is told."""

import pytest
from repositories import SERVER, Repository


@pytest.fixture
def repository(tmp_path):
    made = Repository(tmp_path / "repository")
    made.write("server.py", SERVER)
    made.commit("the base")
    return made


@pytest.fixture
def refused():
    def check(result, *words):
        assert result.returncode == 2, result.stdout
        assert result.stderr.count("\n") == 1, result.stderr
        assert result.stderr.startswith("mcp-review: ")
        for word in words:
            assert word in result.stderr
        assert result.stdout == ""

    return check
