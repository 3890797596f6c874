"""`--diff BASE`: what was introduced, fixed and left since the history parted."""

import json

import pytest

FORGET = '    """Forget one of the notes for good."""\n'
UNDESCRIBED = "server.py forget tool-without-description"


def test_nothing_changed(repository):
    found = repository.compared("--diff", "main")
    assert (found["introduced"], found["fixed"]) == ([], [])
    assert UNDESCRIBED in found["unchanged"]


def test_fixed_and_introduced_in_the_work_tree(repository):
    repository.edit("server.py", "def forget(name: str) -> str:\n", f"def forget(name: str) -> str:\n{FORGET}")
    repository.write("more.py", "from server import mcp\n\n\n@mcp.tool()\ndef more() -> str:\n    return ''\n")
    before = repository.git("status", "--porcelain")
    index = (repository.folder / ".git/index").read_bytes()
    found = repository.compared("--diff", "HEAD")
    assert found["fixed"] == [UNDESCRIBED]
    assert "more.py more tool-without-description" in found["introduced"]
    assert repository.git("status", "--porcelain") == before
    assert (repository.folder / ".git/index").read_bytes() == index


def test_the_base_is_where_the_history_parted(repository):
    repository.git("checkout", "-q", "-b", "change")
    repository.write("README", "x")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.edit("server.py", "def forget(name: str) -> str:\n", f"def forget(name: str) -> str:\n{FORGET}")
    repository.commit()
    repository.git("checkout", "-q", "change")
    found = repository.compared("--diff", "main")
    assert (found["introduced"], found["fixed"]) == ([], [])


def test_the_exit_code_speaks_of_what_was_introduced(repository):
    assert repository.run("--fail-on", "warning").returncode == 1
    assert repository.run("--fail-on", "warning", "--diff", "HEAD").returncode == 0
    repository.write("more.py", "from server import mcp\n\n\n@mcp.tool()\ndef more() -> str:\n    return ''\n")
    assert repository.run("--fail-on", "warning", "--diff", "HEAD").returncode == 1


def test_the_text_shows_what_changed_and_counts_the_rest(repository):
    commit = repository.git("rev-parse", "--short=10", "HEAD")
    repository.edit("server.py", "def forget(name: str) -> str:\n", f"def forget(name: str) -> str:\n{FORGET}")
    repository.edit("server.py", '"""Read the file at a path within the notes."""', "...")
    lines = repository.run("--diff", "main").stdout.splitlines()
    assert (
        f"{repository.folder}/server.py:9:5 warning tool-without-description tool `read` has no description (introduced)"
        in lines
    )
    assert (
        lines[lines.index("=== Fixed ===") + 1]
        == f"{repository.folder}/server.py:15:5 warning tool-without-description tool `forget` has no description"
    )
    summary = next(line for line in lines if line.startswith("since main"))
    assert summary.startswith(f"since main ({commit}): 2 introduced, 1 fixed, ")
    unchanged = int(summary.split(", ")[-1].removesuffix(" unchanged"))
    assert unchanged
    assert sum(int(line.split()[1]) for line in lines if line.startswith("unchanged: ")) == unchanged
    assert lines[-1].startswith("1 violation introduced, ")
    shown = repository.run("--diff", "main", "--show-unchanged").stdout.splitlines()
    assert not any(line.startswith("unchanged: ") for line in shown)
    assert shown != lines


def test_a_plain_report_says_nothing_of_changes(repository):
    report = json.loads(repository.run("--format", "json").stdout)
    assert "compared" not in report
    assert not any("change" in each for part in report["sections"] for each in part["findings"])


@pytest.mark.parametrize("committed", [False, True])
def test_renamed_files_and_moved_lines(repository, committed):
    repository.git("mv", "server.py", "app.py")
    if committed:
        repository.edit("app.py", "mcp = ", "# one\n\n# two\nmcp = ")
        repository.commit()
    found = repository.compared("--diff", "HEAD~1" if committed else "HEAD")
    assert (found["introduced"], found["fixed"]) == ([], [])
    assert found["unchanged"]


