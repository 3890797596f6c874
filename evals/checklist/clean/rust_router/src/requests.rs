//! What the tools take.

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListStations {
    /// Only stations in this country, by its two letters.
    pub country: Option<String>,
    /// The fields to keep, all if absent.
    pub fields: Option<Vec<String>>,
    /// At most so many: 20 if absent, never over 100.
    pub limit: Option<i64>,
    /// The next_cursor of the page before.
    pub cursor: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetForecast {
    /// The station's id.
    pub station: String,
    /// How many days ahead.
    pub days: Option<u8>,
    /// The fields to keep, all if absent.
    pub fields: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct DismissAlert {
    /// The alert's id.
    pub alert: String,
    /// The fields to keep, all if absent.
    pub fields: Option<Vec<String>>,
}
