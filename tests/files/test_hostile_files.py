"""Files that are no files, have no end, lie too deep or hold what no configuration holds: each is passed over, or refused in one line."""

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from pathspec import GitIgnoreSpec

from reviewer.cli import app
from reviewer.config import read_configuration
from reviewer.files import discovery, storage
from reviewer.files.discovery import CannotReviewError
from reviewer.files.ignore_patterns import Filter, compile_patterns
from reviewer.files.storage import Disk, TooLargeError, read_regular
from reviewer.text import toml

SERVER = """from mcp.server.fastmcp import FastMCP
mcp = FastMCP("demo")

@mcp.tool()
def count_words(text: str) -> str:
    \"\"\"Counts words.\"\"\"
    return text
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "server.py").write_text(SERVER)
    return tmp_path


def fifo(path: Path) -> None:
    os.mkfifo(path)


def zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def bound_socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # the path of a socket has a hundred characters at most
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(here)


SPECIAL = pytest.mark.parametrize("special", [fifo, zero, bound_socket])


def remove_chain(top: Path) -> None:
    """Remove folders in folders from the inside; `shutil.rmtree`, by which pytest cleans up, ends in a RecursionError."""
    here, depth = os.getcwd(), 0
    os.chdir(top)
    try:
        while os.path.isdir("d"):
            os.chdir("d")
            depth += 1
        Path("deep.py").unlink()
        for _ in range(depth):
            os.chdir("..")
            os.rmdir("d")
    finally:
        os.chdir(here)


@SPECIAL
@pytest.mark.parametrize(
    "name",
    [".gitignore", "pyproject.toml", "Cargo.toml", "package.json", "uv.lock", "README.md", "docs/a.md", "other.py", "lib.rs", ".git/info/exclude", ".git/HEAD"],
)  # fmt: skip
def test_special_files_are_not_opened(
    tree: Path, capfd: pytest.CaptureFixture[str], special: Callable[[Path], None], name: str
) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    special(tree / name)
    app.run([str(tree)])
    out, err = capfd.readouterr()
    assert "Verdict: " in out
    assert "Traceback" not in err


@SPECIAL
def test_a_configuration_that_is_no_file_is_refused(
    tree: Path, capfd: pytest.CaptureFixture[str], special: Callable[[Path], None]
) -> None:
    special(tree / "mcp-review.toml")
    assert app.run([str(tree)]) == 2
    assert "mcp-review.toml: the configuration cannot be read: not a regular file" in capfd.readouterr().err
    assert app.run([str(tree), "--config", str(tree / "mcp-review.toml")]) == 2


@SPECIAL
def test_what_the_caller_names_is_not_opened_either(
    tree: Path, capfd: pytest.CaptureFixture[str], special: Callable[[Path], None]
) -> None:
    special(tree / "given.json")
    given = str(tree / "given.json")
    for arguments in (
        [given],
        [str(tree), "--baseline", given],
        ["judge", "import", str(tree), given],
        [str(tree), "--judge", "replay", "--verdicts", given],
    ):
        assert app.run(arguments) == 2
        assert capfd.readouterr().err.count("\n") == 1


NAMES = [
    "other.py", "src/lib.rs", "Cargo.toml", "uv.lock", "package.json", "src/index.ts", "README.md", "docs/tools.md",
]  # fmt: skip


def dangling(path: Path) -> None:
    path.symlink_to("not-there")


def endless(path: Path) -> None:
    path.symlink_to(path.name)


UNUSUAL = {
    fifo: "not a regular file; it was not opened",
    bound_socket: "not a regular file; it was not opened",
    zero: "a link out of the reviewed folder is not followed",
    dangling: "a link that leads to nothing",
    endless: "a link that leads to nothing",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("special", UNUSUAL)
def test_what_would_have_been_read_and_is_no_file_is_named(
    tree: Path, capfd: pytest.CaptureFixture[str], special: Callable[[Path], None], name: str
) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    special(tree / name)
    app.run([str(tree)])
    assert capfd.readouterr().err.count(f"{name}:1: {UNUSUAL[special]}\n") == 1


@pytest.mark.parametrize("name", ["tools.json", "notes.txt"])
@pytest.mark.parametrize("special", [fifo, bound_socket])
def test_a_special_file_is_named_whatever_its_name_unless_it_is_left_out(
    tree: Path, special: Callable[[Path], None], name: str
) -> None:
    special(tree / name)
    (named,) = discovery.discover_files(tree).broken
    assert (named.span.path, named.reason) == (name, "not a regular file; it was not opened")
    assert discovery.discover_files(tree, (name,)).broken == []


@pytest.mark.parametrize("name", ["tools.json", "notes.txt"])
def test_a_link_that_nobody_would_have_read_is_not_named(tree: Path, name: str) -> None:
    dangling(tree / name)
    assert discovery.discover_files(tree).broken == []


LISTED = SERVER + "".join(
    f"\n@mcp.tool()\ndef {name}(text: str) -> str:\n    return text\n" for name in ("cut", "join")
)


@pytest.fixture
def lock(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Refuse a file, as the permissions of the disk do for whoever is not root."""

    def lock(file: Path) -> None:
        really_open, place = os.open, os.path.realpath(file)

        def opened(path: str | Path, flags: int) -> int:
            if os.path.realpath(path) == place:
                raise PermissionError(13, "Permission denied")
            return really_open(path, flags)

        refusing = SimpleNamespace(**vars(os))
        refusing.open, refusing.access = opened, lambda path, _mode: os.path.realpath(path) != place
        monkeypatch.setattr(storage, "os", refusing)

    return lock


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_may_not_be_read_is_named(
    tree: Path, capfd: pytest.CaptureFixture[str], lock: Callable[[Path], None], name: str
) -> None:
    (tree / "server.py").write_text(LISTED)
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text("# nothing")
    lock(tree / name)
    if name == "package.json":  # asked only where there is no server
        (tree / "server.py").unlink()
    app.run([str(tree), "--isolated", "--select", "documents-and-source-differ"])
    assert re.findall(rf"{name}(?::1)?: the file cannot be read: permission denied", capfd.readouterr().err)


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"caf\xe9", "not UTF-8"), (b"#" * (discovery.LARGEST_TEXT + 1), "2 MB, more than the limit of 1 MB")],
)
def test_a_document_that_is_no_text_of_its_size_is_named(
    tree: Path, capfd: pytest.CaptureFixture[str], data: bytes, reason: str
) -> None:
    (tree / "server.py").write_text(LISTED)
    (tree / "README.md").write_bytes(data)
    app.run([str(tree), "--select", "documents-and-source-differ"])
    assert capfd.readouterr().err == f"mcp-review: {tree / 'README.md'}:1: {reason}\n"


