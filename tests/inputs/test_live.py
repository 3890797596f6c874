"""Live servers that answer, and all that may go wrong with one, each against a real process."""

import contextlib
import http.server
import json
import os
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from reviewer import CannotReviewError
from reviewer.cli.app import run
from reviewer.inputs.live import read
from reviewer.inputs.live_target import LiveTarget, build_target

SERVER = f"{sys.executable} {Path(__file__).parent / 'servers.py'}"


def asked(how, seconds=20.0, **environment):
    return read(LiveTarget(f"{SERVER} {how}", environment, seconds=seconds), in_ci=True)


def names(project):
    return [tool.name for server in project.servers for tool in server.tools]


def test_the_tools_of_a_server():
    project = asked("well")
    assert names(project) == ["read"]
    assert project.servers[0].name == "bad"
    assert project.broken == ()


def test_all_pages():
    assert names(asked("pages")) == ["read_0", "read_1", "read_2"]


def test_a_malformed_tool_is_reported_and_hides_no_other():
    project = asked("malformed")
    assert names(project) == ["read", None, None, "bare"]
    wrong = [(each.part, each.why) for tool in project.servers[0].tools for each in tool.malformed]
    assert wrong == [("name", "a number, not a string"), ("tool", "a string, not an object")]


def test_what_a_server_logs_to_standard_output_is_named():
    project = asked("chatty")
    assert names(project) == ["read"]
    assert [each.reason for each in project.broken] == [
        "the server writes to standard output something that is not a message: Starting up, please wait ..."
    ]


def test_nothing_of_the_environment_is_handed_down(monkeypatch):
    monkeypatch.setenv("SECRET_OF_MINE", "1")
    given = asked("environment", NAMED="2").servers[0].tools[0].description
    assert set(given.split()) - {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"} == {"NAMED", "PATH"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("die", "the server ended with exit code 7 before it had answered; its last output: the disk is on fire"),
        ("flood", "the server sends more than 64 MB"),
        ("refuse", "the server violates the protocol: no tools today"),
        ("endless", "the server returns an endless sequence of pages"),
        ("circle", "the server returns an endless sequence of pages"),
        ("garbled", 'the server sends something that is not a protocol message: {"jsonrpc": "2.0", "id": 1, "result":'),
        (
            "revision",
            "the server violates the protocol: Unsupported protocol version from the server: 1999-01-01",
        ),
    ],
)
def test_a_server_that_misbehaves(how, said):
    with pytest.raises(CannotReviewError) as refused:
        asked(how)
    assert str(refused.value) == f"--live {SERVER} {how}: {said}"


@pytest.mark.slow
def test_a_server_that_hangs():
    began = time.monotonic()
    with pytest.raises(CannotReviewError, match="no answer within 2 seconds"):
        asked("hang", seconds=2)
    assert time.monotonic() - began < 8


@pytest.mark.slow
@pytest.mark.parametrize("groups", [True, False])
def test_what_a_server_started_ends_with_it(groups, monkeypatch):
    if not groups:
        monkeypatch.delattr(os, "killpg", raising=False)  # as on Windows, which has no groups of processes
    began = time.monotonic()
    child = int(asked("child").servers[0].tools[0].description)
    assert time.monotonic() - began < 10
    while running(child) and time.monotonic() - began < 10:
        time.sleep(0.05)
    assert not running(child)


def running(process):
    with contextlib.suppress(psutil.Error):
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    return False


ABSENT = "the system cannot find the file specified" if os.name == "nt" else "no such file or directory"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-command-here", f"cannot be started: {ABSENT}"),
        ("http://127.0.0.1:9/mcp", "the server cannot be reached: all connection attempts failed"),
    ],
)
def test_a_server_that_is_not_there(command, said):
    with pytest.raises(CannotReviewError) as refused:
        read(LiveTarget(command, seconds=10), in_ci=True)
    assert str(refused.value) == f"--live {command}: {said}"


