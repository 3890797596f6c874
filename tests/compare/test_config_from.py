"""A change cannot silence its own review: with `--config-from base` it decides nothing, and what it alters is always told."""

import json

import pytest
from repositories import SERVER, Repository

from reviewer.cli.app import run

UNDESCRIBED = "tool-without-description"
NEW = "\n\n@mcp.tool()\ndef added(name: str) -> str:\n    return name\n"


class Pull:
    """A repository whose work tree is a change, and what a review says of it."""

    def __init__(self, repository: Repository, capsys) -> None:
        self.repository = repository
        self.capsys = capsys
        self.write, self.commit, self.edit = repository.write, repository.commit, repository.edit
        self.folder = repository.folder
        self._reports = {}

    def files(self):
        """Return what tells whether any file of the repository has changed."""
        for path in sorted(self.folder.rglob("*")):
            state = path.lstat()
            yield path, state.st_mode, state.st_size, state.st_mtime_ns, state.st_ino

    def said(self, *arguments, at="."):
        self.capsys.readouterr()
        code = run([str(self.folder / at), "--diff", "main", *arguments])
        said = self.capsys.readouterr()
        assert code in (0, 1), said.err
        return said.out

    def report(self, side="base", *arguments, at="."):
        """Return the report. Asked again of the same files, as for another part of it, it is the same."""
        asked = (side, arguments, at, *self.files())
        if asked not in self._reports:
            said = self.said("--config-from", side, "--format", "json", *arguments, at=at)
            self._reports[side, arguments, at, *self.files()] = json.loads(said)
        return self._reports[asked]

    def introduced(self, side="base", *arguments, at="."):
        findings = (each for part in self.report(side, *arguments, at=at)["sections"] for each in part["findings"])
        counting = [each for each in findings if (each["status"], each["change"]) == ("reported", "introduced")]
        return sorted({f"{each['path']} {each['tool']}" for each in counting if each["rule"] == UNDESCRIBED})

    def altered(self, side="base", *arguments, at="."):
        return self.report(side, *arguments, at=at)["compared"]["altered"]


@pytest.fixture
def pull(repository, capsys):
    """Open a change on a branch that adds an undescribed tool."""
    repository.git("checkout", "-q", "-b", "change")
    repository.write("server.py", SERVER + NEW)
    return Pull(repository, capsys)


SILENCING = {
    "mcp-review.toml": [
        ('ignore = ["tool-without-description"]', "ignore"),
        ('select = ["tool-name-style"]', "select"),
        ('profile = "tool-trait"', "profile"),
        ('exclude = ["server.py", "other.py"]', "exclude"),
        ('[rules]\ntool-without-description = "off"', "rules.tool-without-description"),
        ('baseline = "known.json"', "baseline"),
    ],
    "pyproject.toml": [('[tool.mcp-review]\nignore = ["tool-without-description"]', "ignore")],
    "package.json": [('{"mcp-review": {"ignore": ["tool-without-description"]}}', "ignore")],
}


@pytest.mark.parametrize(
    ("file", "text", "key"), [(file, *each) for file, all_ in SILENCING.items() for each in all_], ids=str
)
def test_the_configuration_of_the_base_holds(pull, file, text, key):
    pull.write("other.py", "from server import mcp\n")
    pull.write(file, text + "\n")
    assert pull.introduced() == ["server.py added"]
    keys = [each["key"] for each in pull.altered()["configuration"]]
    assert keys == [key]


def test_the_configuration_of_the_work_tree_holds_by_default_and_is_told(pull):
    pull.write("mcp-review.toml", f'ignore = ["{UNDESCRIBED}"]\n')
    said = pull.said()
    assert f"{UNDESCRIBED} tool `added`" not in said
    assert f'configuration: `ignore` is set to `["{UNDESCRIBED}"]`' in said.splitlines()
    assert pull.report("head")["compared"]["config_from"] == "head"


def test_what_the_base_configures_holds_although_the_change_takes_it_away(pull):
    pull.repository.git("checkout", "-q", "main")
    pull.write("mcp-review.toml", f'ignore = ["{UNDESCRIBED}"]\nfail-on = "warning"\n')
    pull.write("server.py", SERVER)
    pull.commit()
    (pull.folder / "mcp-review.toml").unlink()
    pull.write("pyproject.toml", '[tool.mcp-review]\nfail-on = "error"\n')
    pull.write("server.py", SERVER + NEW)
    assert pull.introduced() == []
    assert pull.altered()["configuration"] == [
        {"key": "fail-on", "old": '"warning"', "new": '"error"'},
        {"key": "ignore", "old": f'["{UNDESCRIBED}"]', "new": None},
    ]


