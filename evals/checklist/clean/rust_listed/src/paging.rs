//! Where a page begins and how long it is.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

use crate::schema::Asked;

const USUAL: usize = 20;
const MOST: usize = 100;

#[derive(Serialize, Deserialize)]
struct Mark {
    offset: usize,
    sort_key: u64,
}

pub fn page_size(asked: &Asked) -> usize {
    match asked.limit {
        None => USUAL,
        Some(n) if n < 1 => 1,
        Some(n) => (n as usize).min(MOST),
    }
}

pub fn offset(asked: &Asked) -> usize {
    let mark = asked.cursor.as_deref().and_then(read);
    mark.map_or(0, |mark| mark.offset)
}

pub fn cursor(offset: usize, sort_key: u64) -> Option<String> {
    let mark = Mark { offset, sort_key };
    serde_json::to_string(&mark).ok().map(|text| STANDARD.encode(text))
}

fn read(cursor: &str) -> Option<Mark> {
    serde_json::from_slice(&STANDARD.decode(cursor).ok()?).ok()
}
