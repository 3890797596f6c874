"""Servers that send `list_changed` notifications advertise `listChanged`.

A client that read capabilities without `listChanged: true` may ignore the notification, and many do: they never listen for it.
For them, the list of tools stays as it was.

Bad:

```rust
impl ServerHandler for Plugins {
    fn get_info(&self) -> ServerInfo {
        ServerInfo { capabilities: ServerCapabilities::builder().enable_tools().build(), ..Default::default() }
    }
}

async fn loaded(peer: &Peer<RoleServer>) {
    let _ = peer.notify_tool_list_changed().await; // flaw
}

async fn load(peer: &Peer<RoleServer>) {
    loaded(peer).await;
}
```

Good:

```rust
impl ServerHandler for Plugins {
    fn get_info(&self) -> ServerInfo {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        ServerInfo { capabilities, ..Default::default() }
    }
}

async fn loaded(peer: &Peer<RoleServer>) {
    let _ = peer.notify_tool_list_changed().await;
}

async fn load(peer: &Peer<RoleServer>) {
    loaded(peer).await;
}
```
"""

from collections.abc import Iterator

from reviewer.facts import ListChanges
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.WARNING,
    cites=("protocol page R1", "MCP 2026-07-28 server/tools, Capabilities"),
    when=lambda changes: bool(changes.sent),
    absent="no code sends `list_changed` notifications",
)
def check(changes: ListChanges) -> Iterator[Flaw]:
    """Yield a finding for notifications of a project whose written capabilities all lack `listChanged`."""
    written = changes.advertised
    for sent in changes.sent if written and all(each.claims is False for each in written) else ():
        if not sent.advertised:
            yield Flaw(
                sent.text,
                f"the server sends `list_changed`, but its capabilities do not advertise it: `{shorten_code(sent.text)}`",
                f"Advertise it: `enable_tool_list_changed()`, `NotificationOptions(tools_changed=True)`; "
                f"currently `{shorten_code(written[0].text)}`.",
            )
