"""`mcp-review serve` as users start it: what it refuses, and what is left when it ends."""

import socket
import time
from types import SimpleNamespace

import pytest

pytest.importorskip("mcp.server")
pytest.importorskip("uvicorn")

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from reviewer.cli.app import run
from reviewer.cli.serve_command import serve
from reviewer.files.discovery import CannotReviewError
from reviewer.progress import STAGES
from reviewer.serve import http

from .conversation import EXAMPLES, SERVER, children, is_running, large, launched, started

pytestmark = pytest.mark.slow

TOKEN = "a-secret-of-sixteen-or-more"


def refused(capsys, *arguments):
    assert run(["serve", *map(str, arguments)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    [line] = told.err.splitlines()
    return line


class TestRefusals:
    @pytest.mark.parametrize(
        "given", ["nonsense", "127.0.0.1:", ":8000", "127.0.0.1:99999", "127.0.0.1:-1", "localhost:http"]
    )
    def test_address_that_is_none(self, given, capsys):
        assert refused(capsys, "--http", given) == f"mcp-review: --http {given}: give HOST:PORT, as in 127.0.0.1:8000"

    def test_address_that_others_reach_needs_a_token(self, capsys, monkeypatch):
        monkeypatch.delenv("MCP_REVIEW_TOKEN", raising=False)
        assert "set MCP_REVIEW_TOKEN to a secret" in refused(capsys, "--http", "0.0.0.0:0")

    @pytest.mark.parametrize("token", ["", "short", "sixteen-but-not-äscii"])
    def test_token_that_is_none(self, token, capsys, monkeypatch):
        monkeypatch.setenv("MCP_REVIEW_TOKEN", token)
        assert "give 16 ASCII characters or more" in refused(capsys, "--http", "127.0.0.1:0")

    def test_port_that_is_taken(self, capsys):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            line = refused(capsys, "--http", address)
        assert line == f"mcp-review: --http {address}: address already in use; give another port, or end what uses it"

    def test_host_that_is_nowhere(self, capsys, monkeypatch):
        monkeypatch.setenv("MCP_REVIEW_TOKEN", TOKEN)
        assert "--http no.such.host.invalid:80: " in refused(capsys, "--http", "no.such.host.invalid:80")

    def test_root_that_is_no_folder(self, tmp_path, capsys):
        (tmp_path / "file").touch()
        for each in (tmp_path / "nowhere", tmp_path / "file"):
            assert "no folder there" in refused(capsys, "--root", each)

    @pytest.mark.parametrize("closed", ["stdin", "stdout"])
    def test_stream_that_is_closed(self, closed, monkeypatch):
        told = "serve: speaks over standard input and output, and one of them is closed; open it, or use --http"
        monkeypatch.setattr(f"sys.{closed}", None)
        with pytest.raises(CannotReviewError, match=told):
            serve()

    @pytest.mark.parametrize("given", ["0", "-1", "nan"])
    def test_time_that_is_none(self, given, capsys):
        assert "give a number of seconds over 0" in refused(capsys, "--timeout", given)


class TestAddresses:
    @pytest.mark.parametrize(
        ("given", "host", "port", "loopback"),
        [
            ("8000", "127.0.0.1", 8000, True),
            ("localhost:1", "localhost", 1, True),
            ("127.8.0.1:1", "127.8.0.1", 1, True),
            ("[::1]:80", "::1", 80, True),
            ("0.0.0.0:80", "0.0.0.0", 80, False),
            ("example.org:80", "example.org", 80, False),
        ],
    )
    def test_addresses(self, given, host, port, loopback):
        at = http.parse_address(given)
        assert (at.host, at.port, at.is_loopback) == (host, port, loopback)

    def test_url(self):
        assert http.parse_address("[::1]:80").url == "http://[::1]:80/mcp"


def gone(processes, seconds=15.0):
    """Wait until processes have ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and any(map(is_running, processes)):
        time.sleep(0.05)
    return not any(map(is_running, processes))


class TestStdio:
    @pytest.mark.parametrize("mode", ["auto", "legacy"])
    def test_a_conversation(self, mode):
        async def talk():
            async with started(cwd=EXAMPLES, mode=mode) as client:
                return await client.call_tool("review-server", {"path": "notes-python"})

        result = anyio.run(talk)
        assert result.structured_content["report"]["summary"]["verdict"] == "FAIL"

    def test_modules_of_the_served_folder_are_not_run(self, tmp_path):
        for name in ("anyio", "json", "pickle", "reviewer", "mcp", "sitecustomize", "resource", "typer"):
            (tmp_path / f"{name}.py").write_text("open('it-ran', 'w'); raise SystemExit(9)\n")
        (tmp_path / "server.py").write_text(SERVER)

        async def talk():
            async with started(cwd=tmp_path) as client:
                return await client.call_tool("review-server", {"path": "."})

        assert not anyio.run(talk).is_error
        assert not list(tmp_path.rglob("it-ran"))

    @pytest.mark.parametrize("terminal", [True, False])
    def test_who_starts_it_on_a_terminal_is_told_what_it_waits_for(self, terminal, monkeypatch, capsys):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: terminal))
        monkeypatch.setattr("mcp.server.MCPServer.run", lambda *_given: None)
        assert run(["serve"]) == 0
        told = capsys.readouterr()
        assert told.out == ""
        assert ("waiting for an MCP client" in told.err) is terminal

    def test_server_ends_when_its_client_does(self):
        process = launched(cwd=EXAMPLES)
        with process:
            process.stdin.close()
            assert process.wait(20) == 0
            assert process.stderr.read() == ""

    @pytest.mark.parametrize("way", ["client", "server"])
    def test_nothing_is_left_when_one_dies_within_a_review(self, way, tmp_path):
        large(tmp_path / "big", 1500)
        call = (
            '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
            '"clientInfo":{"name":"t","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
            '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"review-server","arguments":{"path":"big"}}}\n'
        )
        with launched(cwd=tmp_path) as process:
            process.stdin.write(call)
            process.stdin.flush()
            end = time.monotonic() + 20
            while not (workers := children(process.pid)) and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(0.5)
            assert workers
            if way == "client":
                process.stdin.close()
            else:
                process.kill()
            assert gone([process.pid, *workers])
            process.kill()


@pytest.fixture
def served(tmp_path):
    """Serve the examples over HTTP with a token, and give the URL."""
    process = launched("--http", "127.0.0.1:0", cwd=EXAMPLES, MCP_REVIEW_TOKEN=TOKEN)
    with process:
        line = process.stderr.readline()
        assert line.startswith("mcp-review: serving at http://127.0.0.1:")
        yield line.split()[-1], process
        workers = children(process.pid)
        process.terminate()
        assert gone([process.pid, *workers])


class TestHttp:
    def test_a_conversation_and_who_is_refused(self, served):
        url, process = served
        bearer = {"Authorization": f"Bearer {TOKEN}"}

        async def talk(mode):
            async with (
                httpx2.AsyncClient(headers=bearer, timeout=30) as authorized,
                Client(streamable_http_client(url, http_client=authorized), mode=mode) as client,
            ):
                return await client.call_tool("review-server", {"path": "notes-python", "limit": 1})

        for mode in ("auto", "legacy"):
            result = anyio.run(talk, mode)
            assert result.structured_content["page"]["returned"] == 1
            assert result.meta["request_id"]
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        for headers, status in (
            ({}, 401),
            ({"Authorization": "Bearer wrong-and-long-enough"}, 401),
            ({"Authorization": f"Basic {TOKEN}"}, 401),
            (bearer | {"Origin": "http://evil.example"}, 403),
            (bearer | {"Origin": "null"}, 403),
            (bearer | {"Host": "evil.example"}, 421),
        ):
            answer = httpx2.post(url, json=asked, headers={"Accept": "application/json, text/event-stream"} | headers)
            assert answer.status_code == status, headers
        second = launched("--http", url.split("/")[2], cwd=EXAMPLES)
        with second:
            assert second.wait(20) == 2
            assert "address already in use" in second.stderr.read()
        assert process.poll() is None

    def test_client_that_goes_away_within_a_review(self, tmp_path):
        large(tmp_path / "big", 1500)
        process = launched("--http", "127.0.0.1:0", cwd=tmp_path)
        with process:
            url = process.stderr.readline().split()[-1]

            async def leave():
                async with Client(url) as client:
                    with anyio.CancelScope() as scope:

                        async def at_work(_done, _whole, message):
                            if message.split(":")[0] in STAGES:
                                scope.cancel()

                        await client.call_tool("review-server", {"path": "big"}, progress_callback=at_work)
                        pytest.fail("the review was faster than its client")

            try:
                anyio.run(leave)
                assert gone(children(process.pid))
            finally:
                process.terminate()
            assert gone([process.pid])
