"""Transports for the `mcp` client that are bounded in what they take from a server and hand to it."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import field
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import mcp_types
from anyio.abc import ByteReceiveStream, Process
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

from reviewer.inputs import processes
from reviewer.inputs.live_target import LiveTarget
from reviewer.records import dataclass

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

MOST_BYTES = 64 * 2**20
"""What a server may say in all."""

LAST_WORDS = 4096
"""Bytes of standard error that are kept: a message shows the last line, and a server may write without end."""

WORDS = {404: "not found", 401: "it asks for credentials", 403: "access is denied"}


@dataclass
class Wire:
    """What came over the wire: the tools as they were answered, and what went wrong beside the protocol."""

    tools: list[Any] = field(default_factory=list)
    trouble: str | None = None
    """Why no more is read, completing "the server …"."""

    noise: str | None = None
    """The first line on standard output that is no message."""

    last_words: bytes = b""
    """The end of what it wrote to standard error."""

    def take(self, message: Any) -> None:
        """Keep the tools of an answer, and leave none for the client to check."""
        result = getattr(message, "result", None)
        if isinstance(result, dict) and isinstance(result.get("tools"), list):
            self.tools += result["tools"]
            result["tools"] = []


@contextmanager
def quietly() -> Iterator[None]:
    """Keep the client's own log off standard error: what goes wrong is said in our words."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


@asynccontextmanager
async def over_stdio(target: LiveTarget, wire: Wire) -> AsyncIterator["TransportStreams"]:
    """Start a server and speak with it over its standard streams; it and whatever it started end with the conversation."""
    process = await processes.start(target.command, target.environment)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_listen, process, to_client, wire)
            group.start_soon(_speak, process, from_client)
            group.start_soon(_capture_stderr, process, wire)
            try:
                yield from_server, to_server
            finally:
                group.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await processes.end(process)
        for stream in (to_client, from_server, to_server, from_client):
            stream.close()


async def _listen(process: Process, to_client: Any, wire: Wire) -> None:
    """Hand on every message, line by line, until the server ends or has said too much."""
    assert process.stdout is not None
    async with to_client:
        async for line in _iter_lines(process.stdout, wire):
            try:
                message = mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError:
                if line.lstrip().startswith(b"{"):
                    wire.trouble = f"sends something that is not a protocol message: {_show(line)}"
                    return
                if line.strip() and wire.noise is None:
                    wire.noise = _show(line)
                continue
            wire.take(message)
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                await to_client.send(SessionMessage(message))
        if wire.trouble is None:
            with anyio.move_on_after(processes.GRACE):
                code = await process.wait()
                wire.trouble = f"ended with exit code {code} before it had answered"


async def _iter_lines(stream: ByteReceiveStream, wire: Wire) -> AsyncIterator[bytes]:
    held: list[bytes] = []
    taken = 0
    with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        while True:
            chunk = await stream.receive()
            taken += len(chunk)
            if taken > MOST_BYTES:
                wire.trouble = f"sends more than {MOST_BYTES // 2**20} MB"
                return
            *whole, rest = chunk.split(b"\n")
            for line in whole:
                yield b"".join([*held, line])
                held = []
            held.append(rest)


async def _speak(process: Process, from_client: Any) -> None:
    assert process.stdin is not None
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        async with from_client:
            async for each in from_client:
                text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(text.encode() + b"\n")


async def _capture_stderr(process: Process, wire: Wire) -> None:
    """Keep the end of what it writes to standard error."""
    assert process.stderr is not None
    with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        while True:
            wire.last_words = (wire.last_words + await process.stderr.receive())[-LAST_WORDS:]


def _show(line: bytes) -> str:
    return " ".join(line[:200].decode("utf-8", "replace").split())[:100]


@asynccontextmanager
async def over_http(target: LiveTarget, wire: Wire) -> AsyncIterator["TransportStreams"]:
    """Speak with a server at a URL, with no more of the environment than the headers that were given."""
    bounded = _Bounded(wire)
    timeout = httpx2.Timeout(target.seconds)
    to_client, tapped = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    async with (
        httpx2.AsyncClient(transport=bounded, headers=target.headers, timeout=timeout, trust_env=False) as http,
        streamable_http_client(target.address, http_client=http) as (of_server, to_server),
        anyio.create_task_group() as group,
    ):
        group.start_soon(_tap_messages, of_server, to_client, wire)
        try:
            yield tapped, to_server
        finally:
            group.cancel_scope.cancel()
            tapped.close()


async def _tap_messages(of_server: Any, to_client: Any, wire: Wire) -> None:
    async with to_client:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async for each in of_server:
                if isinstance(each, SessionMessage):
                    wire.take(each.message)
                await to_client.send(each)


class _Bounded(httpx2.AsyncBaseTransport):
    """Sends requests and gives up on answers that are too long in all."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._below = httpx2.AsyncHTTPTransport()
        self._left = MOST_BYTES

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; the answer's body is counted as it comes."""
        try:
            response = await self._below.handle_async_request(request)
        except httpx2.TransportError as error:
            self._wire.trouble = f"cannot be reached: {str(error).lower() or type(error).__name__}"
            raise
        if response.status_code in WORDS:
            self._wire.trouble = f"answers {response.status_code}: {WORDS[response.status_code]}"
        body = response.stream
        assert isinstance(body, httpx2.AsyncByteStream)
        return httpx2.Response(
            response.status_code, headers=response.headers, stream=_Counted(self, body), extensions=response.extensions
        )

    def take(self, size: int) -> None:
        """Count what came. Raises httpx2.ReadError if it is too much."""
        self._left -= size
        if self._left < 0:
            self._wire.trouble = f"sends more than {MOST_BYTES // 2**20} MB"
            raise httpx2.ReadError(self._wire.trouble)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._below.aclose()


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, counter: _Bounded, body: httpx2.AsyncByteStream) -> None:
        self._counter, self._body = counter, body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._body:
            self._counter.take(len(chunk))
            yield chunk

    async def aclose(self) -> None:
        await self._body.aclose()
