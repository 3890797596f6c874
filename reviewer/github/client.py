"""GitHub's API over HTTP: every call is bounded in time, and made again where that may help."""

import json
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2

from reviewer.files.discovery import CannotReviewError
from reviewer.records import dataclass
from reviewer.render.plain import escape_hidden

PATIENCE = 300.0
"""Seconds for all calls together, waits included."""

ONE_CALL = 20.0
"""Seconds without data from GitHub before a call is given up and repeated: GitHub itself ends a request after ten (REST API,
Timeouts).
"""

MOST_BYTES = 64 * 2**20
"""Bytes of one response: a page has 100 entries of 65,536 characters at most, which are 26 MB in UTF-8.

No proxy can fill memory with an endless one.
"""

MOST_PAGES = 1000
"""A hundred thousand entries. A list that goes on for longer leads in a circle."""

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before a call is repeated, doubled each time: a job that is silent for longer than a minute looks stuck."""

SECONDARY_WAIT = 60.0
"""Seconds to wait after a secondary limit that does not say how long: GitHub asks for a minute at least."""

SERVER_ERROR = 500
"""From here on the answer says nothing of whether the call was carried out."""

OK, REDIRECTS, BAD_REQUEST, UNAUTHORISED, FORBIDDEN, NOT_FOUND, TOO_MANY = 200, 300, 400, 401, 403, 404, 429
"""The statuses of HTTP that GitHub tells apart: what may be tried again, what a token lacks, what is not there."""

GRAPHQL_STATUS = {"FORBIDDEN": FORBIDDEN, "INSUFFICIENT_SCOPES": FORBIDDEN, "NOT_FOUND": NOT_FOUND}


class RefusedError(CannotReviewError):
    """GitHub does not do what was asked; `status` is its HTTP status, or the one that fits its GraphQL error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class UnreachableError(CannotReviewError):
    """GitHub gave no answer that counts in the time there was."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, in seconds since 1970, and how to let it pass."""

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


class _Response(NamedTuple):
    status: int
    headers: httpx2.Headers
    following: str | None
    content: bytes


