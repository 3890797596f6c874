"""Servers that advertise `listChanged` send the notification.

`listChanged: true` asks clients to cache their list and to wait for a notification. If none is ever sent, a client waits in
vain, keeps a stream open for it, and does not refresh the list itself. A setting that controls the capability does not help:
where it is on, nothing is sent.

Bad:

```rust
impl ServerHandler for Weather {
    fn get_info(&self) -> ServerInfo {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed() // flaw
            .build();
        ServerInfo { capabilities, ..Default::default() }
    }
}
```

Good:

```rust
impl ServerHandler for Weather {
    fn get_info(&self) -> ServerInfo {
        ServerInfo { capabilities: ServerCapabilities::builder().enable_tools().build(), ..Default::default() }
    }
}
```
"""

from collections.abc import Iterator

from reviewer.facts import ListChanges
from reviewer.rules import Flaw, Severity, rule
from reviewer.rules.shared.words.identifiers import shorten_code


@rule(
    Severity.SUGGESTION,
    cites=("protocol page R1", "MCP 2026-07-28 server/tools, Capabilities"),
    when=lambda changes: any(each.may_claim for each in changes.advertised),
    absent="no server advertises `listChanged`",
)
def check(changes: ListChanges) -> Iterator[Flaw]:
    """Yield a finding for each advertised `listChanged` whose notification is never sent, or only under a name known at
    run time.
    """
    is_sent = (changes.sent and changes.is_reached and not changes.deserted) or changes.forwards
    for place in () if is_sent else changes.advertised:
        if place.may_claim:
            when = "is" if place.claims else "may be"
            why = "the code that sends it is never called" if changes.sent else "no code sends it"
            if changes.deserted:
                why = (
                    f"it is sent to each of `{changes.deserted}`, and the code that puts a client there is never called"
                )
            yield Flaw(
                place.text,
                f"`notifications/tools/list_changed` {when} advertised, but {why}: `{shorten_code(place.text)}`",
                "Remove `listChanged`, or send the notification when the tools change.",
            )
