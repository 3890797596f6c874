"""Files are written at once or not at all, and only if they are what was read."""

import os
import stat
import subprocess
import sys

import pytest

from reviewer.files.discovery import CannotReviewError
from reviewer.fixes import write

OLD, NEW = b"a = 1\r\n", b"a = 2\r\n"


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "server.py"
    file.write_bytes(OLD)
    return file


def test_mode_and_mark_are_kept(file):
    file.write_bytes(b"\xef\xbb\xbf" + OLD)
    file.chmod(0o754)
    write.write(file.parent, [("server.py", OLD, NEW)])
    assert file.read_bytes() == b"\xef\xbb\xbf" + NEW
    assert stat.S_IMODE(file.stat().st_mode) == 0o754
    assert os.listdir(file.parent) == ["server.py"]


def refused(file, *words, root=None, name="server.py"):
    """Assert that nothing is written, of other files either, and that one line says why."""
    beside = file.parent / "beside.py"
    beside.write_bytes(OLD)
    with pytest.raises(CannotReviewError) as error:
        write.write(root or file.parent, [("beside.py", OLD, NEW), (name, OLD, NEW)])
    assert "\n" not in str(error.value)
    assert all(word in str(error.value) for word in (*words, "nothing is written"))
    assert beside.read_bytes() == OLD


def test_a_file_that_changed_since_it_was_read(file):
    file.write_bytes(b"a = 3\n")
    refused(file, "changed since it was read")
    assert file.read_bytes() == b"a = 3\n"


def test_a_file_that_is_gone(file):
    file.unlink()
    refused(file, "cannot be read again", "no such file")


def test_a_read_only_file(file):
    file.chmod(0o444)
    refused(file, "read-only")


def test_a_link(file, tmp_path):
    target = tmp_path / "target.py"
    file.rename(target)
    file.symlink_to(target)
    refused(file, "a link is not fixed")
    assert target.read_bytes() == OLD


def test_a_folder_that_became_a_link_out(tmp_path):
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    root.mkdir()
    (outside / "server.py").write_bytes(OLD)
    (root / "sub").symlink_to(outside)
    (root / "beside.py").write_bytes(OLD)
    refused(root / "beside.py", "outside of the reviewed folder", name="sub/server.py")
    assert (outside / "server.py").read_bytes() == OLD


def test_a_disk_that_is_full(file, monkeypatch):
    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotReviewError, match="no space left on device; nothing is written"):
        write.write(file.parent, [("server.py", OLD, NEW)])
    assert file.read_bytes() == OLD
    assert os.listdir(file.parent) == ["server.py"]


def test_a_disk_that_is_full_at_the_second_file_keeps_the_first(file):
    (file.parent / "b.py").write_bytes(OLD)
    code = (
        "import resource, sys; from pathlib import Path; from reviewer.fixes import write\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try: write.write(Path(sys.argv[1]), [(name, b'a = 1\\r\\n', text) for name, text in"
        " (('server.py', b'a = 2'), ('b.py', b'a' * 200))])\n"
        "except write.CannotReviewError as error: print(error)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(file.parent)], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{file.parent / 'b.py'}: cannot be written: file too large; nothing is written\n"
    assert [each.read_bytes() for each in sorted(file.parent.iterdir())] == [OLD, OLD]


@pytest.mark.parametrize("number", [1, 2])
def test_an_interrupt_leaves_whole_files_and_nothing_else(file, monkeypatch, number):
    (file.parent / "b.py").write_bytes(OLD)
    replace, asked = os.replace, []

    def interrupted(*names):
        asked.append(names)
        if len(asked) == number:
            raise KeyboardInterrupt
        replace(*names)

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write.write(file.parent, [("b.py", OLD, NEW), ("server.py", OLD, NEW)])
    assert sorted(os.listdir(file.parent)) == ["b.py", "server.py"]
    assert [each.read_bytes() for each in sorted(file.parent.iterdir())] == [NEW if number == 2 else OLD, OLD]


def test_an_error_between_two_files_tells_how_many_are_written(file, monkeypatch):
    (file.parent / "b.py").write_bytes(OLD)
    replace = os.replace

    def failing(name, path):
        if path.name == "server.py":
            raise OSError(5, "Input/output error")
        replace(name, path)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(CannotReviewError, match=r"input/output error; 1 of 2 files are written"):
        write.write(file.parent, [("b.py", OLD, NEW), ("server.py", OLD, NEW)])


def test_a_diff_names_what_git_takes(tmp_path):
    shown = write.format_diff([("a/b.py", b"x = 1\r\ny = 2", b"x = 3\r\ny = 2"), ("c\nd.py", b"1\n", b"2\n")])
    assert shown == (
        "--- a/a/b.py\n+++ b/a/b.py\n@@ -1,2 +1,2 @@\n-x = 1\r\n+x = 3\r\n y = 2\n\\ No newline at end of file\n"
        "--- a/c\\nd.py\n+++ b/c\\nd.py\n@@ -1 +1 @@\n-1\n+2\n"
    )
