//! What the tools take.

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct SearchParts {
    /// A word of the part's name.
    pub word: String,
    /// At most so many: 20 if absent, never over 100.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<i64>,
    /// The next_cursor of the page before.
    pub cursor: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListNames {
    /// At most so many: 20 if absent, never over 100.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<i64>,
    /// The next_cursor of the page before.
    pub cursor: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct CountStock {
    /// The names of the boxes.
    pub boxes: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct PlugMachines {
    /// The machines' names.
    pub machines: Vec<String>,
}