def test_a_part_of_the_repository(repository):
    repository.write("sub/.gitignore", "out.py\n")
    text = (repository.folder / "server.py").read_text()
    repository.write("sub/server.py", text)
    repository.write("sub/out.py", text)
    repository.git("add", "-f", "sub/out.py")
    repository.commit()
    repository.edit("sub/server.py", "def forget(name: str) -> str:\n", f"def forget(name: str) -> str:\n{FORGET}")
    for at in ("sub", "sub/server.py"):
        found = repository.compared("--diff", "HEAD", at=at)
        assert (found["introduced"], found["fixed"]) == ([], [UNDESCRIBED])


def test_settings_are_those_of_the_work_tree(repository):
    repository.write("mcp-review.toml", 'ignore = ["tool-without-description"]\n')
    found = repository.compared("--diff", "HEAD")
    assert (found["introduced"], found["fixed"]) == ([], [])


def test_a_suppression_that_is_taken_away_introduces(repository):
    repository.edit("server.py", "def forget", "# mcp-review: ignore[tool-without-description] it is known\ndef forget")
    assert UNDESCRIBED not in repository.compared("--diff", "HEAD")["fixed"]
    repository.commit()
    repository.edit("server.py", "# mcp-review: ignore[tool-without-description] it is known\n", "")
    found = repository.compared("--diff", "HEAD")
    assert found["introduced"] == [UNDESCRIBED]


def test_definitions_in_a_document(repository):
    tool = {
        "name": "read",
        "description": "Read a note by its name.",
        "inputSchema": {"type": "object", "properties": {}},
    }
    repository.write("tools.json", json.dumps({"tools": [tool]}, indent=1))
    repository.commit()
    assert repository.compared("--diff", "HEAD", at="tools.json")["introduced"] == []
    repository.write("tools.json", json.dumps({"tools": [{**tool, "description": ""}]}, indent=1))
    assert (
        "tools.json read tool-without-description"
        in repository.compared("--diff", "HEAD", at="tools.json")["introduced"]
    )
    repository.write("other.json", json.dumps({"tools": [tool, tool]}, indent=1))
    found = repository.compared("--diff", "HEAD", at="other.json")
    assert (found["unchanged"], found["fixed"]) == ([], [])
    assert found["introduced"]


class TestMajorities:
    """A finding of code that the change left alone, which only another majority makes one, is not introduced."""

    def server(self, *names):
        tools = (
            f"\n\n@mcp.tool(name={name!r})\ndef {name.lower()}(path: str) -> str:\n    return path\n" for name in names
        )
        return "from mcp.server import MCPServer\n\nmcp = MCPServer('x')\n" + "".join(tools)

    def styles(self, repository):
        found = repository.compared("--diff", "main", "--select", "tool-name-style")
        return {change: len(each) for change, each in found.items()}

    def test_a_tool_of_the_other_style(self, repository):
        repository.write("server.py", self.server("read_note", "deleteNote"))
        repository.commit()
        repository.git("checkout", "-q", "-b", "change")
        repository.write("server.py", self.server("read_note", "deleteNote", "write_note"))
        assert self.styles(repository) == {"introduced": 0, "fixed": 0, "unchanged": 1}
        repository.write("server.py", self.server("read_note", "deleteNote", "write_note", "dropNote"))
        assert self.styles(repository)["introduced"] == 0
        repository.write("server.py", self.server("read_note", "deleteNote", "write_note", "find_note", "dropNote"))
        assert self.styles(repository) == {"introduced": 1, "fixed": 0, "unchanged": 1}

    def test_what_only_a_majority_made_a_finding_is_not_fixed(self, repository):
        repository.write("server.py", self.server("read_note", "deleteNote", "write_note"))
        repository.commit()
        repository.git("checkout", "-q", "-b", "change")
        repository.write("server.py", self.server("read_note", "deleteNote"))
        assert self.styles(repository)["fixed"] == 0
