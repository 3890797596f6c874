//! From an answer to the protocol's words.

use rmcp::model::{CallToolResult, Content};
use serde_json::Value;

pub fn wrapped(value: Value) -> CallToolResult {
    CallToolResult::success(vec![Content::text(value.to_string())])
}
