"""§8 of the checklist, in Rust."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

ISOLATION = "crates/app/src/mcp/isolation.rs"
SERVER = "crates/app/src/mcp/server.rs"
MAIN = "crates/app/src/main.rs"
BODY = """
    let result = AssertUnwindSafe(work).catch_unwind().await;
    match result {
        Ok(answer) => answer,
        Err(_) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: "tool handler panicked".into() })
        }
    }
"""
ARM = """
        Err(_) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: "tool handler panicked".into() })
        }
"""
CALL = "isolated(scoped(known, self.dispatch(&domain, &action, asked.into_params()))).await"
ROUTER_MATCH = "match AssertUnwindSafe(self.tool_router.call(call)).catch_unwind().await {"
ROUTER_ARM = """
            Err(_payload) => {
                tracing::error!(target: "panic", "tool handler panicked");
                Err(ErrorData::internal_error("tool handler panicked", None))
            }
"""
COOK = """
        let work = tokio::spawn(self.clone().cook(request.name.into_owned(), arguments));
        let answer = match work.await {
            Ok(answer) => answer,
            Err(_) => {
                error!(target: "panic", "tool handler panicked");
                Err(KitchenError::Internal { message: "tool handler panicked".to_owned() })
            }
        };
"""
SNIPPET_MATCH = "match AssertUnwindSafe(work).catch_unwind().await {"
ENTRY = (SERVER, "async fn call_tool(")
LISTED_ENTRY = ("src/kitchen.rs", "async fn call_tool(")
STDIO = ("stdio-without-isolation", "panic-not-logged")

NOT_ISOLATED = [
    mutant("dispatch-without-isolation", "rust_dispatch", "not wrapped", (SERVER, CALL, "scoped(known, self.dispatch(&domain, &action, asked.into_params())).await"), at=ENTRY, also=STDIO),
    mutant("dispatch-without-isolation", "rust_dispatch", "wrapper that only waits", (ISOLATION, BODY, "    work.await"), at=ENTRY, also=STDIO),
    mutant("dispatch-without-isolation", "rust_dispatch", "one domain only", (SERVER, CALL, """
if domain == "parcel" {
            return isolated(scoped(known, self.dispatch(&domain, &action, asked.into_params()))).await;
        }
        scoped(known, self.dispatch(&domain, &action, asked.into_params())).await
"""), at=ENTRY, also=STDIO),
    mutant("dispatch-without-isolation", "rust_dispatch", "around the question only", (SERVER, CALL, """
let checked = AssertUnwindSafe(async { is_destructive(Self::actions(&domain), &action) }).catch_unwind().await;
        tracing::debug!(?checked.is_ok(), "checked");
        scoped(known, self.dispatch(&domain, &action, asked.into_params())).await
""".replace("?checked.is_ok()", "ok = checked.is_ok()")), (SERVER, "use std::sync::Arc;", "use std::panic::AssertUnwindSafe;\nuse std::sync::Arc;"), (SERVER, "use rmcp::model::{", "use futures::FutureExt;\nuse rmcp::model::{"), at=ENTRY, also=STDIO),
    mutant("dispatch-without-isolation", "rust_dispatch", "sync closure that only builds the future", (ISOLATION, BODY, """
    let built = std::panic::catch_unwind(AssertUnwindSafe(|| work));
    match built {
        Ok(future) => future.await,
        Err(_) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: "tool handler panicked".into() })
        }
    }
