"""§15 of the checklist, in Rust: what clients are told of changes of the tools."""
# ruff: noqa: E501

from mutation import Mutant, mutant

LIVE = "rust_router_live"
SERVER = "src/server.rs"
ANNOUNCING = "src/announcing.rs"
ADD = "            self.tool_router.write().await.add_route(route);"
CHANGED = "        self.announcer.changed().await;\n"
SEND = "            if let Err(error) = peer.notify_tool_list_changed().await {"
QUIET = "            if let Err(error) = peer.notify_resource_list_changed().await {"
WAIT = "        tokio::time::sleep(self.settings.quiet).await;\n"
GUARD = "        if !self.settings.announce {\n            return;\n        }\n"
INFO = """
        let capabilities = if self.settings.announce {
            ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build()
        } else {
            ServerCapabilities::builder().enable_tools().build()
        };
"""
UNTOLD = ("list-change-never-sent",)
EACH = "        for name in &request.machines {\n"
PLUG = "async fn plug_machines(&self, Parameters(request): Parameters<PlugMachines>) -> Result<CallToolResult, ErrorData> {"
PLUG_PEER = "async fn plug_machines(&self, Parameters(request): Parameters<PlugMachines>, peer: Peer<RoleServer>) -> Result<CallToolResult, ErrorData> {"
PEER = (
    SERVER,
    "use rmcp::service::{RequestContext, RoleServer};",
    "use rmcp::service::{Peer, RequestContext, RoleServer};",
)
Edits = tuple[str, str, str]


def silent(name: str, new: str, *more: Edits) -> Mutant:
    """Nothing tells of the tools that are plugged in."""
    return mutant(
        "list-change-not-announced",
        LIVE,
        name,
        (SERVER, CHANGED, ""),
        (SERVER, ADD, new),
        (ANNOUNCING, SEND, QUIET),
        *more,
        also=UNTOLD,
    )


ANNOUNCED = [
    silent("added", ADD + " ⚑"),
    silent("removed", "            self.tool_router.write().await.remove_route(name); ⚑"),
    silent("switched off", "            self.tool_router.write().await.disable_route(name.clone()); ⚑"),
    silent(
        "behind a name",
        "            let mut router = self.tool_router.write().await;\n            router.add_route(route); ⚑",
    ),
    silent(
        "two calls deep",
        "            self.keep(route).await;",
        (
            SERVER,
            "fn machine(name",
            "impl Workshop {\n    async fn keep(&self, route: ToolRoute<Workshop>) {\n        self.put(route).await;\n    }\n\n    async fn put(&self, route: ToolRoute<Workshop>) {\n        self.tool_router.write().await.add_route(route); ⚑\n    }\n}\n\nfn machine(name",
        ),
    ),
    mutant(
        "list-change-not-announced",
        LIVE,
        "what tells is never called",
        (SERVER, CHANGED, ""),
        (SERVER, ADD, ADD + " ⚑"),
        (
            ANNOUNCING,
            "        let task = tokio::spawn(async move { this.tell().await });",
            "        let task = tokio::spawn(async move { drop(this) });",
        ),
        also=UNTOLD,
    ),
]


def unsent(name: str, new: str, *more: Edits, send: str = QUIET) -> Mutant:
    """The capabilities promise what nothing sends."""
    return mutant(
        "list-change-never-sent",
        LIVE,
        name,
        (SERVER, INFO, new),
        (ANNOUNCING, SEND, send),
        *more,
        also=("list-change-not-announced",),
    )


NEVER = [
    unsent(
        "in the chain",
        "        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build(); ⚑",
    ),
    unsent(
        "over several lines",
        "        let capabilities = ServerCapabilities::builder()\n            .enable_tools()\n            .enable_tool_list_changed() ⚑\n            .build();",
    ),
    unsent(
        "as a struct",
        "        let tools = rmcp::model::ToolsCapability { list_changed: Some(true) }; ⚑\n        let capabilities = ServerCapabilities { tools: Some(tools), ..Default::default() };",
    ),
    unsent(
        "set afterwards",
        "        let mut capabilities = ServerCapabilities::builder().enable_tools().build();\n        capabilities.tools.get_or_insert_default().list_changed = Some(true); ⚑",
    ),
    unsent(
        "hand-written",
        '        let capabilities = serde_json::from_value(json!({ "capabilities": { "tools": { "listChanged": true } } })).unwrap_or_default(); ⚑',
    ),
    mutant(
        "list-change-never-sent",
        LIVE,
        "what sends is dead code",
        (
            SERVER,
            INFO,
            "        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build(); ⚑",
        ),
        (
            ANNOUNCING,
            "        let task = tokio::spawn(async move { this.tell().await });",
            "        let task = tokio::spawn(async move { drop(this) });",
        ),
        also=("list-change-not-announced",),
    ),
]


def unpromised(name: str, new: str, *more: Edits, send: str = SEND + " ⚑") -> Mutant:
    """The notification is sent, and the capabilities say nothing of it."""
    return mutant("list-change-not-advertised", LIVE, name, (SERVER, INFO, new), (ANNOUNCING, SEND, send), *more)


