"""The base of a comparison: read from git's objects alone, and one clear outcome for whatever is wrong with it."""

import os
import subprocess
import sys

from repositories import SERVER, Repository

UNDESCRIBED = "server.py forget tool-without-description"


def clone(repository, folder, *options):
    """Clone a repository as over a network, for a local clone has everything."""
    source = f"file://{repository.folder}"
    subprocess.run(["git", "clone", "-q", *options, source, str(folder)], check=True, capture_output=True)
    made = object.__new__(Repository)
    made.folder = folder
    return made


def test_a_base_that_is_not_there(repository, refused):
    refused(repository.run("--diff", "nope"), "--diff nope: no such commit here; fetch it")
    refused(repository.run("--diff", "--all"), "--diff --all: no such commit here")
    refused(repository.run("--diff", "HEAD:server.py"), "no such commit here")


def test_a_branch_that_only_the_remote_has(repository, refused, tmp_path):
    repository.git("branch", "other")
    made = clone(repository, tmp_path / "clone")
    refused(made.run("--diff", "other"), "did you mean `origin/other`?")


def test_a_shallow_clone(repository, refused, tmp_path):
    base = repository.git("rev-parse", "HEAD")
    repository.commit()
    made = clone(repository, tmp_path / "clone", "--depth", "1")
    refused(made.run("--diff", base), "this clone is shallow", "fetch-depth: 0")
    made.git("fetch", "-q", "--depth", "1", "origin", base)
    refused(made.run("--diff", base), "no merge base", "fetch-depth: 0")


def test_histories_without_a_common_commit(repository, refused):
    repository.git("checkout", "-q", "--orphan", "alone")
    repository.commit()
    refused(repository.run("--diff", "main"), "no merge base of it and HEAD", "no common commit")


def test_a_branch_without_a_commit(repository, refused):
    repository.git("checkout", "-q", "--orphan", "alone")
    refused(repository.run("--diff", "main"), "there is no commit on this branch yet")


def test_no_repository_and_no_git(tmp_path, repository, refused):
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "server.py").write_text(SERVER)
    made = object.__new__(Repository)
    made.folder = folder
    refused(made.run("--diff", "main"), "is in no git repository")
    refused(made.run("--diff", "main", at="gone"), "no such file")
    refused(repository.run("--diff", "main", env={"PATH": ""}), "git is not installed")


def test_a_bare_repository(repository, refused, tmp_path):
    made = clone(repository, tmp_path / "bare", "--bare")
    refused(made.run("--diff", "main"), "is a bare repository")


def test_a_repository_of_another_user_is_read(repository):
    owned = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    assert UNDESCRIBED in repository.compared("--diff", "main", env=owned)["unchanged"]


def test_a_git_that_cannot_be_told_to_read_it(repository, refused, tmp_path):
    old = tmp_path / "git"
    old.write_text("#!/bin/sh\necho 'fatal: detected dubious ownership in repository' >&2\nexit 128\n")
    old.chmod(0o755)
    refused(repository.run("--diff", "main", env={"PATH": str(tmp_path)}), "older than 2.38", "safe.directory")


def test_a_live_server_has_no_base(repository, refused):
    refused(repository.run("--diff", "main", "--live", "x"), "no --live")


def test_a_base_without_any_server(tmp_path, refused):
    made = Repository(tmp_path / "made")
    made.write("README", "x")
    made.commit()
    made.write("server.py", SERVER)
    found = made.compared("--diff", "HEAD")
    assert UNDESCRIBED in found["introduced"]
    assert (found["unchanged"], found["fixed"]) == ([], [])
    (made.folder / "server.py").unlink()
    refused(made.run("--diff", "HEAD"), "no MCP server found")


def test_a_base_that_does_not_parse(repository):
    repository.write("server.py", SERVER + "def broken(:\n")
    repository.commit()
    repository.write("server.py", SERVER)
    result = repository.run("--diff", "HEAD")
    assert result.returncode in (0, 1)
    assert (
        result.stderr
        == "mcp-review: HEAD: server.py:17: code that could not be parsed: new syntax or an error; the rest of the file was read\n"
    )


def test_a_submodule_is_read_where_it_is_checked_out(repository, tmp_path):
    other = Repository(tmp_path / "other")
    other.write(
        "tool.py", "from mcp.server import MCPServer\n\nm = MCPServer('y')\n\n\n@m.tool()\ndef y() -> str: ...\n"
    )
    other.commit()
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.folder), "sub")
    repository.commit()
    found = repository.compared("--diff", "HEAD")
    assert (found["introduced"], found["fixed"]) == ([], [])
    assert "sub/tool.py y tool-without-description" in found["unchanged"]
    assert repository.compared("--diff", "HEAD", at="sub")["introduced"] == []


