//! What the actions give.

use depot_macros::Truncate;
use serde::Serialize;

#[derive(Debug, Clone, Serialize, Truncate)]
pub struct Courier {
    pub id: String,
    pub name: String,
    pub round: u16,
    #[truncate(full_action = "courier.get")]
    pub description: Option<String>,
}
