"""A change that puts something in a server's place that cannot be read has fixed nothing, and is no PASS."""

import json

import pytest

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
CLEAN = """from mcp.server import MCPServer

other = MCPServer("other")


@other.tool()
def shorten(text: str) -> str:
    \"\"\"Cut the text after its first line.\"\"\"
    return text
"""


def wide(source):
    return source.replace(".tool", ".ｔｏｏｌ").replace("MCPServer", "ＭＣＰServer")


def returned(source):
    return "# note\r" + source.replace("\n", "\r")


def escaped(source):
    return "# coding: unicode_escape\n#\\n" + source.replace('"', "'").replace("\n", "\\n")


def shifted(source):
    return "# coding: utf-7\n# +AAo-" + source.replace("\n", "+AAo-")


@pytest.fixture
def compared(repository):
    """Review what a change makes of the server beside another; give the report and the exit code."""
    repository.write("other/other.py", CLEAN)
    repository.commit("two servers")

    def review(change):
        text = (repository.folder / "server.py").read_text()
        made = change(text)
        repository.git("checkout", "-q", "-b", "change")
        repository.write("server.py", made)
        repository.commit()
        found = repository.run("--diff", "main", "--config-from", "base", "--format", "json")
        return json.loads(found.stdout), found.returncode

    return review


@pytest.mark.parametrize("change", [wide, returned])
def test_code_that_looks_otherwise_is_read(compared, change):
    report, code = compared(change)
    assert report["compared"]["fixed"] == []
    assert report["summary"]["tools"] == 3
    findings = [each for part in report["sections"] for each in part["findings"]]
    assert {each["change"] for each in findings} == {"unchanged"}
    assert code in (0, 1)


@pytest.mark.parametrize("change", [escaped, shifted, lambda _: POINTER])
def test_what_cannot_be_read_is_not_fixed(compared, change):
    report, code = compared(change)
    assert (code, report["summary"]["verdict"]) == (2, "INCOMPLETE")
    assert report["compared"]["fixed"] == []
    assert [each["path"] for each in report["not_reviewed"]] == ["server.py"]