def test_an_ignore_file_that_cannot_be_read_is_named(tree: Path) -> None:
    fifo(tree / ".gitignore")
    (named,) = discovery.discover_files(tree).broken
    assert "nothing is ignored by it" in named.reason


@SPECIAL
@pytest.mark.parametrize("name", [".git/info/exclude", ".gitignore"])
def test_an_ignore_file_above_the_root_that_cannot_be_read_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], special: Callable[[Path], None], name: str
) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "server.py").write_text(SERVER)
    special(tmp_path / name)
    app.run([str(tmp_path / "own")])
    assert f"../{name}:1: it cannot be read, and nothing is ignored by it: not a regular file" in capfd.readouterr().err


@pytest.mark.parametrize("special", [fifo, bound_socket, zero, dangling])
@pytest.mark.parametrize("name", ["pyproject.toml", "Cargo.toml", "package.json"])
def test_a_manifest_above_the_root_that_is_no_file_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], special: Callable[[Path], None], name: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "server.py").write_text(SERVER)
    special(tmp_path / name)
    app.run([str(tmp_path / "own")])
    why = UNUSUAL[special] if special is not zero else UNUSUAL[fifo]
    assert capfd.readouterr().err.count(f"../{name}:1: {why}\n") == 1
    app.run([str(tmp_path / "own"), "--isolated"])
    assert name not in capfd.readouterr().err, "no configuration is looked for"


def test_a_folder_that_is_called_like_a_manifest_is_not_named(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "own").mkdir()
    (tmp_path / "pyproject.toml").mkdir()
    assert read_configuration(tmp_path / "own").unopened == ()


def test_a_checkout_without_ignore_files_of_its_own_is_read_without_a_word(tree: Path) -> None:
    (tree / ".git").write_text("gitdir: elsewhere")
    assert discovery.discover_files(tree).broken == []


