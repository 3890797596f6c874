//! Where a page begins: a cursor that belongs to one query over one state of the shelves.

use base64::prelude::{Engine, BASE64_URL_SAFE};
use rmcp::ErrorData;
use serde::{Deserialize, Serialize};

pub const USUAL: i64 = 20;
pub const MOST: i64 = 100;

#[derive(Serialize, Deserialize)]
struct Position {
    offset: usize,
    check: u32,
}

pub struct Window {
    pub start: usize,
    pub size: usize,
    check: u32,
}

impl Window {
    pub fn new(limit: Option<i64>, cursor: Option<&str>, check: u32) -> Result<Self, ErrorData> {
        let size = limit.unwrap_or(USUAL).clamp(1, MOST) as usize;
        let start = match cursor {
            Some(cursor) => offset_of(cursor, check)?,
            None => 0,
        };
        Ok(Self { start, size, check })
    }

    /// Cuts the window out of `rows` and tells where the next one begins.
    pub fn cut<T: Clone>(&self, rows: &[T]) -> (Vec<T>, Option<String>) {
        let kept: Vec<T> = rows.iter().skip(self.start).take(self.size).cloned().collect();
        let end = self.start + kept.len();
        let next = (end < rows.len()).then(|| cursor_at(end, self.check));
        (kept, next)
    }
}

pub fn check_of(query: &str, version: u64) -> u32 {
    crc32fast::hash(format!("{query}:{version}").as_bytes())
}

fn cursor_at(offset: usize, check: u32) -> String {
    BASE64_URL_SAFE.encode(serde_json::json!({ "offset": offset, "check": check }).to_string())
}

fn offset_of(cursor: &str, check: u32) -> Result<usize, ErrorData> {
    let bytes = BASE64_URL_SAFE.decode(cursor).map_err(|_| ErrorData::invalid_params("invalid cursor", None))?;
    let position: Position =
        serde_json::from_slice(&bytes).map_err(|_| ErrorData::invalid_params("invalid cursor", None))?;
    if position.check != check {
        return Err(ErrorData::invalid_params("the cursor is of another list", None));
    }
    Ok(position.offset)
}
