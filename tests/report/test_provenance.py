"""What a report says of where the reviewed files come from, read without git and with no trust in the checkout."""

import os
import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from reports import full

from reviewer.cli.app import run
from reviewer.failures import CannotReviewError
from reviewer.render import RENDERERS
from reviewer.report.provenance import FORMS, Provenance, find_provenance, get_time, parse_remote

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TIME = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SERVER = "from mcp.server import MCPServer\n\nmcp = MCPServer('demo')\n\n\n@mcp.tool()\ndef read() -> str: ...\n"


@pytest.fixture(autouse=True)
def no_ci(monkeypatch):
    for name in ("GITHUB_SERVER_URL", "CI_SERVER_URL", "GITEA_ACTIONS", "FORGEJO_ACTIONS", "SOURCE_DATE_EPOCH"):
        monkeypatch.delenv(name, raising=False)


def checkout(top: Path, remote="https://github.com/owner/name.git", head="ref: refs/heads/main\n") -> Path:
    (top / ".git/refs/heads").mkdir(parents=True)
    (top / ".git/HEAD").write_text(head)
    (top / ".git/refs/heads/main").write_text(f"{COMMIT}\n")
    (top / ".git/config").write_text(
        f'[core]\n\tbare = false\n[remote "fork"]\n\turl = git@example.test:x/y.git\n[remote "origin"]\n\turl = {remote}\n'
    )
    return top


@pytest.mark.parametrize(
    ("remote", "shown"),
    [
        ("https://github.com/owner/name.git", "github.com/owner/name"),
        ("https://user:secret@GitHub.com/owner/name", "github.com/owner/name"),
        ("https://x-access-token:ghs_1@github.com:443/owner/name.git", "github.com/owner/name"),
        ("git@github.com:owner/name.git", "github.com/owner/name"),
        ("ssh://git@gitlab.example.test:2222/group/sub/name.git/", "gitlab.example.test/group/sub/name"),
        ("git://codeberg.org/owner/.profile", "codeberg.org/owner/.profile"),
        ("/srv/git/name.git", ""),
        ("file:///srv/git/name.git", ""),
        ("C:/git/owner/name", ""),
        ("https://github.com/owner", ""),
        ("https://github.com/owner/../name", ""),
        ("https://github.com/owner/name?x=1", ""),
        ("https://github.com/owner/name)[x](javascript:alert(1)", ""),
        ('https://github.com/"onmouseover="x/name', ""),
        ("javascript:alert(1)/x", ""),
        ("https://github.com@evil.test/owner/name", "evil.test/owner/name"),
        ("ext::sh -c touch% /tmp/x", ""),
        (f"https://github.com/owner/{'n' * 400}", ""),
    ],
)
def test_an_address_is_plainly_one_or_none(remote, shown):
    assert parse_remote(remote) == shown


@pytest.mark.parametrize(
    ("host", "line", "commit"),
    [
        ("github.com", f"blob/{COMMIT}/src/a%20b.py#L7", f"commit/{COMMIT}"),
        ("gitlab.com", f"-/blob/{COMMIT}/src/a%20b.py#L7", f"-/commit/{COMMIT}"),
        ("bitbucket.org", f"src/{COMMIT}/src/a%20b.py#lines-7", f"commits/{COMMIT}"),
        ("codeberg.org", f"src/commit/{COMMIT}/src/a%20b.py#L7", f"commit/{COMMIT}"),
    ],
)
def test_links_have_the_form_of_the_host(host, line, commit, tmp_path):
    given = find_provenance(["src"], checkout(tmp_path, f"https://{host}/owner/name.git"))
    assert given.link("src/a b.py", 7) == f"https://{host}/owner/name/{line}"
    assert given.commit_link == f"https://{host}/owner/name/{commit}"


def test_a_host_that_is_not_known_is_named_and_not_linked(tmp_path):
    given = find_provenance(["src"], checkout(tmp_path, "https://code.example.test/owner/name"))
    assert (given.repository, given.commit, given.home) == ("code.example.test/owner/name", COMMIT, None)
    assert given.link("src/a.py", 1) is given.commit_link is None


@pytest.mark.parametrize(
    ("variables", "form"),
    [
        ({"GITHUB_SERVER_URL": "https://code.example.test"}, "github.com"),
        ({"GITHUB_SERVER_URL": "https://code.example.test", "FORGEJO_ACTIONS": "true"}, "codeberg.org"),
        ({"CI_SERVER_URL": "https://code.example.test:8443"}, "gitlab.com"),
        ({"CI_SERVER_URL": "https://[half"}, None),
    ],
)
def test_a_job_tells_what_its_host_is(variables, form, tmp_path, monkeypatch):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    given = find_provenance(["src"], checkout(tmp_path, "https://code.example.test/owner/name"))
    assert given.form == FORMS.get(form)


