//! What a tool is, and which there are.

mod bells;
mod notes;

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::books::Books;

pub struct ToolContext {
    pub books: Arc<Books>,
    pub ct: CancellationToken,
}

#[async_trait(?Send)]
pub trait Tool {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    fn input_schema(&self) -> Value;

    fn is_write(&self, _input: &Value) -> bool {
        false
    }

    async fn call(&self, input: Value, ctx: &ToolContext) -> anyhow::Result<Value>;
}

pub fn registered() -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(bells::SearchBells),
        Arc::new(bells::CastBell),
        Arc::new(notes::ReadNote),
        Arc::new(notes::KeepNote),
    ]
}

pub fn require_str<'a>(input: &'a Value, key: &str) -> anyhow::Result<&'a str> {
    input[key].as_str().ok_or_else(|| anyhow::anyhow!("`{key}` is missing"))
}
