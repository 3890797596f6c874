"""A server on the loopback that behaves as GitHub's API does towards a bot that comments, and misbehaves by a script."""

import io
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from served import served

BOT = "github-actions[bot]"
LONGEST = 65_536
HEAD = "a" * 40

Mishap = Callable[["Handler"], bool]
"""Answers a request instead of GitHub; False if it lets GitHub answer."""


@dataclass
class GitHub:
    """One repository with one pull request, number 7. `mishaps` meet the first requests, one after the other."""

    head: str = HEAD
    login: str = BOT
    files: list[dict[str, Any]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)
    threads: list[dict[str, Any]] = field(default_factory=list)
    pulls: list[dict[str, Any]] = field(default_factory=list)
    uploads: list[dict[str, Any]] = field(default_factory=list)
    mishaps: list[Mishap | None] = field(default_factory=list)
    before: Callable[[str, str], Mishap | None] = lambda _method, _path: None
    may_write: bool = True
    may_resolve: bool = True
    log: list[tuple[str, str]] = field(default_factory=list)
    reviews: int = 0
    number: int = 1000
    url: str = ""
    lock: threading.RLock = field(default_factory=threading.RLock)

    def next(self) -> int:
        self.number += 1
        return self.number

    def say(self, body: str, login: str | None = None) -> dict[str, Any]:
        """Put a comment on the pull request."""
        self.comments.append({"id": self.next(), "body": body, "user": {"login": login or self.login}})
        return self.comments[-1]

    def begin(
        self, body: str, login: str | None = None, answers: int = 0, resolved: bool = False, path: str = "server.py"
    ) -> dict[str, Any]:
        """Begin a thread on a line."""
        number = self.next()
        thread = {"id": f"T{number}", "comment": number, "body": body, "login": login or self.login, "path": path}
        self.threads.append({**thread, "answers": answers, "resolved": resolved})
        return self.threads[-1]

    def writes(self) -> list[tuple[str, str]]:
        return [each for each in self.log if each[0] != "GET" and each[1] != "/graphql"]

    def bodies(self) -> list[str]:
        return [each["body"] for each in self.comments if each["user"]["login"] == self.login]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    github: GitHub

    def handle_any(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        self.body = json.loads(self.rfile.read(length)) if length else None
        path = urlsplit(self.path).path
        with self.github.lock:
            self.github.log.append((self.command, path))
            mishap = self.github.mishaps.pop(0) if self.github.mishaps else self.github.before(self.command, path)
        if mishap is not None and mishap(self):
            return
        with self.github.lock:
            self.answer(path)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self.handle_any
        raise AttributeError(name)

    def answer(self, path: str) -> None:
        if self.headers.get("authorization") != "Bearer right":
            self.fail(401, "Bad credentials")
        elif path == "/graphql":
            self.graphql()
        elif self.command != "GET" and not self.github.may_write:
            self.fail(403, "Resource not accessible by integration")
        else:
            for method, pattern, name in ROUTES:
                if self.command == method and (found := re.fullmatch(pattern, path)):
                    getattr(self, name)(*found.groups())
                    return
            self.fail(404, "Not Found")

    def user(self) -> None:
        if self.github.login.endswith("[bot]"):
            self.fail(403, "Resource not accessible by integration")
        else:
            self.send(200, {"login": self.github.login})

    def pull(self) -> None:
        self.send(200, {"number": 7, "head": {"sha": self.github.head}})

    def pulls(self) -> None:
        wanted = parse_qs(urlsplit(self.path).query)["head"][0]
        self.page([each for each in self.github.pulls if each["head"]["label"] == wanted])

    def files(self) -> None:
        self.page(self.github.files)

    def comments(self) -> None:
        self.page(self.github.comments)

    def say(self) -> None:
        if self.fits(self.body["body"]):
            self.send(201, self.github.say(self.body["body"]))

    def change(self, number: str) -> None:
        for each in self.github.comments:
            if each["id"] == int(number):
                if self.fits(self.body["body"]):
                    each["body"] = self.body["body"]
                    self.send(200, each)
                return
        self.fail(404, "Not Found")

    def take_back(self, number: str) -> None:
        self.remove(self.github.comments, "id", number)

    def take_back_line(self, number: str) -> None:
        self.remove(self.github.threads, "comment", number)

    def review(self) -> None:
        """As GitHub does: one comment outside of the diff, and the whole review is refused."""
        if all(map(self.in_diff, self.body["comments"])) and self.body["commit_id"] == self.github.head:
            self.github.reviews += 1
            for each in self.body["comments"]:
                self.github.begin(each["body"], path=each["path"])["lines"] = (each.get("start_line"), each["line"])
            self.send(200, {"id": self.github.next()})
        else:
            self.fail(422, "Unprocessable Entity", errors=["Line could not be resolved"])

    def on_line(self) -> None:
        if self.in_diff(self.body):
            self.send(201, {"id": self.github.begin(self.body["body"], path=self.body["path"])["comment"]})
        else:
            self.fail(422, "Validation Failed")

    def upload(self) -> None:
        self.github.uploads.append(self.body)
        self.send(202, {"id": "47177e22"})

    def graphql(self) -> None:
        query = self.body["query"]
        if "viewer {" in query:
            self.send(200, {"data": {"viewer": {"login": self.github.login}}})
        elif "resolveReviewThread" in query and not (self.github.may_resolve and self.github.may_write):
            error = {"type": "FORBIDDEN", "message": "Resource not accessible by integration"}
            self.send(200, {"data": {"resolveReviewThread": None}, "errors": [error]})
        elif "resolveReviewThread" in query:
            found = [each for each in self.github.threads if each["id"] == self.body["variables"]["id"]]
            for each in found:
                each["resolved"] = True
            missing = [{"type": "NOT_FOUND", "message": "Could not resolve to a node"}]
            self.send(200, {"data": {}} if found else {"data": None, "errors": missing})
        else:
            self.send(200, {"data": {"repository": {"pullRequest": {"reviewThreads": self.listed()}}}})

    def listed(self) -> dict[str, Any]:
        start = int(self.body["variables"]["after"] or 0)
        end = start + 100
        more = end < len(self.github.threads)
        nodes = [thread_node(each, self.github.login) for each in self.github.threads[start:end]]
        return {"pageInfo": {"hasNextPage": more, "endCursor": str(end)}, "nodes": nodes}

    def in_diff(self, comment: dict[str, Any]) -> bool:
        from reviewer.github.patches import parse_right_side

        patches = [each.get("patch") or "" for each in self.github.files if each["filename"] == comment["path"]]
        first = comment.get("start_line", comment["line"])
        if first > comment["line"] or comment.get("start_side", "RIGHT") != "RIGHT" or comment["side"] != "RIGHT":
            return False
        return any({first, comment["line"]} <= parse_right_side(each) for each in patches)

    def fits(self, body: str) -> bool:
        if len(body) > LONGEST:
            self.fail(422, "Validation Failed", errors=["body is too long (maximum is 65536 characters)"])
        return len(body) <= LONGEST

    def remove(self, things: list[dict[str, Any]], key: str, number: str) -> None:
        kept = [each for each in things if each[key] != int(number)]
        if len(kept) == len(things):
            self.fail(404, "Not Found")
            return
        things[:] = kept
        self.send(204, None)

    def page(self, things: list[Any]) -> None:
        asked = parse_qs(urlsplit(self.path).query)
        size, page = int(asked.get("per_page", ["30"])[0]), int(asked.get("page", ["1"])[0])
        more = len(things) > page * size
        path = f"{self.github.url}{urlsplit(self.path).path}"
        kept = "".join(f"{key}={value[0]}&" for key, value in asked.items() if key not in ("page", "per_page"))
        link = f'<{path}?{kept}per_page={size}&page={page + 1}>; rel="next", <{path}?page=9>; rel="last"'
        self.send(200, things[(page - 1) * size : page * size], **({"link": link} if more else {}))

    def fail(self, status: int, message: str, errors: Any = None, **headers: str) -> None:
        self.send(status, {"message": message, **({"errors": errors} if errors else {})}, **headers)

    def send(self, status: int, document: Any, **headers: str) -> None:
        text = b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(text)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


PULL = "/repos/o/r/pulls/7"
ROUTES = (
    ("GET", "/repos/o/r/pulls", "pulls"),
    ("GET", "/user", "user"),
    ("GET", PULL, "pull"),
    ("GET", f"{PULL}/files", "files"),
    ("POST", f"{PULL}/reviews", "review"),
    ("POST", f"{PULL}/comments", "on_line"),
    ("DELETE", r"/repos/o/r/pulls/comments/(\d+)", "take_back_line"),
    ("GET", "/repos/o/r/issues/7/comments", "comments"),
    ("POST", "/repos/o/r/issues/7/comments", "say"),
    ("PATCH", r"/repos/o/r/issues/comments/(\d+)", "change"),
    ("DELETE", r"/repos/o/r/issues/comments/(\d+)", "take_back"),
    ("POST", "/repos/o/r/code-scanning/sarifs", "upload"),
)


def thread_node(thread: dict[str, Any], login: str) -> dict[str, Any]:
    comment = {
        "databaseId": thread["comment"],
        "body": thread["body"],
        "viewerDidAuthor": thread["login"] == login,
    }
    comments = {"totalCount": 1 + thread["answers"], "nodes": [comment]}
    state = {"isResolved": thread["resolved"], "isOutdated": thread.get("outdated", False)}
    return {"id": thread["id"], **state, "path": thread["path"], "comments": comments}


def fails(status: int, message: str = "sorry", **headers: str) -> Mishap:
    def mishap(handler: Handler) -> bool:
        handler.fail(status, message, **headers)
        return True

    return mishap


def hangs(handler: Handler) -> bool:
    """Take the request, and never answer."""
    time.sleep(2.0)
    handler.close_connection = True
    return True


def does_and_hangs(handler: Handler) -> bool:
    """Do what is asked, and never say so."""
    with handler.github.lock:
        handler.wfile = io.BytesIO()
        handler.answer(urlsplit(handler.path).path)
    return hangs(handler)


def no_json(handler: Handler) -> bool:
    handler.send_response(200)
    handler.send_header("content-length", "4")
    handler.end_headers()
    handler.wfile.write(b"<ok>")
    return True


@contextmanager
def serving(github: GitHub) -> Iterator[GitHub]:
    with served(type("Serving", (Handler,), {"github": github})) as url:
        github.url = url
        yield github
