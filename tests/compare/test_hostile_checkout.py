"""A checkout that configures git to run its own programs runs none of them, whatever is asked of it.

Each attack is first proved on plain git, which falls for it: otherwise its test could not fail.
"""

import os
import pty
import subprocess
from pathlib import Path

import pytest
from repositories import SERVER, Repository

from reviewer.cli.app import run

FORMATS = ("text", "json", "sarif", "github", "markdown", "html")
HOOKS = "post-checkout post-index-change reference-transaction fsmonitor-watchman pre-auto-gc post-rewrite"


class Trap:
    """A checkout, the program that must never run, and the mark that it leaves."""

    def __init__(self, folder: Path) -> None:
        self.place = folder
        self.mark = folder / "ran"
        self.repository = Repository(folder / "checkout")
        self.repository.write("server.py", SERVER)
        self.repository.commit()
        self.program = self.script(folder / "evil")

    @property
    def folder(self) -> Path:
        return self.repository.folder

    def script(self, file: Path) -> str:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\ntouch {self.mark}\nexit 1\n")
        file.chmod(0o755)
        return str(file)

    def configure(self, **settings: str) -> None:
        for key, value in settings.items():
            self.repository.git("config", key.replace("__", "."), value)

    def git(self, *arguments, at=None, env=None, stdin="") -> None:
        """Run plain git as people do, which may fail."""
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(
            ["git", *identity, *arguments],
            cwd=at or self.folder,
            env={**os.environ, **(env or {})},
            input=stdin.encode(),
            capture_output=True,
            timeout=20,
            check=False,
        )

    def change(self) -> None:
        """Leave the work tree changed, with a time that the index does not know."""
        self.repository.write("server.py", SERVER + "# changed\n")
        os.utime(self.folder / "server.py", (1, 1))


def monitor(trap):
    trap.configure(core__fsmonitor=trap.program)
    return lambda: trap.git("status")


def hooks_elsewhere(trap):
    for name in HOOKS.split():
        trap.script(trap.place / "hooks" / name)
    trap.configure(core__hooksPath=str(trap.place / "hooks"))
    return lambda: trap.git("checkout", "-q", "HEAD")


def hooks(trap):
    for name in HOOKS.split():
        trap.script(trap.folder / ".git/hooks" / name)
    return lambda: trap.git("checkout", "-q", "HEAD")


def external_diff(trap):
    trap.configure(diff__external=trap.program)
    return lambda: trap.git("diff")


def diff_driver(trap):
    trap.repository.write(".gitattributes", "*.py diff=evil\n")
    trap.configure(diff__evil__command=trap.program)
    return lambda: trap.git("diff")


def text_conversion(trap):
    trap.repository.write(".gitattributes", "*.py diff=evil\n")
    trap.configure(diff__evil__textconv=trap.program)
    return lambda: trap.git("diff")


def clean_filter(trap):
    trap.repository.write(".gitattributes", "*.py filter=evil\n")
    trap.configure(filter__evil__clean=trap.program)
    return lambda: trap.git("add", "server.py")


def smudge_filter(trap):
    trap.repository.write(".gitattributes", "*.py filter=evil\n")
    trap.configure(filter__evil__smudge=trap.program)
    return lambda: trap.git("checkout", "-q", "--", "server.py")


def filter_process(trap):
    trap.repository.write(".gitattributes", "*.py filter=evil\n")
    trap.configure(filter__evil__process=trap.program)
    return lambda: trap.git("add", "server.py")


def attributes_of_the_repository(trap):
    (trap.folder / ".git/info").mkdir(exist_ok=True)
    (trap.folder / ".git/info/attributes").write_text("* diff=evil filter=evil\n")
    trap.configure(diff__evil__textconv=trap.program, filter__evil__clean=trap.program)
    return lambda: trap.git("diff")


