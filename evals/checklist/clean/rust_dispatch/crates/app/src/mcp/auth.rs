//! Who may call over HTTP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{header, Request, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use subtle::ConstantTimeEq;

#[derive(Clone)]
pub struct Token(pub Arc<str>);

/// Lets a request pass that carries the token.
pub async fn require_bearer(
    State(token): State<Token>,
    request: Request<Body>,
    next: Next,
) -> Result<Response, StatusCode> {
    let given = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    if given.as_bytes().ct_eq(token.0.as_bytes()).into() {
        Ok(next.run(request).await)
    } else {
        Err(StatusCode::UNAUTHORIZED)
    }
}
