"""§6 of the checklist, in Rust."""
# fmt: off
# ruff: noqa: E501

from mutation import harmless, mutant

MAIN = "crates/app/src/main.rs"
HTTP = "crates/app/src/mcp/http.rs"
AUTH = "crates/app/src/mcp/auth.rs"
SERVER = "crates/app/src/mcp/server.rs"
ISOLATION = "crates/app/src/mcp/isolation.rs"
CARGO = "crates/app/Cargo.toml"
OLD_RMCP = (CARGO, 'rmcp = { version = "1.5", features = ["server", "elicitation", "transport-io", "transport-streamable-http-server"] }',
            'rmcp = { version = "0.8", features = ["server", "elicitation", "transport-io", "transport-sse-server", "transport-streamable-http-server"] }')
ARM = "        Serve::Http => mcp::http::serve(depot, &arguments.listen).await?,"
LAYER = "        .layer(from_fn_with_state(token, require_bearer));"
USE_SSE = (MAIN, "use rmcp::transport::stdio;", "use rmcp::transport::stdio;\nuse rmcp::transport::sse_server::SseServer; ⚑")
ALSO = ("http-without-auth", "stdio-without-isolation")

SSE = [
    mutant("sse-transport", "rust_dispatch", "sse server", OLD_RMCP, USE_SSE, (MAIN, ARM, """
        Serve::Http => {
            let server = SseServer::serve(arguments.listen.parse()?).await?; ⚑
            let cancel = server.with_service(move || depot.clone()); ⚑
            cancel.cancelled().await;
        }
"""), also=ALSO),
    mutant("sse-transport", "rust_dispatch", "with a configuration and another name", OLD_RMCP,
           (MAIN, "use rmcp::transport::stdio;", "use rmcp::transport::stdio;\nuse rmcp::transport::sse_server as events; ⚑"), (MAIN, ARM, """
        Serve::Http => {
            let config = events::SseServerConfig { ⚑
                bind: arguments.listen.parse()?,
                sse_path: "/events".to_string(), ⚑
                post_path: "/message".to_string(),
                ct: Default::default(),
                sse_keep_alive: None,
            };
            let (server, router) = events::SseServer::new(config); ⚑
            server.with_service(move || depot.clone());
            axum::serve(tokio::net::TcpListener::bind(&arguments.listen).await?, router).await?;
        }
"""), also=ALSO),
    mutant("sse-transport", "rust_dispatch", "in a function of another file", OLD_RMCP, ("crates/app/src/mcp.rs", "pub mod server;", "pub mod server;\npub mod stream;"),
           (MAIN, ARM, "        Serve::Http => mcp::stream::serve(depot, &arguments.listen).await?,"), ("crates/app/src/mcp/stream.rs", None, """
//! Events, for browsers.

use rmcp::transport::SseServer; ⚑

use crate::mcp::server::Depot;

pub async fn serve(depot: Depot, listen: &str) -> anyhow::Result<()> {
    let address = listen.parse()?;
    let running = SseServer::serve(address) ⚑
        .await?
        .with_service_directly(move || depot.clone()); ⚑
    running.cancelled().await;
    Ok(())
}
"""), also=ALSO),
    mutant("sse-transport", "rust_dispatch", "routes written by hand", (HTTP, """
    let router = Router::new()
        .nest_service("/mcp", service)
""", """
    let router = Router::new()
        .nest_service("/mcp", service)
        .route("/sse", axum::routing::get(events)) ⚑
        .route("/messages", axum::routing::post(message)) ⚑
"""), (HTTP, "pub async fn serve(", """
async fn events() -> axum::response::sse::Sse<impl futures::Stream<Item = Result<axum::response::sse::Event, std::convert::Infallible>>> {
    let endpoint = axum::response::sse::Event::default().event("endpoint").data("/messages"); ⚑
    axum::response::sse::Sse::new(futures::stream::once(async move { Ok(endpoint) })) ⚑
}

async fn message(body: String) -> axum::http::StatusCode {
    tracing::debug!(%body, "message");
    axum::http::StatusCode::ACCEPTED
}

pub async fn serve(
""".rstrip())),
    mutant("sse-transport", "rust_single", "transport struct", ("Cargo.toml", 'rmcp = { version = "1.5", features = ["server", "macros", "elicitation", "transport-io"] }',
           'rmcp = { version = "0.10", features = ["server", "macros", "elicitation", "transport-sse-server"] }'), ("src/main.rs", """
    let service = tool::Snippets::default().serve(stdio()).await?;
    service.waiting().await?;
""", """
    let mut server = SseServer::serve("127.0.0.1:8000".parse()?).await?; ⚑
    while let Some(transport) = server.next_transport().await { ⚑
        let service = tool::Snippets::default().serve(transport).await?; ⚑
        tokio::spawn(service.waiting());
    }
"""), ("src/main.rs", "use rmcp::{transport::stdio, ServiceExt};", "use rmcp::{transport::SseServer, ServiceExt}; ⚑")),
    mutant("sse-transport", "rust_listed", "option of rust-mcp-sdk", ("Cargo.toml", 'serde_json = "1"', 'rust-mcp-sdk = { version = "0.8", features = ["server", "hyper-server", "sse"] }\nserde_json = "1"'),
           ("src/main.rs", "    let running = kitchen.serve(transport::io::stdio()).await?;\n    running.waiting().await?;\n", """
    let options = rust_mcp_sdk::mcp_server::HyperServerOptions { ⚑
        host: "127.0.0.1".to_string(),
        sse_support: true, ⚑
        ..Default::default()
    };
    rust_mcp_sdk::mcp_server::hyper_server::create_server(kitchen.details(), kitchen, options).start().await?; ⚑

"""), also=ALSO),
]