"""), at=ENTRY, also=STDIO),
    mutant("dispatch-without-isolation", "rust_dispatch", "wrapper that nobody calls", (SERVER, CALL, "Self::quick(scoped(known, self.dispatch(&domain, &action, asked.into_params()))).await"), (SERVER, "    async fn dispatch(", """
    async fn quick<T>(work: impl std::future::Future<Output = T>) -> T {
        work.await
    }

    #[allow(dead_code)]
    async fn slow(work: impl std::future::Future<Output = Result<Value, ToolError>>) -> Result<Value, ToolError> {
        isolated(work).await
    }

    async fn dispatch(
""".rstrip()), at=ENTRY, also=STDIO),
    mutant("dispatch-without-isolation", "rust_router", "generated entry", ("src/server.rs", "use rmcp::{tool, tool_router, ErrorData, ServerHandler};", "use rmcp::{tool, tool_handler, tool_router, ErrorData, ServerHandler};"),
           ("src/server.rs", "impl ServerHandler for Weather {", "#[tool_handler]\nimpl ServerHandler for Weather {"),
           ("src/server.rs", """
    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tool_router.list_all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let call = ToolCallContext::new(self, request, context);
        match AssertUnwindSafe(self.tool_router.call(call)).catch_unwind().await {
            Ok(answer) => answer,
            Err(_payload) => {
                tracing::error!(target: "panic", "tool handler panicked");
                Err(ErrorData::internal_error("tool handler panicked", None))
            }
        }
    }
""", ""), at=(("src/server.rs", "impl ServerHandler for Weather"), ("src/server.rs", "#[tool_handler]")), also=STDIO),
    mutant("dispatch-without-isolation", "rust_router", "awaited", ("src/server.rs", ROUTER_MATCH, "match Ok::<_, ErrorData>(self.tool_router.call(call).await) {"), at=("src/server.rs", "async fn call_tool("), also=STDIO),
    mutant("dispatch-without-isolation", "rust_listed", "not spawned", ("src/kitchen.rs", COOK, "        let answer = self.clone().cook(request.name.into_owned(), arguments).await;"), at=LISTED_ENTRY, also=STDIO),
    mutant("dispatch-without-isolation", "rust_listed", "join error unwrapped", ("src/kitchen.rs", COOK, "        let answer = tokio::spawn(self.clone().cook(request.name.into_owned(), arguments)).await.unwrap();"), at=LISTED_ENTRY, also=STDIO),
    mutant("dispatch-without-isolation", "rust_listed", "only a timeout", ("src/kitchen.rs", COOK, """
        let work = self.clone().cook(request.name.into_owned(), arguments);
        let answer = tokio::time::timeout(std::time::Duration::from_secs(30), work)
            .await
            .unwrap_or_else(|_| Err(KitchenError::Internal { message: "too slow".to_owned() }));
"""), at=LISTED_ENTRY, also=STDIO),
    mutant("dispatch-without-isolation", "rust_single", "no wrapper", ("src/tool.rs", SNIPPET_MATCH, "match Ok::<_, ()>(work.await) {"), at=(("src/tool.rs", "async fn snippet("), ("src/tool.rs", "#[tool_handler]")), also=STDIO),
    mutant("dispatch-without-isolation", "rust_single", "help inside, the rest outside", ("src/tool.rs", "        self.dispatch_tool(request).await", """
        if request.action == "help" {
            return self.dispatch_tool(request).await;
        }
        run_with_client(&self.store, &request.action, &request).await
"""), at=(("src/tool.rs", "async fn snippet("), ("src/tool.rs", "#[tool_handler]")), also=STDIO),
]

INTERNAL = 'Err(ToolError::Internal { message: "tool handler panicked".into() })'
LEAKED = [
    mutant("panic-text-leaked", "rust_dispatch", "downcast", (ISOLATION, ARM, """
        Err(payload) => {
            tracing::error!(target: "panic", "tool handler panicked");
            let message = payload.downcast_ref::<&str>().map_or_else(|| "unknown".to_owned(), |text| (*text).to_owned()); ⚑
            Err(ToolError::Internal { message }) ⚑
        }
"""), at=(ISOLATION, "Err(payload) =>")),
    mutant("panic-text-leaked", "rust_dispatch", "debug format", (ISOLATION, ARM, """
        Err(payload) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: format!("tool handler panicked: {payload:?}") }) ⚑
        }
""")),
    mutant("panic-text-leaked", "rust_dispatch", "helper of another file", (ISOLATION, ARM, """
        Err(payload) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: text_of(payload) }) ⚑
        }