ADVERTISED = [
    unpromised("in the chain", "        let capabilities = ServerCapabilities::builder().enable_tools().build();"),
    unpromised(
        "others promised",
        "        let capabilities = ServerCapabilities::builder().enable_prompts().enable_prompts_list_changed().enable_tools().build();",
    ),
    unpromised(
        "as a struct",
        "        let tools = rmcp::model::ToolsCapability { list_changed: None };\n        let capabilities = ServerCapabilities { tools: Some(tools), ..Default::default() };",
    ),
    unpromised(
        "refused",
        "        let tools = rmcp::model::ToolsCapability { list_changed: Some(false) };\n        let capabilities = ServerCapabilities { tools: Some(tools), ..Default::default() };",
    ),
    unpromised(
        "hand-written",
        '        let capabilities = serde_json::from_value(json!({ "capabilities": { "tools": {} } })).unwrap_or_default();',
    ),
    unpromised(
        "as a notification",
        "        let capabilities = ServerCapabilities::builder().enable_tools().build();",
        send="            if let Err(error) = peer.send_notification(ServerNotification::ToolListChangedNotification(Default::default())).await { ⚑",
    ),
]


def looped(name: str, head: str, send: str, *more: Edits) -> Mutant:
    """The tool tells of each machine for itself."""
    return mutant(
        "list-change-not-debounced",
        LIVE,
        name,
        (SERVER, CHANGED, ""),
        (SERVER, PLUG, PLUG_PEER),
        (SERVER, EACH, head),
        (SERVER, ADD, ADD + "\n" + send),
        PEER,
        *more,
    )


ON = "            if self.settings.announce {\n                let _ = peer.notify_tool_list_changed().await;\n            }"
DEBOUNCED = [
    looped("for each machine", EACH.rstrip("\n") + " ⚑\n", ON),
    looped(
        "while there are some",
        "        let mut waiting = request.machines.clone();\n        while let Some(name) = waiting.pop() { ⚑\n            let name = &name;\n",
        ON,
    ),
    looped(
        "a helper in the loop",
        EACH,
        "            self.tell(&peer).await; ⚑",
        (
            SERVER,
            "fn machine(name",
            "impl Workshop {\n    async fn tell(&self, peer: &Peer<RoleServer>) {\n        if self.settings.announce {\n            let _ = peer.notify_tool_list_changed().await;\n        }\n    }\n}\n\nfn machine(name",
        ),
    ),
    looped(
        "as a notification",
        EACH.rstrip("\n") + " ⚑\n",
        "            if self.settings.announce {\n                let _ = peer.send_notification(ServerNotification::ToolListChangedNotification(Default::default())).await;\n            }",
    ),
    mutant(
        "list-change-not-debounced",
        LIVE,
        "straight from the channel",
        (ANNOUNCING, WAIT, "        let mut changes = self.changes.subscribe();\n"),
        (
            ANNOUNCING,
            "        for peer in peers {\n",
            "        while let Ok(change) = changes.recv().await { ⚑\n            let Some(peer) = peers.first() else { continue };\n",
        ),
    ),
    mutant(
        "list-change-not-debounced",
        LIVE,
        "straight from the callback",
        (ANNOUNCING, WAIT, ""),
        (ANNOUNCING, "    async fn tell(&self) {", "    async fn on_change(&self) { ⚑"),
        (ANNOUNCING, "this.tell().await", "this.on_change().await"),
    ),
]


def unswitched(name: str, *edits: Edits) -> Mutant:
    """No setting keeps the server from telling."""
    promised = (
        "        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();"
    )
    return mutant("list-change-not-switchable", LIVE, name, (SERVER, INFO, promised), *edits)


SENT = (ANNOUNCING, SEND, SEND + " ⚑")
SWITCHED = [
    unswitched("never asked", (ANNOUNCING, GUARD, ""), SENT),
    unswitched(
        "asks for peers",
        (ANNOUNCING, GUARD, "        if self.peers.lock().await.is_empty() {\n            return;\n        }\n"),
        SENT,
    ),
    unswitched("only said", (ANNOUNCING, GUARD, "        tracing::debug!(announce = self.settings.announce);\n"), SENT),
    unswitched(
        "asks for the last",
        (ANNOUNCING, GUARD, "        if self.waiting.lock().await.is_some() {\n            return;\n        }\n"),
        SENT,
    ),
    unswitched(
        "its own peer",
        (ANNOUNCING, GUARD, ""),
        (
            ANNOUNCING,
            SEND,
            "            if let Err(error) = Peer::notify_tool_list_changed(&peer).await { ⚑".replace(
                "Peer::notify_tool_list_changed(&peer)", "peer.clone().notify_tool_list_changed()"
            ),
        ),
    ),
    unswitched(
        "as a notification",
        (ANNOUNCING, GUARD, ""),
        (
            ANNOUNCING,
            SEND,
            "            if let Err(error) = peer.send_notification(ServerNotification::ToolListChangedNotification(Default::default())).await { ⚑",
        ),
    ),
]

MUTANTS = [*ANNOUNCED, *NEVER, *ADVERTISED, *DEBOUNCED, *SWITCHED]
