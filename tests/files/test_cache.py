"""Entries of the user's cache folder are whole or not there, only the user's own, and not many."""

import os
import random
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import platformdirs
import pytest

from reviewer.files import cache
from reviewer.files.cache import HEAD, EntryFolder, find_cache_folder, lies_apart


@pytest.fixture
def folder(tmp_path):
    return EntryFolder(tmp_path)


def test_what_was_written_is_read(folder):
    folder.write("a", b"x" * 1000)
    assert folder.read("a") == b"x" * 1000
    assert folder.read("b") is None


def test_an_entry_of_which_a_byte_is_another_is_none(folder, tmp_path):
    folder.write("a", b"kiln")
    data = (tmp_path / "a").read_bytes()
    for at in range(len(data)):
        (tmp_path / "a").write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert folder.read("a") is None
    for length in range(len(data)):
        (tmp_path / "a").write_bytes(data[:length])
        assert folder.read("a") is None
    (tmp_path / "a").write_bytes(data + b"x")
    assert folder.read("a") is None


def test_what_is_no_file_of_its_own_is_not_opened(folder, tmp_path):
    folder.write("a", b"kiln")
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert [folder.read(each) for each in ("link", "folder", "pipe")] == [None, None, None]


def test_an_entry_that_is_too_large_is_neither_written_nor_read(folder, tmp_path, monkeypatch):
    folder.write("a", b"x" * 1000)
    monkeypatch.setattr(cache, "MOST_ENTRY", 100)
    folder.write("b", b"x" * 1000)
    assert [folder.read(each) for each in "ab"] == [None, None]
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("bound", ["MOST_KEPT", "MOST_ENTRIES"])
def test_what_was_used_least_recently_goes_first(folder, tmp_path, monkeypatch, bound):
    for number, key in enumerate("abcd"):
        folder.write(key, b"x" * 1000)
        os.utime(tmp_path / key, (number, number))
    (tmp_path / ".left").write_bytes(b"x" * 500)  # by a run that was killed
    os.utime(tmp_path / ".left", (0, 0))
    assert folder.read("a") == b"x" * 1000  # used just now
    monkeypatch.setattr(cache, bound, 2 * (1000 + HEAD) if bound == "MOST_KEPT" else 2)
    folder.write("e", b"x" * 1000)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a", "e"]


def test_two_that_write_one_entry_leave_a_whole_one(folder, tmp_path):
    bodies = [bytes([number]) * 50_000 for number in range(4)]

    def write_and_read(number):
        for _ in range(10):
            folder.write("a", bodies[number])
            assert folder.read("a") in bodies

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write_and_read, range(4)))
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_a_whole_entry_or_none(folder, tmp_path):
    code = (
        "import sys; from pathlib import Path; from reviewer.files.cache import EntryFolder\n"
        "folder = EntryFolder(Path(sys.argv[1])); print('begun', flush=True)\n"
        "for number in range(10**9): folder.write(str(number % 3), bytes([number % 256]) * 500_000)"
    )
    drawn = random.Random(23)
    for _ in range(4):
        with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as running:
            assert running.stdout.readline()
            try:
                running.wait(drawn.random() / 20)
            except subprocess.TimeoutExpired:
                running.send_signal(signal.SIGKILL)
        for key in "012":
            body = folder.read(key)
            assert body is None or (len(body) == 500_000 and len(set(body)) == 1)


def test_the_folder_is_the_users_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path / "own"))
    EntryFolder.open("entries", apart_from=[]).write("a", b"kiln")
    modes = [stat.S_IMODE((tmp_path / each).stat().st_mode) for each in ("own", "own/entries", "own/entries/a")]
    assert modes == [0o700, 0o700, 0o600]
    for mode in (0o770, 0o707):
        (tmp_path / "own/entries").chmod(mode)
        assert EntryFolder.open("entries", apart_from=[]) is None


def test_a_link_in_its_place_is_not_followed(tmp_path, monkeypatch):
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path))
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "entries").symlink_to("elsewhere")
    assert EntryFolder.open("entries", apart_from=[]) is None


def test_it_lies_apart_from_a_folder_that_is_spelt_otherwise(tmp_path, monkeypatch):
    (tmp_path / "box").mkdir()
    (tmp_path / "Box").symlink_to("box")  # stands for a file system to which both spellings are one folder
    monkeypatch.setattr(os.path, "realpath", os.path.abspath)
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path / "Box/cache"))
    assert not lies_apart([tmp_path / "box"])
    assert lies_apart([tmp_path / "boxes"])
    monkeypatch.setenv("MCP_REVIEW_CACHE", str(tmp_path))
    assert not lies_apart([tmp_path / "Box"])


def test_a_folder_below_the_current_one_is_not_the_users_own(monkeypatch):
    monkeypatch.delenv("MCP_REVIEW_CACHE", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: Path("~/.cache"))  # as older releases have it
    with pytest.raises(RuntimeError):
        find_cache_folder()
