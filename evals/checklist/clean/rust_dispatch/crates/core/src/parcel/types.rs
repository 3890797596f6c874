//! What the actions give.

use depot_macros::{truncate, Truncate};
use serde::Serialize;

#[derive(Debug, Clone, Serialize, Truncate)]
pub struct Parcel {
    pub id: String,
    pub recipient: String,
    pub status: Status,
    pub weight_grams: u32,
    pub tracking_url: String,
    #[truncate(full_action = "parcel.get_label")]
    pub label: String,
    #[truncate]
    pub notes: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Booked,
    OnTheWay,
    Delivered,
}

#[derive(Debug, Clone, Serialize, Truncate)]
pub struct Label {
    pub id: String,
    pub format: String,
    #[truncate]
    pub content: String,
}