"""), (ISOLATION, "use depot_core::ToolError;", "use depot_core::error::text_of;\nuse depot_core::ToolError;"), ("crates/core/src/error.rs", "impl ToolError {", """
/// What a panic says.
pub fn text_of(payload: Box<dyn std::any::Any + Send>) -> String {
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(_) => "tool handler panicked".to_owned(),
    }
}

impl ToolError {
""".rstrip())),
    mutant("panic-text-leaked", "rust_dispatch", "map_err", (ISOLATION, BODY, """
    AssertUnwindSafe(work)
        .catch_unwind()
        .await
        .map_err(|cause| {
            tracing::error!(target: "panic", "tool handler panicked");
            ToolError::Internal { message: cause.downcast_ref::<String>().cloned().unwrap_or_default() } ⚑
        })
        .and_then(|answer| answer)
""")),
    mutant("panic-text-leaked", "rust_dispatch", "unwrap_or_else", (ISOLATION, BODY, """
    let result = AssertUnwindSafe(work).catch_unwind().await;
    result.unwrap_or_else(|payload| {
        tracing::error!(target: "panic", "tool handler panicked");
        let text = match payload.downcast_ref::<&'static str>() { ⚑
            Some(text) => text,
            None => "tool handler panicked",
        };
        Err(ToolError::Internal { message: text.to_string() }) ⚑
    })
"""), at=(ISOLATION, "result.unwrap_or_else(|payload|")),
    mutant("panic-text-leaked", "rust_router", "data of the error", ("src/server.rs", ROUTER_ARM, """
            Err(payload) => {
                tracing::error!(target: "panic", "tool handler panicked");
                let text = payload.downcast_ref::<&str>().copied().unwrap_or_default(); ⚑
                Err(ErrorData::internal_error("tool handler panicked", Some(json!({ "cause": text })))) ⚑
            }
""")),
    mutant("panic-text-leaked", "rust_listed", "display of the join error", ("src/kitchen.rs", """
            Err(_) => {
                error!(target: "panic", "tool handler panicked");
                Err(KitchenError::Internal { message: "tool handler panicked".to_owned() })
            }
""", """
            Err(join) => {
                error!(target: "panic", "tool handler panicked");
                Err(KitchenError::Internal { message: join.to_string() }) ⚑
            }
""")),
    mutant("panic-text-leaked", "rust_listed", "panic of the join error", ("src/kitchen.rs", """
            Err(_) => {
                error!(target: "panic", "tool handler panicked");
                Err(KitchenError::Internal { message: "tool handler panicked".to_owned() })
            }
""", """
            Err(join) => {
                error!(target: "panic", "tool handler panicked");
                let cause = join.try_into_panic().ok().and_then(|panic| panic.downcast::<&str>().ok());
                let message = cause.map_or("tool handler panicked".to_owned(), |text| format!("{text}")); ⚑
                Err(KitchenError::Internal { message }) ⚑
            }
"""), at=("src/kitchen.rs", "let cause = join.try_into_panic()")),
    mutant("panic-text-leaked", "rust_single", "if let", ("src/tool.rs", """
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(answer) => answer,
            Err(_) => {
                tracing::error!(target: "panic", "tool handler panicked");
                Err(ToolError::Internal { message: "tool handler panicked".into() })
            }
        }
""", """
        let caught = AssertUnwindSafe(work).catch_unwind().await;
        if let Err(payload) = &caught {
            tracing::error!(target: "panic", "tool handler panicked");
            let shown = format!("{:?}", payload.downcast_ref::<String>()); ⚑
            return Err(ToolError::Internal { message: shown }); ⚑
        }
        caught.unwrap_or(Err(ToolError::Refused))