@pytest.mark.parametrize("name", ["Cargo.lock", "uv.lock", "pyproject.toml"])
def test_a_manifest_that_is_too_large_is_named(tree: Path, name: str) -> None:
    with (tree / name).open("w") as sparse:
        sparse.truncate(storage.MOST_MANIFEST + 2**20)
    found = discovery.discover_files(tree)
    (named,) = found.broken
    assert (named.span.path, named.reason) == (name, "33 MB, more than the limit of 32 MB")
    assert name not in found.manifests


@pytest.mark.parametrize("letter", ["a", "[ab]", "?a", "\\\\a"])
@pytest.mark.parametrize("before", ["", "!x\n"])
def test_an_ignore_pattern_of_many_stars_ends(tree: Path, before: str, letter: str) -> None:
    (tree / ".gitignore").write_text(before + f"*{letter}" * 40 + "*b\n" + "*c*d*.py\n")
    names = ["a" * 200 + ".py", "xcxdx.py", "server.py"]
    for name in names:
        (tree / name).write_text(SERVER)
    assert [*discovery.discover_files(tree).sources] == [names[0], names[2]]


def test_a_special_file_that_takes_the_place_of_a_file_is_not_read(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    regular, checks = os.stat(tree / "server.py"), []
    fifo(tree / "other.py")
    monkeypatch.setattr(storage.os, "stat", lambda *_, **__: checks.append(1) or regular)
    with pytest.raises(OSError, match="Not a regular file"):
        read_regular(tree / "other.py", 1000)
    assert checks == [1], "it was a file when it was looked at"


def test_a_link_is_not_followed_that_took_the_place_of_a_file(tree: Path) -> None:
    (tree / "link.py").symlink_to(tree / "server.py")
    with pytest.raises(OSError):
        Disk(tree).read("link.py", 1000)


def test_no_more_is_read_than_may_be(tmp_path: Path) -> None:
    with open(tmp_path / "sparse", "wb") as sparse:
        sparse.truncate(2**40)
    with pytest.raises(TooLargeError):
        read_regular(tmp_path / "sparse", 1000)
    (tmp_path / "exact").write_bytes(b"x" * 1000)
    assert len(read_regular(tmp_path / "exact", 1000)) == 1000
    if Path("/proc/kallsyms").exists():  # a file that tells no size
        with pytest.raises(TooLargeError):
            read_regular("/proc/self/smaps", 100)


def test_a_file_that_vanishes_is_named(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "gone.py").write_text("x = 1")
    entries = Disk.list_folder

    def vanishing(disk: Disk, folder: str) -> list[storage.FolderEntry]:
        found = entries(disk, folder)
        (tree / "gone.py").unlink()
        return found

    monkeypatch.setattr(Disk, "list_folder", vanishing)
    (named,) = discovery.discover_files(tree).broken
    assert named.span.path == "gone.py"


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1_000, 3_000])
def test_folders_thousands_deep(tree: Path, depth: int, capfd: pytest.CaptureFixture[str]) -> None:
    here = os.getcwd()
    try:
        os.chdir(tree)
        for _ in range(depth):
            os.mkdir("d")
            os.chdir("d")
        Path("deep.py").write_text("x = 1")
    finally:
        os.chdir(here)
    try:
        found = discovery.discover_files(tree)
        if depth == 1_000:
            assert len(found.sources) == 2
        else:  # a path has 4096 bytes at most
            assert "the folder cannot be read" in found.broken[0].reason
        app.run([str(tree)])
        assert "Traceback" not in capfd.readouterr().err
    finally:
        remove_chain(tree / "d")


def test_names_that_no_terminal_should_see(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tree / "a\n::error::b\x1b[31m.py").write_text("(")
    (tree / os.fsdecode(b"\xff.py")).write_text("(")
    (tree / "Server.py").write_text(SERVER)
    app.run([str(tree), "--format", "github"])
    out, err = capfd.readouterr()
    assert "\x1b" not in out + err
    assert not any(line.startswith("::error::b") for line in (out + err).splitlines())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = " + "[" * 3000 + "]" * 3000, "nested too deep"),
        ("a" + ".a" * 50_000 + " = 1", "a key of more than 64 parts"),
        ("[" + "a." * 50_000 + "a]", "a key of more than 64 parts"),
        ('"a" . ' * 70 + "b = 1", "a key of more than 64 parts"),
        ("a = " + "1" * 5000, "thousands of digits"),
        ("a = \ud800", "not UTF-8"),
        ("a = ", "not valid TOML"),
    ],
)
def test_configuration_that_none_is(tree: Path, capfd: pytest.CaptureFixture[str], text: str, why: str) -> None:
    for name, begun in (("mcp-review.toml", ""), ("pyproject.toml", "[tool.mcp-review]\n")):
        (tree / name).write_bytes((begun + text).encode("utf-8", "surrogatepass"))
        assert app.run([str(tree)]) == 2
        err = capfd.readouterr().err
        assert (why in err, err.count("\n")) == (True, 1)
        (tree / name).unlink()


