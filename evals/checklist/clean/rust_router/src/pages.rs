//! Pages of a list.

use base64::prelude::{Engine, BASE64_URL_SAFE};
use rmcp::ErrorData;
use serde_json::{json, Value};

pub struct Window {
    pub start: usize,
    pub size: usize,
}

impl Window {
    pub fn new(limit: Option<i64>, cursor: Option<&str>) -> Result<Self, ErrorData> {
        let size = limit.unwrap_or(20).max(1).min(100) as usize;
        let start = match cursor {
            Some(cursor) => start_of(cursor).ok_or_else(|| ErrorData::invalid_params("invalid cursor", None))?,
            None => 0,
        };
        Ok(Self { start, size })
    }

    /// Cuts the window out of `rows` and tells where the next one begins.
    pub fn cut<T: Clone>(&self, rows: &[T]) -> (Vec<T>, Option<String>) {
        let kept: Vec<T> = rows.iter().skip(self.start).take(self.size).cloned().collect();
        let end = self.start + kept.len();
        let next = (end < rows.len()).then(|| cursor_at(end));
        (kept, next)
    }
}

fn cursor_at(offset: usize) -> String {
    BASE64_URL_SAFE.encode(json!({ "offset": offset, "sort_key": "name" }).to_string())
}

fn start_of(cursor: &str) -> Option<usize> {
    let bytes = BASE64_URL_SAFE.decode(cursor).ok()?;
    let position: Value = serde_json::from_slice(&bytes).ok()?;
    Some(position.get("offset")?.as_u64()? as usize)
}