def test_a_configuration_that_the_change_breaks(pull, capsys):
    pull.write("mcp-review.toml", "ignore = [")
    assert pull.introduced() == ["server.py added"]
    (broken,) = pull.altered()["configuration"]
    assert "not valid TOML" in broken["new"]
    assert run([str(pull.folder), "--diff", "main"]) == 2


def test_a_configuration_that_is_broken_at_the_base(pull, capsys):
    pull.repository.git("checkout", "-q", "main")
    pull.write("mcp-review.toml", "ignore = [")
    pull.commit()
    (pull.folder / "mcp-review.toml").unlink()
    assert run([str(pull.folder), "--diff", "main", "--config-from", "base"]) == 2
    assert "at the base main: " in capsys.readouterr().err
    assert pull.introduced("head") == []


def test_a_named_configuration_and_baseline_are_the_bases_too(pull):
    ours, known = str(pull.folder / "ours.toml"), str(pull.folder / "known.json")
    pull.write("ours.toml", f'ignore = ["{UNDESCRIBED}"]\n')
    pull.write("known.json", '{"version": 1, "findings": []}')
    pull.repository.git("stash", "-q", "-u")
    pull.repository.git("checkout", "-q", "main")
    pull.write("known.json", '{"version": 1, "findings": []}')
    pull.commit()
    pull.repository.git("checkout", "-q", "-B", "change")
    (pull.folder / "known.json").unlink()
    pull.repository.git("stash", "pop", "-q")
    assert pull.introduced("base", "--config", ours, "--baseline", known) == ["server.py added"]
    assert pull.introduced("head", "--config", ours, "--baseline", known) == []


def test_a_link_in_the_place_of_the_configuration_is_not_followed(pull, tmp_path):
    (tmp_path / "out.toml").write_text(f'ignore = ["{UNDESCRIBED}"]\n')
    (pull.folder / "mcp-review.toml").symlink_to(tmp_path / "out.toml")
    assert pull.introduced() == ["server.py added"]
    assert pull.introduced("base", "--config", str(pull.folder / "mcp-review.toml")) == ["server.py added"]


def test_a_configuration_above_the_reviewed_folder(pull):
    pull.repository.git("checkout", "-q", "main")
    pull.write("nested/deep/server.py", SERVER)
    pull.write("nested/mcp-review.toml", f'ignore = ["{UNDESCRIBED}"]\n')
    pull.commit()
    pull.write("nested/mcp-review.toml", "")
    pull.write("nested/deep/server.py", SERVER + NEW)
    assert pull.introduced(at="nested/deep") == []
    assert pull.introduced("head", at="nested/deep") == ["server.py added"]


class TestBaseline:
    @pytest.fixture
    def accepting(self, pull):
        """Accept all that the change introduces."""
        known = str(pull.folder / "known.json")
        assert run([str(pull.folder), "--baseline", known, "--write-baseline"]) in (0, 1)
        return known

    def test_of_the_base_holds(self, pull, accepting):
        assert pull.introduced("base", "--baseline", accepting) == ["server.py added"]
        entries = pull.altered("base", "--baseline", accepting)["baseline"]
        assert {"path": "server.py", "rule": UNDESCRIBED, "tool": "added"} in entries

    def test_of_the_work_tree_is_told(self, pull, accepting):
        assert pull.introduced("head", "--baseline", accepting) == []
        assert f"`{UNDESCRIBED}` in `server.py` is accepted by the baseline" in pull.said("--baseline", accepting)
        assert "this change baselines" in pull.said("--baseline", accepting, "--format", "markdown")

    def test_is_not_written(self, pull, accepting, capsys):
        options = ["--config-from", "base", "--baseline", accepting, "--write-baseline"]
        assert run([str(pull.folder), "--diff", "main", *options]) == 2
        assert "remove --config-from base" in capsys.readouterr().err


class TestIgnoreFiles:
    def test_of_the_change_hide_nothing(self, pull):
        pull.write(".gitignore", "server.py\n")
        pull.write("other.py", SERVER.replace("forget", "drop"))
        pull.repository.git("add", "-f", ".")
        pull.commit()
        assert pull.introduced("head") == ["other.py drop"]
        assert pull.altered("head")["excluded"] == ["server.py"]
        assert pull.introduced() == ["other.py drop", "server.py added"]
        assert pull.altered()["excluded"] == ["server.py"]

    def test_of_the_base_hold_in_every_folder(self, pull):
        pull.repository.git("checkout", "-q", "main")
        pull.write("made/.gitignore", "*_pb.py\n")
        pull.write("made/x.py", "x = 1\n")
        pull.write("server.py", SERVER)
        pull.commit()
        pull.write("server.py", SERVER + NEW)
        pull.write("made/.gitignore", "")
        pull.write("made/tool_pb.py", SERVER)
        assert pull.introduced() == ["server.py added"]
        assert "made/tool_pb.py forget" in pull.introduced("head")

    def test_what_is_no_longer_read_is_not_fixed(self, pull):
        pull.write("other.py", SERVER)
        pull.commit()
        pull.repository.git("checkout", "-q", "-B", "main")
        pull.repository.git("mv", "server.py", "test_server.py")
        pull.commit("the server becomes a test")
        for side in ("head", "base"):
            report = json.loads(
                pull.said("--diff", "HEAD~1", "--config-from", side, "--format", "json").partition("\n\n")[0]
            )
            assert "test_server.py" in report["unread"]
            assert report["compared"]["fixed"] == []