class Handler(http.server.BaseHTTPRequestHandler):
    status = 200

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.status != 200:
            self.reply(self.status, b"")
        elif request["method"] == "initialize":
            info = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "web", "version": "1"},
            }
            self.answer(request, result=info)
        elif request["method"] == "tools/list":
            tool = {"name": "read", "description": self.headers.get("X-Key", ""), "inputSchema": {"type": "object"}}
            self.answer(request, result={"tools": [tool]})
        elif "id" in request:
            self.answer(request, error={"code": -32601, "message": "Method not found"})
        else:
            self.reply(202, b"")

    def do_GET(self):
        self.reply(405, b"")

    def answer(self, request, **how):
        self.reply(200, json.dumps({"jsonrpc": "2.0", "id": request["id"], **how}).encode())

    def reply(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def web():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/mcp"
        server.shutdown()


@pytest.mark.slow
def test_a_server_at_a_url_is_asked_with_the_headers_given(web):
    project = read(build_target(web, [], ["X-Key: open sesame"], 20), in_ci=True)
    assert names(project) == ["read"]
    assert project.servers[0].tools[0].description == "open sesame"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "said"), [(401, "answers 401: it asks for credentials"), (404, "answers 404: not found")]
)
def test_a_url_that_refuses(web, monkeypatch, status, said):
    monkeypatch.setattr(Handler, "status", status)
    with pytest.raises(CannotReviewError, match=said):
        read(LiveTarget(web, seconds=20), in_ci=True)


def test_refused_in_ci_unless_allowed(monkeypatch, capsys):
    monkeypatch.setenv("CI", "true")
    assert run(["--live", f"{SERVER} well"]) == 2
    assert capsys.readouterr().err == (
        "mcp-review: --live starts or calls a server, which is not allowed in CI; allow it with --live-in-ci\n"
    )
    assert run(["--live", f"{SERVER} well", "--live-in-ci"]) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--live", ""], "--live: give a command that starts a server, or its URL"),
        (["--live", "say 'hello"], "--live say 'hello: no closing quotation"),
        (["--live", "x", "--env", "NO_SUCH_VARIABLE_HERE"], "--env NO_SUCH_VARIABLE_HERE: there is no such variable"),
        (["--live", "x", "--env", "=1"], "--env =1: give NAME or NAME=VALUE"),
        (["--live", "http://x", "--header", "nothing"], "--header: give NAME: VALUE"),
        (["--live", "x", "--live-timeout", "0"], "--live-timeout: give a number of seconds over 0"),
    ],
)
def test_options_that_make_no_sense(options, said, capsys, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    assert run(options) == 2
    assert capsys.readouterr().err == f"mcp-review: {said}\n"


def test_findings_of_a_live_server_have_a_place_in_its_answer(capsys):
    assert run(["--live", f"{SERVER} malformed", "--live-in-ci", "--select", "SCH-001"]) == 1
    assert "tools/list:13:" in capsys.readouterr().out


def test_drift_of_source_and_live(tmp_path, capsys):
    (tmp_path / "server.py").write_text(
        'from mcp.server import MCPServer\n\nmcp = MCPServer("notes")\n\n@mcp.tool()\ndef read() -> None:\n    """Read notes."""\n'
    )
    assert run([str(tmp_path), "--live", f"{SERVER} well", "--live-in-ci", "--select", "source-and-live-differ"]) == 0
    out = capsys.readouterr().out
    assert (
        "server.py:7:5 warning source-and-live-differ `description` of tool `read` differs: `Read notes.` in the source, `Read a note.` from the live server"
        in out
    )


def test_a_server_without_tools(capsys):
    assert run(["--live", f"{SERVER} empty", "--live-in-ci"]) == 2
    assert (
        capsys.readouterr().err
        == "mcp-review: tools/list:1: no tool of this MCP server can be read: it declares none\n"
    )
