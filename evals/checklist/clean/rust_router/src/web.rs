//! Streamable HTTP, behind a key.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::Router;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::StreamableHttpService;
use tower_http::trace::TraceLayer;

use crate::server::Weather;

pub async fn serve(weather: Weather) -> anyhow::Result<()> {
    let key: Arc<str> = std::env::var("WEATHER_KEY")?.into();
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(weather.clone()), sessions, Default::default());
    let guarded = Router::new().route_service("/mcp", service).layer(middleware::from_fn(
        move |request: Request, next: Next| {
            let key = Arc::clone(&key);
            async move { checked(&key, request, next).await }
        },
    ));
    let app = guarded.layer(TraceLayer::new_for_http());
    let listener = tokio::net::TcpListener::bind(("0.0.0.0", 8000)).await?;
    axum::serve(listener, app).await?;
    Ok(())
}

async fn checked(key: &str, request: Request, next: Next) -> Response {
    let given = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    match given.and_then(|value| value.strip_prefix("Bearer ")) {
        Some(token) if token == key => next.run(request).await,
        _ => StatusCode::UNAUTHORIZED.into_response(),
    }
}