def test_a_configuration_of_a_hundred_megabytes(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with open(tree / "mcp-review.toml", "wb") as sparse:
        sparse.truncate(100 * 2**20)
    assert app.run([str(tree)]) == 2
    assert "larger than 1 MB" in capfd.readouterr().err


def test_a_manifest_that_is_no_toml_is_none(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("pyproject.toml", "Cargo.toml", "uv.lock", "Pipfile.lock", "Cargo.lock"):
        (tree / name).write_text("a" + ".a" * 50_000 + " = " + "[" * 5000)
    (tree / "main.rs").write_text(
        '#[tool_router]\nimpl S {\n #[tool(description = "x")]\n fn a(&self) -> String { String::new() }\n}\n'
    )
    app.run([str(tree)])
    out, err = capfd.readouterr()
    assert ("Verdict" in out, err) == (True, "")


def test_toml_that_people_write_is_read() -> None:
    assert toml.parse_toml('a.b."c.d" = "x.y.z. and so on. and. so. on"\n') == {
        "a": {"b": {"c.d": "x.y.z. and so on. and. so. on"}}
    }


def test_a_given_path_that_is_no_file(tmp_path: Path) -> None:
    fifo(tmp_path / "a.py")
    with pytest.raises(CannotReviewError, match="not a regular file"):
        discovery.discover_files(tmp_path / "a.py")


@pytest.mark.parametrize("name", ["large.py", "latin.py", "deep.rs"])
def test_no_pass_over_a_source_file_that_was_not_read(tree: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    with open(tree / name, "wb") as file:
        file.write({"latin.py": b"# mcp caf\xe9", "deep.rs": b"(" * 500 + b")" * 500}.get(name, b""))
        file.truncate(9 * 2**20 if name == "large.py" else file.tell())
    assert app.run([str(tree)]) == 2
    assert "Verdict: INCOMPLETE" in capfd.readouterr().out


def test_a_file_that_speaks_of_no_server_and_is_no_text_is_a_note(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tree / "latin.py").write_bytes(b"# caf\xe9")
    assert app.run([str(tree)]) == 0
    assert "latin.py:1: not UTF-8" in capfd.readouterr().err


ANYWHERE = [
    "**/a/" * 12 + "x",
    "**/*a*/" * 12 + "x",
    "*/**/" * 15 + "x",
    "a*/**/" * 8 + "x",
    "/a" + "/**/a" * 12 + "/x",
]


@pytest.mark.parametrize("pattern", ANYWHERE)
def test_an_ignore_pattern_of_many_double_stars_ends(pattern: str) -> None:
    """In a path of sixty folders each could stand for any stretch: trying all of them never ends."""
    assert Filter(compile_patterns([pattern])).match_path("a/" * 60 + "b.py") is None
    assert Filter(compile_patterns([pattern])).match_path("a/" * 60 + "x") is True


PARTS = ("**", "a", "b", "*", "a*", "*b*", "[ab]", "?", "a*b", "*a*b*")


def test_patterns_of_double_stars_mean_what_they_meant() -> None:
    """What is matched without backtracking is what the library matches with it."""
    chance = Random(4)
    for _ in range(500):
        pattern = "/".join(chance.choice(PARTS) for _ in range(chance.randint(1, 5))) + chance.choice(["", "/", "/**"])
        path = "/".join("".join(chance.choices("ab", k=chance.randint(1, 3))) for _ in range(chance.randint(1, 6)))
        meant = GitIgnoreSpec.from_lines([pattern])
        assert compile_patterns([pattern]).check_file(path).include == meant.check_file(path).include, (pattern, path)
