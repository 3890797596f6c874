//! Pages: how many, and where the next one begins.

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::Engine;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ToolError;

pub const DEFAULT_LIMIT: u64 = 20;
pub const MAX_LIMIT: u64 = 100;

/// Where a page begins. Clients see it as one opaque word.
#[derive(Serialize, Deserialize)]
pub struct Position {
    pub offset: u64,
    pub sort_key: String,
}

impl Position {
    pub fn encode(&self) -> Result<String, ToolError> {
        let bytes = serde_json::to_vec(self)?;
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    pub fn decode(cursor: &str) -> Result<Self, ToolError> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| ToolError::invalid("cursor"))?;
        serde_json::from_slice(&bytes).map_err(|_| ToolError::invalid("cursor"))
    }
}

/// What a list was asked for.
pub struct Page {
    pub limit: u64,
    pub offset: u64,
}

impl Page {
    pub fn read(params: &Value) -> Result<Self, ToolError> {
        let limit = params.get("limit").and_then(Value::as_u64).unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
        let offset = match params.get("cursor").and_then(Value::as_str) {
            Some(cursor) => Position::decode(cursor)?.offset,
            None => 0,
        };
        Ok(Self { limit, offset })
    }

    /// The cursor of the page after this one, None after the last.
    pub fn next(&self, given: usize, sort_key: &str) -> Result<Option<String>, ToolError> {
        if (given as u64) < self.limit {
            return Ok(None);
        }
        let next = Position { offset: self.offset + self.limit, sort_key: sort_key.to_owned() };
        next.encode().map(Some)
    }
}
