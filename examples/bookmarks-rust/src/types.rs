//! What the actions give.

use serde::Serialize;

#[derive(Serialize)]
pub struct Bookmark {
    pub id: String,
    pub url: String,
    pub title: String,
    #[truncate]
    pub page_text: String,
}
