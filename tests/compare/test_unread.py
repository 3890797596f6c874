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


def link(repository, *, declared=True):
    """Put a submodule in the place of `srv`, which is not checked out."""
    repository.git("rm", "-r", "-q", "--ignore-unmatch", "srv")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{repository.git('rev-parse', 'HEAD')},srv")
    if declared:
        repository.write(".gitmodules", '[submodule "srv"]\n\tpath = srv\n\turl = https://example.invalid/srv\n')
        repository.git("add", ".gitmodules")
    repository.git("commit", "-q", "-m", "a submodule")


@pytest.fixture
def linked(repository):
    """Begin a change of a repository with one server in `srv`, and give what puts a submodule in its place."""
    repository.write("srv/server.py", (repository.folder / "server.py").read_text())
    repository.write("server.py", CLEAN)
    repository.commit("the server in a folder")
    repository.git("checkout", "-q", "-b", "change")
    return lambda **given: link(repository, **given)


WHY = "a submodule that is not checked out; fetch it with `git submodule update --init`, or exclude its folder"


@pytest.mark.parametrize("side", ["base", "head"])
@pytest.mark.parametrize("there", [True, False], ids=["an empty folder", "no folder"])
@pytest.mark.parametrize("declared", [True, False])
def test_a_submodule_that_is_not_checked_out_has_fixed_nothing(repository, linked, declared, there, side):
    linked(declared=declared)
    if there:
        (repository.folder / "srv").mkdir(exist_ok=True)
    found = repository.run("--diff", "main", "--config-from", side, "--format", "json")
    report = json.loads(found.stdout)
    assert (found.returncode, report["summary"]["verdict"]) == (2, "INCOMPLETE")
    assert report["compared"]["fixed"] == []
    assert [(each["path"], each["reason"]) for each in report["not_reviewed"]] == [("srv/", WHY)]


@pytest.mark.parametrize("at", [".", "srv/.."])
def test_a_review_alone_names_it_too(repository, linked, at):
    linked()
    (repository.folder / "srv").mkdir(exist_ok=True)
    assert (found := repository.run(at=at)).returncode == 2
    assert f"srv/:1: {WHY}" in found.stderr
    (repository.folder / "srv").rmdir()  # git makes the folder: without it, the line is an old one
    assert repository.run().returncode == 0


def test_a_submodule_below_the_reviewed_folder(repository):
    repository.write("own/server.py", CLEAN)
    repository.write(".gitmodules", "[submodule]\n path = own/sub\n path = elsewhere\n path = own/gone\n")
    (repository.folder / "own/sub").mkdir()
    found = repository.run(at="own")
    assert (found.returncode, found.stderr.count("\n")) == (2, 1)
    assert found.stderr.endswith(f"own/sub/:1: {WHY}\n")


@pytest.mark.parametrize(("folder", "code"), [("vendor/x", 0), ("tests/x", 0), ("node_modules/x", 0), ("docs/x", 2)])
def test_where_servers_are_not_looked_for_none_is_missed(repository, folder, code):
    repository.write("server.py", CLEAN)
    repository.write(".gitmodules", f"[submodule]\n path = {folder}\n")
    (repository.folder / folder).mkdir(parents=True)
    assert repository.run().returncode == code


def test_files_in_the_place_of_a_submodule_are_introduced(repository, linked):
    linked()
    repository.git("branch", "-f", "main")
    repository.git("rm", "-q", "--cached", "srv")
    repository.write(
        "srv/server.py", "from mcp.server import MCPServer\n\nm = MCPServer('y')\n\n\n@m.tool()\ndef y(): ...\n"
    )
    repository.commit()
    report = json.loads(repository.run("--diff", "main", "--format", "json").stdout)
    own = [each for part in report["sections"] for each in part["findings"] if each["path"] == "srv/server.py"]
    assert {each["change"] for each in own} == {"introduced"}
