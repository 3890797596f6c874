"""Options on files and rules: what is left out, which configuration holds, and which rules a name selects."""

import json
import subprocess
import sys

import pytest
from asking import asker
from test_cli import SERVER

from reviewer.cli.completions import complete_rule_names
from reviewer.rules import load
from reviewer.rules.selectors import collect_selectors, select


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "server"
    folder.mkdir()
    (folder / ".git").mkdir()  # no configuration above it holds
    (folder / "server.py").write_text(SERVER)
    return folder


@pytest.fixture
def ask(capsys):
    return asker(capsys)


def names(catalog):
    return [tool["name"] for tool in json.loads(catalog)["tools"]]


class TestFiles:
    def test_exclude_adds_to_the_configuration(self, server, ask):
        for name in ("old", "older"):
            (server / f"{name}.py").write_text(SERVER.replace("read", name))
        (server / "mcp-review.toml").write_text('exclude = ["older.py"]\n')
        assert names(ask("catalog", server)[1]) == ["old", "read"]
        assert names(ask("catalog", server, "--exclude", "old.py")[1]) == ["read"]
        assert names(ask("catalog", server, "--exclude", "o*.py", "--exclude", "!old.py")[1]) == ["old", "read"]
        assert names(ask("catalog", server, "--exclude", "./old.py")[1]) == ["read"]
        assert "`old`" not in ask(server, "--exclude", "old.py")[1]

    @pytest.mark.parametrize("pattern", ["!", "[z-a]", "a\\"])
    def test_what_is_no_pattern_is_refused(self, server, ask, pattern):
        code, _, told = ask(server, "--exclude", pattern)
        assert (code, told) == (2, f"mcp-review: exclude: `{pattern}` is no pattern; write it as in .gitignore\n")

    def test_an_ignore_file_may_hold_lines_that_are_no_pattern(self, server, ask):
        (server / "old.py").write_text(SERVER.replace("read", "old"))
        (server / ".gitignore").write_text("!\n[z-a]\nold.py\na\\\n")
        assert names(ask("catalog", server)[1]) == ["read"]

    def test_isolated_reads_no_configuration(self, server, ask):
        (server / "mcp-review.toml").write_text('profile = "action-dispatch"\nunknown = 1\n')
        assert ask(server)[0] == 2
        code, report, _ = ask(server, "--isolated")
        assert (code, report.partition("(")[0]) == (0, "profile: core ")
        (server / "pyproject.toml").write_text("not TOML, of mcp-review")
        assert ask("catalog", server, "--isolated")[0] == 0

    def test_isolated_and_a_configuration_exclude_each_other(self, server, ask):
        code, _, told = ask(server, "--isolated", "--config", "own.toml")
        assert (code, told) == (2, "mcp-review: --isolated: ignores configuration files; remove --config\n")


class TestBaseline:
    def test_the_configuration_names_the_baseline(self, server, ask, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)
        (server / "server.py").write_text(SERVER.replace('    """Read the path."""', "    ..."))
        (server / "mcp-review.toml").write_text('baseline = "accepted.json"\nfail-on = "suggestion"\n')
        code, _, told = ask(server)
        assert code == 2
        assert told.endswith("accepted.json: no such baseline; create it with --write-baseline\n")
        assert ask(server, "--write-baseline")[0] == 0
        assert (server / "accepted.json").exists()
        assert ask(server)[0] == 0
        assert ask(server, "--isolated", "--fail-on", "suggestion")[0] == 1
        (tmp_path / "other.json").write_text('{"version": 1, "findings": []}')
        assert ask(server, "--baseline", "other.json")[0] == 1


class TestSelectors:
    @pytest.mark.parametrize(
        ("name", "selected"),
        [
            ("NAM-002", "tool-name-style"),
            ("nam-002", "tool-name-style"),
            ("tool-name-style", "tool-name-style"),
            ("sse", "sse-transport"),
        ],
    )
    def test_one_rule(self, name, selected):
        assert select(name) == (selected,)

    def test_families_sections_and_first_words(self):
        assert (
            select("NAM")
            == select("nam-")
            == tuple(slug for slug, each in load().items() if any(code.startswith("NAM-") for code in each.codes))
        )
        assert select("6") == select("§6") == tuple(s for s, each in load().items() if each.section.number == 6)
        assert {load()[slug].section.number for slug in select("1")} == {1}
        assert select("tool-name") == tuple(slug for slug in load() if slug.startswith("tool-name-"))

    @pytest.mark.parametrize("name", ["", "-", "to", "NA", "NAM-0", "§", "18", "all"])
    def test_what_selects_nothing(self, name):
        assert select(name) == ()

    def test_a_shell_completes_to_rules_codes_sections_and_families(self):
        assert complete_rule_names("NAM") == [*(f"NAM-00{number}" for number in range(1, 7)), "NAM"]
        assert complete_rule_names("SEC,sse") == ["SEC,sse-transport"]
        assert "§6" in complete_rule_names("§")

    @pytest.mark.parametrize("name", ["§12", "12", "SEC", "string"])
    def test_a_section_or_first_words_only_narrow(self, server, ask, name):
        def found(*options):
            _, report, _ = ask(server, "--format", "json", *options)
            return {each["rule"] for part in json.loads(report)["sections"] for each in part["findings"]}

        assert found("--select", name) <= found()

    @pytest.mark.parametrize("name", ["string-without-length", "SEC-001"])
    def test_a_rule_that_the_profile_leaves_off_is_asked_for_by_its_name(self, server, ask, name):
        _, report, _ = ask(server, "--format", "json", "--select", name)
        assert "string-without-length" in report

    def test_every_selector_selects(self):
        assert all(map(select, collect_selectors()))

    def test_options_and_configuration_take_them(self, server, ask):
        (server / "mcp-review.toml").write_text('select = ["tool", "SCH"]\nignore = ["§10"]\n')
        assert ask(server)[0] == 0
        code, report, _ = ask(server, "--select", "SEC,6", "--format", "json")
        checked = [each["number"] for each in json.loads(report)["sections"] if each["status"] == "ok"]
        assert (code, checked) == (0, [12])

    @pytest.mark.parametrize(
        ("name", "suggested"),
        [
            ("SECX", "`SEC`"),
            ("styl", "`tool-name-style` or `parameter-name-style`"),
            ("Tool-Name-Stile", "`tool-name-style`"),
        ],
    )
    def test_an_unknown_one_suggests_the_nearest(self, server, ask, name, suggested):
        told = f"unknown rule `{name}`; did you mean {suggested}?"
        assert ask(server, "--ignore", name)[2] == f"mcp-review: --ignore: {told}\n"
        (server / "mcp-review.toml").write_text(f'ignore = ["{name}"]\n')
        assert ask(server, "--ignore", "NAM")[2] == f"mcp-review: {server / 'mcp-review.toml'}: {told}\n"