@dataclass
class Client:
    """Speaks with the API at `api` as the owner of `token`. `graphql` is derived from `api` unless it is given."""

    api: str
    token: str = field(repr=False)
    graphql: str = ""
    patience: float = PATIENCE
    clock: Clock = field(default_factory=Clock)
    timeout: float = ONE_CALL

    def __post_init__(self) -> None:
        """Raises CannotReviewError if the token would travel in the open, or cannot be sent."""
        self.api = self.api.rstrip("/")
        self.graphql = self.graphql or f"{self.api.removesuffix('/v3')}/graphql"
        for address in (self.api, self.graphql):
            _require_safe_address(address)
        if not re.fullmatch(r"[!-~]+", self.token):
            raise CannotReviewError("there is no token for GitHub: set GITHUB_TOKEN")
        headers = {
            "accept": "application/vnd.github+json",
            "authorization": f"Bearer {self.token}",
            "user-agent": "mcp-review",
            "x-github-api-version": "2022-11-28",
        }
        self._http = httpx2.Client(headers=headers, timeout=self.timeout, follow_redirects=False)
        self._deadline = self.clock.now() + self.patience

    def __enter__(self) -> "Client":
        """Keep connections open until the end of the context."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close them."""
        self._http.close()

    def call(
        self, method: str, path: str, body: Any = None, landed: Callable[[], Any | None] = lambda: None
    ) -> Any | None:
        """Call the API and return the decoded response; None if it is empty.

        If it is uncertain whether a call succeeded, `landed` looks for its result before the call is repeated.
        Raises RefusedError or UnreachableError.
        """
        answer = self._send(method, f"{self.api}{path}", body, landed)
        return _get_document(answer) if isinstance(answer, _Response) else answer

    def call_unless_gone(self, method: str, path: str, body: Any = None) -> bool:
        """Make a call about something that may have been deleted meanwhile; False if it was."""
        try:
            self.call(method, path, body)
        except RefusedError as error:
            if error.status != NOT_FOUND:
                raise
            return False
        return True

    def iter_entries(self, path: str) -> Iterator[Any]:
        """Yield every entry of a list, page after page. `path` may have a query."""
        address: str | None = f"{self.api}{path}{'&' if '?' in path else '?'}per_page=100"
        for _ in range(MOST_PAGES):
            if address is None:
                return
            answer = self._send("GET", address)
            entries = _get_document(answer)
            if not isinstance(entries, list):
                raise UnreachableError("GitHub did not return a list")
            yield from entries
            address = answer.following
            if address is not None and urlsplit(address)[:2] != urlsplit(self.api)[:2]:
                raise UnreachableError("GitHub's list continues at another host: nothing is sent there")

    def query(self, document: str, **variables: Any) -> Any:
        """Ask a GraphQL query or mutation, which must be one that may be made twice. Gives its `data`."""
        answer = _get_document(self._send("POST", self.graphql, {"query": document, "variables": variables}))
        if not isinstance(answer, dict):
            raise UnreachableError("GitHub did not return a GraphQL response")
        for error in answer.get("errors") or ():
            raise RefusedError(GRAPHQL_STATUS.get(error.get("type"), BAD_REQUEST), _get_said(error.get("message")))
        return answer.get("data") or {}

    def fetch_login(self) -> str:
        """Return as whom this token posts. What an Actions token may not ask is known: it posts as github-actions[bot]."""
        asked: tuple[Callable[[], Any], ...] = (
            lambda: self.query("query { viewer { login } }")["viewer"],
            lambda: self.call("GET", "/user"),
        )
        for ask in asked:
            try:
                return str(ask()["login"])
            except (RefusedError, KeyError, TypeError) as error:
                if isinstance(error, RefusedError) and error.status == UNAUTHORISED:
                    raise
        return "github-actions[bot]"

    def _send(self, method: str, address: str, body: Any = None, landed: Callable[[], Any] = lambda: None) -> Any:
        """Make a call until it is answered. Gives the answer, or what had landed before."""
        attempt = 0
        while True:
            try:
                answer = self._get_once(method, address, body)
                wait, uncertain = self._wait(answer, attempt), answer.status >= SERVER_ERROR
                trouble = f"it answers {answer.status}"
            except httpx2.TransportError as error:
                wait, uncertain = _get_backoff(attempt), True
                trouble = "it does not answer" if isinstance(error, httpx2.TimeoutException) else "no connection"
            else:
                if wait is None:
                    return answer
            self._pause(wait, trouble)
            if uncertain and (found := landed()) is not None:
                return found
            attempt += 1

    def _get_once(self, method: str, address: str, body: Any) -> _Response:
        content = bytearray()
        with self._http.stream(method, address, json=body) as response:
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > MOST_BYTES or self.clock.now() > self._deadline:
                    raise UnreachableError("GitHub's answer has no end")
            following = response.links.get("next", {}).get("url")
            return _Response(response.status_code, response.headers, following, bytes(content))

    def _wait(self, answer: _Response, attempt: int) -> float | None:
        """Return how long to wait before the call is made again; None if the answer counts. Raises RefusedError."""
        if answer.status >= SERVER_ERROR:
            return _parse_retry_after(answer) or _get_backoff(attempt)
        if (limited := self._compute_limit_wait(answer, attempt)) is not None:
            return limited
        if answer.status == UNAUTHORISED:
            raise RefusedError(UNAUTHORISED, "GitHub does not accept the token: it is wrong or has expired")
        if answer.status >= REDIRECTS:
            raise RefusedError(answer.status, f"GitHub answers {answer.status}: {_get_message(answer)}")
        return None

    def _compute_limit_wait(self, answer: _Response, attempt: int) -> float | None:
        """Return how long a limit of GitHub's asks us to wait; None if it is none."""
        said = _get_message(answer).lower()
        spent = answer.headers.get("x-ratelimit-remaining") == "0" and answer.status != OK
        graphql = answer.status == OK and b'"RATE_LIMITED"' in answer.content
        if not (answer.status == TOO_MANY or graphql) and not (
            answer.status == FORBIDDEN and (spent or "retry-after" in answer.headers or "rate limit" in said)
        ):
            return None
        if (asked := _parse_retry_after(answer)) is not None:
            return asked
        if (reset := answer.headers.get("x-ratelimit-reset", "")).isdigit() and (spent or graphql):
            return max(1.0, int(reset) - self.clock.now() + 1)
        return SECONDARY_WAIT * 2.0 ** min(attempt, 4)

    def _pause(self, seconds: float, trouble: str) -> None:
        if self.clock.now() + seconds > self._deadline:
            raise UnreachableError(f"GitHub: {trouble}, and would have to be asked again in {seconds:.0f} s: given up")
        self.clock.sleep(seconds)


def _require_safe_address(address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        raise CannotReviewError(f"{escape_hidden(address)}: not an https address: a token is not sent there")


def _get_backoff(attempt: int) -> float:
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt, 10)) * random.uniform(0.5, 1.0)


def _parse_retry_after(answer: _Response) -> float | None:
    """Return the seconds that the server itself asks us to wait. It may also give a date, which GitHub does not."""
    after = answer.headers.get("retry-after", "")
    return max(1.0, float(after)) if after.isdigit() else None


def _get_document(answer: _Response) -> Any:
    if not answer.content:
        return None
    try:
        return json.loads(answer.content)
    except (ValueError, RecursionError):
        raise UnreachableError("GitHub did not return JSON") from None


def _get_message(answer: _Response) -> str:
    try:
        document = json.loads(answer.content)
    except (ValueError, RecursionError):
        return "no reason given"
    return _get_said(document.get("message") if isinstance(document, dict) else None)


def _get_said(message: Any) -> str:
    return escape_hidden(str(message))[:200] if message else "no reason given"
