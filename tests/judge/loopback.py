"""A server on the loopback that speaks the Messages API's wire format, and misbehaves by a script."""

import json
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from served import served

Answer = Callable[["Handler", dict[str, Any]], None]


@dataclass
class Loopback:
    """What was asked, and how to answer: `script` for the first requests, one after the other, `answer` for all others."""

    answer: Answer
    script: list[Answer] = field(default_factory=list)
    latency: float = 0.0
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    polls: int = 2
    results: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    batches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    url: str = ""
    most_at_once: int = 0
    at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def models(self) -> Counter[str]:
        return Counter(each["model"] for each in self.requests)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    loopback: Loopback

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not self.accepted():
            return
        if self.path == "/v1/messages/batches":
            name = f"msgbatch_{len(self.loopback.batches)}"
            self.loopback.batches[name] = body["requests"]
            self.send(200, batch(name, "in_progress"))
            return
        if self.path != "/v1/messages":
            self.fail(404, "not_found_error", "no such path")
            return
        with self.loopback.lock:
            self.loopback.requests.append(body)
            self.loopback.headers.append({key.lower(): value for key, value in self.headers.items()})
            self.loopback.at_once += 1
            self.loopback.most_at_once = max(self.loopback.most_at_once, self.loopback.at_once)
            answer = self.loopback.script.pop(0) if self.loopback.script else self.loopback.answer
        try:
            time.sleep(self.loopback.latency)
            answer(self, body)
        finally:
            with self.loopback.lock:
                self.loopback.at_once -= 1

    def do_GET(self) -> None:
        if not self.accepted():
            return
        _, _, tail = self.path.partition("/v1/messages/batches/")
        name, _, results = tail.partition("/")
        if name not in self.loopback.batches:
            self.fail(404, "not_found_error", "no such batch")
        elif results:
            made = self.loopback.results or succeeded
            lines = [json.dumps(made(each)) for each in reversed(self.loopback.batches[name])]
            self.send_text(200, "\n".join(lines) + "\n", "application/x-jsonl")
        else:
            self.loopback.polls -= 1
            ended = self.loopback.polls <= 0
            self.send(200, batch(name, "ended" if ended else "in_progress", f"{self.loopback.url}{self.path}/results"))

    def accepted(self) -> bool:
        """The newer SDK sends a Bearer token, the command line and older ones an x-api-key."""
        key = self.headers.get("x-api-key") or (self.headers.get("authorization") or "").removeprefix("Bearer ")
        if key == "right" and self.headers.get("anthropic-version"):
            return True
        self.fail(401, "authentication_error", "invalid key")
        return False

    def send(self, status: int, document: Any, **headers: str) -> None:
        self.send_text(status, json.dumps(document), "application/json", **headers)

    def send_text(self, status: int, text: str, kind: str, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(text.encode())), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(text.encode())

    def fail(self, status: int, kind: str, message: str, **headers: str) -> None:
        self.send(status, {"type": "error", "error": {"type": kind, "message": message}}, **headers)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


def batch(name: str, status: str, results: str | None = None) -> dict[str, Any]:
    return {
        "id": name,
        "type": "message_batch",
        "processing_status": status,
        "request_counts": {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0},
        "created_at": "2026-11-21T00:00:00Z",
        "expires_at": "2026-11-22T00:00:00Z",
        "results_url": results if status == "ended" else None,
    }


def succeeded(entry: dict[str, Any]) -> dict[str, Any]:
    params = entry["params"]
    result = {"type": "succeeded", "message": message(params["model"], json.dumps(verdicts(params)))}
    return {"custom_id": entry["custom_id"], "result": result}


def verdicts(body: dict[str, Any], verdict: str = "not_met", quote: str = "") -> dict[str, Any]:
    """Judge as a model would that reads: the questions with known answers rightly, all others by one verdict."""
    text = body["messages"][0]["content"]
    shown = json.loads(text[text.index(">\n") + 2 : text.index("\n</data-")])
    listed, _ = json.JSONDecoder().raw_decode(text, text.index("The questions:\n") + 15)
    given = []
    for each in listed:
        known = each["rubric"] == "marker" and "about" in each
        said = ("met" if each["about"] == shown["marker"] else "not_met") if known else verdict
        given.append(
            {"id": each["id"], "verdict": said, "quote": "" if known else quote, "why": "so it reads", "failing": []}
        )
    return {"verdicts": given}


def message(model: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 100, "cache_read_input_tokens": 500},
        **more,
    }


def judges(verdict: str = "not_met", quote: str = "") -> Answer:
    def answer(handler: Handler, body: dict[str, Any]) -> None:
        handler.send(200, message(body["model"], json.dumps(verdicts(body, verdict, quote))))

    return answer


def thinks_first(handler: Handler, body: dict[str, Any]) -> None:
    content = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": json.dumps(verdicts(body))},
    ]
    handler.send(200, message(body["model"], "", content=content))


def says(text: str, **more: Any) -> Answer:
    return lambda handler, body: handler.send(200, message(body["model"], text, **more))


def fails(status: int, message: str = "sorry", **headers: str) -> Answer:
    kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
    return lambda handler, _body: handler.fail(status, kinds.get(status, "api_error"), message, **headers)


def no_json(handler: Handler, _body: dict[str, Any]) -> None:
    handler.send_text(200, "<html>busy</html>", "text/html")


def broken_json(handler: Handler, _body: dict[str, Any]) -> None:
    handler.send_text(200, '{"id": "msg_1", "con', "application/json")


def hangs(handler: Handler, _body: dict[str, Any]) -> None:
    time.sleep(3)
    handler.close_connection = True


def resets(handler: Handler, _body: dict[str, Any]) -> None:
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    handler.connection.close()


@contextmanager
def serving(loopback: Loopback) -> Iterator[Loopback]:
    with served(type("Serving", (Handler,), {"loopback": loopback})) as url:
        loopback.url = url
        yield loopback