"""), also=STDIO),
    mutant("panic-text-leaked", "rust_single", "not generic", ("src/tool.rs", 'Err(ToolError::Internal { message: "tool handler panicked".into() })', 'Err(ToolError::Internal { message: concat!("panicked in ", module_path!()).into() }) ⚑')),
]

UNLOGGED = [
    mutant("panic-not-logged", "rust_dispatch", "no event", (ISOLATION, '            tracing::error!(target: "panic", "tool handler panicked");\n', ""), at=(ISOLATION, "Err(_) => {")),
    mutant("panic-not-logged", "rust_dispatch", "no target", (ISOLATION, 'tracing::error!(target: "panic", "tool handler panicked");', 'tracing::error!("tool handler panicked"); ⚑'), at=(ISOLATION, "Err(_) => {")),
    mutant("panic-not-logged", "rust_dispatch", "another target", (ISOLATION, 'target: "panic", "tool', 'target: "mcp", "tool'), at=(ISOLATION, 'tracing::error!(target: "mcp"')),
    mutant("panic-not-logged", "rust_dispatch", "target in a constant", (ISOLATION, 'target: "panic", "tool', 'target: TARGET, "tool'), (ISOLATION, "pub async fn isolated", 'const TARGET: &str = "panics";\n\npub async fn isolated'), at=(ISOLATION, "tracing::error!(target: TARGET")),
    mutant("panic-not-logged", "rust_dispatch", "a field of that name", (ISOLATION, 'tracing::error!(target: "panic", "tool handler panicked");', 'tracing::error!(kind = "panic", "tool handler panicked"); ⚑'), at=(ISOLATION, "Err(_) => {")),
    mutant("panic-not-logged", "rust_dispatch", "closure without an event", (ISOLATION, BODY, """
    AssertUnwindSafe(work)
        .catch_unwind()
        .await
        .unwrap_or_else(|_| Err(ToolError::Internal { message: "tool handler panicked".into() })) ⚑
"""), at=(ISOLATION, "AssertUnwindSafe(work)")),
    mutant("panic-not-logged", "rust_dispatch", "helper with another target", (ISOLATION, 'tracing::error!(target: "panic", "tool handler panicked");', "report(); ⚑"),
           (ISOLATION, "pub async fn isolated", 'fn report() {\n    tracing::event!(target: "tools", tracing::Level::ERROR, "tool handler panicked"); ⚑\n}\n\npub async fn isolated'), at=(ISOLATION, "Err(_) => {")),
    mutant("panic-not-logged", "rust_router", "printed", ("src/server.rs", 'tracing::error!(target: "panic", "tool handler panicked");', 'eprintln!("panic: tool handler panicked"); ⚑'), at=("src/server.rs", "Err(_payload) =>")),
    mutant("panic-not-logged", "rust_listed", "macro without a target", ("src/kitchen.rs", 'error!(target: "panic", "tool handler panicked");', 'error!("panic: tool handler panicked"); ⚑'),
           at=("src/kitchen.rs", "let answer = match work.await")),
    mutant("panic-not-logged", "rust_single", "debug only", ("src/tool.rs", 'tracing::error!(target: "panic", "tool handler panicked");', 'tracing::debug!("tool handler panicked"); ⚑'), at=("src/tool.rs", "            Err(_) => {")),
]

NO_EFFECT = [
    mutant("isolation-without-effect", "rust_dispatch", "abort in the workspace", ("Cargo.toml", "strip = true", 'strip = true\npanic = "abort"'), at=(ENTRY, (ISOLATION, "AssertUnwindSafe(work)"))),
    mutant("isolation-without-effect", "rust_single", "abort in the package", ("Cargo.toml", "[dependencies]", '[profile.release]\npanic = "abort"\n\n[dependencies]'), at=(("src/tool.rs", "impl ServerHandler for Snippets"), ("src/tool.rs", "AssertUnwindSafe(work)"))),
    mutant("isolation-without-effect", "rust_router", "abort after other keys", ("Cargo.toml", "[dependencies]", "[profile.release]\nopt-level = 3\ncodegen-units = 1\npanic = 'abort' # smaller\n\n[dependencies]"), at=(("src/server.rs", "async fn call_tool("), ("src/server.rs", "AssertUnwindSafe(self"))),
    mutant("isolation-without-effect", "rust_listed", "inline table", ("Cargo.toml", "[dependencies]", '[profile]\nrelease = { lto = true, panic = "abort" }\n\n[dependencies]'), at=(LISTED_ENTRY, ("src/kitchen.rs", "tokio::spawn("))),
    mutant("isolation-without-effect", "rust_listed", "dotted key", ("Cargo.toml", "[dependencies]", '[profile]\nrelease.panic = "abort"\n\n[dependencies]'), at=(LISTED_ENTRY, ("src/kitchen.rs", "tokio::spawn("))),
]

HARMLESS = [
    harmless("dispatch-without-isolation", "rust_dispatch", "spawned", (ISOLATION, BODY, """
    match tokio::spawn(work).await {
        Ok(answer) => answer,
        Err(_) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: "tool handler panicked".into() })
        }
    }
