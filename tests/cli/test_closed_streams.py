"""Standard streams that are closed when the command begins: one line that says so, and never a fault of ours."""

import pytest
from shells import shell

pytestmark = pytest.mark.slow


@pytest.fixture
def run(tmp_path):
    return shell(tmp_path)


@pytest.mark.parametrize(
    "arguments", ["server.py", ". -f json", "catalog .", "score .", "rules", "explain sse-transport"]
)
def test_standard_output(run, arguments):
    result = run(arguments, ">&-")
    assert (result.returncode, result.stderr) == (2, "mcp-review: standard output: cannot be written: closed\n")


def test_standard_output_that_is_not_needed(run, tmp_path):
    assert run(". -f json -o report.json", ">&-").returncode == 0
    assert (tmp_path / "report.json").stat().st_size


def test_standard_error(run):
    result = run("server.py", "2>&-")
    assert result.returncode == 0
    assert "Verdict: PASS" in result.stdout
    assert run("no-such-folder", "2>&-").returncode == 2


def test_standard_input(run):
    result = run("- --stdin-filename server.py", "<&-")
    assert (result.returncode, result.stderr) == (2, "mcp-review: standard input: cannot be read: closed\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_the_server_mode(run, closed):
    result = run("serve", closed)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "one of them is closed" in result.stderr
