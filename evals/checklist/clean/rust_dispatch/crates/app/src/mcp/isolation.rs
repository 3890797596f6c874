//! Keeps a panic of a handler from leaving a call unanswered.

use std::future::Future;
use std::panic::AssertUnwindSafe;

use depot_core::ToolError;
use futures::FutureExt;
use serde_json::Value;

pub async fn isolated<F>(work: F) -> Result<Value, ToolError>
where
    F: Future<Output = Result<Value, ToolError>>,
{
    let result = AssertUnwindSafe(work).catch_unwind().await;
    match result {
        Ok(answer) => answer,
        Err(_) => {
            tracing::error!(target: "panic", "tool handler panicked");
            Err(ToolError::Internal { message: "tool handler panicked".into() })
        }
    }
}
