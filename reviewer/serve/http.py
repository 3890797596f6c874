"""Streamable HTTP: who may ask, where it listens, and how it ends."""

import hmac
import ipaddress
import socket
from errno import EADDRINUSE
from typing import NamedTuple
from urllib.parse import urlsplit

import uvicorn
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from reviewer.files.discovery import CannotReviewError

TOKEN = "MCP_REVIEW_TOKEN"

SHORTEST_TOKEN = 16
"""Random characters of which a token needs at least as many to be out of reach of guessing; docs/serve.md names the
number.
"""

MOST_SESSIONS = 64
"""A session holds memory until it ends, and clients need not end one. The SDK lets 10,000 be open."""

MOST_BODY = 4 * 2**20
"""Bytes of one request. It is what the SDK takes by default, said here since a judge's verdicts on a whole export have to fit."""

GRACE = 2
"""Seconds that open requests have to end by themselves when the server is told to."""


class Address(NamedTuple):
    """Where to listen."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return _is_loopback(self.host)

    @property
    def url(self) -> str:
        """The URL for a client on this machine."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}/mcp"


def parse_address(given: str) -> Address:
    """Read HOST:PORT or a port of the loopback. Raises CannotReviewError for anything else."""
    host, colon, port = given.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if colon else "127.0.0.1"
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise CannotReviewError(f"--http {given}: give HOST:PORT, as in 127.0.0.1:8000")
    return Address(host, int(port))


def check_token(at: Address, given: str | None) -> str | None:
    """Return the token that callers must show. Raises CannotReviewError where there must be one and is none, or a short one."""
    if given is None and not at.is_loopback:
        raise CannotReviewError(
            f"--http {at.host}:{at.port}: others reach this address; set {TOKEN} to a secret that callers must show"
        )
    if given is not None and (len(given) < SHORTEST_TOKEN or not given.isascii()):
        raise CannotReviewError(f"{TOKEN}: give {SHORTEST_TOKEN} ASCII characters or more")
    return given


def bind_socket(at: Address) -> socket.socket:
    """Take the port before anything is promised. Raises CannotReviewError if it cannot be had."""
    try:
        family = socket.getaddrinfo(at.host, at.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((at.host, at.port), family=family, backlog=512)
    except OSError as error:
        taken = "address already in use"  # Windows says it in other words
        why = taken if error.errno == EADDRINUSE else (error.strerror or str(error)).partition(" (")[0].lower()
        raise CannotReviewError(f"--http {at.host}:{at.port}: {why}; give another port, or end what uses it") from None


class HttpGuard:
    """Lets through who shows the token, if there is one, and no page of another site in somebody's browser."""

    def __init__(self, app: ASGIApp, token: str | None, host: str) -> None:
        self._app, self._token, self._host = app, token, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 to a foreign origin, 401 to who has no token."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if not self._is_ours(headers.get("origin")):
                return await PlainTextResponse("this origin is not allowed", 403)(scope, receive, send)
            if not self._shows_token(headers.get("authorization", "")):
                refused = PlainTextResponse(
                    "show the token: Authorization: Bearer", 401, {"WWW-Authenticate": "Bearer"}
                )
                return await refused(scope, receive, send)
        return await self._app(scope, receive, send)

    def _is_ours(self, origin: str | None) -> bool:
        if origin is None:
            return True
        try:
            host = urlsplit(origin).hostname
        except ValueError:
            return False
        return host is not None and (host == self._host or _is_loopback(host))

    def _shows_token(self, header: str) -> bool:
        if self._token is None:
            return True
        scheme, _, shown = header.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(shown.strip().encode(), self._token.encode())


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def build_application(server: MCPServer, at: Address, token: str | None) -> ASGIApp:
    """Make the application that answers at `/mcp`."""
    # Beyond the loopback the server does not know by which names it is called; the token stands in for the check of them.
    security = None if at.is_loopback else TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(
        host=at.host, transport_security=security, max_sessions=MOST_SESSIONS, max_request_body_size=MOST_BODY
    )
    return HttpGuard(app, token, at.host)


async def serve(server: MCPServer, at: Address, token: str | None, taken: socket.socket) -> None:
    """Answer on a socket until a signal ends it."""
    app = build_application(server, at, token)
    config = uvicorn.Config(
        app, log_config=None, log_level="error", access_log=False, timeout_graceful_shutdown=GRACE, lifespan="on"
    )
    await uvicorn.Server(config).serve(sockets=[taken])
