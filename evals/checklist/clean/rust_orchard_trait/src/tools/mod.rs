//! What every tool is.

pub mod errors;
pub mod harvests;
pub mod notes;
pub mod output;
pub mod params;
pub mod photos;
pub mod press;
pub mod trees;

use std::sync::Arc;

use anyhow::Result;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::store::Store;

/// What a call may use beside its input.
pub struct ToolContext {
    pub store: Arc<Store>,
    pub cancelled: CancellationToken,
}

#[async_trait::async_trait]
pub trait Tool: Send + Sync {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    fn input_schema(&self) -> Value;

    /// Whether a call changes the book.
    fn is_write(&self, _input: &Value) -> bool {
        false
    }

    async fn call(&self, input: Value, context: &ToolContext) -> Result<Value>;
}