MOVES = {
    "into a folder of tests": ("tests/server.py", "looks like tests"),
    "under the name of a test": ("app/test_server.py", "looks like tests"),
    "into an environment": ("app/.venv/server.py", "in a folder that never holds a server's own source"),
    "into vendored code": ("vendor/app/server.py", "in a folder for vendored code"),
    "under another ending": ("app/server.pyw", "its name is not that of Python, Rust or TypeScript source"),
}


class TestMoves:
    """What was reviewed and is moved to where nothing is reviewed is named, is not fixed, and is no plain PASS."""

    @pytest.fixture
    def moving(self, pull):
        """Return the base two servers of which the change alters one."""
        pull.repository.git("checkout", "-q", "-f", "main")
        pull.repository.git("mv", "server.py", "kept.py")
        pull.write("app/server.py", SERVER)
        pull.commit()
        pull.repository.git("checkout", "-q", "-B", "change")
        pull.write("app/server.py", SERVER + NEW)
        return pull

    def move(self, pull, to):
        (pull.folder / to).parent.mkdir(parents=True, exist_ok=True)
        pull.repository.git("mv", "app/server.py", to)

    @pytest.mark.parametrize("committed", [True, False])
    @pytest.mark.parametrize(("to", "why"), MOVES.values(), ids=MOVES)
    def test_are_named(self, moving, to, why, committed):
        self.move(moving, to)
        if committed:
            moving.commit()
        report = moving.report()
        assert report["compared"]["altered"]["left_out"] == [{"path": to, "reason": why, "was": "app/server.py"}]
        assert report["compared"]["altered"]["excluded"] == [to]
        assert report["compared"]["fixed"] == []
        assert "app/server.py" in report["unread"]
        said = moving.said("--config-from", "base", "--format", "markdown")
        assert said.startswith("## MCP review: PASS; this change excludes 1 file\n")
        assert f"`{to}` is excluded ({why}); `app/server.py` was reviewed before\n" in said

    def test_are_told_by_the_code_that_moved_and_not_by_the_name(self, moving):
        self.move(moving, "tests/held.py")
        moving.write(
            "tests/held.py", SERVER + NEW + "".join(f"\n\ndef step_{n}():\n    return {n}\n" for n in range(99))
        )
        moving.write("app/server.py", "from tests.held import mcp\n")
        moving.commit()
        (one,) = moving.altered()["left_out"]
        assert (one["path"], one["was"]) == ("tests/held.py", "app/server.py")
        assert moving.report()["compared"]["fixed"] == []

    def test_out_of_the_reviewed_folder(self, moving):
        moving.write("app/other.py", "from mcp.server import MCPServer\n\nmcp = MCPServer('y')" + NEW)
        self.move(moving, "lib/server.py")
        (one,) = moving.altered(at="app")["left_out"]
        assert one == {"path": "../lib/server.py", "reason": "outside of the reviewed folder", "was": "server.py"}
        assert "`lib/server.py` is excluded" in moving.said("--format", "markdown", at="app")

    def test_behind_a_link(self, moving, tmp_path):
        (moving.folder / "app").rename(tmp_path / "elsewhere")
        (moving.folder / "app").symlink_to(tmp_path / "elsewhere")
        report = moving.report()
        assert [each["was"] for each in report["compared"]["altered"]["left_out"]] == ["app/server.py"]
        assert report["compared"]["fixed"] == []

    def test_to_where_it_is_reviewed_are_not_told(self, moving):
        self.move(moving, "source/server.py")
        moving.write("tests/test_server.py", "from mcp.server import MCPServer\n\nfrom source.server import read\n")
        moving.commit()
        assert moving.altered()["left_out"] == []
        assert moving.introduced() == ["source/server.py added"]

    def test_what_is_deleted_is_fixed(self, moving):
        (moving.folder / "app/server.py").unlink()
        moving.write("tests/test_kept.py", "from kept import mcp\n")
        moving.commit()
        report = moving.report()
        assert report["compared"]["altered"]["left_out"] == []
        assert "app/server.py" in {each["path"] for each in report["compared"]["fixed"]}
        assert report["unwatched"] == ["tests/test_kept.py"]

    def test_of_the_only_server_leave_nothing_to_review(self, pull, capsys):
        (pull.folder / "tests").mkdir()
        pull.repository.git("mv", "server.py", "tests/server.py")
        assert run([str(pull.folder), "--diff", "main", "--config-from", "base"]) == 2
        said = capsys.readouterr().err
        assert "no MCP server found: " in said
        assert "tests/server.py is left out (looks like tests); set `include-tests = true` to review it" in said

    def test_may_fail_the_review(self, moving):
        self.move(moving, "tests/server.py")
        assert run([str(moving.folder), "--diff", "main"]) == 0
        assert run([str(moving.folder), "--diff", "main", "--fail-on-suppressed"]) == 1


