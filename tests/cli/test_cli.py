"""The command line: its contract, and one clear line for whatever is wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from invocation import invoke as run

from reviewer.rules import load

EXAMPLES = Path(__file__).parents[2] / "examples"
FAULTY, CLEAN = EXAMPLES / "notes-python", EXAMPLES / "bookmarks-rust"
SERVER = '''from mcp.server import MCPServer
mcp = MCPServer("x")

@mcp.tool()
def read(path: str) -> str:
    """Read the path."""
'''


def run_apart(*arguments, stdout=subprocess.PIPE):
    """Run the command in a process of its own."""
    command = [sys.executable, "-c", "from reviewer.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=60, check=False)


def refused(result, *words):
    """Assert that the command could not review and said so in one line."""
    assert result.returncode == 2, result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.startswith("mcp-review: ")
    for word in words:
        assert word in result.stderr
    assert result.stdout in ("", None)


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "server"
    folder.mkdir()
    (folder / "server.py").write_text(SERVER)
    return folder


class TestReport:
    def test_faulty_example_fails(self):
        result = run_apart(FAULTY)
        assert result.returncode == 1
        assert result.stderr == ""
        lines = result.stdout.splitlines()
        assert lines[0].startswith("profile: core (")
        assert [line for line in lines if line.startswith("=== §")] == sorted(
            {line for line in lines if line.startswith("=== §")}, key=lambda line: int(line[5:].partition(":")[0])
        )
        together = next(line for line in lines if line.startswith("not applicable: "))
        assert sum(line.startswith("=== §") for line in lines) + together.count("§") == 17
        assert lines[-1] == "6 violations, 2 sections OK. Verdict: FAIL"
        told = "notes/server.py:29:5 warning tool-without-description tool `write_note` has no description"
        assert any(line.endswith(told) for line in lines)

    def test_clean_example_passes_under_the_profile_that_fits_it(self):
        result = run(CLEAN)
        assert result.returncode == 0, result.stdout
        assert result.stdout.splitlines()[0].startswith(
            "profile: action-dispatch (action catalog at examples/bookmarks-rust/src/actions.rs:"
        )
        assert result.stdout.splitlines()[-1].endswith("Verdict: PASS")

    def test_a_server_by_the_authoring_guidelines_is_told_from_its_names_and_models(self, tmp_path):
        one = "@mcp.tool(name='loan.{0}')\ndef loan_{0}(input: Loan) -> str: ...\n\n"
        head = "from mcp.server.fastmcp import FastMCP\nfrom pydantic import BaseModel\n\nmcp = FastMCP('shelf')\n\n"
        head += "class Loan(BaseModel):\n    title: str\n\n"
        server = tmp_path / "server.py"
        server.write_text(head + "".join(one.format(verb) for verb in ("get", "list", "create")))
        told = "3 of 3 tools are named object.operation and take one `input` model"
        assert run(tmp_path).stdout.startswith(f"profile: object-operation ({told})")
        server.write_text(server.read_text().replace("input: Loan", "loan: Loan"))
        assert run(tmp_path).stdout.startswith("profile: core (")
        server.write_text(head + one.format("get") + one.format("list"))
        assert run(tmp_path).stdout.startswith("profile: object-operation (2 of 2 tools")
        server.write_text(head + one.format("get"))
        assert run(tmp_path).stdout.startswith("profile: core (")

    def test_profile_can_be_asked_for(self):
        assert run(CLEAN, "--profile", "core").stdout.startswith("profile: core (--profile)")

    def test_json_v1(self):
        report = json.loads(run(FAULTY, "--format", "json").stdout)
        assert list(report) == [
            "version",
            "profile",
            "sections",
            "unanswered",
            "summary",
            "folder",
            "checked",
            "unread",
        ]
        assert report["summary"] == {
            "violations": 6,
            "errors": 1,
            "warnings": 5,
            "suggestions": 7,
            "sections_ok": 2,
            "verdict": "FAIL",
            "tools": 5,
            "maturity": {"score": 74, "level": "mature", "withheld": None},
        }
        finding = report["sections"][4]["findings"][0]
        assert finding == {
            "rule": "duplicate-tool-name",
            "codes": ["§5"],
            "severity": "error",
            "path": "notes/server.py",
            "line": 41,
            "column": 16,
            "end_line": 41,
            "end_column": 27,
            "tool": "read_note",
            "message": "tool name `read_note` is registered twice; first at notes/server.py:19",
            "help": "Rename or remove one of the two.",
            "decided_by": "check",
            "quote": None,
            "cites": ["checklist §5", "MCP 2026-07-28 server/tools, Tool Names"],
            "status": "reported",
            "fingerprint": finding["fingerprint"],
        }

    def test_fingerprints_survive_moved_lines(self, server):
        (server / "server.py").write_text(SERVER.replace('    """Read the path."""', "    ..."))
        before = json.loads(run(server, "--format", "json").stdout)
        (server / "server.py").write_text("# moved\n\n\n" + SERVER.replace('    """Read the path."""', "    ..."))
        after = json.loads(run(server, "--format", "json").stdout)

        def prints(report):
            return [each["fingerprint"] for section in report["sections"] for each in section["findings"]]

        assert prints(before) == prints(after)
        assert len(set(prints(before))) == len(prints(before)) > 0

    def test_output_goes_to_a_file(self, server, tmp_path):
        result = run(server, "--output", tmp_path / "report.txt")
        assert result.stdout == ""
        assert (tmp_path / "report.txt").read_text().endswith("Verdict: PASS\n")

    @pytest.mark.parametrize(("least", "code"), [("error", 1), ("warning", 1), ("suggestion", 1)])
    def test_fail_on(self, least, code):
        assert run(FAULTY, "--fail-on", least).returncode == code

    def test_fail_on_is_the_threshold(self, server):
        (server / "server.py").write_text(SERVER.replace('    """Read the path."""', "    ..."))
        assert run(server).returncode == 0
        assert run(server, "--fail-on", "warning").returncode == 1

    def test_select_and_ignore_take_slugs_and_codes(self):
        one = run(FAULTY, "--select", "SCH-002").stdout
        assert one.splitlines()[-1] == "1 violation, 0 sections OK. Verdict: PASS with warnings"
        none = run(FAULTY, "--select", "SCH-002", "--ignore", "tool-without-description").stdout
        assert none.splitlines()[-1].startswith("0 violations, 0 sections OK.")

    def test_a_section_that_was_not_asked_for_says_so(self):
        shown = run(FAULTY, "--select", "SCH-002").stdout
        told = next(line for line in shown.splitlines() if line.startswith("not applicable: "))
        assert "§1, §3, §5, §6, §8" in told.partition(" (not selected)")[0]
        assert "; §2, §4, §7 (the profile has no rules for this section)" in told
        shown = run(FAULTY, "--ignore", "§6").stdout
        assert "; §6 (ignored)" in shown
        assert "not selected" not in shown

    def test_concise_and_quiet_print_the_findings_alone(self, server):
        concise = run(FAULTY, "--format", "concise")
        assert (concise.returncode, concise.stderr) == (1, "")
        assert len(concise.stdout.splitlines()) == 13
        assert all(" tool-name-style " in line or ".py:" in line for line in concise.stdout.splitlines())
        quiet = run(FAULTY, "-q")
        assert (quiet.returncode, quiet.stdout) == (1, concise.stdout)
        (server / "server.py").write_text(SERVER.replace('"""Read the path."""', "return path"))
        assert run(server, "-q", "--format", "json").stdout.startswith("{")

    def test_verbose_shows_the_line_and_the_remedy(self):
        lines = run(FAULTY, "--verbose").stdout.splitlines()
        at = next(index for index, line in enumerate(lines) if " error duplicate-tool-name " in line)
        assert lines[at + 1 : at + 4] == [
            '   41 | @mcp.tool(name="read_note")',
            "      |                ^^^^^^^^^^^",
            "      = help: Rename or remove one of the two.",
        ]
        assert lines[-8] == "=== Summary: 7 suggestions, 5 warnings, 1 error ==="
        assert " error duplicate-tool-name " in lines[-2]
        refused(run(FAULTY, "-q", "-v"), "--verbose and --quiet")

    def test_a_reader_that_leaves_is_no_error(self):
        read, write = os.pipe()
        os.close(read)
        try:
            result = run_apart(FAULTY, stdout=write)
        finally:
            os.close(write)
        assert result.stderr == ""


class TestOtherCommands:
    def test_catalog(self):
        catalog = json.loads(run("catalog", FAULTY).stdout)
        assert list(catalog) == ["version", "tools", "unreadable"]
        first = catalog["tools"][0]
        assert list(first) == [
            "name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "path", "line",
            "end_line", "server", "language", "conditional", "unreadable",
        ]  # fmt: skip
        assert (first["name"], first["path"], first["line"], first["server"]) == (
            "list_notes",
            "notes/server.py",
            13,
            "notes",
        )
        assert first["inputSchema"] == {
            "properties": {"tag": {"title": "Tag", "type": "string"}},
            "required": ["tag"],
            "title": "list_notesArguments",
            "type": "object",
        }

    def test_explain_prints_pages_by_slug_and_code(self):
        assert run("explain", "tool-name-style").stdout.startswith("# tool-name-style\n")
        assert run("explain", "nam-002").stdout.startswith("# tool-name-style\n")
        assert run("explain", "§8").stdout.count("Severity:") == len(
            [each for each in load().values() if each.section.number == 8]
        )

    def test_rules(self):
        rules = json.loads(run("rules", "--format", "json").stdout)["rules"]
        assert {"rule", "section", "title", "severity", "codes", "profiles", "judged", "fixes", "cites"} == set(
            rules[0]
        )
        assert "tool-name-style" in run("rules").stdout

    def test_version_and_help(self):
        assert run("--version").stdout.startswith("mcp-review 0.")
        assert "PATH" in run("--help").stdout

    def test_heavy_packages_are_never_loaded(self):
        commands = [[FAULTY], ["--help"], ["explain", "§5"], ["catalog", FAULTY], ["rules"], ["serve", "--help"]]
        heavy = ["anthropic", "mcp", "rich", "jsonschema", "uvicorn", "reviewer.serve.tools"]
        code = """if True:
            import json, sys
            from reviewer.cli.app import run
            commands, heavy = map(json.loads, sys.argv[1:])
            for command in commands:
                run(command)
                print(command[0], *(each for each in heavy if each in sys.modules), file=sys.stderr)
        """
        given = [json.dumps(commands, default=str), json.dumps(heavy)]
        result = subprocess.run(
            [sys.executable, "-c", code, *given], capture_output=True, text=True, timeout=60, check=False
        )
        assert result.stderr.splitlines() == [str(command[0]) for command in commands]


class TestBadInput:
    def test_missing_path(self, tmp_path):
        refused(run(tmp_path / "nowhere"), "nowhere", "no such file")

    def test_no_path(self):
        refused(run(), "PATH")

    def test_file_that_is_no_source(self, tmp_path):
        (tmp_path / "notes.txt").write_text("notes")
        refused(run(tmp_path / "notes.txt"), "notes.txt", "neither a folder nor")

    def test_source_file_instead_of_a_folder(self, server):
        assert run(server / "server.py").returncode == 0

    def test_empty_folder(self, tmp_path):
        refused(run(tmp_path), "no MCP server found", "no Python, Rust or TypeScript file")

    def test_folder_without_a_server(self, tmp_path):
        (tmp_path / "tool.py").write_text("def tool():\n    pass\n")
        refused(run(tmp_path), "no MCP server found", "1 Python file;")

    @pytest.mark.parametrize(
        ("place", "options", "why"),
        [
            ("tests/notes.py", (), "looks like tests"),
            ("source/test_notes.py", (), "looks like tests"),
            ("vendor/notes.py", (), "in a folder for vendored code"),
            (".venv/notes.py", (), "in a folder that never holds a server's own source"),
            ("source/notes.py", ("--exclude", "source"), "excluded by the configuration or the caller"),
        ],
    )
    def test_folder_whose_server_is_left_out(self, tmp_path, place, options, why):
        (tmp_path / place).parent.mkdir()
        (tmp_path / place).write_text("from mcp.server import MCPServer\nmcp = MCPServer('x')\n")
        refused(run(tmp_path, *options), "no MCP server found: ", f"{place} is left out ({why})")

    def test_server_without_a_tool_that_can_be_read(self, server):
        (server / "server.py").write_text(
            "from fastmcp import FastMCP\nmcp = FastMCP.from_openapi(load())\nother = FastMCP('x')\n"
        )
        refused(
            run(server),
            "server.py:2",
            "no tool of this MCP server can be read: tools come from an OpenAPI",
        )
        catalog = json.loads(run("catalog", server).stdout)
        assert (catalog["tools"], len(catalog["unreadable"])) == ([], 2)

    def test_broken_syntax_is_named_and_the_rest_reviewed(self, server):
        (server / "server.py").write_text(SERVER + "\ndef broken(:\n    return (\n")
        result = run(server)
        assert result.returncode == 0
        assert result.stderr.startswith(f"mcp-review: {server}/server.py:8: code that could not be parsed")
        assert result.stderr.count("\n") == 1
        assert json.loads(run("catalog", server).stdout)["tools"][0]["name"] == "read"

    def test_not_utf8(self, server):
        (server / "latin.py").write_bytes(b"# mcp caf\xe9\n")
        assert run(server).stderr == f"mcp-review: {server}/latin.py:1: not UTF-8\n"

    def test_byte_order_mark_and_crlf(self, server):
        (server / "server.py").write_bytes(b"\xef\xbb\xbf" + SERVER.replace("\n", "\r\n").encode())
        result = run("catalog", server)
        tool = json.loads(result.stdout)["tools"][0]
        assert (tool["name"], tool["line"], tool["description"]) == ("read", 4, "Read the path.")
        assert result.stderr == ""

    def test_large_file(self, server):
        with (server / "large.py").open("wb") as file:
            file.truncate(50 * 2**20)
        assert run(server).stderr == f"mcp-review: {server}/large.py:1: 50 MB, more than the limit of 8 MB\n"

    def test_link_loop_and_link_out_of_the_tree(self, server, tmp_path):
        (tmp_path / "secret.py").write_text(SERVER.replace("read", "secret"))
        (server / "loop").symlink_to(server)
        (server / "out.py").symlink_to(tmp_path / "secret.py")
        result = run("catalog", server)
        assert [tool["name"] for tool in json.loads(result.stdout)["tools"]] == ["read"]
        assert result.stderr == f"mcp-review: {server}/out.py:1: a link out of the reviewed folder is not followed\n"

    def test_fifo(self, server, tmp_path):
        os.mkfifo(server / "pipe.py")
        assert run_apart(server).returncode == 0
        os.mkfifo(tmp_path / "pipe.py")
        refused(run_apart(tmp_path / "pipe.py"), "pipe.py", "not a regular file")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_unreadable_file(self, server):
        (server / "locked.py").write_text(SERVER)
        (server / "locked.py").chmod(0)
        assert "locked.py:1: the file cannot be read: permission denied" in run(server).stderr

    def test_file_that_vanishes_or_cannot_be_read(self, server, monkeypatch):
        from reviewer.files.discovery import discover_files

        def refuse(*_, **__):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("reviewer.files.storage.open", refuse, raising=False)
        assert [each.reason for each in discover_files(server).broken] == ["the file cannot be read: permission denied"]

    def test_unknown_option(self, server):
        refused(run(server, "--formt", "json"), "--formt")

    def test_unknown_format(self, server):
        refused(run(server, "--format", "yaml"), "yaml")

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            ('profile = "kore"', "profile: unknown profile `kore`; did you mean `core`?"),
            ('include-tests = "yes"', "`include-tests`: give true or false, not `yes`"),
            ("include-tests = 1", "`include-tests`: give true or false, not `1`"),
            ("[judge]\nmax-questions = -1", "judge.max-questions: give a number, 0 or more, not `-1`"),
            ("[judge]\nmax-questions = true", "judge: `max-questions`: give a whole number, not `true`"),
            ('[judge]\nmax-cost = "1"', "judge: `max-cost`: give a number, not `1`"),
            ("[judge]\nmax-cost = -0.5", "judge.max-cost: give US dollars, 0 or more, not `-0.5`"),
        ],
    )
    def test_a_wrong_setting_is_told_with_its_file_and_key(self, server, line, told):
        (server / "mcp-review.toml").write_text(f"{line}\n")
        refused(run(server), f"mcp-review.toml: {told}")

    def test_unknown_profile(self, server):
        refused(run(server, "--profile", "cores"), "unknown profile `cores`", "did you mean `core`?")

    def test_unknown_rule(self, server):
        refused(run(server, "--select", "tool-name-stile"), "did you mean `tool-name-style`?")
        refused(run("explain", "NAM-999"), "unknown rule `NAM-999`")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ('profil = "core"', ["unknown key `profil`", "did you mean `profile`?"]),
            ("profile = ", ["not valid TOML"]),
            ("include-tests = 7", ["include-tests"]),
            ('fail-on = "never"', ["fail-on"]),
            ('[rules]\ntool-nam-style = "error"', ["unknown rule `tool-nam-style`", "did you mean `tool-name-style`?"]),
            ('[rules]\ntool-name-style = "fatal"', ["unknown severity `fatal`"]),
            ('[rules.tool-name-style]\nstyel = "snake_case"', ["unknown key `styel`", "did you mean `style`?"]),
            ('[rules.tool-name-style]\nstyle = "Title Case"', ["style"]),
            ('[rules.duplicate-tool-name]\nstyle = "x"', ["duplicate-tool-name", "no options"]),
        ],
    )
    def test_wrong_configuration(self, server, text, words):
        (server / "mcp-review.toml").write_text(text)
        refused(run(server), "mcp-review.toml", *words)

    def test_configuration_that_is_not_there(self, server):
        refused(run(server, "--config", server / "none.toml"), "none.toml")

    def test_output_that_cannot_be_written(self, server, tmp_path):
        refused(run(server, "--output", tmp_path / "no" / "report.txt"), "report.txt", "cannot be written")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
    def test_full_disk(self, server):
        refused(run(server, "--output", "/dev/full"), "/dev/full", "no space left")
        with open("/dev/full", "w") as full:
            result = run_apart(server, stdout=full)
        refused(result, "standard output", "no space left")


class TestConfiguration:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("mcp-review.toml", "{}"),
            ("pyproject.toml", "[tool.mcp-review]\n{}"),
            ("Cargo.toml", "[package.metadata.mcp-review]\n{}"),
            ("Cargo.toml", "[workspace.metadata.mcp-review]\n{}"),
        ],
    )
    def test_is_found_in_files_of_toml(self, server, name, text):
        (server / name).write_text(text.format('profile = "action-dispatch"\n'))
        assert run(server).stdout.startswith(f"profile: action-dispatch (set in {name})")

    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_is_found_in_package_json(self, server, mark):
        (server / "package.json").write_text(mark + '{"name": "x", "mcp-review": {"profile": "action-dispatch"}}')
        assert run(server).stdout.startswith("profile: action-dispatch (set in package.json)")

    def test_of_one_folder_the_first_file_alone_holds(self, server):
        texts = {
            "package.json": '{"mcp-review": {"profile": "object-operation", "fail-on": "suggestion"}}',
            "Cargo.toml": '[package.metadata.mcp-review]\nprofile = "tool-trait"\n',
            "pyproject.toml": '[tool.mcp-review]\nprofile = "action-dispatch"\n',
            "mcp-review.toml": 'profile = "core"\n',
        }
        for name, text in texts.items():
            (server / name).write_text(text)
            assert f"(set in {name})" in run(server).stdout.splitlines()[0]

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('{"mcp-review": {"profil": "core"}}', "unknown key `profil`; did you mean `profile`?"),
            ('{"mcp-review": {"ignore": "sse-transport"}}', "`ignore`: give a list of strings, not `sse-transport`"),
            ('{"mcp-review": {"rules": {"sse-transport": "loud"}}}', "rules.sse-transport: unknown severity `loud`"),
            ('{"mcp-review": "./review.json"}', "mcp-review: give an object, not `./review.json`"),
            ('{"mcp-review": {"judge": {"max-cost": NaN}}}', "not valid JSON: NaN"),
            ('{"mcp-review": {', "not valid JSON: Expecting property name"),
            ('{"mcp-review": ' + "[" * 300_000, "not valid here: nested too deep"),
            ('{"mcp-review": {"judge": {"max-questions": ' + "1" * 5000 + "}}}", "a number of thousands of digits"),
        ],
    )
    def test_what_is_wrong_in_package_json_names_file_and_key(self, server, text, told):
        (server / "package.json").write_text(text)
        refused(run(server), "package.json", told)

    @pytest.mark.parametrize(
        "text", ['{"scripts": {"lint": "mcp-review ."}}', '{"name": "mcp-review"}', "{", "[1]", '["mcp-review"]']
    )
    def test_package_json_need_not_have_one(self, server, text):
        (server / "package.json").write_text(text)
        assert run(server).stdout.startswith("profile: core (the default")

    def test_is_found_up_to_the_top_of_the_checkout(self, server, tmp_path):
        (tmp_path / "mcp-review.toml").write_text('profile = "action-dispatch"\n')
        assert run(server).stdout.startswith("profile: action-dispatch")
        (server / ".git").mkdir()
        assert run(server).stdout.startswith("profile: core")

    def test_sets_severity_options_and_exclusions(self, server):
        (server / "mcp-review.toml").write_text(
            'exclude = ["old/"]\nfail-on = "suggestion"\n'
            '[rules]\ntool-name-style = { style = "kebab-case", severity = "error" }\n'
        )
        (server / "old").mkdir()
        (server / "old" / "server.py").write_text(SERVER.replace("read", "OLD"))
        (server / "server.py").write_text(SERVER.replace("def read", "def read_it"))
        result = run(server)
        assert "tool name `read_it` is not kebab-case" in result.stdout
        assert "OLD" not in result.stdout
        assert result.returncode == 1

    def test_tests_are_left_out_unless_wanted(self, server):
        (server / "tests").mkdir()
        (server / "tests" / "fake.py").write_text(SERVER.replace("read", "fake"))
        assert len(json.loads(run("catalog", server).stdout)["tools"]) == 1
        (server / "mcp-review.toml").write_text("include-tests = true\n")
        assert len(json.loads(run("catalog", server).stdout)["tools"]) == 2


def test_code_that_leads_too_deep_is_one_line(monkeypatch, tmp_path, capsys):
    from reviewer import languages
    from reviewer.cli import app

    def endless(*given):
        return endless(*given)

    monkeypatch.setattr(languages, "read", endless)
    (tmp_path / "server.py").write_text("from mcp.server import MCPServer\n")
    assert app.run([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
