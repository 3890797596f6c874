"""A repository with a server in it, and how a refusal is told."""

import shutil

import pytest
from repositories import SERVER, Repository


@pytest.fixture(scope="session")
def base_repository(tmp_path_factory):
    """Return a repository with one commit, which no test may change: git's commands take longer than what most tests compare."""
    made = Repository(tmp_path_factory.mktemp("base") / "repository")
    made.write("server.py", SERVER)
    made.commit("the base")
    return made


@pytest.fixture
def repository(base_repository, tmp_path):
    return Repository(shutil.copytree(base_repository.folder, tmp_path / "repository", symlinks=True), is_made=True)


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
