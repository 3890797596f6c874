"""§15 of the checklist, in Rust: what looks like a change of the tools that clients are not told of, and is none."""
# ruff: noqa: E501

from mutants.rust.changes import ADD, ANNOUNCING, CHANGED, GUARD, INFO, LIVE, QUIET, SEND, SERVER, WAIT
from mutation import harmless

MUTANTS = [
    harmless(
        "list-change-not-announced",
        LIVE,
        "another list",
        (SERVER, CHANGED, CHANGED + "        self.shelves.plugged.write().await.insert(request.machines.len());\n"),
    ),
    harmless(
        "list-change-not-announced",
        LIVE,
        "at start",
        (
            SERVER,
            "        let tool_router = Arc::new(RwLock::new(Self::tool_router()));",
            '        let mut router = Self::tool_router();\n        router.remove_route("count_stock");\n        let tool_router = Arc::new(RwLock::new(router));',
        ),
    ),
    harmless(
        "list-change-not-announced",
        LIVE,
        "told by the router",
        (SERVER, CHANGED, ""),
        (ANNOUNCING, SEND, QUIET),
        (
            SERVER,
            "        self.announcer.meet(context.peer.clone()).await;",
            "        self.tool_router.write().await.bind_peer_notifier(&context.peer);",
        ),
    ),
    harmless(
        "list-change-never-sent",
        LIVE,
        "by a wrapper",
        (ANNOUNCING, SEND, "            if let Err(error) = told(&peer).await {"),
        (
            ANNOUNCING,
            "impl Announcer {",
            "async fn told(peer: &Peer<RoleServer>) -> Result<(), ServiceError> {\n    peer.notify_tool_list_changed().await\n}\n\nimpl Announcer {",
        ),
    ),
    harmless(
        "list-change-never-sent",
        LIVE,
        "nothing promised and nothing sent",
        (SERVER, INFO, "        let capabilities = ServerCapabilities::builder().enable_tools().build();"),
        (ANNOUNCING, SEND, QUIET),
        (SERVER, ADD, "            drop(route);"),
    ),
    harmless(
        "list-change-never-sent",
        LIVE,
        "handed on",
        (
            ANNOUNCING,
            SEND,
            "            let notification = told();\n            if let Err(error) = peer.send_notification(notification).await {",
        ),
        (
            ANNOUNCING,
            "impl Announcer {",
            "fn told() -> ServerNotification {\n    ServerNotification::ToolListChangedNotification(Default::default())\n}\n\nimpl Announcer {",
        ),
    ),
    harmless(
        "list-change-not-advertised",
        LIVE,
        "promised always",
        (
            SERVER,
            INFO,
            "        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();",
        ),
    ),
    harmless(
        "list-change-not-advertised",
        LIVE,
        "a struct that promises",
        (
            SERVER,
            INFO,
            "        let tools = rmcp::model::ToolsCapability { list_changed: Some(true) };\n        let capabilities = ServerCapabilities { tools: Some(tools), ..Default::default() };",
        ),
    ),
    harmless(
        "list-change-not-advertised",
        LIVE,
        "as it is set",
        (
            SERVER,
            INFO,
            "        let tools = rmcp::model::ToolsCapability { list_changed: Some(self.settings.announce) };\n        let capabilities = ServerCapabilities { tools: Some(tools), ..Default::default() };",
        ),
    ),
    harmless(
        "list-change-not-debounced",
        LIVE,
        "over the peers",
        (ANNOUNCING, "        for peer in peers {", "        for peer in peers.iter() {"),
    ),
    harmless(
        "list-change-not-debounced",
        LIVE,
        "once after the loop",
        (
            SERVER,
            CHANGED,
            "        if !request.machines.is_empty() {\n            self.announcer.changed().await;\n        }\n",
        ),
    ),
    harmless(
        "list-change-not-debounced",
        LIVE,
        "with an interval",
        (ANNOUNCING, WAIT, "        tokio::time::interval(self.settings.quiet).tick().await;\n"),
    ),
    harmless(
        "list-change-not-switchable",
        LIVE,
        "asked where it is sent",
        (ANNOUNCING, GUARD, ""),
        (ANNOUNCING, WAIT, WAIT + GUARD),
    ),
    harmless(
        "list-change-not-switchable",
        LIVE,
        "asked by the caller",
        (ANNOUNCING, GUARD, ""),
        (
            SERVER,
            CHANGED,
            "        if self.settings.announce {\n            self.announcer.changed().await;\n        }\n",
        ),
    ),
    harmless(
        "list-change-not-switchable",
        LIVE,
        "from the environment",
        (ANNOUNCING, "        if !self.settings.announce {", '        if std::env::var("WORKSHOP_QUIET").is_ok() {'),
    ),
]