class TestCheckouts:
    def test_of_git_itself(self, tmp_path):
        def git(*arguments):
            who = ["-c", "user.name=n", "-c", "user.email=e@example.test", "-c", "commit.gpgsign=false"]
            done = subprocess.run(["git", *who, *arguments], cwd=tmp_path / "top", check=True, capture_output=True)
            return done.stdout.decode().strip()

        (tmp_path / "top/src").mkdir(parents=True)
        (tmp_path / "top/src/a.py").write_text("x = 1\n")
        git("init", "-q", "-b", "main")
        git("remote", "add", "origin", "git@github.com:owner/name.git")
        git("add", ".")
        git("commit", "-qm", "one")
        commit = git("rev-parse", "HEAD")
        expected = ("github.com/owner/name", commit)
        for prepare in ([], ["pack-refs", "--all"], ["checkout", "-q", "--detach"]):
            if prepare:
                git(*prepare)
            given = find_provenance(["src"], tmp_path / "top/src")
            assert (given.repository, given.commit) == expected, prepare
        git("worktree", "add", "-q", "-b", "other", "../tree")
        given = find_provenance(["tree"], tmp_path / "tree")
        assert (given.repository, given.commit) == expected

    def test_none(self, tmp_path):
        given = find_provenance(["src"], tmp_path)
        assert (given.repository, given.commit) == ("", "")

    @pytest.mark.parametrize(
        "head", ["", "ref: refs/heads/gone", "ref: ../../secret", "ref: /etc/hostname", "0123", f"{COMMIT}'>", "\0"]
    )
    def test_whose_head_is_no_commit(self, head, tmp_path):
        (tmp_path / "secret").write_text(COMMIT)
        assert find_provenance(["x"], checkout(tmp_path / "top", head=head)).commit == ""

    @pytest.mark.parametrize("gitdir", ["gitdir: \0", "gitdir: /dev/null\n", "nothing", "gitdir: a\nb", ""])
    def test_whose_git_is_a_file_that_leads_nowhere(self, gitdir, tmp_path):
        (tmp_path / "HEAD").write_text(COMMIT)
        (tmp_path / ".git").write_text(gitdir)
        assert find_provenance(["x"], tmp_path).commit == ""

    @pytest.mark.parametrize("name", ["HEAD", "config", "packed-refs", "commondir"])
    def test_whose_files_are_pipes(self, name, tmp_path):
        top = checkout(tmp_path, head="ref: refs/heads/gone")
        (top / ".git" / name).unlink(missing_ok=True)
        os.mkfifo(top / ".git" / name)
        assert find_provenance(["x"], top).commit == ""

    def test_whose_git_is_a_pipe(self, tmp_path):
        os.mkfifo(tmp_path / ".git")
        assert find_provenance(["x"], tmp_path).commit == ""


class TestTime:
    def test_source_date_epoch_makes_it(self, monkeypatch):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767323045")
        assert get_time() == TIME

    def test_without_it_the_clock_does(self):
        assert abs((datetime.now(UTC) - get_time()).total_seconds()) < 60

    @pytest.mark.parametrize("given", ["yesterday", "9" * 30, "1e9", "²"])
    def test_what_is_no_time(self, given, monkeypatch, tmp_path, capsys):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
        with pytest.raises(CannotReviewError, match="SOURCE_DATE_EPOCH"):
            get_time()
        (tmp_path / "server.py").write_text(SERVER)
        assert run([str(tmp_path), "--format", "html"]) == 2
        told = capsys.readouterr()
        assert (told.out, len(told.err.splitlines())) == ("", 1)


class TestReports:
    @pytest.mark.parametrize("form", ["markdown", "html"])
    def test_name_what_was_reviewed(self, form, tmp_path, monkeypatch, capsys):
        (checkout(tmp_path) / "src").mkdir()
        (tmp_path / "src/server.py").write_text(SERVER)
        monkeypatch.chdir(tmp_path / "src")
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767323045")
        said = []
        for _ in range(2):
            run([".", "--format", form])
            said.append(capsys.readouterr().out)
        assert said[0] == said[1]
        for each in ("src", "github.com/owner/name", COMMIT[:12], "2026-01-02 03:04 UTC", "mcp-review 0.1.0"):
            assert each in said[0]
        assert f"https://github.com/owner/name/blob/{COMMIT}/src/server.py#L" in said[0]

    @pytest.mark.parametrize("form", ["markdown", "html"])
    def test_link_nothing_that_is_not_there(self, form):
        given = replace(full("word"), provenance=Provenance(("word",), TIME, "example.test/owner/name", COMMIT))
        assert "https://" not in RENDERERS[form](given)

    def test_of_a_live_server_link_no_file(self):
        given = Provenance(("--live",), TIME, "github.com/owner/name", COMMIT, FORMS["github.com"])
        assert "/blob/" not in RENDERERS["markdown"](replace(full("word"), provenance=given, root=None))

    @pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab", "junit", "rdjson"])
    def test_other_formats_are_as_they_were(self, form):
        given = Provenance(("word",), TIME, "github.com/owner/name", COMMIT, FORMS["github.com"])
        report = replace(full("word"), root=Path("x"))
        assert RENDERERS[form](replace(report, provenance=given)) == RENDERERS[form](report)

    def test_list_errors_first(self):
        said = RENDERERS["markdown"](replace(full("word"), compared=None))
        assert said.index("### Errors: 2") < said.index("### Warnings: 1") < said.index("Unchanged: 2")
        page = RENDERERS["html"](full("word"))
        assert page.index('id="errors"') < page.index('id="s1"')
        assert page.count('href="#f-') == 2

    def test_say_beside_the_costs_of_a_rule_what_they_report_of_it(self):
        page = RENDERERS["html"](full("word"))
        assert '<a href="#s10">1 error, 1 warning, 1 suggestion</a>' in page
