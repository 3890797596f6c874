//! What calls carry.

use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    pub id: Option<u64>,
    pub words: Option<String>,
    pub fields: Option<Vec<String>>,
    pub limit: Option<i64>,
    pub cursor: Option<String>,
}
