//! Streamable HTTP, behind a token.

use anyhow::Context;
use axum::middleware::from_fn_with_state;
use axum::Router;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::mcp::auth::{require_bearer, Token};
use crate::mcp::server::Depot;

pub async fn serve(depot: Depot, listen: &str) -> anyhow::Result<()> {
    let token = Token(std::env::var("DEPOT_TOKEN").context("DEPOT_TOKEN is not set")?.into());
    let service = StreamableHttpService::new(
        move || Ok(depot.clone()),
        LocalSessionManager::default().into(),
        StreamableHttpServerConfig::default(),
    );
    let router = Router::new()
        .nest_service("/mcp", service)
        .layer(from_fn_with_state(token, require_bearer));
    let listener = tokio::net::TcpListener::bind(listen).await?;
    axum::serve(listener, router).await?;
    Ok(())
}