def ssh_command(trap):
    trap.configure(core__sshCommand=trap.program, remote__origin__url="ssh://example.invalid/x")
    return lambda: trap.git("fetch")


def pager(trap):
    trap.configure(core__pager=trap.program)

    def trigger():
        ours, theirs = pty.openpty()
        subprocess.run(["git", "log"], cwd=trap.folder, stdin=theirs, stdout=theirs, stderr=theirs, check=False)
        os.close(ours)
        os.close(theirs)

    return trigger


def editor(trap):
    trap.configure(core__editor=trap.program)
    return lambda: trap.git("commit", "--amend", env={"GIT_EDITOR": trap.program} if "GIT_EDITOR" in os.environ else {})


def alias(trap):
    for name in ("rev-parse", "merge-base", "ls-tree", "cat-file", "diff-tree", "mine"):
        trap.configure(**{f"alias__{name}": f"!{trap.program}"})
    return lambda: trap.git("mine")


def another_work_tree(trap):
    other = trap.place / "other"
    other.mkdir()
    trap.configure(core__worktree=str(other), core__fsmonitor=trap.program)
    return lambda: trap.git("status")


def included_file(trap):
    (trap.folder / "more.config").write_text(f"[core]\n\tfsmonitor = {trap.program}\n")
    trap.configure(include__path=str(trap.folder / "more.config"))
    return lambda: trap.git("status")


def included_where_it_lies(trap):
    (trap.folder / "more.config").write_text(f"[core]\n\tfsmonitor = {trap.program}\n")
    trap.repository.git("config", f"includeIf.gitdir:{trap.folder}/.path", str(trap.folder / "more.config"))
    return lambda: trap.git("status")


def signature(trap):
    """Leave a signed commit, which is shown with its signature."""
    head = trap.repository.git("cat-file", "commit", "HEAD")
    about, said = head.split("\n\n", 1)
    armour = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    signed = trap.repository.git("hash-object", "-t", "commit", "-w", "--stdin", input=f"{about}\n{armour}\n\n{said}\n")
    trap.repository.git("reset", "-q", "--soft", signed)
    trap.configure(gpg__program=trap.program, log__showSignature="true")
    return lambda: trap.git("log")


def credentials(trap):
    trap.configure(credential__helper=f"!{trap.program}", core__askPass=trap.program)
    return lambda: trap.git("credential", "fill", stdin="protocol=https\nhost=example.invalid\n\n")


def missing_objects(trap):
    """Leave out an object that a remote promises, which is reached by a program."""
    name = trap.repository.git("rev-parse", "HEAD:server.py")
    trap.repository.git("config", "core.repositoryFormatVersion", "1")
    trap.configure(
        extensions__partialClone="origin",
        remote__origin__promisor="true",
        remote__origin__url=f"ext::{trap.program}",
        protocol__ext__allow="always",
    )
    (trap.folder / ".git/objects" / name[:2] / name[2:]).unlink()
    return lambda: trap.git("cat-file", "-p", name)


def submodule(trap):
    other = Repository(trap.place / "sub")
    other.write("x.py", "x = 1\n")
    other.commit()
    trap.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.folder), "sub")
    trap.repository.commit()
    trap.git("config", "submodule.sub.update", f"!{trap.program}")
    other.write("x.py", "x = 2\n")
    commit = other.commit()
    trap.repository.git("update-index", "--cacheinfo", f"160000,{commit},sub")
    return lambda: trap.git("-c", "protocol.file.allow=always", "submodule", "update")


def git_folder_elsewhere(trap):
    (trap.folder / ".git").rename(trap.folder / "innocent")
    (trap.folder / ".git").write_text("gitdir: innocent\n")
    trap.git("config", "core.fsmonitor", trap.program)
    return lambda: trap.git("status")