UNISOLATED_ISOLATION = (ISOLATION, """
    let result = AssertUnwindSafe(work).catch_unwind().await;
    match result {
        Ok(answer) => answer,
        Err(_) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: "tool handler panicked".into() })
        }
    }
""", "    work.await")
STDIO_ALSO = ("dispatch-without-isolation", "panic-not-logged")
STDIO = [
    mutant("stdio-without-isolation", "rust_dispatch", "not wrapped",
           (SERVER, "isolated(scoped(known, self.dispatch(&domain, &action, asked.into_params()))).await", "scoped(known, self.dispatch(&domain, &action, asked.into_params())).await"),
           at=(MAIN, "depot.serve(stdio())"), also=STDIO_ALSO),
    mutant("stdio-without-isolation", "rust_dispatch", "wrapper that only waits", UNISOLATED_ISOLATION, at=(MAIN, "depot.serve(stdio())"), also=STDIO_ALSO),
    mutant("stdio-without-isolation", "rust_dispatch", "service bound first", UNISOLATED_ISOLATION, (MAIN, "            let service = depot.serve(stdio()).await?;", """
            let pipes = stdio(); ⚑
            let service = depot.serve(pipes).await?; ⚑
"""), also=STDIO_ALSO),
    mutant("stdio-without-isolation", "rust_router", "pair of streams", ("src/server.rs", "match AssertUnwindSafe(self.tool_router.call(call)).catch_unwind().await {", "match Ok::<_, ErrorData>(self.tool_router.call(call).await) {"),
           ("src/main.rs", "    let transport = (tokio::io::stdin(), tokio::io::stdout());", "    let transport = (tokio::io::stdin(), tokio::io::stdout()); ⚑"),
           at=("src/main.rs", "weather.serve(transport)"), also=STDIO_ALSO),
    mutant("stdio-without-isolation", "rust_listed", "not spawned", ("src/kitchen.rs", """
        let work = tokio::spawn(self.clone().cook(request.name.into_owned(), arguments));
        let answer = match work.await {
            Ok(answer) => answer,
            Err(_) => {
                error!(target: "panic", "tool handler panicked");
                Err(KitchenError::Internal { message: "tool handler panicked".to_owned() })
            }
        };
""", "        let answer = self.clone().cook(request.name.into_owned(), arguments).await;"), at=("src/main.rs", "kitchen.serve(transport::io::stdio())"), also=STDIO_ALSO),
    mutant("stdio-without-isolation", "rust_single", "no wrapper", ("src/tool.rs", "match AssertUnwindSafe(work).catch_unwind().await {", "match Ok::<_, ()>(work.await) {"),
           at=("src/main.rs", ".serve(stdio())"), also=STDIO_ALSO),
]

