"""A checkout in which git would wait without end: a pipe or a device is named before git runs, and no command runs for long."""

import os
import socket
import sys
from time import monotonic

import pytest

from reviewer.cli.app import run
from reviewer.git import commands

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")


@pytest.fixture
def diff(repository, capfd, monkeypatch):
    """Compare the repository with its base; give the exit code, what was said and the seconds that it took."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)

    def compare(at="."):
        start = monotonic()
        code = run([str(repository.folder / at), "--diff", "HEAD"])
        return code, capfd.readouterr().err, monotonic() - start

    return compare


def pipe(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def device(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")


PLACES = (
    "commondir objects/info/alternates packed-refs shallow index HEAD config refs/heads/main refs/heads/hooks/x refs/tags/v1"
    " info/attributes info/grafts objects/pack/x.idx objects/ab/cd worktrees/x/HEAD logs/HEAD"
).split()


@pytest.mark.parametrize("special", [pipe, device])
@pytest.mark.parametrize("place", PLACES)
def test_a_special_file_in_the_repository_is_named(repository, diff, place, special):
    special(repository.folder / ".git" / place)
    code, said, _ = diff()
    assert code == 2
    assert (
        said
        == f"mcp-review: --diff: {repository.folder.resolve()}/.git/{place} is a pipe or a device, at which git would wait; remove it\n"
    )


def test_the_repository_itself(repository, diff):
    (repository.folder / ".git").rename(repository.folder / "other")
    pipe(repository.folder / ".git")
    assert diff()[0] == 2


@pytest.mark.parametrize("name", ["HEAD", "commondir", "config"])
def test_a_folder_on_the_way_that_may_be_a_repository(repository, diff, name):
    repository.write("own/server.py", "x = 1\n")
    pipe(repository.folder / "own" / name)
    code, said, _ = diff("own")
    assert (code, f"own/{name} is a pipe" in said) == (2, True)


def test_a_link_to_a_folder_of_another_repository(repository, diff, tmp_path):
    objects = repository.folder / ".git/objects"
    objects.rename(tmp_path / "objects")
    objects.symlink_to(tmp_path / "objects")
    assert diff()[0] in (0, 1)
    pipe(tmp_path / "objects/info/alternates")
    assert "objects/info/alternates is a pipe" in diff()[1]


def test_a_work_tree_and_what_it_shares(repository, capfd, tmp_path):
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "change")
    assert run([str(tmp_path / "tree"), "--diff", "main"]) in (0, 1)
    pipe(repository.folder / ".git/shallow")
    assert run([str(tmp_path / "tree"), "--diff", "main"]) == 2
    assert ".git/shallow is a pipe" in capfd.readouterr().err


@pytest.mark.parametrize("place", ["hooks/pre-commit", "lfs/x", "modules/x/HEAD"])
def test_what_git_does_not_open_may_be_anything(repository, diff, place):
    pipe(repository.folder / ".git" / place)
    assert diff()[0] in (0, 1)


def test_a_socket_of_a_monitor_and_what_is_null(repository, diff, monkeypatch):
    monkeypatch.chdir(repository.folder / ".git")
    (repository.folder / ".git/info/attributes").symlink_to(os.devnull)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("fsmonitor--daemon.ipc")
        assert diff()[0] in (0, 1)


@pytest.mark.parametrize("key", ["core.excludesFile", "core.attributesFile"])
def test_files_that_the_configuration_names_are_not_opened(repository, diff, key, tmp_path):
    pipe(tmp_path / "pipe")
    repository.git("config", key, str(tmp_path / "pipe"))
    assert diff()[0] in (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["include.path", "includeIf.gitdir:**.path"])
def test_a_command_that_does_not_end(repository, diff, monkeypatch, tmp_path, key):
    monkeypatch.setattr(commands, "SECONDS", 1.0)
    pipe(tmp_path / "pipe")
    repository.git("config", key, str(tmp_path / "pipe"))
    code, said, seconds = diff()
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith("mcp-review: --diff: git rev-parse did not end in 1 s")
    assert seconds < 20


@pytest.mark.slow
def test_an_answer_that_does_not_come(repository, monkeypatch, tmp_path):
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(commands, "SECONDS", 0.5)
    talk, start = commands.Git(repository.folder).start_talk("cat-file", "--batch"), monotonic()
    with pytest.raises(commands.CannotReviewError, match="git cat-file did not end"):
        talk.ask("HEAD")
    talk.close()
    assert monotonic() - start < 20


def test_a_pipe_for_attributes_in_the_work_tree(repository, diff):
    text = "".join(f"a line of {number}\n" for number in range(50))
    repository.write("notes/old.txt", text)
    repository.commit()
    (repository.folder / "notes/old.txt").rename(repository.folder / "notes/new.txt")
    repository.write("notes/new.txt", text + "one more\n")
    repository.commit()
    pipe(repository.folder / ".gitattributes")
    pipe(repository.folder / "notes/.gitattributes")
    code = run([str(repository.folder), "--diff", "HEAD~1"])
    assert code in (0, 1)