def folder_that_is_a_repository(trap):
    """Commit a folder that has all that a repository needs but a `.git`."""
    inner = trap.folder / "inner"
    trap.git("init", "-q", "--bare", str(inner), at=trap.place)
    (inner / "server.py").write_text(SERVER)
    config = (
        f"[core]\n\tbare = false\n\tworktree = {inner}\n\trepositoryFormatVersion = 0\n\tfsmonitor = {trap.program}\n"
    )
    (inner / "config").write_text(config)
    return lambda: trap.git("status", at=inner)


ATTACKS = (
    monitor,
    hooks_elsewhere,
    hooks,
    external_diff,
    diff_driver,
    text_conversion,
    clean_filter,
    smudge_filter,
    filter_process,
    attributes_of_the_repository,
    ssh_command,
    pager,
    editor,
    alias,
    another_work_tree,
    included_file,
    included_where_it_lies,
    signature,
    credentials,
    missing_objects,
    submodule,
    git_folder_elsewhere,
    folder_that_is_a_repository,
)
"""`uploadpack.packObjectsHook` is none of them: git takes it from the user's own configuration alone."""


def reviews(folder, place):
    """Yield every kind of review that reads a checkout."""
    known = str(place / "known.json")
    for at in sorted({str(folder), *(str(each) for each in folder.glob("inner"))}):
        yield from ([at, "--format", each] for each in FORMATS)
        yield [at, "--diff", "HEAD", "--format", "markdown"]
        yield [at, "--diff", "HEAD~1"]
        yield [at, "--diff", "HEAD", "--baseline", known, "--write-baseline"]
        yield [at, "--diff", "HEAD", "--fix", "--unsafe", "--dry-run"]
        yield [at, "--diff", "HEAD", "--fix"]
        yield [at, "--fix"]


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda each: each.__name__)
def test_nothing_of_a_checkout_is_run(attack, tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    trap = Trap(tmp_path)
    trigger = attack(trap)
    trap.change()
    trap.mark.unlink(missing_ok=True)
    for arguments in reviews(trap.folder, tmp_path):
        assert run(arguments) in (0, 1, 2)
        assert not trap.mark.exists(), arguments
    trap.change()
    trigger()
    assert trap.mark.exists(), "plain git does not fall for it: the test proves nothing"


VARIABLES = {
    "GIT_EXTERNAL_DIFF": (["diff"], "{program}"),
    "GIT_SSH_COMMAND": (["fetch", "ssh://example.invalid/x"], "{program}"),
    "GIT_EDITOR": (["commit", "--amend"], "{program}"),
    "GIT_ASKPASS": (["credential", "fill"], "{program}"),
    "GIT_CONFIG_PARAMETERS": (["status"], "'core.fsmonitor'='{program}'"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIABLES)
def test_variables_that_name_programs(name, tmp_path, capfd, monkeypatch):
    trap = Trap(tmp_path)
    trap.change()
    command, value = VARIABLES[name]
    monkeypatch.setenv(name, value.format(program=trap.program))
    for arguments in reviews(trap.folder, tmp_path):
        run(arguments)
        assert not trap.mark.exists(), arguments
    trap.change()
    trap.git(*command, stdin="protocol=https\nhost=example.invalid\n\n")
    assert trap.mark.exists(), "plain git does not fall for it: the test proves nothing"


@pytest.mark.parametrize("path", [".", "", "bin"])
def test_a_git_of_the_checkout_is_not_taken_for_git(path, tmp_path, capfd, monkeypatch):
    trap = Trap(tmp_path)
    for place in ("git", "bin/git"):
        trap.script(trap.folder / place)
    monkeypatch.chdir(trap.folder)
    monkeypatch.setenv("PATH", f"{path}{os.pathsep}{os.environ['PATH']}")
    assert run([".", "--diff", "HEAD"]) in (0, 1)
    assert not trap.mark.exists()
    subprocess.run(["git", "status"], check=False, stdin=subprocess.DEVNULL)
    assert trap.mark.exists(), "a shell does not fall for it: the test proves nothing"