def test_a_worktree(repository, tmp_path):
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "change")
    made = object.__new__(Repository)
    made.folder = tmp_path / "tree"
    made.edit("server.py", "forget", "drop")
    found = made.compared("--diff", "main")
    assert (found["introduced"], found["fixed"]) == ([], [])


def test_links_pointers_and_odd_names_in_the_base(repository):
    (repository.folder / "out.py").symlink_to("/etc/passwd")
    (repository.folder / "up").symlink_to("..")
    (repository.folder / "same.py").symlink_to("server.py")
    repository.write("big.py", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    odd = os.fsdecode(os.fsencode(str(repository.folder)) + b"/odd\xff.py")
    with open(odd, "w") as file:
        file.write("x = 1\n")
    repository.commit()
    for name in ("out.py", "up", "same.py", "big.py", odd):
        (repository.folder / name).unlink()
    result = repository.run("--diff", "HEAD")
    assert result.returncode == 2, "a pointer may hold any code"
    said = result.stderr.splitlines()
    assert "mcp-review: HEAD: out.py:1: a link out of the reviewed folder is not followed" in said
    assert any("HEAD: big.py:1: a Git LFS pointer" in line for line in said)
    assert "0 introduced, 0 fixed" in result.stdout


def test_a_pointer_to_the_content_that_is_checked_out(repository):
    from hashlib import sha256

    text = (repository.folder / "server.py").read_bytes()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256(text).hexdigest()}\nsize {len(text)}\n"
    repository.write("server.py", pointer)
    repository.commit()
    repository.write("server.py", text)
    found = repository.compared("--diff", "HEAD")
    assert (found["introduced"], found["fixed"]) == ([], [])
    assert found["unchanged"]


def test_a_huge_file_in_the_base_is_named_and_not_read(repository):
    repository.write("huge.py", b"x" * (9 * 2**20))
    repository.commit()
    (repository.folder / "huge.py").unlink()
    result = repository.run("--diff", "HEAD")
    assert "HEAD: huge.py:1: 9 MB, more than the limit of 8 MB" in result.stderr


def test_objects_that_are_missing_are_named_and_never_fetched(repository, refused, tmp_path):
    repository.git("config", "uploadpack.allowFilter", "true")
    old = repository.git("rev-parse", "HEAD:server.py")
    repository.edit("server.py", "forget", "drop")
    repository.commit()
    made = clone(repository, tmp_path / "clone", "--filter=blob:none")
    made.git("config", "remote.origin.url", f"ext::touch {tmp_path}/ran")
    made.git("config", "protocol.ext.allow", "always")
    refused(made.run("--diff", "HEAD~1"), "missing or broken", old[:12])
    assert not (tmp_path / "ran").exists()


def test_variables_of_a_hook_do_not_lead_elsewhere(repository, tmp_path):
    other = Repository(tmp_path / "other")
    found = repository.compared("--diff", "main", env={"GIT_DIR": str(other.folder / ".git"), "GIT_INDEX_FILE": "x"})
    assert found["unchanged"]


def test_a_text_that_only_code_reads_is_compared_too(repository):
    repository.edit("server.py", '"""Read the file at a path within the notes."""', "...")
    repository.edit("server.py", "@mcp.tool()\ndef read", "@mcp.tool(description=TEXT)\ndef read")
    reading = 'from pathlib import Path\n\nTEXT = (Path(__file__).parent / "read.txt").read_text()\n'
    repository.edit("server.py", 'mcp = MCPServer("x")\n', f'mcp = MCPServer("x")\n{reading}')
    repository.write("read.txt", "Read the file at a path within the notes.")
    repository.commit()
    assert repository.compared("--diff", "HEAD")["introduced"] == []
    repository.write("read.txt", "")
    assert repository.compared("--diff", "HEAD")["introduced"] != []


def test_a_plain_review_loads_nothing_of_git(tmp_path):
    (tmp_path / "server.py").write_text(SERVER)
    script = (
        "import sys; from reviewer.cli.app import run; run([sys.argv[1]]);"
        "print(*(name for name in ('reviewer.git.repository', 'reviewer.compare.base', 'reviewer.compare.baseline') if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == ""
