"""No name that only POSIX has is needed: each use stands behind a question for it, and the main paths run where there are none."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[1]
SERVERS = ROOT / "tests" / "inputs" / "servers.py"

OF_OS = set(
    "killpg getpgid getpgrp setpgid setsid getsid fork forkpty getuid geteuid getgid getegid setuid setgid chown lchown fchown"
    " fchmod mkfifo mknod nice getpriority statvfs pread pwrite ttyname uname sysconf getloadavg sched_getaffinity WNOHANG"
    " O_NONBLOCK O_NOFOLLOW O_DIRECTORY O_CLOEXEC".split()
)
OF_SIGNAL = set(
    "SIGKILL SIGHUP SIGQUIT SIGALRM SIGUSR1 SIGUSR2 SIGPIPE SIGCHLD alarm setitimer pthread_sigmask pause".split()
)
MODULES = set("fcntl resource pwd grp termios tty pty syslog posix readline".split())
GUARDS = re.compile(r"hasattr\(\s*(?:os|signal)\s*,|os\.name|sys\.platform")


def uses(path):
    """Yield the places of a file that need POSIX and stand behind no question for it, as `file:line name`."""
    tree = ast.parse(path.read_text("utf-8"))
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    for node in ast.walk(tree):
        for name in needed(node):
            if not is_guarded(node, parents):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {name}"


def needed(node):
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        known = {"os": OF_OS, "signal": OF_SIGNAL}.get(node.value.id, set())
        return {node.attr} & known
    if isinstance(node, ast.Import):
        return {each.name for each in node.names} & MODULES
    return {node.module} & MODULES if isinstance(node, ast.ImportFrom) else set()


def is_guarded(node, parents):
    while (above := parents.get(node)) is not None:
        if isinstance(above, ast.If | ast.IfExp | ast.BoolOp) and GUARDS.search(
            ast.unparse(getattr(above, "test", above))
        ):
            return True
        if isinstance(above, ast.Try) and any(
            "ImportError" in ast.unparse(each.type or each) for each in above.handlers
        ):
            return True
        node = above
    return False


@pytest.mark.slow
def test_every_name_of_posix_alone_is_asked_for_first():
    assert [each for path in sorted((ROOT / "reviewer").rglob("*.py")) for each in uses(path)] == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import os\nos.killpg(1, 9)\n", ["killpg"]),
        ("import os\nif hasattr(os, 'killpg'):\n    os.killpg(1, 9)\n", []),
        ("import resource\n", ["resource"]),
        ("try:\n    import resource\nexcept ImportError:\n    pass\n", []),
        ("import signal\nx = signal.SIGKILL\n", ["SIGKILL"]),
        ("import signal\nx = signal.SIGTERM\n", []),
    ],
)
def test_what_counts_as_a_use(code, found, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "m.py").write_text(code)
    assert [each.split()[-1] for each in uses(tmp_path / "m.py")] == found


WITHOUT = f"""\
import contextlib, os, sys
with contextlib.suppress(ImportError):
    import psutil  # it needs some of these to be what it is here
for name in {sorted(OF_OS - {"sysconf", "WNOHANG", "O_CLOEXEC", "O_NONBLOCK", "O_NOFOLLOW", "O_DIRECTORY", "fork"})!r}:
    if hasattr(os, name):
        delattr(os, name)
for name in {sorted(MODULES - {"fcntl", "posix"})!r}:
    sys.modules[name] = None
"""
"""What every process of a run executes first. Python's own library on POSIX needs what is left."""


@pytest.fixture
def without(tmp_path):
    """Return the environment in which no process has the names of POSIX."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WITHOUT)
    return {
        "PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{ROOT}",
        "PATH": os.environ.get("PATH", ""),
        "MCP_REVIEW_CACHE": str(tmp_path / "cache"),
    }


def run(environment, *arguments, code="from reviewer.cli import main; main()"):
    command = [sys.executable, "-P", "-c", code, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_the_names_are_gone_in_such_a_run(without):
    assert (
        run(without, code="import os; print(hasattr(os, 'killpg'), hasattr(os, 'geteuid'))").stdout == "False False\n"
    )


@pytest.mark.slow
def test_a_review_and_a_fix(without, tmp_path):
    folder = shutil.copytree(ROOT / "examples" / "notes-python", tmp_path / "notes")
    first, second = run(without, folder), run(without, folder)
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout)
    assert first.returncode == 1
    assert len(list((tmp_path / "cache").glob("*/*"))) == 1
    fixed = run(without, folder, "--fix", "--unsafe")
    assert fixed.returncode in (0, 1)
    assert "Traceback" not in fixed.stderr


@pytest.mark.slow
@pytest.mark.parametrize("how", ["well", "child"])
def test_a_live_server(how, without):
    pytest.importorskip("mcp")
    pytest.importorskip("psutil")
    answer = run(without, "catalog", "--live", f"{sys.executable} {SERVERS} {how}", "--live-in-ci")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert '"name": "read"' in answer.stdout


@pytest.mark.slow
def test_the_server_mode(without):
    pytest.importorskip("mcp.server")
    pytest.importorskip("psutil")
    import anyio
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    arguments = ["-P", "-c", "from reviewer.cli import main; main()", "serve"]
    command = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT / "examples", env=without)

    async def talk():
        async with Client(stdio_client(command)) as client:
            return await client.call_tool("review-server", {"path": "notes-python"})

    assert anyio.run(talk).structured_content["report"]["version"] == 1


class TestCommands:
    """How a command is split and started, as on Windows."""

    @pytest.fixture(autouse=True)
    def processes(self):
        pytest.importorskip("psutil")
        from reviewer.inputs import processes

        return processes

    @pytest.mark.parametrize(
        ("command", "words"),
        [
            (r"C:\Python\python.exe server.py", [r"C:\Python\python.exe", "server.py"]),
            (
                r'"C:\My Programs\node.exe" "C:\My Servers\x.js" --all',
                [r"C:\My Programs\node.exe", r"C:\My Servers\x.js", "--all"],
            ),
            ("npx -y server", ["npx", "-y", "server"]),
        ],
    )
    def test_windows_keeps_backslashes(self, command, words, processes, monkeypatch):
        monkeypatch.setattr(processes, "os", SimpleNamespace(name="nt"))
        assert processes.split(command) == words

    def test_posix_splits_as_its_shell_does(self, processes):
        assert processes.split(r"python 'my server.py' a\ b") == ["python", "my server.py", "a b"]

    def test_a_program_is_found_by_the_path_that_the_server_gets(self, processes, tmp_path):
        import anyio

        (tmp_path / "my-server").write_text("#!/bin/sh\nexit 3\n")
        (tmp_path / "my-server").chmod(0o755)

        async def started():
            process = await processes.start(["my-server"], {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"})
            try:
                return await process.wait()
            finally:
                await processes.end(process)

        assert anyio.run(started) == 3