"""), (ISOLATION, "F: Future<Output = Result<Value, ToolError>>,", "F: Future<Output = Result<Value, ToolError>> + Send + 'static,")),
    harmless("dispatch-without-isolation", "rust_dispatch", "method of the future", (ISOLATION, BODY, BODY.replace("AssertUnwindSafe(work).catch_unwind().await", "FutureExt::catch_unwind(std::panic::AssertUnwindSafe(work)).await"))),
    harmless("dispatch-without-isolation", "rust_dispatch", "wrapped in the entry",
             (SERVER, "        match self.answer(request, &context).await {", "        let answered = std::panic::AssertUnwindSafe(self.answer(request, &context)).catch_unwind().await;\n"
              '        let answered = answered.unwrap_or_else(|_| {\n            tracing::error!(target: "panic", "tool handler panicked");\n            Err(ToolError::Internal { message: "tool handler panicked".into() })\n        });\n        match answered {'),
             (SERVER, "use rmcp::model::{", "use futures::FutureExt;\nuse rmcp::model::{"), (SERVER, CALL, "scoped(known, self.dispatch(&domain, &action, asked.into_params())).await")),
    harmless("panic-text-leaked", "rust_dispatch", "payload logged only", (ISOLATION, ARM, """
        Err(payload) => {
            let cause = payload.downcast_ref::<&str>().copied().unwrap_or("unknown");
            tracing::error!(target: "panic", %cause, "tool handler panicked");
            Err(ToolError::Internal { message: "tool handler panicked".into() })
        }
""")),
    harmless("panic-text-leaked", "rust_dispatch", "generic text in a constant", (ISOLATION, INTERNAL, "Err(ToolError::Internal { message: GENERIC.to_owned() })"),
             (ISOLATION, "pub async fn isolated", 'const GENERIC: &str = "tool handler panicked";\n\npub async fn isolated')),
    harmless("panic-not-logged", "rust_dispatch", "right target in a constant", (ISOLATION, 'target: "panic", "tool', 'target: TARGET, "tool'), (ISOLATION, "pub async fn isolated", 'const TARGET: &str = "panic";\n\npub async fn isolated')),
    harmless("panic-not-logged", "rust_dispatch", "event macro with fields", (ISOLATION, 'tracing::error!(target: "panic", "tool handler panicked");', 'tracing::event!(target: "panic", tracing::Level::ERROR, kind = "handler", "tool handler panicked");')),
    harmless("panic-not-logged", "rust_dispatch", "helper that logs", (ISOLATION, 'tracing::error!(target: "panic", "tool handler panicked");', "report();"),
             (ISOLATION, "pub async fn isolated", 'fn report() {\n    tracing::error!(target: "panic", "tool handler panicked");\n}\n\npub async fn isolated')),
    harmless("isolation-without-effect", "rust_dispatch", "abort in another profile", ("Cargo.toml", "[profile.release]", '[profile.tiny]\ninherits = "release"\npanic = "abort"\n\n[profile.release]')),
    harmless("isolation-without-effect", "rust_dispatch", "unwind", ("Cargo.toml", "strip = true", 'strip = true\npanic = "unwind"')),
]

MUTANTS = [*NOT_ISOLATED, *LEAKED, *UNLOGGED, *NO_EFFECT, *HARMLESS]
