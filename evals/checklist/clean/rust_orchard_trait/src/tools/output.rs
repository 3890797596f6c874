//! Keeps lists short, and says what was left out.

use serde_json::{Value, json};

use super::params::optional_u64;

pub const PAGE: u64 = 50;
pub const LARGEST: u64 = 200;

/// How much of a list a call gets.
pub struct OutputGuard {
    offset: usize,
    limit: usize,
}

/// What a list left out.
pub struct Overflow {
    shown: usize,
    total: usize,
    hint: String,
    next_offset: Option<usize>,
}

impl OutputGuard {
    pub fn from_input(input: &Value) -> Self {
        let offset = optional_u64(input, "offset").unwrap_or(0) as usize;
        let limit = optional_u64(input, "limit").unwrap_or(PAGE).clamp(1, LARGEST) as usize;
        Self { offset, limit }
    }

    pub fn cap_items<T>(&self, items: Vec<T>, hint: &str) -> (Vec<T>, Option<Overflow>) {
        let total = items.len();
        let kept: Vec<T> = items.into_iter().skip(self.offset).take(self.limit).collect();
        if kept.len() == total {
            return (kept, None);
        }
        let end = self.offset + kept.len();
        let overflow = Overflow {
            shown: kept.len(),
            total,
            hint: hint.to_owned(),
            next_offset: (end < total).then_some(end),
        };
        (kept, Some(overflow))
    }

    pub fn overflow_json(overflow: &Overflow) -> Value {
        json!({
            "shown": overflow.shown,
            "total": overflow.total,
            "hint": overflow.hint,
            "next_offset": overflow.next_offset
        })
    }
}
