//! What stands for a text that is too large to send. `#[truncate]` calls it for the fields that carry the mark.

use serde_json::{json, Value};

pub const TEXT_LIMIT: usize = 2048;
pub const PREVIEW: usize = 500;

/// The text itself, or its beginning and the call that gives the rest.
pub fn shortened(text: &str, full_action: &str, id: &str) -> Value {
    if text.len() <= TEXT_LIMIT {
        return Value::String(text.to_owned());
    }
    let preview: String = text.chars().take(PREVIEW).collect();
    json!({
        "_truncated": true,
        "preview": preview,
        "full_action": full_action,
        "full_params": { "id": id },
    })
}