class TestExplain:
    def test_families_and_sections(self, ask):
        assert ask("explain", "SEC")[1].count("\nSeverity: ") == 10
        assert ask("explain", "6") == ask("explain", "§6")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("name", "suggested"),
        [("sse", "`sse-transport`"), ("tool-name-stile", "`tool-name-style`"), ("transport", "`sse-transport`")],
    )
    def test_a_part_of_a_name_suggests_rules(self, ask, name, suggested):
        code, out, told = ask("explain", name)
        assert (code, out) == (2, "")
        assert told.startswith(f"mcp-review: unknown rule `{name}`; did you mean ")
        assert suggested in told


class TestWords:
    @pytest.mark.parametrize(
        ("word", "meant"),
        [("catalgo", "catalog"), ("expalin", "explain"), ("help", "--help"), ("version", "--version")],
    )
    def test_a_word_that_is_nearly_a_command(self, ask, monkeypatch, tmp_path, word, meant):
        monkeypatch.chdir(tmp_path)
        told = f"mcp-review: `{word}`: no such command, file or folder; did you mean `mcp-review {meant}`?\n"
        assert ask(word, "x") == (2, "", told)
        (tmp_path / word).mkdir()
        assert "did you mean" not in ask(word)[2]

    def test_another_word_is_a_path(self, ask, monkeypatch, tmp_path):
        monkeypatch.chdir(tmp_path)
        assert ask("somewhere")[2].startswith("mcp-review: somewhere: no such file or directory")

    def test_version(self, ask):
        assert ask("-V") == ask("--version")

    def test_options_stand_under_headings(self, ask):
        lines = ask("review", "--help")[1].splitlines()
        headings = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
        assert headings == [
            "Arguments:", "Files:", "Rules:", "Output:", "Live server:", "Judge:", "Comparison:", "Fixes:", "Other:",
        ]  # fmt: skip
        assert max(map(len, lines)) <= 80

    @pytest.mark.slow
    def test_help_needs_no_library_that_draws_boxes(self, ask):
        code = (
            "import sys\n"
            "class Without:\n"
            "    def find_spec(self, name, path=None, target=None):\n"
            "        if name.partition('.')[0] == 'rich': raise ModuleNotFoundError(name)\n"
            "sys.meta_path.insert(0, Without())\n"
            "from reviewer.cli.app import run\n"
            "sys.exit(run(['review', '--help']))\n"
        )
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout == ask("review", "--help")[1]

    def test_no_command_is_told_in_half_a_sentence(self, ask):
        commands = ask("--help")[1].partition("Commands:")[2]
        assert "..." not in commands


class TestWrongValues:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("select = 7", "`select`: give a list of strings, not `7`"),
            ('ignore = "NAM-002"', "`ignore`: give a list of strings, not `NAM-002`"),
            ("exclude = [1, 2]", "`exclude`: give a list of strings, not `[1, 2]`"),
            ('fail-on = "camelCase"', "`fail-on`: give one of `error`, `warning`, `suggestion`, not `camelCase`"),
            ("include-tests = 7", "`include-tests`: give true or false, not `7`"),
            ("profile = true", "`profile`: give a string, not `true`"),
            ("rules = []", "`rules`: give a table, not `[]`"),
            ("[rules]\ntool-name-style = 7", "`rules.tool-name-style`: give a string or a table, not `7`"),
            ("[sdk]\nmcp = 1.9", "`sdk.mcp`: give a string, not `1.9`"),
            ('[judge]\nmax-questions = "Many"', "judge: `max-questions`: give a whole number, not `Many`"),
            (
                '[rules.tool-name-style]\nstyle = "UPPER_CASE"',
                "rules.tool-name-style: `style`: give one of `consistent`, `snake_case`, `kebab-case`, `camelCase`,"
                " `object.operation`, not `UPPER_CASE`",
            ),
            (f'profile = ["{"x" * 99}"]', f'`profile`: give a string, not `["{"x" * 58}…`'),
            ('Profile = "core"', "unknown key `Profile`; did you mean `profile`?"),
        ],
    )
    def test_are_named_as_they_are_written(self, server, ask, text, told):
        (server / "mcp-review.toml").write_text(text)
        assert ask(server) == (2, "", f"mcp-review: {server / 'mcp-review.toml'}: {told}\n")
