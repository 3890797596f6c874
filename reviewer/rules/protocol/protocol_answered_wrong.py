"""Servers that handle JSON-RPC themselves follow the protocol.

Clients send `ping` to check whether a server is alive, and disconnect from one that does not answer it. A message without an id
is a notification: a response to it belongs to no request, and some clients take it for a broken connection. An unknown method
has an error code of its own, which tells a client to continue without it. A request without a response, or with another `id` in
it, keeps its client waiting. And a server that accepts any requested version claims to support versions that it does not.

Bad:

```rust
fn answer(message: &Value) -> Value {
    let id = message.get("id").cloned();
    let method = message.get("method").and_then(Value::as_str).unwrap_or("");
    match method {
        "initialize" => json!({"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": "2025-06-18"}}), // flaw
        "tools/list" => json!({"jsonrpc": "2.0", "id": id, "result": {"tools": [
            {"name": "fire", "description": "Fire the kiln", "inputSchema": {"type": "object"}}
        ]}}),
        _ => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "unknown"}}), // flaw
    }
}
```

Good:

```rust
fn answer(message: &Value) -> Option<Value> {
    let id = message.get("id").cloned()?;
    let method = message.get("method").and_then(Value::as_str).unwrap_or("");
    Some(match method {
        "initialize" => json!({"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": "2025-06-18"}}),
        "ping" => json!({"jsonrpc": "2.0", "id": id, "result": {}}),
        "tools/list" => json!({"jsonrpc": "2.0", "id": id, "result": {"tools": [
            {"name": "fire", "description": "Fire the kiln", "inputSchema": {"type": "object"}}
        ]}}),
        _ => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "unknown"}}),
    })
}
```
"""

from collections.abc import Iterator

from reviewer.facts import Conversation, Project
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code

# "Method not found" of JSON-RPC 2.0.
NOT_FOUND = -32601


@rule(
    Severity.WARNING,
    cites=("MCP 2026-07-28 basic/utilities/ping", "MCP 2026-07-28 basic/lifecycle", "JSON-RPC 2.0"),
    when=lambda project: bool(project.conversations),
    absent="no server handles JSON-RPC itself",
)
def check(project: Project) -> Iterator[Flaw]:
    """Yield a finding for each method that a hand-written server lacks, answers unasked or wrongly agrees to."""
    for each in project.conversations:
        yield from _iter_flaws(each)


def _iter_flaws(each: Conversation) -> Iterator[Flaw]:
    lacks = []
    if each.followed and "ping" not in each.methods:
        lacks.append("`ping` is not handled, although every server must answer it")
    if each.codes and NOT_FOUND not in each.codes:
        told = ", ".join(f"`{code}`" for code in sorted(each.codes))
        lacks.append(f"an unknown method is answered with error code {told} instead of `{NOT_FOUND}`")
    if each.unanswered:
        lacks.append("a request for an unknown method is never answered, so the client keeps waiting")
    if lacks:  # all stand where the methods are told apart, and a place has one finding
        yield Flaw(
            each.text, "; ".join(lacks), "Answer `ping` with an empty result, and errors with their standard codes."
        )
    if each.answered is not None:
        message = f"notifications are answered, although they have no id: `{shorten_code(each.answered)}`"
        yield Flaw(each.answered, message, "Send no response if there is no `id`.")
    if each.other_id is not None:
        message = (
            f"`{shorten_code(each.other_id)}` uses an `id` other than the request's, so clients ignore the response"
        )
        yield Flaw(each.other_id, message, "Use the `id` of the request.")
    if each.echoed is not None:
        message = "any requested `protocolVersion` is accepted, even one that the server does not support"
        yield Flaw(each.echoed, message, "Return it if the server supports it, else the newest supported version.")
