//! What the actions give.

use serde::Serialize;
use snippet_macros::truncate;

#[derive(Clone, Serialize)]
pub struct Snippet {
    pub id: u64,
    pub title: String,
    pub language: String,
    #[truncate]
    pub body: String,
}