SERVICE_AT = (HTTP, "StreamableHttpService::new(")
OPEN = [
    mutant("http-without-auth", "rust_dispatch", "no layer", (HTTP, "        .nest_service(\"/mcp\", service)\n" + LAYER, '        .nest_service("/mcp", service);\n    let _ = token;'), at=SERVICE_AT),
    mutant("http-without-auth", "rust_dispatch", "a layer that looks elsewhere", (AUTH, """
    let given = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    if given.as_bytes().ct_eq(token.0.as_bytes()).into() {
""", """
    let origin = request.headers().get(header::ORIGIN).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let _ = token;
    if origin.is_empty() || origin.starts_with("http://localhost") {
"""), at=SERVICE_AT),
    mutant("http-without-auth", "rust_dispatch", "trace and cors", (HTTP, LAYER, "        .layer(tower_http::cors::CorsLayer::permissive())\n        .layer(tower_http::trace::TraceLayer::new_for_http());\n    let _ = token;"), at=SERVICE_AT),
    mutant("http-without-auth", "rust_dispatch", "layer on the health route only", (HTTP, """
    let router = Router::new()
        .nest_service("/mcp", service)
        .layer(from_fn_with_state(token, require_bearer));
""", """
    let health = Router::new()
        .route("/health", axum::routing::get(|| async { "ok" }))
        .layer(from_fn_with_state(token, require_bearer));
    let router = Router::new().nest_service("/mcp", service).merge(health);
"""), at=SERVICE_AT),
    mutant("http-without-auth", "rust_dispatch", "mounted after the layer", (HTTP, "        .nest_service(\"/mcp\", service)\n" + LAYER, "        .layer(from_fn_with_state(token, require_bearer))\n        .nest_service(\"/mcp\", service);"), at=SERVICE_AT),
    mutant("http-without-auth", "rust_router", "a closure that logs", ("src/web.rs", "            async move { checked(&key, request, next).await }", """
            async move {
                tracing::info!(key = key.len(), uri = %request.uri(), "request");
                next.run(request).await
            }
"""), at=("src/web.rs", "StreamableHttpService::new(")),
    mutant("http-without-auth", "rust_router", "a check that reads nothing", ("src/web.rs", """
    let given = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    match given.and_then(|value| value.strip_prefix("Bearer ")) {
        Some(token) if token == key => next.run(request).await,
        _ => StatusCode::UNAUTHORIZED.into_response(),
    }
""", """
    match key {
        "" => StatusCode::UNAUTHORIZED.into_response(),
        _ => next.run(request).await,
    }
"""), at=("src/web.rs", "StreamableHttpService::new(")),
    mutant("http-without-auth", "rust_single", "without axum", ("src/main.rs", """
    let service = tool::Snippets::default().serve(stdio()).await?;
    service.waiting().await?;
""", """
    let service = TowerToHyperService::new(StreamableHttpService::new( ⚑
        || Ok(tool::Snippets::default()),
        LocalSessionManager::default().into(),
        Default::default(),
    ));
    let listener = tokio::net::TcpListener::bind("0.0.0.0:8080").await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let service = service.clone();
        tokio::spawn(async move { Builder::new(TokioExecutor::default()).serve_connection(TokioIo::new(stream), service).await });
    }
"""), ("src/main.rs", "use rmcp::{transport::stdio, ServiceExt};", """
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use rmcp::transport::streamable_http_server::{session::local::LocalSessionManager, StreamableHttpService};
"""), ("src/main.rs", "    Ok(())\n", "")),
]

HARMLESS = [
    harmless("sse-transport", "rust_dispatch", "keep-alive of streamable http", (HTTP, "        StreamableHttpServerConfig::default(),",
             "        StreamableHttpServerConfig { sse_keep_alive: Some(std::time::Duration::from_secs(15)), ..Default::default() },")),
    harmless("sse-transport", "rust_dispatch", "client of another server", (MAIN, "    let pool = sqlx", """
    if let Ok(upstream) = std::env::var("UPSTREAM_SSE") {
        tracing::info!(%upstream, "the upstream still speaks SSE; we read it with a client");
    }
    let pool = sqlx
""".rstrip())),
    harmless("http-without-auth", "rust_dispatch", "layer around a nested router", (HTTP, """
    let router = Router::new()
        .nest_service("/mcp", service)
        .layer(from_fn_with_state(token, require_bearer));
""", """
    let guarded = Router::new().nest_service("/mcp", service).route_layer(from_fn_with_state(token, require_bearer));
    let router = Router::new().route("/health", axum::routing::get(|| async { "ok" })).merge(guarded);
""")),
    harmless("http-without-auth", "rust_dispatch", "layer of tower-http", (HTTP, LAYER, "        .layer(tower_http::validate_request::ValidateRequestHeaderLayer::bearer(&token.0));")),
    harmless("http-without-auth", "rust_dispatch", "router made by a function", (HTTP, """
    let router = Router::new()
        .nest_service("/mcp", service)
        .layer(from_fn_with_state(token, require_bearer));
""", "    let router = guarded(Router::new().nest_service(\"/mcp\", service), token);"), (HTTP, "pub async fn serve(", """
fn guarded(router: Router, token: Token) -> Router {
    router.layer(from_fn_with_state(token, require_bearer))
}

pub async fn serve(
""".rstrip())),
    harmless("http-without-auth", "rust_dispatch", "credential read by a helper", (AUTH, """
    let given = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
""", "    let given = bearer_of(&request).unwrap_or_default();"), (AUTH, "/// Lets a request pass", """
fn bearer_of(request: &Request<Body>) -> Option<&str> {
    request.headers().get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// Lets a request pass
""".rstrip())),
    harmless("stdio-without-isolation", "rust_dispatch", "isolation in the dispatch itself",
             (SERVER, "isolated(scoped(known, self.dispatch(&domain, &action, asked.into_params()))).await", "let work = scoped(known, self.dispatch(&domain, &action, asked.into_params()));\n        isolated(work).await")),
]

MUTANTS = [*SSE, *STDIO, *OPEN, *HARMLESS]
