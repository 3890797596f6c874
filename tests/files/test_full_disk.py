"""A disk that is full: one line, exit code 2, and the file that was there stays."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from reviewer.cli import app
from reviewer.files import storage

SERVER = 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("demo")\n\n@mcp.tool()\ndef a(x: int) -> str:\n    """Gets."""\n    return ""\n'
OLD = '{"version": 1, "findings": []}'


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(storage.os, "fsync", refuse)


@pytest.mark.parametrize(
    "arguments", [["--output", "{old}"], ["--also", "json:{old}"], ["--baseline", "{old}", "--write-baseline"]]
)
def test_the_old_file_stays(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], full: None, arguments: list[str]
) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    old = tmp_path / "old.json"
    old.write_text(OLD)
    assert app.run([str(tmp_path / "server.py"), *(each.format(old=old) for each in arguments)]) == 2
    err = capfd.readouterr().err
    assert "no space left on device" in err
    assert "Traceback" not in err
    assert old.read_text() == OLD
    assert sorted(each.name for each in tmp_path.iterdir()) == ["old.json", "server.py"], "nothing is left beside it"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
def test_a_device_that_is_full(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    assert app.run([str(tmp_path), "--output", "/dev/full"]) == 2
    assert "/dev/full: cannot be written: no space left on device" in capfd.readouterr().err


def test_what_is_written_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    storage.replace_file(link, b"new")
    assert (target.read_text(), target.stat().st_mode & 0o777, link.is_symlink()) == ("new", 0o640, True)


def test_a_pipe_is_written_to(tmp_path: Path, monkeypatch: Any) -> None:
    from reviewer.cli import output_options

    reading, writing = os.pipe()
    output_options.write("text", Path(f"/dev/fd/{writing}"))
    os.close(writing)
    assert os.read(reading, 10) == b"text"
    os.close(reading)