class TestSuppressions:
    def test_may_fail_the_review(self, pull):
        marked = NEW.replace("@mcp.tool()", f"# mcp-review: ignore[{UNDESCRIBED}] fine\n@mcp.tool()")
        pull.repository.git("stash", "-q")
        pull.repository.git("checkout", "-q", "main")
        pull.write("mcp-review.toml", "fail-on-suppressed = true\n")
        pull.commit()
        pull.write("server.py", SERVER + marked)
        pull.write("mcp-review.toml", "")
        assert run([str(pull.folder), "--diff", "main", "--config-from", "base"]) == 1
        assert run([str(pull.folder), "--diff", "main"]) == 0
        assert run([str(pull.folder), "--diff", "main", "--fail-on-suppressed"]) == 1
        pull.write("server.py", SERVER)
        assert run([str(pull.folder), "--diff", "main", "--fail-on-suppressed"]) == 0

    def test_hide_what_is_introduced_and_are_told(self, pull, monkeypatch):
        marked = NEW.replace("@mcp.tool()", f"# mcp-review: ignore[{UNDESCRIBED}] it is | `obvious`\n@mcp.tool()")
        pull.write("server.py", SERVER + marked)
        (one,) = pull.altered()["suppressions"]
        assert (one["path"], one["line"], one["rules"]) == ("server.py", 19, [UNDESCRIBED])
        assert one["reason"] == "it is | `obvious`"
        assert len(one["hides"]) == 1
        monkeypatch.chdir(pull.folder)
        assert f"`server.py:19` suppresses `{UNDESCRIBED}` and hides 1 finding" in pull.said()
        assert "this change suppresses 1 finding" in pull.said("--format", "markdown")
        assert "Verdict: PASS; this change suppresses 1 finding\n" in pull.said("--format", "github")

    def test_hide_what_was_there_before(self, pull):
        text = SERVER.replace(
            "@mcp.tool()\ndef forget", f"# mcp-review: ignore[{UNDESCRIBED}] later\n@mcp.tool()\ndef forget"
        )
        pull.write("server.py", text)
        (one,) = pull.altered()["suppressions"]
        assert len(one["hides"]) == 1

    def test_that_stood_there_before_are_told_only_if_they_hide_more(self, pull):
        marked = f"# mcp-review: ignore[{UNDESCRIBED}] later\n"
        text = SERVER.replace("@mcp.tool()\ndef forget", f"{marked}@mcp.tool()\ndef forget")
        pull.repository.git("checkout", "-q", "main")
        pull.write("server.py", text)
        pull.commit()
        pull.write("server.py", text + "\n# a remark\n")
        assert pull.altered()["suppressions"] == []
        moved = SERVER + NEW.replace("@mcp.tool()", f"{marked}@mcp.tool()")
        pull.write("server.py", moved)
        (one,) = pull.altered()["suppressions"]
        assert len(one["hides"]) == 1


def test_a_profile_that_is_only_detected_is_the_bases(pull):
    dotted = "from mcp.server import MCPServer\nfrom pydantic import BaseModel\n\nmcp = MCPServer('x')\n\n\nclass A(BaseModel):\n    x: int\n"
    for name in "abcdefgh":
        dotted += f"\n\n@mcp.tool(name='note.{name}')\ndef {name}(input: A) -> str:\n    ...\n"
    (pull.folder / "server.py").unlink()
    pull.write("dotted.py", dotted)
    assert pull.report("head")["profile"] == "object-operation"
    report = pull.report()
    assert report["profile"] == "core"
    setting = {"key": "profile (detected)", "old": '"core"', "new": '"object-operation"'}
    assert setting in report["compared"]["altered"]["configuration"]


def test_it_goes_with_a_base_only(pull, capsys):
    assert run([str(pull.folder), "--config-from", "base"]) == 2
    assert capsys.readouterr().err == "mcp-review: --config-from base: requires --diff BASE\n"
