//! Failures that a model can mend by itself.

use serde_json::{Value, json};

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct RecoverableError {
    message: String,
    hint: String,
}

impl RecoverableError {
    pub fn with_hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }

    pub fn body(&self) -> Value {
        json!({ "ok": false, "error": self.message, "hint": self.hint })
    }
}
